//! Results by behaviour: folders, exports, reports, plots.

mod beams;
mod damage;
mod meshes;
mod plots;
mod report;
mod sample;
mod scenes;
mod solids;
mod store;
mod surfaces;
mod tables;
