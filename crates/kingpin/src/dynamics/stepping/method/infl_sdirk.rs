//! Descriptor form, SDIRK4/16.

use super::{SDIRK, MethodEntry, with_start};
use crate::dynamics::forms::descriptor::Inflated;
use crate::dynamics::stepping::engine::{Engine, Implicit, Setup};
use crate::dynamics::instant::{Dynamics, Trouble};
use crate::integrate::{Control, Sdirk16};
use crate::system::State;

pub(super) const ENTRY: MethodEntry = MethodEntry {
    name: "infl-sdirk",
    about: "SDIRK4/16 on the descriptor form, order 4, stiff",
    explicit: false,
    fixed_step: false,
    nodes: SDIRK,
    make,
    explained: "\
infl-sdirk
SDIRK4/16 on the descriptor form: order 4, five stages that share one matrix, damps what is
much faster than its steps (L-stable). Implicit.
$ kingpin run hmmwv14_stiff.toml --method infl-sdirk
> descriptor, for-sdirk, implicit",
};

fn make<'a>(
    mechanism: Dynamics<'a>,
    state: &State,
    setup: Setup,
    h: Option<f64>,
) -> Result<Box<dyn Engine<'a> + 'a>, Trouble> {
    let control = setup.settings.control(Control::default());
    Implicit::boxed(mechanism, state, setup, h, move |norm, h, t, y, t_end| {
        Inflated::new(Sdirk16::new(norm, with_start(control, h), t, y, t_end))
    })
}
