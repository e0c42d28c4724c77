//! Newmark's rule with a fixed step.

use super::{MethodEntry, TRAPEZOID};
use crate::dynamics::forms::reduced::Reduced;
use crate::dynamics::stepping::engine::implicit;
use crate::integrate::TrapezoidalRule;

pub(super) const ENTRY: MethodEntry = MethodEntry {
    name: "newmark",
    about: "Newmark's average acceleration with a fixed step, order 2",
    order: "2",
    kind: "implicit, fixed step",
    suits: "comparison with other programs; no error control",
    explicit: false,
    fixed_step: true,
    nodes: TRAPEZOID,
    make: |setup| implicit::<Reduced, TrapezoidalRule, false>(setup),
    explained: "\
newmark
Newmark's rule of average acceleration with a fixed step that you give (`--h`), order 2. No
error is estimated: halve the step until the result stays. For comparison with other
programs.
$ kingpin run four_bar.toml --method newmark --h 1ms
> hht, step",
};
