//! Hilber, Hughes and Taylor with a fixed step.

use super::{TRAPEZOID, MethodEntry};
use crate::dynamics::stepping::engine::{Engine, Implicit, Setup};
use crate::dynamics::instant::{Dynamics, Trouble};
use crate::integrate::HilberHughesTaylor;
use crate::system::State;

pub(super) const ENTRY: MethodEntry = MethodEntry {
    name: "hht",
    about: "Hilber-Hughes-Taylor with a fixed step, order 2",
    explicit: false,
    fixed_step: true,
    nodes: TRAPEZOID,
    make,
    explained: "\
hht = Hilber-Hughes-Taylor
The method of Hilber, Hughes and Taylor with a fixed step that you give (`--h`), order 2:
Newmark's rule with some damping of what is faster than the steps. No error is estimated.
$ kingpin run four_bar.toml --method hht --h 1ms
> newmark, step",
};

fn make<'a>(
    mechanism: Dynamics<'a>,
    state: &State,
    setup: Setup,
    h: Option<f64>,
) -> Result<Box<dyn Engine<'a> + 'a>, Trouble> {
    let control = setup.settings.fixed();
    Implicit::boxed(mechanism, state, setup, h, move |norm, _, t, y, t_end| {
        HilberHughesTaylor::new(norm, control, t, y, t_end)
    })
}
