//! What a choice of coordinates remembers from step to step.

use super::Partition;
use crate::integrate::{Snapshot, SnapshotReader, SnapshotWriter, Unfit};
use crate::linalg::StaticLu;

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
