//! Newmark's rule with a fixed step.

use super::{MethodEntry, TRAPEZOID};
use crate::dynamics::forms::reduced::Reduced;
use crate::dynamics::stepping::engine::implicit;
use crate::integrate::TrapezoidalRule;

pub(super) const ENTRY: MethodEntry = MethodEntry {
    name: "newmark",
    about: "Newmark's average acceleration method with a fixed step size, order 2",
    order: "2",
    kind: "implicit, fixed step size",
    suits: "comparison with other programs; no error control",
    explicit: false,
    fixed_step: true,
    nodes: TRAPEZOID,
    make: |setup| implicit::<Reduced, TrapezoidalRule, false>(setup),
    explained: "\
newmark = average acceleration, Newmark-beta
Newmark's average acceleration method, order 2, with a fixed step size given by `--h`.
There is no error estimate: halve the step size until the result no longer changes. For
comparison with other programs.
$ kingpin run four_bar.toml --method newmark --h 1ms
> hht, step",
};
