//! Explicit while that pays, implicit once the problem shows itself stiff.

use super::{MethodEntry, for_rosen};

/// A run never has it: it begins with one of the others. What stands here is that of the method it goes on with.
pub(super) const ENTRY: MethodEntry = MethodEntry {
    name: "auto",
    about: "explicit, switches to an implicit method when the problem is stiff (default)",
    order: "",
    kind: "explicit, implicit while stiff",
    suits: "all problems; the default",
    explicit: false,
    fixed_step: false,
    nodes: for_rosen::NODES,
    make: for_rosen::MAKE,
    explained: "\
auto = automatic
Starts with an explicit method, `dop853`, or `dopri5` at tolerances above 1e-4. If
stiffness limits the steps, it switches to `radau`, or to `for-rosen` at tolerances from
1e-4 on with dense matrices, and back to `dop853` when the stiffness ends. The report
gives the times of the switches.
$ kingpin run double_pendulum_stiff.toml
> stiff, dop853, dopri5, radau, for-rosen",
};
