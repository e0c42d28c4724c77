//! Explicit while that pays, implicit once the problem shows itself stiff.

use super::{MethodEntry, for_rosen};

/// A run never has it: it begins with one of the others. What stands here is that of the method it goes on with.
pub(super) const ENTRY: MethodEntry = MethodEntry {
    name: "auto",
    about: "starts explicit, detects stiffness, goes on implicit (default)",
    order: "",
    kind: "explicit, implicit while it is stiff",
    suits: "everything; the default",
    explicit: false,
    fixed_step: false,
    nodes: for_rosen::NODES,
    make: for_rosen::MAKE,
    explained: "\
auto
Starts with an explicit method: `dop853`, or `dopri5` at tolerances above 1e-4. If the steps
turn out to be limited by stiffness, it goes on with `radau`, or with `for-rosen` from 1e-4
on with dense matrices, and returns to `dop853` when the stiffness is over. The report says
when.
$ kingpin run double_pendulum_stiff.toml
> stiff, dop853, dopri5, radau, for-rosen",
};
