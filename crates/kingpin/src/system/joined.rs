//! Bodies: sets of nodes that hang together by inner forces and by the mass that goes with them.
//!
//! A rigid body or a point that no inner element holds is a body of one node. Elements that belong to the inside of a
//! body, such as bars and those of beams, join the nodes they hold into one; joints, springs and inerters do not: they act between bodies.

use super::System;
use crate::element::equation::{Inertance, Term};
use crate::topology::Sets;

/// A body of several nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JoinedBody {
    /// Its nodes, in order.
    pub nodes: Vec<usize>,
    /// The elements inside it, among the forces of the system.
    pub elements: Vec<usize>,
    /// The elements of beams inside it.
    pub beams: Vec<usize>,
    /// How many cells are inside it.
    pub cells: usize,
}

impl System {
    /// The bodies that have several nodes, in the order of their first ones. O(nodes + elements), nearly.
    pub fn joined_bodies(&self) -> Vec<JoinedBody> {
        let ground = self.bodies();
        let mut sets = Sets::new(ground);
        let inner = || self.forces.iter().enumerate().filter(|(_, force)| force.inner);
        for (_, force) in inner() {
            let mut held = self.held_by(force).filter(|&node| node < ground);
            let Some(first) = held.next() else { continue };
            held.for_each(|node| sets.join(first, node));
        }
        for beam in &self.beams {
            beam.bodies[1..].iter().for_each(|&node| sets.join(beam.bodies[0], node));
        }
        for cell in &self.cells {
            cell.bodies[1..].iter().for_each(|&node| sets.join(cell.bodies[0], node));
        }
        for body in &self.floating {
            body.nodes().for_each(|node| sets.join(body.frame, node));
            body.interfaces.iter().for_each(|&node| sets.join(body.frame, node));
        }
        let mut all: Vec<JoinedBody> = Vec::new();
        let mut place = vec![usize::MAX; ground];
        let mut grow = |sets: &mut Sets, node: usize, own: &mut Vec<JoinedBody>| {
            let root = sets.find(node);
            if place[root] == usize::MAX {
                place[root] = own.len();
                own.push(JoinedBody { nodes: Vec::new(), elements: Vec::new(), beams: Vec::new(), cells: 0 });
            }
            place[root]
        };
        for node in 0..ground {
            let body = grow(&mut sets, node, &mut all);
            all[body].nodes.push(node);
        }
        for (k, force) in inner() {
            if let Some(node) = self.held_by(force).find(|&node| node < ground) {
                let body = grow(&mut sets, node, &mut all);
                all[body].elements.push(k);
            }
        }
        for (k, beam) in self.beams.iter().enumerate() {
            let body = grow(&mut sets, beam.bodies[0], &mut all);
            all[body].beams.push(k);
        }
        for cell in &self.cells {
            let body = grow(&mut sets, cell.bodies[0], &mut all);
            all[body].cells += 1;
        }
        all.retain(|body| body.nodes.len() > 1);
        all
    }

    /// Nodes that a force acts on or gives mass to, ground among them.
    fn held_by<'a>(&'a self, force: &'a super::ForceGroup) -> impl Iterator<Item = usize> + 'a {
        let terms = self.terms[force.terms.clone()].iter().flat_map(Term::targets);
        let mass = |inertance: &Inertance| inertance.basic.bodies();
        terms.chain(self.inertances[force.inertances.clone()].iter().flat_map(mass))
    }
}
