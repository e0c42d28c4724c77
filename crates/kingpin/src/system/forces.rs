//! Generalised forces: weight and gyroscopic torques of bodies, then force terms.
//!
//! Few terms add to the forces of their bodies one after the other. Many are evaluated in pieces, each term into a place
//! of its own, and every body sums what acts on it in the order of the terms: the same sums.

use super::evaluate::{pair, put_more};
use super::{Inertia, NodeRoom, Nodes, System, Work, in_space};
use crate::element::basic::Basic;
use crate::element::equation::{Direction, Term};
use crate::element::law::MAX_VARIABLES;
use crate::spatial::{BodyState, Coords, V3, apply, apply_t, cross};
use crate::threads::{Each, in_pieces};
use std::ops::Range;

/// What a term does to its two bodies, in the velocities of frames.
pub(super) type TermForce = [[f64; 6]; 2];

/// What forces depend on.
#[derive(Clone, Copy)]
struct Circumstances<'a> {
    t: f64,
    bodies: &'a [BodyState],
    turns: &'a [f64],
    pieces: &'a [u8],
    inputs: &'a [f64],
}

impl System {
    /// Evaluates the generalised forces at the instant of the work. O(bodies + terms).
    pub fn evaluate_forces(&self, work: &mut Work) {
        in_space!(self.space, C => self.forces_in::<C>(work));
    }

    fn forces_in<C: Coords>(&self, work: &mut Work) {
        let Work { t, bodies, turns, pieces, inputs, force, term_forces, .. } = work;
        let at = Circumstances { t: *t, bodies, turns, pieces, inputs };
        if !term_forces.is_empty() {
            in_pieces(
                0..self.terms.len(),
                self.grain,
                Each(term_forces, 0),
                &|terms, room: Each<TermForce>| {
                    for (term, to) in self.terms[terms].iter().zip(room.0) {
                        *to = [[0.0; 6]; 2];
                        let strength = strength::<C>(term, &at);
                        act::<C>(&term.direction, strength, at.bodies, at.turns, |side, _, k, row| {
                            put_more::<C>(k, row, &mut to[side][..C::NV]);
                        });
                    }
                },
            );
        }
        let room = self.nodes.room(force);
        in_pieces(0..self.bodies(), self.grain, room, &|some, room: NodeRoom| {
            self.weights_in::<C>(some.start, &at.bodies[some.clone()], room.numbers, room.v);
            if !term_forces.is_empty() {
                self.gather_forces(some, room.numbers, term_forces);
            }
        });
        if term_forces.is_empty() {
            for term in &self.terms {
                let strength = strength::<C>(term, &at);
                apply_force::<C>(&term.direction, strength, (&self.nodes, at.bodies), at.turns, force);
            }
        }
    }

    /// Weights and gyroscopic torques of the bodies from `first` on, whose velocities begin at `v`.
    #[inline(always)]
    fn weights_in<C: Coords>(&self, first: usize, bodies: &[BodyState], force: &mut [f64], v: usize) {
        let inertia = &self.inertia[first..];
        if self.nodes.has_points() {
            for ((inertia, body), node) in inertia.iter().zip(bodies).zip(self.nodes.iter().skip(first)) {
                let out = &mut force[node.v - v..][..node.nv];
                if node.turns() {
                    weight::<C>(inertia, &self.gravity, body, out);
                } else {
                    (0..node.places).for_each(|k| out[k] = inertia.weight * self.gravity[k]);
                }
            }
        } else {
            let each = inertia.iter().zip(bodies).zip(force.chunks_exact_mut(C::NV));
            each.for_each(|((inertia, body), out)| weight::<C>(inertia, &self.gravity, body, out));
        }
    }

    /// Adds what terms do to some bodies, in the order of the terms.
    fn gather_forces(&self, some: Range<usize>, mut force: &mut [f64], terms: &[TermForce]) {
        let (list, starts) = &self.layout.acting;
        for body in some {
            let (own, rest) = force.split_at_mut(self.nodes[body].nv);
            for &place in &list[starts[body] as usize..starts[body + 1] as usize] {
                let row = &terms[place as usize / 2][place as usize % 2];
                own.iter_mut().zip(row).for_each(|(sum, x)| *sum += x);
            }
            force = rest;
        }
    }
}

