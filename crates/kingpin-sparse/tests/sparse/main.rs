//! Sparse solvers, in one executable: a module for each solver.

mod allocation;
mod augmented;
mod frontal;
mod ldlt;
mod lu;
