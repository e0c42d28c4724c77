//! Hilber, Hughes and Taylor with a fixed step.

use super::{MethodEntry, TRAPEZOID};
use crate::dynamics::forms::reduced::Reduced;
use crate::dynamics::stepping::engine::implicit;
use crate::integrate::HilberHughesTaylorRule;

pub(super) const ENTRY: MethodEntry = MethodEntry {
    name: "hht",
    about: "Hilber-Hughes-Taylor with a fixed step size, order 2",
    order: "2",
    kind: "implicit, fixed step size",
    suits: "comparison with other programs; no error control",
    explicit: false,
    fixed_step: true,
    nodes: TRAPEZOID,
    make: |setup| implicit::<Reduced, HilberHughesTaylorRule, false>(setup),
    explained: "\
hht = Hilber-Hughes-Taylor, HHT-alpha, HHT-I3
The method of Hilber, Hughes and Taylor, order 2, with a fixed step size given by `--h`:
Newmark's method with numerical damping of high frequencies. There is no error estimate.
For comparison with other programs.
$ kingpin run four_bar.toml --method hht --h 1ms
> newmark, gen-alpha, step",
};
