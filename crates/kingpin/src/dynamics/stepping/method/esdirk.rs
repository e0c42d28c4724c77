//! First-order reduction, ESDIRK4(3)6L[2]SA.

use super::MethodEntry;
use crate::dynamics::forms::reduced::Reduced;
use crate::dynamics::stepping::engine::implicit;
use crate::integrate::EsdirkFormula;

pub(super) const ENTRY: MethodEntry = MethodEntry {
    name: "esdirk",
    about: "ESDIRK with stage order 2 on the state-space form, order 4, rotating stiff parts",
    order: "4",
    kind: "implicit, state space",
    suits: "rotating stiff parts: stage order 2",
    explicit: false,
    fixed_step: false,
    nodes: &[0.332, 0.5, 0.62, 0.85, 1.0],
    make: |setup| implicit::<Reduced, EsdirkFormula, false>(setup),
    explained: "\
esdirk = Kennedy-Carpenter
ESDIRK4(3)6L[2]SA of Kennedy and Carpenter on the state-space form: order 4, L-stable.
An explicit first stage equals the end of the previous step; five implicit stages share
one matrix. Stages have order 2, those of the SDIRK methods order 1, so it keeps its
order where stiff parts rotate. Implicit, with Newton's method.
$ kingpin run hmmwv14_stiff.toml --method esdirk --tol 1e-4
> state space, for-sdirk, for-rosen, implicit",
};
