//! Newmark's rule with a fixed step.

use super::{TRAPEZOID, MethodEntry};
use crate::dynamics::stepping::engine::{Engine, Implicit, Setup};
use crate::dynamics::instant::{Dynamics, Trouble};
use crate::integrate::Trapezoidal;
use crate::system::State;

pub(super) const ENTRY: MethodEntry = MethodEntry {
    name: "newmark",
    about: "Newmark's average acceleration with a fixed step, order 2",
    explicit: false,
    fixed_step: true,
    nodes: TRAPEZOID,
    make,
    explained: "\
newmark
Newmark's rule of average acceleration with a fixed step that you give (`--h`), order 2. No
error is estimated: halve the step until the result stays. For comparison with other
programs.
$ kingpin run four_bar.toml --method newmark --h 1ms
> hht, step",
};

fn make<'a>(
    mechanism: Dynamics<'a>,
    state: &State,
    setup: Setup,
    h: Option<f64>,
) -> Result<Box<dyn Engine<'a> + 'a>, Trouble> {
    let control = setup.settings.fixed();
    Implicit::boxed(mechanism, state, setup, h, move |norm, _, t, y, t_end| {
        Trapezoidal::new(norm, control, t, y, t_end)
    })
}
