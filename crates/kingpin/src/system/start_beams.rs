//! Nodes of beams that are carried along where joint coordinates place one of them.

use super::System;
use crate::spatial::{BodyState, Coords, V3, add, apply, apply_t, cross, euler, sub};
use crate::topology::{Link, Wish};

impl System {
    /// Links between neighbours along the beams, which hold them as they are described.
    pub(super) fn beam_links(&self) -> Vec<Link> {
        let neighbours = self.beams.iter().flat_map(|beam| beam.bodies.windows(2));
        let link = |two: &[usize]| Link {
            bodies: two.to_vec(),
            equations: self.nodes.widest(),
            freedoms: Some(0),
            wish: Wish::Either,
        };
        neighbours.map(link).collect()
    }
}

/// A node as a neighbour carries it that has been placed elsewhere, with what it has of velocity beside that one's.
pub(super) fn carried<C: Coords>(before: &BodyState, described: &BodyState, placed: &BodyState) -> BodyState {
    let turn = turned::<C>(&before.p, &placed.p);
    let rotation = C::matrix(&turn);
    let (arm, p) = (sub(&described.r, &before.r), after::<C>(&turn, &described.p));
    let a = C::matrix(&p);
    let [old, own, new] = [before, described, placed].map(|body| spin::<C>(body));
    let beside = sub(&sub(&described.rdot, &before.rdot), &cross(&old, &arm));
    let arm = apply(&rotation, &arm);
    let rdot = add(&add(&placed.rdot, &cross(&new, &arm)), &apply(&rotation, &beside));
    let spun = add(&new, &apply(&rotation, &sub(&own, &old)));
    let w = if C::M == 1 { [spun[2], 0.0, 0.0] } else { apply_t(&a, &spun) };
    BodyState { r: add(&placed.r, &arm), p, a, rdot, w, pdot: C::rates(&p, &w) }
}

/// Angular velocity in global axes.
fn spin<C: Coords>(body: &BodyState) -> V3 {
    if C::M == 1 { [0.0, 0.0, body.w[0]] } else { apply(&body.a, &body.w) }
}

/// Rotation coordinates of the turn from one attitude to another.
fn turned<C: Coords>(from: &[f64; 4], to: &[f64; 4]) -> [f64; 4] {
    if C::NORMALISED {
        euler::product(to, &[from[0], -from[1], -from[2], -from[3]])
    } else {
        [to[0] - from[0], 0.0, 0.0, 0.0]
    }
}

/// Rotation coordinates of an attitude after a turn.
fn after<C: Coords>(turn: &[f64; 4], p: &[f64; 4]) -> [f64; 4] {
    if C::NORMALISED { euler::product(turn, p) } else { [turn[0] + p[0], 0.0, 0.0, 0.0] }
}
