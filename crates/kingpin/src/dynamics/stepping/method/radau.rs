//! State-space form, Radau IIA.

use super::MethodEntry;
use crate::dynamics::forms::reduced::Reduced;
use crate::dynamics::stepping::engine::implicit;
use crate::integrate::RadauFormula;

pub(super) const ENTRY: MethodEntry = MethodEntry {
    name: "radau",
    about: "Radau IIA on the state-space form, order 5, stiff, small tolerances",
    order: "5",
    kind: "implicit, state space",
    suits: "stiff, medium to small tolerances, rotating stiff parts (stage order 3); `auto` switches to it below 1e-4",
    explicit: false,
    fixed_step: false,
    nodes: &[0.155051025721682, 0.644948974278318, 1.0],
    make: |setup| implicit::<Reduced, RadauFormula, false>(setup),
    explained: "\
radau = RADAU5, Radau IIA, BDF, GSTIFF, ode15s, IDA, CVODE
Radau IIA method with three stages on the state-space form: order 5, L-stable, stage
order 3. The stages are solved together by one real and one complex matrix of the size
of the degrees of freedom. It needs the fewest steps of all implicit methods in smooth
motions, and keeps its order where stiff parts rotate. Implicit, with Newton's method.
`auto` switches to it at tolerances below 1e-4. There is no BDF method; use this one.
$ kingpin run andrews.toml --method radau --tol 1e-7
> state space, esdirk, for-sdirk, for-rosen, implicit",
};
