//! What a mechanism remembers from step to step, beyond its state.

use super::Dynamics;
use crate::integrate::{Snapshot, SnapshotReader, SnapshotWriter, Unfit};

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
