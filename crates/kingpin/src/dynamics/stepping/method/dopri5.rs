//! Dormand and Prince, order 5.

use super::{MethodEntry, with_start};
use crate::dynamics::stepping::engine::{Engine, Explicit, Setup};
use crate::dynamics::instant::{Dynamics, Trouble};
use crate::integrate::Dopri5;
use crate::system::State;

pub(super) const ENTRY: MethodEntry = MethodEntry {
    name: "dopri5",
    about: "Dormand-Prince of order 5, explicit",
    explicit: true,
    fixed_step: false,
    nodes: NODES,
    make,
    explained: "\
dopri5
Runge-Kutta of Dormand and Prince, order 5 with an error estimate of order 4. Explicit. The
right one for loose tolerances and motions with many events.
$ kingpin run four_bar.toml --method dopri5 --tol 1e-4
> explicit, dop853, order",
};

const NODES: &[f64] = &[0.0, 0.2, 0.3, 0.8, 0.8889, 1.0];

fn make<'a>(
    mechanism: Dynamics<'a>,
    state: &State,
    setup: Setup,
    h: Option<f64>,
) -> Result<Box<dyn Engine<'a> + 'a>, Trouble> {
    let control = setup.settings.control(Dopri5::customary());
    Ok(Explicit::boxed(mechanism, state, setup, h, move |norm, h, t, y, t_end| {
        Dopri5::new(norm, Some(with_start(control, h)), t, y, t_end)
    }))
}
