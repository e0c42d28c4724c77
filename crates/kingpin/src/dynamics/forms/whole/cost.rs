//! Which matrices are predicted to take less time.

use super::skeleton::Skeleton;
use super::{CoordinateJacobian, grouping_of};
use crate::dynamics::instant::Dynamics;
use crate::dynamics::scales::Parts;

/// Parts with fewer freedoms are small.
const SMALL: usize = 100;

/// Instructions in a step, counted on chains of 100 rods, beyond what both ways have in common: of dense matrices for the
/// cube of the freedoms, and for each freedom and velocity, whose derivatives are made in half of the steps; of sparse ones
/// for each multiplication of a factorisation and of a solution.
const CUBE: f64 = 3.0;
const SLOPE: f64 = 500.0;
const FACTOR: f64 = 30.0;
const SOLUTION: f64 = 400.0;

/// What a part of a mechanism has and takes.
#[derive(Clone, Copy, Debug, Default)]
struct PartCost {
    velocities: usize,
    equations: usize,
    /// Multiplications of a factorisation and of a solution.
    factor: f64,
    solution: f64,
}

impl PartCost {
    fn freedoms(&self) -> usize {
        self.velocities.saturating_sub(self.equations)
    }

    /// Whether a step with sparse matrices is predicted to take less time than one with dense ones.
    fn pays(&self) -> bool {
        let (n, velocities) = (self.freedoms() as f64, self.velocities as f64);
        let sparse = FACTOR * self.factor + SOLUTION * self.solution;
        self.freedoms() >= SMALL && sparse < n * (CUBE * n * n + SLOPE * velocities)
    }
}

/// Whether there is a part of a mechanism for which sparse matrices are predicted to pay. Parts that nothing connects to
/// it have no say: with them, its motion keeps its bits. O(symbolic phase)
pub(in crate::dynamics) fn sparse_pays(mechanism: &Dynamics) -> bool {
    let system = mechanism.system;
    if mechanism.freedoms() < SMALL {
        return false;
    }
    let jacobian = CoordinateJacobian::new(system, &mechanism.redundant);
    let grouping = grouping_of(system, &jacobian);
    let lu = Skeleton::new(system, &jacobian, &grouping, 1).lu;
    let (parts, mut part_of) = (Parts::new(system), vec![0; system.bodies()]);
    for part in 0..parts.len() {
        parts.of(part).iter().for_each(|&body| part_of[body] = part);
    }
    let own =
        grouping.of_body.iter().enumerate().map(|(body, rows)| (body, system.nodes[body].nv, rows.len()));
    let closing =
        grouping.closing.iter().map(|(rows, bodies)| (bodies.first().copied().unwrap_or(0), 0, rows.len()));
    let mut costs = vec![PartCost::default(); parts.len()];
    for (node, (body, velocities, equations)) in own.chain(closing).enumerate() {
        let (cost, [factor, solution]) = (&mut costs[part_of[body]], lu.node_work(node));
        cost.velocities += velocities;
        cost.equations += equations;
        cost.factor += factor;
        cost.solution += solution;
    }
    costs.iter().any(PartCost::pays)
}
