//! Second-order form, generalised alpha.

use super::{MethodEntry, TRAPEZOID};
use crate::dynamics::forms::reduced::Reduced;
use crate::dynamics::stepping::engine::implicit;
use crate::integrate::GeneralisedAlphaRule;

pub(super) const ENTRY: MethodEntry = MethodEntry {
    name: "gen-alpha",
    about: "generalised alpha on the state-space form, order 2, numerical damping of high frequencies",
    order: "2",
    kind: "implicit, state space",
    suits: "structures whose high frequencies should be damped",
    explicit: false,
    fixed_step: false,
    nodes: TRAPEZOID,
    make: |setup| implicit::<Reduced, GeneralisedAlphaRule, false>(setup),
    explained: "\
gen-alpha = generalised alpha, generalized alpha, generalized-alpha, Chung-Hulbert
The generalised alpha method of Chung and Hulbert on second-order equations: order 2,
implicit, one solution per step. `spectral_radius` (default 0.8) is the factor by which
a step multiplies oscillations much faster than the steps: 1 keeps them, 0 removes them;
slow oscillations are nearly undamped. The numerical damping counts as error, which
controls the step size.
$ kingpin run cable_swing.toml --method gen-alpha --tol 1e-4
> hht, newmark, radau, implicit",
};
