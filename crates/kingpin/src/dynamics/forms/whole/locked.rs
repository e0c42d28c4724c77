//! Parts of a mechanism that cannot move.

use crate::dynamics::forms::jacobian::CoordinateJacobian;
use crate::dynamics::scales::Parts;
use crate::system::System;
use std::ops::Range;

/// Parts with as many equations as velocities. What is tangent there is round-off, and nothing to compare it with: a part
/// that does not move has no scale. So it is left out where errors are measured.
#[derive(Clone, Debug, Default)]
pub(super) struct LockedParts {
    /// Velocities of their bodies.
    ranges: Vec<Range<usize>>,
    /// Room for a change of coordinates and rates, if there are any.
    room: Vec<f64>,
}

impl LockedParts {
    /// Those of a system with the equations that are kept. O(bodies + equations)
    pub fn new(system: &System, jacobian: &CoordinateJacobian) -> Self {
        let (parts, mut part_of) = (Parts::new(system), vec![0; system.bodies()]);
        for part in 0..parts.len() {
            parts.of(part).iter().for_each(|&body| part_of[body] = part);
        }
        let mut equations = vec![0; parts.len()];
        for (_, c) in jacobian.rows.iter().filter_map(|row| row.first()) {
            equations[part_of[system.nodes.of_velocity(*c).0]] += 1;
        }
        let mut ranges = Vec::new();
        for part in 0..parts.len() {
            let own = parts.of(part).iter().map(|&body| system.nodes.v(body));
            if own.clone().map(|range| range.len()).sum::<usize>() <= equations[part] {
                ranges.extend(own);
            }
        }
        let room = vec![0.0; if ranges.is_empty() { 0 } else { 2 * system.velocities() }];
        Self { ranges, room }
    }

    /// Changes of coordinates and rates without theirs.
    pub fn left_out<'v>(&'v mut self, changes: (&'v [f64], &'v [f64])) -> (&'v [f64], &'v [f64]) {
        if self.ranges.is_empty() {
            return changes;
        }
        let (coordinates, rates) = self.room.split_at_mut(changes.0.len());
        coordinates.copy_from_slice(changes.0);
        rates.copy_from_slice(changes.1);
        for range in &self.ranges {
            coordinates[range.clone()].fill(0.0);
            rates[range.clone()].fill(0.0);
        }
        (coordinates, rates)
    }
}
