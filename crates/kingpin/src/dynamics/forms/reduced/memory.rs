//! What the reduced form remembers from step to step.

use crate::dynamics::forms::partition::Partition;
use crate::dynamics::forms::reduced::Reduced;
use crate::dynamics::forms::tangent::Tangent;
use crate::dynamics::instant::Dynamics;
use crate::integrate::{Snapshot, SnapshotReader, SnapshotWriter, Unfit};

/// Between two steps, when the chart is based at the last accepted state, everything follows from that state, the
/// choice of coordinates, the accelerations that predictions start from and the kind of linearisation at hand.
impl Snapshot for Reduced<'_> {
    fn save(&self, out: &mut SnapshotWriter) {
        out.section("reduced", |out| {
            self.partition.rows.save(out);
            self.partition.dependent.save(out);
            [self.partition.condition, self.base.t].save(out);
            let mut q = self.q.clone();
            self.chart.clone().place(&self.base.x, &mut q);
            for list in [&q, &self.base.xdot, &self.base.xddot, &self.mechanism.work.turns] {
                list.save(out);
            }
            self.mechanism.work.pieces.save(out);
            self.in_forces.save(out);
            self.by_columns.save(out);
            self.plane.iter().for_each(|plane| plane.save(out));
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
                || !fits(&dependent, self.x.len())
            {
                return Err(from.unfit());
            }
            self.partition = Partition::along(&self.jacobian, rows, dependent);
            self.make_room_for_factors();
            self.turning[1] = self.turning[0].among(&self.partition.independent);
            let mut numbers = [0.0; 2];
            numbers.restore(from)?;
            [self.partition.condition, self.t] = numbers;
            let Dynamics { system, work, .. } = &mut self.mechanism;
            for list in [&mut self.q, &mut self.velocity, &mut self.acc, &mut work.turns] {
                let length = list.len();
                list.restore(from)?;
                if list.len() != length {
                    return Err(from.unfit());
                }
            }
            work.pieces.restore(from)?;
            self.in_forces.restore(from)?;
            self.by_columns.restore(from)?;
            if let Some(plane) = &mut self.plane {
                let length = plane.rows().len();
                plane.restore(from)?;
                if plane.rows().len() != length {
                    return Err(from.unfit());
                }
            }
            self.tangent = Tangent::new(system, &self.jacobian, &self.partition);
            self.columns.iter_mut().for_each(|c| c.renumber(&self.partition));
            system.set(work, self.t, &self.q, &self.velocity);
            system.evaluate_constraints(work);
            self.solved = false;
            self.set_base();
            Ok(())
        })
    }
}
