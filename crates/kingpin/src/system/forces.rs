//! Generalised forces: weight and gyroscopic torques of bodies, then force terms.
//!
//! Few terms add to the forces of their bodies one after the other. Many are evaluated in pieces, each term into a place
//! of its own, and every body sums what acts on it in the order of the terms: the same sums.

use super::evaluate::{pair, put_more};
use super::{Inertia, NONE, NodeRoom, Nodes, System, Work, in_space};
use crate::element::basic::{Basic, First};
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
    load: f64,
}

impl System {
    /// Evaluates the generalised forces at the instant of the work. O(bodies + terms).
    pub fn evaluate_forces(&self, work: &mut Work) {
        in_space!(self.space, C => self.forces_in::<C>(work));
    }

    fn forces_in<C: Coords>(&self, work: &mut Work) {
        let Work {
            t,
            bodies,
            turns,
            pieces,
            inputs,
            load,
            force,
            term_forces,
            beam_nodes,
            cell_forces,
            floating,
            ..
        } = work;
        let at = Circumstances { t: *t, bodies, turns, pieces, inputs, load: *load };
        let gravity = self.gravity.map(|g| at.load * g);
        if !term_forces.is_empty() {
            let places = Each(term_forces, 0);
            in_pieces(0..self.terms.len(), self.grain, places, &|terms, room: Each<TermForce>| {
                self.terms_apart::<C>(terms, &at, room.0);
            });
        }
        self.beams_in::<C>(bodies, beam_nodes);
        self.cells_in(bodies, cell_forces);
        let room = self.nodes.room(force);
        in_pieces(0..self.bodies(), self.grain, room, &|some, room: NodeRoom| {
            let bodies = &at.bodies[some.clone()];
            self.weights_in::<C>(some.start, (bodies, &gravity), room.numbers, room.v);
            if !term_forces.is_empty() {
                self.gather_forces(some.clone(), room.numbers, term_forces);
            }
            if !beam_nodes.is_empty() {
                self.gather_beams(some.clone(), room.numbers, beam_nodes);
            }
            if !cell_forces.is_empty() {
                self.gather_cells(some, room.numbers, cell_forces);
            }
        });
        self.add_floating_forces::<C>(bodies, floating, force);
        if term_forces.is_empty() {
            let (mut vars, mut along) = ([0.0; MAX_VARIABLES], NOWHERE);
            for (term, &input) in self.terms.iter().zip(&self.layout.along) {
                let strength = strength::<C>(term, input, &at, &mut vars, &mut along);
                act::<C>(
                    &term.direction,
                    strength,
                    &at,
                    (input != NONE).then_some(&along),
                    |_, body, k, row| {
                        put_more::<C>(k, row, &mut force[self.nodes.v(body)]);
                    },
                );
            }
        }
    }

    /// What some terms do, each in a place of its own.
    #[inline(never)]
    fn terms_apart<C: Coords>(&self, some: Range<usize>, at: &Circumstances, places: &mut [TermForce]) {
        let (mut vars, mut along) = ([0.0; MAX_VARIABLES], NOWHERE);
        let terms = self.terms[some.clone()].iter().zip(&self.layout.along[some]);
        for ((term, &input), to) in terms.zip(places) {
            *to = [[0.0; 6]; 2];
            let strength = strength::<C>(term, input, at, &mut vars, &mut along);
            act::<C>(&term.direction, strength, at, (input != NONE).then_some(&along), |side, _, k, row| {
                put_more::<C>(k, row, &mut to[side][..C::NV]);
            });
        }
    }

    /// Weights and gyroscopic torques of the bodies from `first` on, whose velocities begin at `v`.
    #[inline(never)]
    fn weights_in<C: Coords>(
        &self,
        first: usize,
        (bodies, gravity): (&[BodyState], &V3),
        force: &mut [f64],
        v: usize,
    ) {
        let inertia = &self.inertia[first..];
        if self.nodes.has_points() {
            for ((inertia, body), node) in inertia.iter().zip(bodies).zip(self.nodes.iter().skip(first)) {
                let out = &mut force[node.v - v..][..node.nv];
                if node.turns() {
                    weight::<C>(inertia, gravity, body, out);
                } else {
                    (0..node.places).for_each(|k| out[k] = inertia.weight * gravity[k]);
                }
            }
        } else {
            let each = inertia.iter().zip(bodies).zip(force.chunks_exact_mut(C::NV));
            each.for_each(|((inertia, body), out)| weight::<C>(inertia, gravity, body, out));
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

/// A basic function that has not been evaluated.
const NOWHERE: First = First { value: 0.0, row: [[0.0; 6]; 2], curvature: 0.0 };

/// How big a term is; `along` becomes what it acts along, if that is the input of this number.
#[inline(always)]
fn strength<C: Coords>(
    term: &Term,
    input: u8,
    at: &Circumstances,
    vars: &mut [f64; MAX_VARIABLES],
    along: &mut First,
) -> f64 {
    vars[0] = at.t;
    for (k, (basic, vars)) in term.inputs.iter().zip(vars[1..].chunks_exact_mut(2)).enumerate() {
        let two = pair(at.bodies, basic.bodies());
        let first = basic.first::<C>(two, at.turns);
        (vars[0], vars[1]) = (first.value, first.rate::<C>(two));
        if k == input as usize {
            *along = first;
        }
    }
    let used = term.fill_flags(at.pieces, at.inputs, vars);
    term.strength.eval(&vars[..used], at.pieces) * term.strength.part_of(at.load)
}

/// Which of its inputs each term acts along, as springs do along the distance they depend on; `NONE` for others.
pub(super) fn along(terms: &[Term]) -> Vec<u8> {
    let of = |term: &Term| match &term.direction {
        Direction::Along(basic, _) => term.inputs.iter().position(|input| input == basic),
        Direction::BodyForce { .. } | Direction::Torque { .. } => None,
    };
    terms.iter().map(|term| of(term).and_then(|k| u8::try_from(k).ok()).unwrap_or(NONE)).collect()
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
    let at = Circumstances { t: 0.0, bodies, turns, pieces: &[], inputs: &[], load: 1.0 };
    act::<C>(direction, strength, &at, None, |_, body, k, row| {
        put_more::<C>(k, row, &mut force[nodes.v(body)]);
    });
}

/// Gives each side of a force, the body there, and by what times which row it acts there; ground is left out. `known` is
/// what it acts along, if that has been evaluated.
#[inline(always)]
fn act<C: Coords>(
    direction: &Direction,
    strength: f64,
    &Circumstances { bodies, turns, .. }: &Circumstances,
    known: Option<&First>,
    mut put: impl FnMut(usize, usize, f64, &[f64; 6]),
) {
    let ground = bodies.len() - 1;
    match direction {
        Direction::Along(basic, sign) => {
            let of = basic.bodies();
            let anew;
            let first = match known {
                Some(first) => first,
                None => {
                    anew = basic.first::<C>(pair(bodies, of), turns);
                    &anew
                }
            };
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
