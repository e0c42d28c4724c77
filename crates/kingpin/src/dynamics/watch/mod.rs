//! What looks at the steps of a run: where pieces end, what a step has not seen, the energy that comes and goes, and
//! when an answer is to be doubted.

pub(super) mod attitudes;
pub(super) mod chatter;
pub(super) mod doubt;
pub(super) mod events;
pub(super) mod lag;
pub(super) mod ledger;
mod memory;
mod paths;
mod quadrature;
pub(super) mod tumbling;
pub(super) mod turns;
pub(super) mod vet;
