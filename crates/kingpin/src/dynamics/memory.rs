//! What the equations of motion remember from step to step, beyond the state itself.

use super::Method;
use super::chatter::Counter;
use super::driver::Driver;
use super::ledger::Ledger;
use super::mechanism::Mechanism;
use super::partition::Partition;
use super::passage::Passage;
use super::reduced::{Instant, Reduced};
use super::run::Step;
use super::tangent::Tangent;
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

snapshot!(Instant as "instant" { t, x, xdot, xddot, acc, solved, known });
snapshot!(Powers as "powers" { dissipated, applied, drivers });
snapshot!(Ledger as "ledger" { here });
snapshot!(Passage as "passage" { v, h, entry });
snapshot!(Counter as "counter" { windows, stuck, flips, since });

/// What it knows besides the run itself; what it watches and where it stops follow from that.
impl Snapshot for Driver<'_> {
    fn save(&self, out: &mut SnapshotWriter) {
        out.section("driving", |out| {
            self.standing.save(out);
            self.ledger.save(out);
            self.passage.save(out);
            self.counter.save(out);
        });
    }

    fn restore(&mut self, from: &mut SnapshotReader) -> Result<(), Unfit> {
        from.section("driving", |from| {
            self.standing.restore(from)?;
            self.ledger.restore(from)?;
            self.passage.restore(from)?;
            self.counter.restore(from)
        })
    }
}

/// The choice of coordinates and their chart, the factors and states that predictions start from, the instant at hand
/// and what was solved there.
impl Snapshot for Reduced<'_> {
    fn save(&self, out: &mut SnapshotWriter) {
        out.section("reduced", |out| {
            self.partition.rows.save(out);
            self.partition.dependent.save(out);
            self.partition.save(out);
            self.chart.save(out);
            let base = &self.base;
            base.lu.numbers().into_iter().for_each(|list| list.save(out));
            [base.t, base.still, self.t, self.condition].save(out);
            for list in [&base.x, &base.xdot, &base.xddot, &base.values, &self.values] {
                list.save(out);
            }
            for list in [&self.x, &self.xdot, &self.xddot, &self.q, &self.velocity, &self.acc, &self.qddot] {
                list.save(out);
            }
            self.end.save(out);
            [self.solved, self.factored, self.recovered, self.in_forces].save(out);
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
            let equations = self.jacobian.rows.len();
            if [rows.len(), dependent.len()] != [equations; 2]
                || !fits(&rows, equations)
                || !fits(&dependent, self.x.len())
            {
                return Err(from.unfit());
            }
            self.partition = Partition::along(&self.jacobian, rows, dependent);
            self.partition.restore(from)?;
            self.tangent = Tangent::new(self.mechanism.system, &self.jacobian, &self.partition);
            self.columns.iter_mut().for_each(|c| c.renumber(&self.partition));
            self.base.lu = self.partition.lu.clone();
            self.chart.restore(from)?;
            restore_factors(&mut self.base.lu, from)?;
            let mut numbers = [0.0; 4];
            numbers.restore(from)?;
            [self.base.t, self.base.still, self.t, self.condition] = numbers;
            let base = &mut self.base;
            let known = [&mut base.x, &mut base.xdot, &mut base.xddot, &mut base.values, &mut self.values];
            let here = [&mut self.x, &mut self.xdot, &mut self.xddot];
            let state = [&mut self.q, &mut self.velocity, &mut self.acc, &mut self.qddot];
            for list in known.into_iter().chain(here).chain(state) {
                list.restore(from)?;
            }
            self.end.restore(from)?;
            let mut flags = [false; 4];
            flags.restore(from)?;
            [self.solved, self.factored, self.recovered, self.in_forces] = flags;
            self.by_columns.restore(from)?;
            self.restore_work(from)
        })
    }
}

impl Reduced<'_> {
    /// The numbers of the instant at hand.
    fn restore_work(&mut self, from: &mut SnapshotReader) -> Result<(), Unfit> {
        let Mechanism { system, work, result, accelerator, .. } = &mut self.mechanism;
        system.set(work, self.t, &self.q, &self.velocity);
        work.pieces.restore(from)?;
        let evaluated = [&mut work.phi, &mut work.phi_v, &mut work.nu, &mut work.gamma, &mut work.force];
        for list in std::iter::once(&mut work.turns).chain(evaluated) {
            list.restore(from)?;
        }
        result.acc.restore(from)?;
        result.lam.restore(from)?;
        let mut kept = Vec::<f64>::new();
        kept.restore(from)?;
        accelerator.set_kept_multipliers(&kept);
        Ok(())
    }
}
