//! Solutions that share nothing with the library: closed forms, elliptic functions, and an integrator of their own.

pub mod extrapolation;
pub mod jacobi;
pub mod quadrature;
pub mod rotation;
