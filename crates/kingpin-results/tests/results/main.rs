//! Results by behaviour: folders, exports, reports, plots.

mod sample;
mod scenes;
mod store;
mod tables;
