//! Dormand and Prince, order 8.

use super::MethodEntry;
use crate::dynamics::forms::full::Full;
use crate::dynamics::stepping::engine::Stepping;
use crate::integrate::Dop853;

pub(super) const ENTRY: MethodEntry = MethodEntry {
    name: "dop853",
    about: "Dormand-Prince of order 8, explicit: smooth motions at tight tolerances",
    order: "8",
    kind: "explicit",
    suits: "smooth motions, tight tolerances; `auto` starts with it",
    explicit: true,
    fixed_step: false,
    nodes: NODES,
    make: |setup| Stepping::<Full, Dop853>::boxed(setup),
    explained: "\
dop853
Runge-Kutta of Dormand and Prince, order 8. Explicit. Long steps for smooth motions at tight
tolerances; twelve evaluations each.
$ kingpin run pendulum.toml --method dop853 --tol 1e-10
> explicit, dopri5, order",
};

const NODES: &[f64] = &[0.0, 0.0789, 0.1184, 0.2816, 0.3333, 0.6, 0.6513, 0.8571, 1.0];
