//! State space, trapezoidal rule.

use super::{MethodEntry, TRAPEZOID};
use crate::dynamics::forms::reduced::Reduced;
use crate::dynamics::stepping::engine::implicit;
use crate::integrate::TrapezoidalRule;

pub(super) const ENTRY: MethodEntry = MethodEntry {
    name: "ssp-trap",
    about: "trapezoidal rule on the state-space form, order 2, stiff",
    order: "2",
    kind: "implicit, state space",
    suits: "stiff, loose tolerances; simple and robust",
    explicit: false,
    fixed_step: false,
    nodes: TRAPEZOID,
    make: |setup| implicit::<Reduced, TrapezoidalRule, false>(setup),
    explained: "\
ssp-trap = trapezoidal rule, trapezoidal, Crank-Nicolson
The trapezoidal rule on the state-space form, order 2, implicit. It is simple and
robust, but needs many steps at small tolerances and does not damp motions much faster
than the steps.
$ kingpin run hmmwv14_stiff.toml --method ssp-trap --tol 1e-3
> state space, infl-trap, implicit",
};
