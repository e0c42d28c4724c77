//! Results by behaviour: folders, exports, reports, plots.

mod sample;
mod store;
mod tables;
