//! Elements of beams: their inner forces, energies and resultants, and derivatives of the forces.
//!
//! Each element is evaluated into nodes of its own, and every body sums what acts on it in the order of the elements, so
//! work in pieces gives the same sums.

use super::derivatives::Derivatives;
use super::{System, Work, in_space};
use crate::element::beam::{BeamElement, BeamNode, BeamSlopes, Six};
use crate::spatial::{BodyState, Coords};
use crate::threads::{Divide, in_pieces};
use std::ops::Range;

/// An element costs as much as so many bodies.
const HEAVY: usize = 16;

/// Nodes of some elements that follow each other.
struct BeamNodes<'a> {
    starts: &'a [usize],
    nodes: &'a mut [BeamNode],
    /// The first among all.
    first: usize,
}

impl Divide for BeamNodes<'_> {
    fn divide(self, element: usize) -> (Self, Self) {
        let (starts, first) = (self.starts, self.starts[element]);
        let (before, behind) = self.nodes.split_at_mut(first - self.first);
        let before = BeamNodes { starts, nodes: before, first: self.first };
        (before, BeamNodes { starts, nodes: behind, first })
    }
}

/// Room for the derivatives of one element.
#[derive(Clone, Debug, Default)]
pub(super) struct BeamRoom {
    nodes: Vec<BeamNode>,
    slopes: BeamSlopes,
}

impl System {
    /// Nodes of all elements of beams.
    pub(super) fn beam_nodes(&self) -> usize {
        self.layout.beam_starts.last().copied().unwrap_or(0)
    }

    pub(super) fn beam_room(&self) -> BeamRoom {
        let most = self.beams.iter().map(BeamElement::nodes).max().unwrap_or(0);
        let coordinates = in_space!(self.space, C => C::NQ);
        BeamRoom { nodes: vec![BeamNode::default(); most], slopes: BeamSlopes::new(most, coordinates) }
    }

    /// Evaluates what all elements do to their nodes. O(elements p^2).
    pub(super) fn beams_in<C: Coords>(&self, bodies: &[BodyState], nodes: &mut [BeamNode]) {
        let room = BeamNodes { starts: &self.layout.beam_starts, nodes, first: 0 };
        let grain = self.grain.div_ceil(HEAVY);
        in_pieces(0..self.beams.len(), grain, room, &|some, room: BeamNodes| {
            self.some_beams::<C>(some, bodies, room);
        });
    }

    #[inline(never)]
    fn some_beams<C: Coords>(&self, some: Range<usize>, bodies: &[BodyState], room: BeamNodes) {
        let mut nodes = room.nodes;
        for beam in &self.beams[some] {
            let (own, rest) = nodes.split_at_mut(beam.nodes());
            beam.forces::<C>(bodies, own);
            nodes = rest;
        }
    }

    /// Adds what elements do to some bodies, in the order of the elements.
    pub(super) fn gather_beams(&self, some: Range<usize>, mut force: &mut [f64], nodes: &[BeamNode]) {
        let (list, starts) = &self.layout.beamed;
        for body in some {
            let (own, rest) = force.split_at_mut(self.nodes[body].nv);
            for &place in &list[starts[body] as usize..starts[body + 1] as usize] {
                own.iter_mut().zip(&nodes[place as usize].force).for_each(|(sum, x)| *sum += x);
            }
            force = rest;
        }
    }

    /// Derivatives of the inner forces. O(elements p^3).
    pub(super) fn beam_derivatives<C: Coords>(&self, work: &Work, out: &mut Derivatives) {
        let mut room = std::mem::take(&mut out.beams);
        let mut first = 0;
        for (beam, map) in self.beams.iter().zip(&self.layout.beam_pairs) {
            let nodes = &mut room.nodes[..beam.nodes()];
            let other = work.beam_resultants.get(first..first + beam.places());
            first += beam.places();
            beam.derivatives::<C>((&work.bodies, other), nodes, &mut room.slopes);
            for (node, &body) in nodes.iter().zip(&beam.bodies) {
                out.force[self.nodes.q(body)].iter_mut().zip(&node.force).for_each(|(sum, x)| *sum += x);
            }
            let blocks = |all: &[f64], to: &mut [f64]| {
                for (block, &pair) in all.chunks_exact(C::NQ * C::NQ).zip(&map.pairs) {
                    let at = self.layout.pairs[pair as usize].at_q;
                    to[at..at + C::NQ * C::NQ].iter_mut().zip(block).for_each(|(sum, x)| *sum += x);
                }
            };
            blocks(&room.slopes.by_q, &mut out.force_q);
            if beam.damping != 0.0 {
                blocks(&room.slopes.by_qdot, &mut out.force_qdot);
            }
        }
        out.beams = room;
    }

