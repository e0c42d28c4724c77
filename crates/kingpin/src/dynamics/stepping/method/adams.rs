//! Adams, orders 1 to 13.

use super::MethodEntry;
use crate::dynamics::forms::full::Full;
use crate::dynamics::stepping::engine::Stepping;
use crate::integrate::Adams;

pub(super) const ENTRY: MethodEntry = MethodEntry {
    name: "adams",
    about: "Adams predictor-corrector of variable order and step, explicit",
    order: "1 to 13",
    kind: "explicit",
    suits: "expensive forces at any tolerance: few evaluations",
    explicit: true,
    fixed_step: false,
    nodes: NODES,
    make: |setup| Stepping::<Full, Adams>::boxed(setup),
    explained: "\
adams = Adams-Bashforth-Moulton, ABM, ode113
Adams predictor-corrector method of variable order, 1 to 13, and variable step size.
Explicit. With one or two evaluations per step it suits expensive forces and smooth
motions at all tolerances. It restarts at order 1 after events.
$ kingpin run chain50.toml --method adams
> explicit, dop853, projection",
};

/// A multistep method takes its smoothness from steps before, so it gets the benefit of more places.
const NODES: &[f64] = &[0.0, 0.0381, 0.1464, 0.3087, 0.5, 0.6913, 0.8536, 0.9619, 1.0];
