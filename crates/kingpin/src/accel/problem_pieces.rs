//! What solvers of large systems do to all bodies and joints, in pieces: one thread does it in the same order.

use super::problem::{Numbers, Problem};
use crate::system::NodeRoom;
use crate::threads::{Divide, in_pieces};
use std::ops::Range;

impl Problem {
    /// free = M^-1 Q and the right side b = Phi_v M^-1 Q - gamma of the reduced system.
    pub(super) fn right_side_in_pieces(&self, numbers: &Numbers, free: &mut [f64], b: &mut [f64]) {
        in_pieces(0..self.bodies(), self.grain, self.nodes.room(free), &|bodies, mut room: NodeRoom| {
            for body in bodies {
                let node = &self.nodes[body];
                self.inverse_mass_of(body, &numbers.force[node.v()], room.of(node));
            }
        });
        let (free, room) = (&*free, GroupRowsRoom { groups: &self.groups, numbers: b, first: 0 });
        in_pieces(0..self.groups.len(), self.grain, room, &|groups, room: GroupRowsRoom| {
            let GroupRowsRoom { numbers: b, first, .. } = room;
            b.iter_mut().zip(&numbers.gamma[first..]).for_each(|(b, gamma)| *b = -gamma);
            let [from, end] =
                [groups.start, groups.end].map(|g| self.blocks.partition_point(|b| b.group < g));
            for block in &self.blocks[from..end] {
                let own = &free[block.v..block.v + block.nv];
                let rows = numbers.phi_v[block.at..block.at + block.rows * block.nv].chunks_exact(block.nv);
                let to = self.groups[block.group].start - first;
                for (b, row) in b[to..to + block.rows].iter_mut().zip(rows) {
                    *b += row.iter().zip(own).map(|(j, a)| j * a).sum::<f64>();
                }
            }
        });
    }

    /// acc = M^-1 (Q - Phi_v^T lam), body by body.
    pub(super) fn accelerations_in_pieces(&self, numbers: &Numbers, lam: &[f64], acc: &mut [f64]) {
        in_pieces(0..self.bodies(), self.grain, self.nodes.room(acc), &|bodies, mut room: NodeRoom| {
            for body in bodies {
                let node = &self.nodes[body];
                let (force, acc) = (&numbers.force[node.v()], room.of(node));
                match node.nv {
                    6 => self.acceleration_of::<6>(body, force, numbers, lam, acc),
                    3 => self.acceleration_of::<3>(body, force, numbers, lam, acc),
                    2 => self.acceleration_of::<2>(body, force, numbers, lam, acc),
                    _ => self.acceleration_of::<1>(body, force, numbers, lam, acc),
                }
            }
        });
    }
}

/// Numbers over the rows of some groups that follow each other.
struct GroupRowsRoom<'a> {
    groups: &'a [Range<usize>],
    numbers: &'a mut [f64],
    /// The first row among all.
    first: usize,
}

impl Divide for GroupRowsRoom<'_> {
    fn divide(self, group: usize) -> (Self, Self) {
        let (groups, first) = (self.groups, self.groups[group].start);
        let (before, behind) = self.numbers.split_at_mut(first - self.first);
        (
            GroupRowsRoom { groups, numbers: before, first: self.first },
            GroupRowsRoom { groups, numbers: behind, first },
        )
    }
}
