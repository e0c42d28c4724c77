//! Meshes, elements and reduced bodies, in one executable: a module for each subject.

mod cantilever;
mod elements;
mod floating;
mod link;
mod plane;
mod plates;
mod reading;
mod refused;
mod superelement;
