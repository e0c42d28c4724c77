//! Hilber, Hughes and Taylor with a fixed step.

use super::{MethodEntry, TRAPEZOID};
use crate::dynamics::forms::reduced::Reduced;
use crate::dynamics::stepping::engine::implicit;
use crate::integrate::HilberHughesTaylorRule;

pub(super) const ENTRY: MethodEntry = MethodEntry {
    name: "hht",
    about: "Hilber-Hughes-Taylor with a fixed step, order 2",
    order: "2",
    kind: "implicit, fixed step",
    suits: "comparison with other programs; no error control",
    explicit: false,
    fixed_step: true,
    nodes: TRAPEZOID,
    make: |setup| implicit::<Reduced, HilberHughesTaylorRule, false>(setup),
    explained: "\
hht = Hilber-Hughes-Taylor
The method of Hilber, Hughes and Taylor with a fixed step that you give (`--h`), order 2:
Newmark's rule with some damping of what is faster than the steps. No error is estimated.
$ kingpin run four_bar.toml --method hht --h 1ms
> newmark, step",
};
