//! Second-order form, generalised alpha.

use super::{MethodEntry, TRAPEZOID};
use crate::dynamics::forms::reduced::Reduced;
use crate::dynamics::stepping::engine::implicit;
use crate::integrate::GeneralisedAlphaRule;

pub(super) const ENTRY: MethodEntry = MethodEntry {
    name: "gen-alpha",
    about: "generalised alpha on the state-space form, order 2, damps fast oscillations",
    order: "2",
    kind: "implicit, state space",
    suits: "structures whose fast oscillations shall die away",
    explicit: false,
    fixed_step: false,
    nodes: TRAPEZOID,
    make: |setup| implicit::<Reduced, GeneralisedAlphaRule, false>(setup),
    explained: "\
gen-alpha = generalised alpha, Chung-Hulbert
The method of Chung and Hulbert on second-order equations: order 2, implicit, one solution a
step. Of oscillations much faster than the steps a step leaves `spectral_radius` (0.8 unless
set; 1 leaves all, 0 nothing), of slow ones nearly all: energy that it takes from them is an
error like others. Steps follow the error, and the start of each is moved to where the method
has its accelerations when the size changes.
$ kingpin run cable_swing.toml --method gen-alpha --tol 1e-4
> hht, newmark, radau, implicit",
};
