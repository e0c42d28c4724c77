//! First-order reduction, Rosenbrock–Nyström.

use super::{MethodEntry, with_start};
use crate::dynamics::stepping::engine::{Engine, Implicit, Setup};
use crate::dynamics::instant::{Dynamics, Trouble};
use crate::integrate::{Control, Rosenbrock};
use crate::system::State;

pub(super) const ENTRY: MethodEntry = MethodEntry {
    name: "for-rosen",
    about: "Rosenbrock-Nystrom with exact Jacobians, order 4, stiff",
    explicit: false,
    fixed_step: false,
    nodes: NODES,
    make,
    explained: "\
for-rosen
A Rosenbrock-Nystrom method of order 4 on the state-space form, L-stable. One exact Jacobian
and four linear solutions a step, no iteration: the fastest for stiff problems at loose and
medium tolerances. `auto` goes on with it.
$ kingpin run hmmwv14_stiff.toml --method for-rosen
> state space, for-sdirk, auto, linearisation",
};

pub(super) const NODES: &[f64] = &[0.0, 0.21, 0.386, 0.63, 1.0];

pub(super) fn make<'a>(
    mechanism: Dynamics<'a>,
    state: &State,
    setup: Setup,
    h: Option<f64>,
) -> Result<Box<dyn Engine<'a> + 'a>, Trouble> {
    let control = setup.settings.control(Control::default());
    Implicit::boxed(mechanism, state, setup, h, move |norm, h, t, y, t_end| {
        Rosenbrock::new(norm, with_start(control, h), t, y, t_end)
    })
}
