//! What the equations of motion remember from step to step, beyond the state itself.

use super::Method;
use super::mechanism::Mechanism;
use super::partition::Partition;
use super::reduced::Reduced;
use super::run::Step;
use super::tangent::Tangent;
use crate::integrate::{Snapshot, SnapshotReader, SnapshotWriter, Unfit, snapshot};

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
impl Snapshot for Mechanism<'_> {
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
            for list in self.lu.numbers_mut() {
                let length = list.len();
                list.restore(from)?;
                if list.len() != length {
                    return Err(from.unfit());
                }
            }
            Ok(())
        })
    }
}

/// The choice of coordinates, the factors and slopes that predictions start from, the instant at hand and what was
/// solved there.
impl Snapshot for Reduced<'_> {
    fn save(&self, out: &mut SnapshotWriter) {
        out.section("reduced", |out| {
            self.partition.rows.save(out);
            self.partition.dependent.save(out);
            self.partition.save(out);
            self.tangent.slopes().save(out);
            self.values.save(out);
            let base = &self.base;
            [base.t, base.still, self.t, self.condition].save(out);
            for list in [&base.q, &base.qdot, &base.qddot, &self.q, &self.qdot, &self.velocity, &self.qddot] {
                list.save(out);
            }
            [self.solved, self.factored, self.in_forces].save(out);
            self.by_columns.save(out);
            let Mechanism { work, result, .. } = &self.mechanism;
            work.pieces.save(out);
            for list in [&work.turns, &work.phi, &work.phi_v, &work.nu, &work.gamma, &work.force] {
                list.save(out);
            }
            result.acc.save(out);
            result.lam.save(out);
            self.mechanism.accelerator.kept_multipliers().to_vec().save(out);
        });
    }

    fn restore(&mut self, from: &mut SnapshotReader) -> Result<(), Unfit> {
        from.section("reduced", |from| {
            let (mut rows, mut dependent) = (Vec::<usize>::new(), Vec::<usize>::new());
            rows.restore(from)?;
            dependent.restore(from)?;
            let fits = |list: &[usize], len: usize| list.iter().all(|&k| k < len);
            if rows.len() != self.jacobian.rows.len()
                || dependent.len() != rows.len()
                || !fits(&rows, rows.len())
                || !fits(&dependent, self.q.len())
            {
                return Err(from.unfit());
            }
            self.partition = Partition::along(&self.jacobian, rows, dependent);
            self.partition.restore(from)?;
            self.tangent = Tangent::new(self.mechanism.system, &self.jacobian, &self.partition);
            self.columns.iter_mut().for_each(|c| c.renumber(&self.partition));
            self.tangent.slopes_mut().restore(from)?;
            self.values.restore(from)?;
            let mut numbers = [0.0; 4];
            numbers.restore(from)?;
            [self.base.t, self.base.still, self.t, self.condition] = numbers;
            let base = &mut self.base;
            for list in [
                &mut base.q,
                &mut base.qdot,
                &mut base.qddot,
                &mut self.q,
                &mut self.qdot,
                &mut self.velocity,
                &mut self.qddot,
            ] {
                list.restore(from)?;
            }
            let mut flags = [false; 3];
            flags.restore(from)?;
            [self.solved, self.factored, self.in_forces] = flags;
            self.by_columns.restore(from)?;
            let Mechanism { system, work, result, accelerator, .. } = &mut self.mechanism;
            system.set(work, self.t, &self.q, &self.velocity);
            work.pieces.restore(from)?;
            for list in [
                &mut work.turns,
                &mut work.phi,
                &mut work.phi_v,
                &mut work.nu,
                &mut work.gamma,
                &mut work.force,
            ] {
                list.restore(from)?;
            }
            result.acc.restore(from)?;
            result.lam.restore(from)?;
            let mut kept = Vec::<f64>::new();
            kept.restore(from)?;
            accelerator.set_kept_multipliers(&kept);
            Ok(())
        })
    }
}
