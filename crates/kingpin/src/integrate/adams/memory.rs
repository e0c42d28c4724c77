//! What the Adams method remembers from step to step: differences of derivatives, order, sizes of earlier steps.

use super::{Adams, Derivative};
use crate::integrate::snapshot::{Snapshot, SnapshotReader, SnapshotWriter, Unfit};

impl Adams {
    /// Numbers of the differences in use: those of orders 0 to `k_old + 1`.
    fn in_use(&self) -> usize {
        (self.k_old + 2) * self.y.len()
    }
}

/// What the dense output needs is not part of it: a step that was saved is no longer of interest.
impl Snapshot for Adams {
    fn save(&self, out: &mut SnapshotWriter) {
        out.section("adams", |out| {
            self.pace.save(out);
            (self.t, self.t_old).save(out);
            self.y.save(out);
            [self.k, self.k_old, self.equal, self.low_orders].save(out);
            self.starting.save(out);
            (self.derivative != Derivative::Unknown, self.derivative == Derivative::Known).save(out);
            self.before.save(out);
            out.numbers(&self.phi[..self.in_use()]);
        });
    }

    fn restore(&mut self, from: &mut SnapshotReader) -> Result<(), Unfit> {
        from.section("adams", |from| {
            let dim = self.y.len();
            self.pace.restore(from)?;
            self.t.restore(from)?;
            self.t_old.restore(from)?;
            self.y.restore(from)?;
            let mut counts = [0; 4];
            counts.restore(from)?;
            [self.k, self.k_old, self.equal, self.low_orders] = counts;
            if self.y.len() != dim || self.in_use() > self.phi.len() {
                return Err(from.unfit());
            }
            self.starting.restore(from)?;
            let mut derivative = (false, false);
            derivative.restore(from)?;
            self.derivative = match derivative {
                (false, _) => Derivative::Unknown,
                (true, false) => Derivative::Replaced,
                (true, true) => Derivative::Known,
            };
            self.before.restore(from)?;
            let count = self.in_use();
            from.numbers(&mut self.phi[..count])
        })
    }
}
