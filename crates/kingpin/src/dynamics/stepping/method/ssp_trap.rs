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
ssp-trap
The trapezoidal rule on the state-space form, order 2, implicit. Simple and robust; many
steps at tight tolerances. It does not damp what is much faster than its steps.
$ kingpin run hmmwv14_stiff.toml --method ssp-trap --tol 1e-3
> state space, infl-trap, implicit",
};
