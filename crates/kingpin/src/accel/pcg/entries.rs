//! The iterative solver under its names, one for each preconditioner.

use super::Pcg;
use super::precondition::BlockPreconditioner;
use crate::accel::method::{self, SolverEntry};

/// With the factor of an earlier state.
pub(in crate::accel) const EARLIER: SolverEntry = SolverEntry {
    name: "pcg",
    about: "conjugate gradients on the reduced system, preconditioned by the factor of an earlier state",
    dense: false,
    storage: |problem| 2 * method::sparse(problem),
    build: |_, problem| Box::new(Pcg::new(problem, None)),
    explained: "\
pcg = conjugate gradients, preconditioner, iterative solver, solver iterations
The reduced system of `elimination` is solved by iterations that need products with its
matrix alone: each body sums the forces of its joints, each joint the accelerations of its
bodies. The factor of an earlier state makes them few. It is renewed when iterations have
come to cost more than a new factor would. The error that is left of each body is a small
part of what the step allows; where iterations do not converge, the matrix of that state is
factored, and the summary says so.
$ kingpin run four_bar.toml --solver pcg
> elimination, pcg-jacobi, pcg-incomplete",
};

/// With the blocks of single joints.
pub(in crate::accel) const JACOBI: SolverEntry = SolverEntry {
    name: "pcg-jacobi",
    about: "the same, preconditioned by the blocks of single joints",
    dense: false,
    storage: |problem| 2 * method::sparse(problem),
    build: |_, problem| Box::new(Pcg::new(problem, Some(BlockPreconditioner::diagonal(problem)))),
    explained: "\
pcg-jacobi = block jacobi
Conjugate gradients as in `pcg`, preconditioned by the blocks of the reduced matrix that
belong to single joints. Nothing is factored but these, so nothing couples the ends of a
mechanism but the iterations: their number grows with its length. For comparison.
$ kingpin accel four_bar.toml --solver pcg-jacobi
> pcg, pcg-incomplete",
};

/// With all blocks and no fill.
pub(in crate::accel) const INCOMPLETE: SolverEntry = SolverEntry {
    name: "pcg-incomplete",
    about: "the same, preconditioned by an incomplete factor without fill",
    dense: false,
    storage: |problem| 2 * method::sparse(problem),
    build: |_, problem| {
        Box::new(Pcg::new(problem, Some(BlockPreconditioner::incomplete(problem, problem.plan(true)))))
    },
    explained: "\
pcg-incomplete = incomplete factor
Conjugate gradients as in `pcg`, preconditioned by an incomplete block Cholesky factor along
the elimination order: blocks that the reduced matrix has not are left away. Without loops
there are none, so the factor is exact and one iteration does.
$ kingpin accel jansen.toml --solver pcg-incomplete
> pcg, fill, elimination order",
};
