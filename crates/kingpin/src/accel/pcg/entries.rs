//! The iterative solver under its names, one for each preconditioner.

use super::Pcg;
use super::precondition::BlockPreconditioner;
use crate::accel::method::{self, SolverEntry};

/// With the factor of an earlier state.
pub(in crate::accel) const EARLIER: SolverEntry = SolverEntry {
    name: "pcg",
    about: "conjugate gradients on the reduced system, preconditioned by an earlier factorisation",
    dense: false,
    storage: |problem| 2 * method::sparse(problem),
    build: |_, problem| Box::new(Pcg::new(problem, None)),
    explained: "\
pcg = conjugate gradients, preconditioner, iterative solver, solver iterations
Solves the reduced system of `elimination` by preconditioned conjugate gradients.
Products with the matrix are computed body by body and joint by joint. The
preconditioner is the factorisation of an earlier state; it is renewed when iterations
cost more than a new one. The residual of each body is a small part of the error
tolerance. If the iteration does not converge, the matrix is factored, and the summary
reports it.
$ kingpin run four_bar.toml --solver pcg
> elimination, pcg-jacobi, pcg-incomplete",
};

/// With the blocks of single joints.
pub(in crate::accel) const JACOBI: SolverEntry = SolverEntry {
    name: "pcg-jacobi",
    about: "conjugate gradients with a block Jacobi preconditioner",
    dense: false,
    storage: |problem| 2 * method::sparse(problem),
    build: |_, problem| Box::new(Pcg::new(problem, Some(BlockPreconditioner::diagonal(problem)))),
    explained: "\
pcg-jacobi = block jacobi
Conjugate gradients as in `pcg`, preconditioned by the diagonal blocks of the reduced
matrix, one per joint. Only these are factored, so the number of iterations grows with
the length of a mechanism. For comparison.
$ kingpin accelerations four_bar.toml --solver pcg-jacobi
> pcg, pcg-incomplete",
};

/// With all blocks and no fill.
pub(in crate::accel) const INCOMPLETE: SolverEntry = SolverEntry {
    name: "pcg-incomplete",
    about: "conjugate gradients with an incomplete Cholesky preconditioner without fill",
    dense: false,
    storage: |problem| 2 * method::sparse(problem),
    build: |_, problem| {
        Box::new(Pcg::new(problem, Some(BlockPreconditioner::incomplete(problem, problem.plan(true)))))
    },
    explained: "\
pcg-incomplete = incomplete factor, incomplete Cholesky
Conjugate gradients as in `pcg`, preconditioned by an incomplete block Cholesky factor
along the elimination order, which omits fill. Without closed loops there is no fill, so
the factor is exact and one iteration suffices.
$ kingpin accelerations jansen.toml --solver pcg-incomplete
> pcg, fill, elimination order",
};
