//! What the equations of motion remember from step to step, beyond the state itself.

use super::Method;
use super::chatter::Counter;
use super::driver::Driver;
use super::instant::Dynamics;
use super::ledger::Ledger;
use super::partition::Partition;
use super::passage::Passage;
use super::run::Step;
use super::turns::Turns;
use crate::integrate::{Snapshot, SnapshotReader, SnapshotWriter, Unfit, snapshot};
use crate::linalg::StaticLu;
use crate::system::Powers;

snapshot!(Step as "taken" { report, method, newton_iterations, position_residual, velocity_residual });

impl Snapshot for Method {
    fn save(&self, out: &mut SnapshotWriter) {
        self.name().to_string().save(out);
    }

    fn restore(&mut self, from: &mut SnapshotReader) -> Result<(), Unfit> {
        let mut name = String::new();
        name.restore(from)?;
        *self = Method::named(&name).ok_or_else(|| from.unfit())?;
        Ok(())
    }
}

/// What its solver has learnt. The instant belongs to whoever uses it.
impl Snapshot for Dynamics<'_> {
    fn save(&self, out: &mut SnapshotWriter) {
        out.section("mechanism", |out| self.accelerator.is_safe().save(out));
    }

    fn restore(&mut self, from: &mut SnapshotReader) -> Result<(), Unfit> {
        from.section("mechanism", |from| {
            let mut safe = false;
            safe.restore(from)?;
            if safe {
                self.accelerator.make_safe();
            }
            Ok(())
        })
    }
}

/// The pivots chosen and the factors at hand.
impl Snapshot for Partition {
    fn save(&self, out: &mut SnapshotWriter) {
        out.section("partition", |out| {
            self.rows.save(out);
            self.dependent.save(out);
            self.condition.save(out);
            self.lu.numbers().into_iter().for_each(|list| list.save(out));
        });
    }

    /// The structure must be that of the pivots already.
    fn restore(&mut self, from: &mut SnapshotReader) -> Result<(), Unfit> {
        from.section("partition", |from| {
            let (mut rows, mut dependent) = (Vec::<usize>::new(), Vec::<usize>::new());
            rows.restore(from)?;
            dependent.restore(from)?;
            if rows != self.rows || dependent != self.dependent {
                return Err(from.unfit());
            }
            self.condition.restore(from)?;
            restore_factors(&mut self.lu, from)
        })
    }
}

/// Factors of a structure that is the same.
fn restore_factors(lu: &mut StaticLu, from: &mut SnapshotReader) -> Result<(), Unfit> {
    for list in lu.numbers_mut() {
        let length = list.len();
        list.restore(from)?;
        if list.len() != length {
            return Err(from.unfit());
        }
    }
    Ok(())
}

snapshot!(Powers as "powers" { dissipated, applied, drivers });
snapshot!(Turns as "turns" { rates, before, after });
snapshot!(Ledger as "ledger" { here });
snapshot!(Passage as "passage" { v, h, entry, noted });
snapshot!(Counter as "counter" { windows, stuck, flips, since });

/// What it knows besides the run itself; what it watches and where it stops follow from that.
impl Snapshot for Driver {
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
