//! Cells of structures: their inner forces and energies, and derivatives of the forces.
//!
//! Like elements of beams, each cell is evaluated into nodes of its own, and every point sums what acts on it in the order
//! of the cells, so work in pieces gives the same sums.

use super::derivatives::Derivatives;
use super::{System, Work};
use crate::element::cell::{CellElement, CellSlopes};
use crate::spatial::{BodyState, V3};
use crate::threads::{Divide, in_pieces};
use std::ops::Range;

/// A cell costs as much as so many bodies.
const HEAVY: usize = 16;

/// Nodes of some cells that follow each other.
struct CellNodes<'a> {
    starts: &'a [usize],
    forces: &'a mut [V3],
    /// The first among all.
    first: usize,
}

impl Divide for CellNodes<'_> {
    fn divide(self, cell: usize) -> (Self, Self) {
        let (starts, first) = (self.starts, self.starts[cell]);
        let (before, behind) = self.forces.split_at_mut(first - self.first);
        let before = CellNodes { starts, forces: before, first: self.first };
        (before, CellNodes { starts, forces: behind, first })
    }
}

impl System {
    /// Nodes of all cells.
    pub(super) fn cell_nodes(&self) -> usize {
        self.layout.cell_starts.last().copied().unwrap_or(0)
    }

    pub(super) fn cell_room(&self) -> CellSlopes {
        CellSlopes::new(self.cells.iter().map(CellElement::nodes).max().unwrap_or(0))
    }

    /// Evaluates what all cells do to their nodes. O(cells)
    pub(super) fn cells_in(&self, bodies: &[BodyState], forces: &mut [V3]) {
        let room = CellNodes { starts: &self.layout.cell_starts, forces, first: 0 };
        let grain = self.grain.div_ceil(HEAVY);
        in_pieces(0..self.cells.len(), grain, room, &|some, room: CellNodes| {
            self.some_cells(some, bodies, room);
        });
    }

    #[inline(never)]
    fn some_cells(&self, some: Range<usize>, bodies: &[BodyState], room: CellNodes) {
        let mut forces = room.forces;
        for cell in &self.cells[some] {
            let (own, rest) = forces.split_at_mut(cell.nodes());
            cell.forces(bodies, own);
            forces = rest;
        }
    }

    /// Adds what cells do to some bodies, in the order of the cells.
    pub(super) fn gather_cells(&self, some: Range<usize>, mut force: &mut [f64], cells: &[V3]) {
        let (list, starts) = &self.layout.celled;
        for body in some {
            let (own, rest) = force.split_at_mut(self.nodes[body].nv);
            for &place in &list[starts[body] as usize..starts[body + 1] as usize] {
                own.iter_mut().zip(&cells[place as usize]).for_each(|(sum, x)| *sum += x);
            }
            force = rest;
        }
    }

    /// Derivatives of the inner forces. O(cells)
    pub(super) fn cell_derivatives(&self, work: &Work, out: &mut Derivatives) {
        let mut room = std::mem::take(&mut out.cells);
        let mut first = 0;
        for (cell, map) in self.cells.iter().zip(&self.layout.cell_pairs) {
            let other = work.cell_strains.get(first..first + cell.places.len());
            first += cell.places.len();
            cell.derivatives((&work.bodies, other), &mut room);
            for (force, &body) in room.force.iter().zip(&cell.bodies) {
                out.force[self.nodes.q(body)].iter_mut().zip(force).for_each(|(sum, x)| *sum += x);
            }
            for ((k, &pair), by_q) in map.pairs.iter().enumerate().zip(&room.by_q) {
                let pair = &self.layout.pairs[pair as usize];
                let [rows, columns] = pair.nq;
                for i in 0..rows {
                    for j in 0..columns {
                        out.force_q[pair.at_q + i * columns + j] += by_q[i][j];
                        if cell.damping != 0.0 {
                            out.force_qdot[pair.at_q + i * columns + j] += room.by_qdot[k][i][j];
                        }
                    }
                }
            }
        }
        out.cells = room;
    }

    /// Takes derivatives of cells as if these had no stress.
    pub(super) fn relax_cells(&self, work: &mut Work) {
        work.cell_strains.clear();
        work.cell_strains.resize(self.cells.iter().map(|cell| cell.places.len()).sum(), [[0.0; 3]; 3]);
    }

    /// Takes derivatives of cells with the stress that is predicted for the end of a step of all bodies.
    pub(super) fn predict_cells(&self, work: &mut Work, moving: &[BodyState]) {
        let mut rest = &mut work.cell_strains[..];
        for cell in &self.cells {
            let (own, behind) = rest.split_at_mut(cell.places.len());
            cell.predict(moving, own);
            rest = behind;
        }
    }

    /// What is stored in strained cells. O(cells)
    pub(super) fn cells_store(&self, work: &Work) -> f64 {
        self.cells.iter().map(|cell| cell.energies(&work.bodies)[0]).sum()
    }

    /// The power that the damping of cells takes. O(cells)
    pub(super) fn cells_dissipate(&self, work: &Work) -> f64 {
        let damped = self.cells.iter().filter(|cell| cell.damping != 0.0);
        damped.map(|cell| cell.damping * cell.energies(&work.bodies)[1]).sum()
    }

    /// Strain energy of a structure, and the largest equivalent stress of its cells.
    pub fn strained_structure(&self, structure: usize, work: &Work) -> [f64; 2] {
        let own = self.cells.iter().filter(|cell| cell.structure == structure);
        own.fold([0.0; 2], |[energy, stress], cell| {
            let bodies = &work.bodies;
            [energy + cell.energies(bodies)[0], stress.max(cell.equivalent_stress(bodies))]
        })
    }

    /// The first cell whose forces are not finite numbers at the instant of the work. For messages: slow.
    pub(super) fn bad_cell(&self, work: &Work) -> Option<&CellElement> {
        self.cells.iter().find(|cell| {
            let mut forces = vec![[0.0; 3]; cell.nodes()];
            cell.forces(&work.bodies, &mut forces);
            forces.iter().flatten().any(|x| !x.is_finite())
        })
    }
}
