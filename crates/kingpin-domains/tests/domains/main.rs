//! Sub-domains and their solvers, in one executable: a module for each subject.

mod mast;
mod methods;
mod ranks;
mod steps;