/// How big a term is.
#[inline(always)]
fn strength<C: Coords>(term: &Term, at: &Circumstances) -> f64 {
    let mut vars = [0.0; MAX_VARIABLES];
    inputs::<C>(&term.inputs, at.bodies, at.turns, at.t, &mut vars);
    let used = term.fill_flags(at.pieces, at.inputs, &mut vars);
    term.strength.eval(&vars[..used], at.pieces)
}

/// Weight and gyroscopic torque -w x J w of a frame.
#[inline(always)]
fn weight<C: Coords>(inertia: &Inertia, gravity: &V3, body: &BodyState, out: &mut [f64]) {
    for k in 0..C::D {
        out[k] = inertia.weight * gravity[k];
    }
    let turn = if C::M == 3 { cross(&apply(&inertia.tensor, &body.w), &body.w) } else { [0.0; 3] };
    out[C::D..].copy_from_slice(&turn[..C::M]);
}

/// Fills variables: t, then value and rate of each input.
pub(super) fn inputs<C: Coords>(
    inputs: &[Basic],
    bodies: &[BodyState],
    turns: &[f64],
    t: f64,
    vars: &mut [f64],
) {
    vars[0] = t;
    for (k, basic) in inputs.iter().enumerate() {
        let two = pair(bodies, basic.bodies());
        let first = basic.first::<C>(two, turns);
        vars[1 + 2 * k] = first.value;
        vars[2 + 2 * k] = first.rate::<C>(two);
    }
}

/// Adds a force to those on all bodies.
pub(super) fn apply_force<C: Coords>(
    direction: &Direction,
    strength: f64,
    (nodes, bodies): (&Nodes, &[BodyState]),
    turns: &[f64],
    force: &mut [f64],
) {
    act::<C>(direction, strength, bodies, turns, |_, body, k, row| {
        put_more::<C>(k, row, &mut force[nodes.v(body)]);
    });
}

/// Gives each side of a force, the body there, and by what times which row it acts there; ground is left out.
#[inline(always)]
fn act<C: Coords>(
    direction: &Direction,
    strength: f64,
    bodies: &[BodyState],
    turns: &[f64],
    mut put: impl FnMut(usize, usize, f64, &[f64; 6]),
) {
    let ground = bodies.len() - 1;
    match direction {
        Direction::Along(basic, sign) => {
            let of = basic.bodies();
            let first = basic.first::<C>(pair(bodies, of), turns);
            for a in 0..2 {
                if of[a] != ground {
                    put(a, of[a], sign * strength, &first.row[a]);
                }
            }
        }
        Direction::BodyForce { body, s, dir } if *body != ground => {
            let b = &bodies[*body];
            let f = C::image(&b.a, dir);
            put(0, *body, strength, &row_of::<C>(&f, &C::moment(&b.a, s, &f)));
        }
        Direction::Torque { body, dir, body_fixed } if *body != ground => {
            let torque: V3 = match (C::M, body_fixed) {
                (1, _) => [1.0, 0.0, 0.0],
                (_, true) => *dir,
                (_, false) => apply_t(&bodies[*body].a, dir),
            };
            put(0, *body, strength, &row_of::<C>(&[0.0; 3], &torque));
        }
        _ => {}
    }
}

/// A force and a torque over the velocities of a frame.
#[inline(always)]
fn row_of<C: Coords>(force: &V3, torque: &V3) -> [f64; 6] {
    let mut row = [0.0; 6];
    row[..C::D].copy_from_slice(&force[..C::D]);
    row[C::D..C::NV].copy_from_slice(&torque[..C::M]);
    row
}

/// What acts on each body, as twice the term plus the side of it, and where each body starts in that list.
pub(super) fn acting(terms: &[Term], bodies: usize) -> (Vec<u32>, Vec<u32>) {
    let mut on_bodies = vec![Vec::new(); bodies];
    for (k, term) in terms.iter().enumerate() {
        let sides = match &term.direction {
            Direction::Along(basic, _) => basic.bodies(),
            Direction::BodyForce { body, .. } | Direction::Torque { body, .. } => [*body, bodies],
        };
        for (side, body) in sides.into_iter().enumerate().filter(|(_, body)| *body < bodies) {
            on_bodies[body].push((2 * k + side) as u32);
        }
    }
    let ends = on_bodies.iter().scan(0, |end, list: &Vec<u32>| {
        *end += list.len() as u32;
        Some(*end)
    });
    let starts = std::iter::once(0).chain(ends).collect();
    (on_bodies.concat(), starts)
}
