//! Dormand and Prince, order 8.

use super::MethodEntry;
use crate::dynamics::forms::full::Full;
use crate::dynamics::stepping::engine::Stepping;
use crate::integrate::Dop853;

pub(super) const ENTRY: MethodEntry = MethodEntry {
    name: "dop853",
    about: "Dormand-Prince of order 8, explicit, smooth motions at small tolerances",
    order: "8",
    kind: "explicit",
    suits: "smooth motions, small tolerances; `auto` starts with it",
    explicit: true,
    fixed_step: false,
    nodes: NODES,
    make: |setup| Stepping::<Full, Dop853>::boxed(setup),
    explained: "\
dop853 = DOP8, RK853
Runge-Kutta method of Dormand and Prince of order 8. Explicit. It takes long steps in
smooth motions at small tolerances, with twelve evaluations per step.
$ kingpin run pendulum.toml --method dop853 --tol 1e-10
> explicit, dopri5, order",
};

const NODES: &[f64] = &[0.0, 0.0789, 0.1184, 0.2816, 0.3333, 0.6, 0.6513, 0.8571, 1.0];
