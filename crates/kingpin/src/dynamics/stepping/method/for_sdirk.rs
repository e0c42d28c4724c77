//! First-order reduction, SDIRK4/15.

use super::{SDIRK, MethodEntry, with_start};
use crate::dynamics::stepping::engine::{Engine, Implicit, Setup};
use crate::dynamics::instant::{Dynamics, Trouble};
use crate::integrate::{Control, Sdirk15};
use crate::system::State;

pub(super) const ENTRY: MethodEntry = MethodEntry {
    name: "for-sdirk",
    about: "SDIRK4/15 on the first-order form, order 4, stiff",
    explicit: false,
    fixed_step: false,
    nodes: SDIRK,
    make,
    explained: "\
for-sdirk
SDIRK4/15 on the state-space form written as first order: order 4, five stages that share
one matrix, L-stable. Implicit, iterates with Newton's method; accurate at loose tolerances
already.
$ kingpin run hmmwv14_stiff.toml --method for-sdirk --tol 1e-3
> state space, for-rosen, implicit",
};

fn make<'a>(
    mechanism: Dynamics<'a>,
    state: &State,
    setup: Setup,
    h: Option<f64>,
) -> Result<Box<dyn Engine<'a> + 'a>, Trouble> {
    let control = setup.settings.control(Control::default());
    Implicit::boxed(mechanism, state, setup, h, move |norm, h, t, y, t_end| {
        Sdirk15::new(norm, with_start(control, h), t, y, t_end)
    })
}
