//! Results by behaviour: folders, exports, reports, plots.

mod plots;
mod report;
mod sample;
mod scenes;
mod store;
mod tables;
