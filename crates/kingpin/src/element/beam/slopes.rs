//! Derivatives of the inner forces of an element in the coordinates of its bodies.
//!
//! ```text
//! Q = -sum w D^T B^T s,   s = C (eps + c eps'),   eps' = B x'
//! Q_q = -sum w D^T (B^T C (B + c B') + (s.eps)_xx) D,   Q_q' = -sum w D^T c B^T C B D
//! ```
//!
//! with B = eps_x, D = x_q, and B' the rate of B along x', which is the derivative of eps' in x as well.

use super::inner::{BeamElement, BeamNode, pulled};
use super::strain::{Local, Six, curvature, strained};
use crate::scalar::Dual;
use crate::spatial::{BodyState, Coords};

/// Room for the derivatives of one element: a block per pair of its nodes.
#[derive(Clone, Debug, Default)]
pub struct BeamSlopes {
    /// Q_q.
    pub by_q: Vec<f64>,
    /// Q_q'; of use if there is damping.
    pub by_qdot: Vec<f64>,
}

type LocalMatrix = [Local<f64>; 11];

impl BeamSlopes {
    /// Room for elements of so many nodes, with as many coordinates each.
    pub fn new(nodes: usize, coordinates: usize) -> BeamSlopes {
        let numbers = (nodes * coordinates).pow(2);
        BeamSlopes { by_q: vec![0.0; numbers], by_qdot: vec![0.0; numbers] }
    }
}

impl BeamElement {
    /// Q, which the nodes have as their force, and its derivatives. With resultants at the places of Gauss that are not
    /// those of the strains, Q and what is derived from resultants are theirs. O(p^3).
    pub fn derivatives<C: Coords>(
        &self,
        (bodies, other): (&[BodyState], Option<&[Six<f64>]>),
        nodes: &mut [BeamNode],
        out: &mut BeamSlopes,
    ) {
        let numbers = (self.nodes() * C::NQ).pow(2);
        let damped = self.damping != 0.0;
        self.place::<C>(bodies, nodes);
        out.by_q[..numbers].fill(0.0);
        if damped {
            out.by_qdot[..numbers].fill(0.0);
        }
        for place in 0..self.places() {
            let weight = self.rule.gauss[place] * self.half;
            let x = self.local::<C>(place, |a| nodes[a].at);
            let (at, rate) = (strained::<C, f64>(&x), || self.local::<C>(place, |a| nodes[a].rate));
            let resultants =
                other.map_or_else(|| self.resultants::<C>(place, &at, rate), |other| other[place]);
            let gradient = pulled::<C>(&at, &resultants, weight);
            self.spread::<C>(place, &gradient, nodes);
            let mut h = curvature::<C>(&x, &at, &resultants);
            h.iter_mut().flatten().for_each(|h| *h *= -weight);
            let stressed = self.stressed::<C>(place, &at.by, -weight);
            add_product::<C>(&at.by, &stressed, &mut h);
            if damped {
                let rate = self.local::<C>(place, |a| nodes[a].rate);
                let moving = std::array::from_fn(|k| Dual::new(x[k], rate[k]));
                let along = strained::<C, Dual<f64>>(&moving).by.map(|row| row.map(|b| b.d));
                let stressed_rate = self.stressed::<C>(place, &along, -weight * self.damping);
                add_product::<C>(&at.by, &stressed_rate, &mut h);
                let mut viscous = [[0.0; 11]; 11];
                add_product::<C>(&at.by, &stressed, &mut viscous);
                viscous.iter_mut().flatten().for_each(|h| *h *= self.damping);
                self.scatter::<C>(place, &viscous, &mut out.by_qdot);
            }
            self.scatter::<C>(place, &h, &mut out.by_q);
        }
        self.to_bodies::<C>(bodies, nodes, out);
    }

    /// C B, times a number.
    fn stressed<C: Coords>(&self, place: usize, by: &[Local<f64>; 6], weight: f64) -> [Local<f64>; 6] {
        let (section, mut out) = (self.section(place), [[0.0; 11]; 6]);
        for i in 0..C::NV {
            for k in 0..C::NV {
                let c = weight * section[i][k];
                if c != 0.0 {
                    for j in 0..C::D + 2 * C::K {
                        out[i][j] += c * by[k][j];
                    }
                }
            }
        }
        out
    }

    /// Adds D^T H D to the blocks of the pairs of nodes.
    fn scatter<C: Coords>(&self, place: usize, h: &LocalMatrix, blocks: &mut [f64]) {
        let shapes = self.rule.at(place);
        let (n, across) = (self.nodes(), C::D + C::K);
        for (b, [shape, slope]) in shapes.iter().enumerate() {
            // H D of one node
            let (slope, mut column) = (slope / self.half, [[0.0; 7]; 11]);
            for (row, h) in column.iter_mut().zip(h).take(C::D + 2 * C::K) {
                (0..C::D).for_each(|j| row[j] = slope * h[j]);
                (0..C::K).for_each(|j| row[C::D + j] = shape * h[C::D + j] + slope * h[across + j]);
            }
            for (a, [shape, slope]) in shapes.iter().enumerate() {
                let slope = slope / self.half;
                let block = &mut blocks[(a * n + b) * C::NQ * C::NQ..][..C::NQ * C::NQ];
                for i in 0..C::D {
                    for j in 0..C::NQ {
                        block[i * C::NQ + j] += slope * column[i][j];
                    }
                }
                for i in 0..C::K {
                    let own = &mut block[(C::D + i) * C::NQ..][..C::NQ];
                    for j in 0..C::NQ {
                        own[j] += shape * column[C::D + i][j] + slope * column[across + i][j];
                    }
                }
            }
        }
    }

