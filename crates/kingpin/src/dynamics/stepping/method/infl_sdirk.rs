//! Descriptor form, SDIRK4/16.

use super::{MethodEntry, SDIRK};
use crate::dynamics::forms::descriptor::Descriptor;
use crate::dynamics::stepping::engine::implicit;
use crate::integrate::Sdirk16Formula;

pub(super) const ENTRY: MethodEntry = MethodEntry {
    name: "infl-sdirk",
    about: "SDIRK4/16 on the descriptor form, order 4, stiff",
    order: "4",
    kind: "implicit, descriptor",
    suits: "comparison with `for-sdirk`, with sparse matrices",
    explicit: false,
    fixed_step: false,
    nodes: SDIRK,
    make: |setup| implicit::<Descriptor, Sdirk16Formula, false>(setup),
    explained: "\
infl-sdirk
SDIRK4/16 on the descriptor form: order 4, five stages with a common matrix, L-stable,
so it damps motions much faster than the steps. Implicit.
$ kingpin run hmmwv14_stiff.toml --method infl-sdirk
> descriptor, for-sdirk, implicit",
};
