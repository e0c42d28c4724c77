//! Other coordinates where those at hand have become bad ones.

use super::Reduced;
use crate::dynamics::forms::coordinates::Coordinates;
use crate::dynamics::forms::partition::Partition;
use crate::dynamics::forms::plane::Plane;
use crate::dynamics::forms::tangent::Tangent;
use crate::dynamics::instant::{Dynamics, Trouble};
use crate::system::State;

/// Coordinates are chosen anew when the condition of the partition has grown by this factor [Negrut 1998, section 4.1.2],
/// or when a coordinate of the plane moves the mechanism by this factor farther than where it was laid.
const WORSE: f64 = 1.25;

impl<'a> Reduced<'a> {
    /// The form at a consistent state in coordinates of a kind; an error where the constraints are dependent there.
    pub fn in_coordinates(
        mechanism: Dynamics<'a>,
        state: &State,
        coordinates: Coordinates,
    ) -> Result<Self, Trouble> {
        let mut reduced = Self::new(mechanism, state)?;
        if coordinates == Coordinates::Tangent {
            let mut plane = Plane::new(reduced.mechanism.system, reduced.jacobian.rows.len());
            plane.lay(&reduced.jacobian, &reduced.partition, &reduced.values);
            reduced.base.motions = plane.motions().to_vec();
            reduced.plane = Some(plane);
            reduced.start(state);
        }
        Ok(reduced)
    }

    /// Whether the coordinates are wearing out: Phi_u is ill-conditioned in comparison with when they were chosen, or the
    /// motions have turned away from the plane.
    pub fn strained(&self) -> bool {
        match &self.plane {
            Some(plane) => plane.turn.is_nan() || plane.turn > WORSE * WORSE,
            None => self.worn(),
        }
    }

    /// Whether Phi_u has become ill-conditioned in comparison with when the partition was chosen.
    pub(super) fn worn(&self) -> bool {
        self.condition.is_nan() || self.condition > WORSE * self.partition.condition
    }

    /// Chooses the coordinates anew where the chart is based; whether they have changed.
    pub(in crate::dynamics) fn choose_anew(&mut self) -> Result<bool, Trouble> {
        if self.plane.is_none() {
            return self.repartition();
        }
        self.return_to_base();
        if self.worn() {
            self.partition_anew()?;
        }
        self.partition.factor(&self.values).ok_or(Trouble::Partition)?;
        let Self { plane, base, values, .. } = self;
        let Some(plane) = plane.as_mut().filter(|plane| plane.turn != 1.0) else { return Ok(false) };
        plane.lay(&self.jacobian, &self.partition, values);
        base.motions.copy_from_slice(plane.motions());
        base.lu.copy_numbers(&self.partition.lu);
        self.changed();
        Ok(true)
    }

    /// Chooses the partition anew where the chart is based; whether it has changed.
    pub fn repartition(&mut self) -> Result<bool, Trouble> {
        self.return_to_base();
        let changed = self.partition_anew()?;
        if changed {
            self.changed();
        }
        Ok(changed)
    }

    /// The coordinates of the form are others.
    fn changed(&mut self) {
        let mut asked = std::mem::take(&mut self.base.asked);
        self.independent(&mut asked);
        self.asked.copy_from_slice(&asked);
        self.base.asked = asked;
        (self.factored, self.end.known) = (true, false);
        self.stages.iter_mut().for_each(|stage| stage.known = false);
        self.repartitions += 1;
    }

    /// Chooses the partition anew for the numbers of Phi_x at hand, which are those of the base, and factors Phi_u; whether
    /// it is another one.
    pub(super) fn partition_anew(&mut self) -> Result<bool, Trouble> {
        let chosen = Partition::choose(&self.jacobian, &self.values);
        let partition = chosen.ok_or(Trouble::Partition)?;
        self.condition = partition.condition;
        if partition.same_split(&self.partition) {
            self.partition.condition = partition.condition;
            return self.partition.factor(&self.values).map(|_| false).ok_or(Trouble::Partition);
        }
        self.tangent = Tangent::new(self.mechanism.system, &self.jacobian, &partition);
        self.columns.iter_mut().for_each(|c| c.renumber(&partition));
        self.partition = partition;
        self.make_room_for_factors();
        self.turning[1] = self.turning[0].among(&self.partition.independent);
        Ok(true)
    }

    /// Makes room for factors of the partition, wherever some are kept.
    pub(super) fn make_room_for_factors(&mut self) {
        self.base.lu = self.partition.lu.clone();
        for stage in &mut self.stages {
            (stage.lu, stage.known) = (self.partition.lu.clone(), false);
        }
    }
}
