//! First-order reduction, Rosenbrock–Nyström.

use super::{MakeEngine, MethodEntry};
use crate::dynamics::forms::reduced::Reduced;
use crate::dynamics::stepping::engine::implicit;
use crate::integrate::RosenbrockFormula;

pub(super) const ENTRY: MethodEntry = MethodEntry {
    name: "for-rosen",
    about: "Rosenbrock-Nystrom with exact Jacobians, order 4, stiff",
    order: "4",
    kind: "implicit, state space",
    suits: "stiff, loose to medium tolerances: no iteration; `auto` switches to it from 1e-4 on with dense matrices",
    explicit: false,
    fixed_step: false,
    nodes: NODES,
    make: MAKE,
    explained: "\
for-rosen = Rosenbrock, Rosenbrock-Nystrom, ode23s
Rosenbrock-Nystrom method of order 4 on the state-space form, L-stable. Each step needs
one exact Jacobian and four linear solutions but no iteration: it is the fastest method
for stiff problems at loose and medium tolerances. `auto` switches to it at tolerances
from 1e-4 on with dense matrices.
$ kingpin run hmmwv14_stiff.toml --method for-rosen
> state space, for-sdirk, auto, linearisation",
};

pub(super) const NODES: &[f64] = &[0.0, 0.21, 0.386, 0.63, 1.0];

pub(super) const MAKE: MakeEngine = |setup| implicit::<Reduced, RosenbrockFormula, true>(setup);
