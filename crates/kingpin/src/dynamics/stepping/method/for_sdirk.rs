//! First-order reduction, SDIRK4/15.

use super::{MethodEntry, SDIRK};
use crate::dynamics::forms::reduced::Reduced;
use crate::dynamics::stepping::engine::implicit;
use crate::integrate::Sdirk15Formula;

pub(super) const ENTRY: MethodEntry = MethodEntry {
    name: "for-sdirk",
    about: "SDIRK4/15 on the first-order form, order 4, stiff",
    order: "4",
    kind: "implicit, state space",
    suits: "stiff, medium to small tolerances",
    explicit: false,
    fixed_step: false,
    nodes: SDIRK,
    make: |setup| implicit::<Reduced, Sdirk15Formula, false>(setup),
    explained: "\
for-sdirk = SDIRK
SDIRK4/15 on the state-space form, written as a first-order system: order 4, five stages
with a common matrix, L-stable. Implicit, with Newton's method; accurate at loose
tolerances.
$ kingpin run hmmwv14_stiff.toml --method for-sdirk --tol 1e-3
> state space, for-rosen, implicit",
};
