//! Dormand and Prince, order 8.

use super::{MethodEntry, with_start};
use crate::dynamics::stepping::engine::{Engine, Explicit, Setup};
use crate::dynamics::instant::{Dynamics, Trouble};
use crate::integrate::Dop853;
use crate::system::State;

pub(super) const ENTRY: MethodEntry = MethodEntry {
    name: "dop853",
    about: "Dormand-Prince of order 8, explicit: smooth motions at tight tolerances",
    explicit: true,
    fixed_step: false,
    nodes: NODES,
    make,
    explained: "\
dop853
Runge-Kutta of Dormand and Prince, order 8. Explicit. Long steps for smooth motions at tight
tolerances; twelve evaluations each.
$ kingpin run pendulum.toml --method dop853 --tol 1e-10
> explicit, dopri5, order",
};

const NODES: &[f64] = &[0.0, 0.0789, 0.1184, 0.2816, 0.3333, 0.6, 0.6513, 0.8571, 1.0];

fn make<'a>(
    mechanism: Dynamics<'a>,
    state: &State,
    setup: Setup,
    h: Option<f64>,
) -> Result<Box<dyn Engine<'a> + 'a>, Trouble> {
    let control = setup.settings.control(Dop853::customary());
    Ok(Explicit::boxed(mechanism, state, setup, h, move |norm, h, t, y, t_end| {
        Dop853::new(norm, Some(with_start(control, h)), t, y, t_end)
    }))
}