    /// Takes derivatives of beams as if these had no resultants, and of cells as if these had no stress.
    pub(crate) fn relax_beams(&self, work: &mut Work) {
        work.beam_resultants.clear();
        work.beam_resultants.resize(self.beams.iter().map(BeamElement::places).sum(), [0.0; 6]);
        self.relax_cells(work);
    }

    /// Takes derivatives of beams and cells with the resultants that their strains have.
    pub(crate) fn trust_strains(&self, work: &mut Work) {
        work.beam_resultants.clear();
        work.cell_strains.clear();
    }

    /// Takes derivatives of beams and cells with the resultants that are predicted for the end of a small step of all bodies, given
    /// as velocities, from the instant of the work.
    pub(crate) fn predict_beams(&self, work: &mut Work, step: &[f64]) {
        let bodies = self.bodies_moving(work, step);
        let mut rest = &mut work.beam_resultants[..];
        for beam in &self.beams {
            let (own, behind) = rest.split_at_mut(beam.places());
            in_space!(self.space, C => beam.predict::<C>(&bodies, own));
            rest = behind;
        }
        self.predict_cells(work, &bodies);
    }

    /// What is stored in strained beams. O(elements p^2).
    pub(super) fn strain_energy(&self, work: &Work) -> f64 {
        in_space!(self.space, C => self.beams.iter().map(|beam| beam.energies::<C>(&work.bodies)[0]).sum())
    }

    /// The power that the damping of beams takes. O(elements p^2).
    pub(super) fn beams_dissipate(&self, work: &Work) -> f64 {
        let damped = self.beams.iter().filter(|beam| beam.damping != 0.0);
        in_space!(self.space, C => {
            damped.map(|beam| beam.damping * beam.energies::<C>(&work.bodies)[1]).sum()
        })
    }

    /// Adds what elements do along the Euler parameters of their bodies, p.Q_p. For multipliers: slow.
    pub(crate) fn add_beam_radials<C: Coords>(&self, work: &Work, radial: &mut [f64]) {
        for beam in &self.beams {
            let mut nodes = vec![BeamNode::default(); beam.nodes()];
            beam.coordinate_forces::<C>(&work.bodies, &mut nodes);
            for (node, &body) in nodes.iter().zip(&beam.bodies) {
                let p = &work.bodies[body].p;
                radial[body] += (0..C::K).map(|j| p[j] * node.force[C::D + j]).sum::<f64>();
            }
        }
    }

    /// The bodies with other velocities.
    pub(crate) fn bodies_moving(&self, work: &Work, v: &[f64]) -> Vec<BodyState> {
        let mut bodies = work.bodies.clone();
        in_space!(self.space, C => {
            for (body, node) in bodies.iter_mut().zip(self.nodes.iter()) {
                let (moves, turns) = node.split(&v[node.v()]);
                body.rdot[..moves.len()].copy_from_slice(moves);
                body.w[..turns.len()].copy_from_slice(turns);
                body.pdot = C::rates(&body.p, &body.w);
            }
        });
        bodies
    }

    /// Of each element, x K x with its stiffness alone, for bodies that move with x.
    pub(crate) fn twice_strain_energies(&self, moving: &[BodyState]) -> Vec<f64> {
        in_space!(self.space, C => self.beams.iter().map(|beam| beam.energies::<C>(moving)[1]).collect())
    }

    /// The stiffness of each element as the model gives it, free of stress: between displacements of the centres of mass of
    /// its bodies and their turns, all along global axes, row by row. O(elements p^3).
    pub fn stiffness_at_rest(&self) -> Vec<Vec<f64>> {
        in_space!(self.space, C => {
            let still = vec![0.0; self.velocities()];
            let mut bodies: Vec<BodyState> =
                self.nodes.iter().map(|node| node.state::<C>(&self.given.q, &still)).collect();
            self.beams.iter().map(|beam| beam.stiffness_at_rest::<C>(&mut bodies)).collect()
        })
    }

    /// The first element whose forces are not finite numbers at the instant of the work. For messages: slow.
    pub(super) fn bad_beam(&self, work: &Work) -> Option<usize> {
        self.beams.iter().position(|beam| {
            let mut nodes = vec![BeamNode::default(); beam.nodes()];
            in_space!(self.space, C => beam.forces::<C>(&work.bodies, &mut nodes));
            nodes.iter().any(|node| node.force.iter().any(|x| !x.is_finite()))
        })
    }

    /// Resultants in the middle of an element: axial force, shear forces, torsion, bending moments; in the plane axial
    /// force, shear force, bending moment.
    pub fn beam_resultants(&self, beam: usize, work: &Work) -> Six<f64> {
        in_space!(self.space, C => self.beams[beam].middle::<C>(&work.bodies))
    }
}
