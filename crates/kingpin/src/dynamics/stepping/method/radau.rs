//! State-space form, Radau IIA.

use super::MethodEntry;
use crate::dynamics::forms::reduced::Reduced;
use crate::dynamics::stepping::engine::implicit;
use crate::integrate::RadauFormula;

pub(super) const ENTRY: MethodEntry = MethodEntry {
    name: "radau",
    about: "Radau IIA on the state-space form, order 5, stiff, tight tolerances",
    order: "5",
    kind: "implicit, state space",
    suits: "stiff, medium to tight tolerances, stiff parts that turn: its stages have order 3; `auto` goes on with it below 1e-4",
    explicit: false,
    fixed_step: false,
    nodes: &[0.155051025721682, 0.644948974278318, 1.0],
    make: |setup| implicit::<Reduced, RadauFormula, false>(setup),
    explained: "\
radau
Radau IIA with three stages on the state-space form: order 5, L-stable, stages of order 3,
which are solved for together by one real and one complex matrix of the size of the
freedoms. It takes the fewest steps of all implicit methods where the motion is smooth, and
keeps its order where stiff parts turn. Implicit, iterates with Newton's method. `auto` goes
on with it below 1e-4.
$ kingpin run andrews.toml --method radau --tol 1e-7
> state space, esdirk, for-sdirk, for-rosen, implicit",
};