    /// From the coordinates of nodes to those of bodies: r = r_body + A(p) s, and signs of Euler parameters.
    fn to_bodies<C: Coords>(&self, bodies: &[BodyState], nodes: &mut [BeamNode], out: &mut BeamSlopes) {
        let n = self.nodes();
        let moved = |k: usize| self.offsets[k] != [0.0; 3] || nodes[k].sign != 1.0;
        for a in 0..n {
            for b in 0..n {
                if !moved(a) && !moved(b) {
                    continue;
                }
                let at = (a * n + b) * C::NQ * C::NQ..(a * n + b + 1) * C::NQ * C::NQ;
                let block = &mut out.by_q[at.clone()];
                let ends = [a, b].map(|k| (&bodies[self.bodies[k]], self.offsets[k], nodes[k].sign));
                if self.damping != 0.0 {
                    let viscous = &mut out.by_qdot[at];
                    // rates of a node depend on the attitude of its body
                    let (body, s, _) = ends[1];
                    let turning = C::d2(&body.p, &s, &body.pdot);
                    for i in 0..C::NQ {
                        for j in 0..C::K {
                            let change = (0..C::D).map(|d| viscous[i * C::NQ + d] * turning[d][j]);
                            // columns of the attitude are those of the node until they are turned below
                            block[i * C::NQ + C::D + j] += ends[1].2 * change.sum::<f64>();
                        }
                    }
                    turn::<C>(ends, viscous);
                }
                turn::<C>(ends, block);
            }
            self.own_turning::<C>(a, bodies, nodes, out);
        }
        self.to_coordinates::<C>(bodies, nodes);
    }

    /// Q from the gradients of the nodes. O(p).
    pub(super) fn to_coordinates<C: Coords>(&self, bodies: &[BodyState], nodes: &mut [BeamNode]) {
        for ((node, &body), s) in nodes.iter_mut().zip(&self.bodies).zip(&self.offsets) {
            let slope = C::d1(&bodies[body].p, s);
            for j in 0..C::K {
                let arm: f64 = (0..C::D).map(|d| slope[d][j] * node.force[d]).sum();
                node.force[C::D + j] = -node.sign * node.force[C::D + j] - arm;
            }
            (0..C::D).for_each(|d| node.force[d] = -node.force[d]);
        }
    }

    /// What the arm of a node adds to its own block as its body turns.
    fn own_turning<C: Coords>(
        &self,
        a: usize,
        bodies: &[BodyState],
        nodes: &[BeamNode],
        out: &mut BeamSlopes,
    ) {
        let s = &self.offsets[a];
        if *s == [0.0; 3] {
            return;
        }
        let mut pull = [0.0; 3];
        pull[..C::D].copy_from_slice(&nodes[a].force[..C::D]);
        let k = C::d2f(&bodies[self.bodies[a]].p, s, &pull);
        let block = &mut out.by_q[a * (self.nodes() + 1) * C::NQ * C::NQ..][..C::NQ * C::NQ];
        for i in 0..C::K {
            for j in 0..C::K {
                block[(C::D + i) * C::NQ + C::D + j] -= k[i][j];
            }
        }
    }
}

/// A body with the place of its node and the sign of its Euler parameters there.
type NodeEnd<'a> = (&'a BodyState, [f64; 3], f64);

/// T_a^T K T_b of a block, with T = [I, (A s)_p; 0, sign].
fn turn<C: Coords>([a, b]: [NodeEnd; 2], block: &mut [f64]) {
    let (left, right) = (C::d1(&a.0.p, &a.1), C::d1(&b.0.p, &b.1));
    for i in 0..C::NQ {
        let row = &mut block[i * C::NQ..][..C::NQ];
        for j in 0..C::K {
            let arm: f64 = (0..C::D).map(|d| row[d] * right[d][j]).sum();
            row[C::D + j] = b.2 * row[C::D + j] + arm;
        }
    }
    for j in 0..C::NQ {
        for i in 0..C::K {
            let arm: f64 = (0..C::D).map(|d| left[d][i] * block[d * C::NQ + j]).sum();
            let own = &mut block[(C::D + i) * C::NQ + j];
            *own = a.2 * *own + arm;
        }
    }
}

/// Adds B^T Y to a matrix.
fn add_product<C: Coords>(b: &[Local<f64>; 6], y: &[Local<f64>; 6], to: &mut LocalMatrix) {
    for (b, y) in b.iter().zip(y).take(C::NV) {
        for (row, b) in to.iter_mut().zip(b).take(C::D + 2 * C::K) {
            for j in 0..C::D + 2 * C::K {
                row[j] += b * y[j];
            }
        }
    }
}
