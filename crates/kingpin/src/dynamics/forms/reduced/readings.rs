//! Forces that go with reactions, in independent coordinates: with accelerations given, multipliers are
//! lam = Phi_u^-T (Q - M x'')_u, and reactions r = R(x, lam) agree with the forces Q(x, x', r) that they make.

use super::Reduced;
use crate::dynamics::instant::Trouble;
use crate::dynamics::instant::readings::Answering;
use crate::system::{System, Work};

/// Multipliers for the accelerations at hand.
struct Balancing<'r, 'a>(&'r mut Reduced<'a>);

impl Balancing<'_, '_> {
    /// Phi_u^-T of the force at hand on dependent coordinates, as multipliers of all equations.
    fn pass_on(reduced: &mut Reduced, lam: &mut [f64]) {
        let Reduced { partition, jacobian, step, force, .. } = reduced;
        step.iter_mut().zip(&partition.dependent).for_each(|(y, &c)| *y = force[c]);
        partition.lu.solve_transposed(step);
        lam.fill(0.0);
        step.iter().zip(&partition.rows).for_each(|(y, &row)| lam[jacobian.equation[row]] = *y);
    }
}

impl Answering for Balancing<'_, '_> {
    fn instant(&mut self) -> (&System, &mut Work) {
        (self.0.mechanism.system, &mut self.0.mechanism.work)
    }

    fn answer(&mut self) -> Result<(), Trouble> {
        let Balancing(reduced) = self;
        reduced.mechanism.system.evaluate_forces(&mut reduced.mechanism.work);
        reduced.unbalanced();
        let mut lam = std::mem::take(&mut reduced.multipliers);
        Balancing::pass_on(reduced, &mut lam);
        reduced.multipliers = lam;
        Ok(())
    }

    fn multipliers(&self) -> &[f64] {
        &self.0.multipliers[..self.0.mechanism.system.layout.rows]
    }

    fn answer_to(&mut self, push: &[f64], lam: &mut [f64]) -> Result<(), Trouble> {
        let Balancing(reduced) = self;
        reduced.force.copy_from_slice(push);
        reduced.chart.forces(&mut reduced.force);
        Balancing::pass_on(reduced, lam);
        Ok(())
    }
}

impl Reduced<'_> {
    /// Finds the reactions that go with the accelerations in `acc`, and leaves forces less inertia forces in `force`.
    pub(in crate::dynamics) fn agree_with_reactions(&mut self) -> Result<(), Trouble> {
        let mut room = std::mem::take(&mut self.mechanism.readings);
        let agreed = room.agree(&mut Balancing(self));
        self.mechanism.readings = room;
        agreed
    }
}
