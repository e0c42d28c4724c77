//! Descriptor form, trapezoidal rule.

use super::{TRAPEZOID, MethodEntry, with_start};
use crate::dynamics::forms::descriptor::Inflated;
use crate::dynamics::stepping::engine::{Engine, Implicit, Setup};
use crate::dynamics::instant::{Dynamics, Trouble};
use crate::integrate::{Control, Trapezoidal};
use crate::system::State;

pub(super) const ENTRY: MethodEntry = MethodEntry {
    name: "infl-trap",
    about: "trapezoidal rule on the descriptor form, order 2, stiff",
    explicit: false,
    fixed_step: false,
    nodes: TRAPEZOID,
    make,
    explained: "\
infl-trap
The trapezoidal rule on the descriptor form, order 2, implicit: the same formula as
`ssp-trap`, with sparse matrices of all coordinates instead of small dense ones.
$ kingpin run hmmwv14_stiff.toml --method infl-trap --tol 1e-3
> descriptor, ssp-trap, implicit",
};

fn make<'a>(
    mechanism: Dynamics<'a>,
    state: &State,
    setup: Setup,
    h: Option<f64>,
) -> Result<Box<dyn Engine<'a> + 'a>, Trouble> {
    let control = setup.settings.control(Control::default());
    Implicit::boxed(mechanism, state, setup, h, move |norm, h, t, y, t_end| {
        Inflated::new(Trapezoidal::new(norm, with_start(control, h), t, y, t_end))
    })
}
