//! What a mechanism remembers from step to step, beyond its state.

use super::Dynamics;
use super::stabilisation::Corrections;
use crate::accel::Pcg;
use crate::integrate::{Snapshot, SnapshotReader, SnapshotWriter, Unfit};

/// What its solver has learnt. The instant belongs to whoever uses it.
impl Snapshot for Dynamics<'_> {
    fn save(&self, out: &mut SnapshotWriter) {
        out.section("solver", |out| {
            self.accelerator.is_safe().save(out);
            let (factor, counts) = self.accelerator.iterative().map_or_else(Default::default, Pcg::memory);
            factor.save(out);
            counts.save(out);
            self.corrections.numbers().save(out);
        });
    }

    fn restore(&mut self, from: &mut SnapshotReader) -> Result<(), Unfit> {
        from.section("solver", |from| {
            let mut safe = false;
            safe.restore(from)?;
            if safe {
                self.accelerator.make_safe();
            }
            let (mut factor, mut counts) = (Vec::<f64>::new(), [0; 8]);
            factor.restore(from)?;
            counts.restore(from)?;
            let mut corrections = [0; 5];
            corrections.restore(from)?;
            self.corrections = Corrections::from_numbers(corrections);
            let Some(iterative) = self.accelerator.iterative_mut() else { return Ok(()) };
            if iterative.recall(&factor, counts) { Ok(()) } else { Err(from.unfit()) }
        })
    }
}
