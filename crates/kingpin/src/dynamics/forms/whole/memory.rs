//! What the form in all coordinates and its matrix remember from step to step.

use super::Whole;
use super::bordered::{Bordered, Slope, Structure};
use crate::dynamics::instant::Dynamics;
use crate::integrate::{IterationMatrix, Snapshot, SnapshotReader, SnapshotWriter, Unfit, snapshot};

/// Between two steps, when the chart is based at the last accepted state, everything follows from that state and the
/// accelerations there.
impl<const EXACT: bool> Snapshot for Whole<'_, EXACT> {
    fn save(&self, out: &mut SnapshotWriter) {
        out.section("whole", |out| {
            self.base.t.save(out);
            let mut q = self.q.clone();
            self.chart.clone().place(&self.base.x, &mut q);
            for list in [&q, &self.base.xdot, &self.base.xddot, &self.mechanism.work.turns, &self.base.lam] {
                list.save(out);
            }
            self.base.has_lam.save(out);
            self.mechanism.work.pieces.save(out);
        });
    }

    fn restore(&mut self, from: &mut SnapshotReader) -> Result<(), Unfit> {
        from.section("whole", |from| {
            self.t.restore(from)?;
            let Dynamics { system, work, .. } = &mut self.mechanism;
            let lists =
                [&mut self.q, &mut self.velocity, &mut self.room.acc, &mut work.turns, &mut self.base.lam];
            for list in lists {
                let length = list.len();
                list.restore(from)?;
                if list.len() != length {
                    return Err(from.unfit());
                }
            }
            self.base.has_lam.restore(from)?;
            work.pieces.restore(from)?;
            system.set(work, self.t, &self.q, &self.velocity);
            system.evaluate_constraints(work);
            self.solved = false;
            self.set_base();
            Ok(())
        })
    }
}

snapshot!(Slope as "slope" { mass, metric, stiffness, damping, phi, rate, acceleration, acceleration_rate, force_t, phi_tt, gamma_t });

/// The linearisation and its weights; factors are made again from them once the structure is known.
impl<const EXACT: bool> Snapshot for Bordered<EXACT> {
    fn save(&self, out: &mut SnapshotWriter) {
        out.section("bordered", |out| {
            self.weights.save(out);
            self.pair.weight.save(out);
            self.numbers.save(out);
        });
    }

    fn restore(&mut self, from: &mut SnapshotReader) -> Result<(), Unfit> {
        from.section("bordered", |from| {
            self.weights.restore(from)?;
            self.pair.weight.restore(from)?;
            self.numbers.restore(from)
        })
    }
}

impl<const EXACT: bool> Bordered<EXACT> {
    /// Makes the matrix for the equations as they were restored.
    pub(super) fn fit(&mut self, structure: &Structure) -> Result<(), Unfit> {
        if self.numbers.mass.is_empty() {
            return Ok(());
        }
        self.shape(structure);
        if !structure.single.fits(&self.numbers) {
            return Err(Unfit::new("bordered"));
        }
        self.make_level();
        // where it was singular it is so again, and nobody asks for its solution
        let _ = self.factor(self.weights);
        if self.pair.weight != (0.0, 0.0) {
            let _ = self.factor_complex(self.pair.weight);
        }
        Ok(())
    }
}
