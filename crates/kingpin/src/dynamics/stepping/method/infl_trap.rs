//! Descriptor form, trapezoidal rule.

use super::{MethodEntry, TRAPEZOID};
use crate::dynamics::forms::descriptor::Descriptor;
use crate::dynamics::stepping::engine::implicit;
use crate::integrate::TrapezoidalRule;

pub(super) const ENTRY: MethodEntry = MethodEntry {
    name: "infl-trap",
    about: "trapezoidal rule on the descriptor form, order 2, stiff",
    order: "2",
    kind: "implicit, descriptor",
    suits: "comparison with `ssp-trap`, with sparse matrices",
    explicit: false,
    fixed_step: false,
    nodes: TRAPEZOID,
    make: |setup| implicit::<Descriptor, TrapezoidalRule, false>(setup),
    explained: "\
infl-trap
The trapezoidal rule on the descriptor form, order 2, implicit: the formula of
`ssp-trap`, with sparse matrices of all coordinates instead of small dense ones.
$ kingpin run hmmwv14_stiff.toml --method infl-trap --tol 1e-3
> descriptor, ssp-trap, implicit",
};
