//! First-order reduction, ESDIRK4(3)6L[2]SA.

use super::MethodEntry;
use crate::dynamics::forms::reduced::Reduced;
use crate::dynamics::stepping::engine::implicit;
use crate::integrate::EsdirkFormula;

pub(super) const ENTRY: MethodEntry = MethodEntry {
    name: "esdirk",
    about: "ESDIRK with stages of order 2 on the state-space form, order 4, stiff parts that turn",
    order: "4",
    kind: "implicit, state space",
    suits: "stiff parts that turn: its stages have order 2",
    explicit: false,
    fixed_step: false,
    nodes: &[0.332, 0.5, 0.62, 0.85, 1.0],
    make: |setup| implicit::<Reduced, EsdirkFormula, false>(setup),
    explained: "\
esdirk
ESDIRK4(3)6L[2]SA of Kennedy and Carpenter on the state-space form: order 4, L-stable, five
implicit stages that share one matrix after one that is the end of the step before. Its
stages have order 2, where those of the SDIRK methods have order 1: it keeps its order where
stiff parts turn. Implicit, iterates with Newton's method.
$ kingpin run hmmwv14_stiff.toml --method esdirk --tol 1e-4
> state space, for-sdirk, for-rosen, implicit",
};
