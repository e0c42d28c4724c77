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
    suits: "expensive forces: few evaluations, at any tolerance",
    explicit: true,
    fixed_step: false,
    nodes: NODES,
    make: |setup| Stepping::<Full, Adams>::boxed(setup),
    explained: "\
adams
Adams predictor-corrector of orders 1 to 13, with variable order and step. Explicit. One or
two evaluations a step: cheap where forces are expensive and the motion is smooth, at all
tolerances. Events make it start anew at order 1.
$ kingpin run chain50.toml --method adams
> explicit, dop853, projection",
};

/// A multistep method takes its smoothness from steps before, so it gets the benefit of more places.
const NODES: &[f64] = &[0.0, 0.0381, 0.1464, 0.3087, 0.5, 0.6913, 0.8536, 0.9619, 1.0];
