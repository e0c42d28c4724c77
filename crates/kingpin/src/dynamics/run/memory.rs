//! What a run remembers from step to step, beyond the state itself.

use super::Step;
use super::driver::Pilot;
use super::passage::Passage;
use crate::integrate::{Snapshot, SnapshotReader, SnapshotWriter, Unfit, snapshot};

snapshot!(Step as "taken" { report, method, newton_iterations, position_residual, velocity_residual });

snapshot!(Passage as "passage" { v, h, entry, noted });

/// What it knows besides the run itself; what it watches and where it stops follow from that.
impl Snapshot for Pilot {
    fn save(&self, out: &mut SnapshotWriter) {
        out.section("driving", |out| {
            self.standing.save(out);
            self.turns.save(out);
            self.ledger.save(out);
            self.passage.save(out);
            self.counter.save(out);
        });
    }

    fn restore(&mut self, from: &mut SnapshotReader) -> Result<(), Unfit> {
        from.section("driving", |from| {
            self.standing.restore(from)?;
            self.turns.restore(from)?;
            self.ledger.restore(from)?;
            self.passage.restore(from)?;
            self.counter.restore(from)
        })
    }
}
