//! Dormand and Prince, order 5.

use super::MethodEntry;
use crate::dynamics::forms::full::Full;
use crate::dynamics::stepping::engine::Stepping;
use crate::integrate::Dopri5;

pub(super) const ENTRY: MethodEntry = MethodEntry {
    name: "dopri5",
    about: "Dormand-Prince of order 5, explicit",
    order: "5",
    kind: "explicit",
    suits: "loose tolerances; `auto` starts with it above 1e-4",
    explicit: true,
    fixed_step: false,
    nodes: NODES,
    make: |setup| Stepping::<Full, Dopri5>::boxed(setup),
    explained: "\
dopri5 = RK45, ode45, Dormand-Prince, Runge-Kutta, RKDP
Runge-Kutta method of Dormand and Prince of order 5 with an error estimate of order 4.
Explicit. It suits loose tolerances and motions with many events.
$ kingpin run four_bar.toml --method dopri5 --tol 1e-4
> explicit, dop853, order",
};

const NODES: &[f64] = &[0.0, 0.2, 0.3, 0.8, 0.8889, 1.0];
