//! State space, trapezoidal rule.

use super::{TRAPEZOID, MethodEntry, with_start};
use crate::dynamics::stepping::engine::{Engine, Implicit, Setup};
use crate::dynamics::instant::{Dynamics, Trouble};
use crate::integrate::{Control, Trapezoidal};
use crate::system::State;

pub(super) const ENTRY: MethodEntry = MethodEntry {
    name: "ssp-trap",
    about: "trapezoidal rule on the state-space form, order 2, stiff",
    explicit: false,
    fixed_step: false,
    nodes: TRAPEZOID,
    make,
    explained: "\
ssp-trap
The trapezoidal rule on the state-space form, order 2, implicit. Simple and robust; many
steps at tight tolerances. It does not damp what is much faster than its steps.
$ kingpin run hmmwv14_stiff.toml --method ssp-trap --tol 1e-3
> state space, infl-trap, implicit",
};

fn make<'a>(
    mechanism: Dynamics<'a>,
    state: &State,
    setup: Setup,
    h: Option<f64>,
) -> Result<Box<dyn Engine<'a> + 'a>, Trouble> {
    let control = setup.settings.control(Control::default());
    Implicit::boxed(mechanism, state, setup, h, move |norm, h, t, y, t_end| {
        Trapezoidal::new(norm, with_start(control, h), t, y, t_end)
    })
}
