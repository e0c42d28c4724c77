//! What an implicit method remembers between two steps.

use super::{Implicit, Jacobian};
use crate::integrate::implicit::matrix::IterationMatrix;
use crate::integrate::implicit::scheme::Scheme;
use crate::integrate::snapshot::{Snapshot, SnapshotReader, SnapshotWriter, Unfit};

/// What the dense output needs is not part of it: a step that was saved is no longer of interest.
impl<S: Scheme, M: IterationMatrix> Snapshot for Implicit<S, M> {
    fn save(&self, out: &mut SnapshotWriter) {
        out.section("implicit", |out| {
            self.pace.save(out);
            self.convergence.save(out);
            (self.t, self.last.t).save(out);
            self.rebase.save(out);
            self.y.save(out);
            self.a.save(out);
            self.scheme.save(out);
            self.a_known.save(out);
            self.last.h.save(out);
            self.last.a0.save(out);
            let kept = self.jacobian != Jacobian::None;
            (kept, self.jacobian == Jacobian::Here).save(out);
            self.factored.filter(|_| kept).save(out);
            if kept || M::LASTING {
                self.matrix.save(out);
            }
        });
    }

    fn restore(&mut self, from: &mut SnapshotReader) -> Result<(), Unfit> {
        from.section("implicit", |from| {
            let dim = self.y.len();
            self.pace.restore(from)?;
            self.convergence.restore(from)?;
            let mut times = (0.0, 0.0);
            times.restore(from)?;
            (self.t, self.last.t) = times;
            self.rebase.restore(from)?;
            self.y.restore(from)?;
            if self.y.len() != dim {
                return Err(from.unfit());
            }
            let mut a: Vec<f64> = Vec::new();
            a.restore(from)?;
            if a.len() != self.a.len() {
                self.resize(a.len());
            }
            self.a = a;
            self.scheme.restore(from)?;
            self.a_known.restore(from)?;
            self.last.h.restore(from)?;
            self.last.a0.restore(from)?;
            let mut jacobian = (false, false);
            jacobian.restore(from)?;
            self.jacobian = match jacobian {
                (false, _) => Jacobian::None,
                (true, true) => Jacobian::Here,
                (true, false) => Jacobian::Earlier,
            };
            self.factored.restore(from)?;
            if jacobian.0 || M::LASTING { self.matrix.restore(from) } else { Ok(()) }
        })
    }
}
