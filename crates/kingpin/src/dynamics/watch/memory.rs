//! What watches a run remembers from step to step.

use super::chatter::Counter;
use super::ledger::Ledger;
use super::turns::Turns;
use crate::integrate::snapshot;
use crate::system::Powers;

snapshot!(Powers as "powers" { dissipated, applied, drivers });
snapshot!(Turns as "turns" { rates, before, after });
snapshot!(Ledger as "ledger" { here });
snapshot!(Counter as "counter" { windows, stuck, flips, since });
