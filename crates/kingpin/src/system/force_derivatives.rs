//! Derivatives of forces and inertia terms in coordinates.

use super::derivatives::Derivatives;
use super::evaluate::pair;
use super::layout::{Pair, PairMap};
use super::mass::{gyroscopic, rotation_mass_derivative};
use super::{System, Work};
use crate::element::basic::{Basic, Jet};
use crate::element::equation::{Direction, Term};
use crate::element::law::MAX_VARIABLES;
use crate::spatial::{BodyState, Coords, V3, euler};

/// Where a term writes: the pairs of its bodies.
struct TermTarget<'a> {
    map: &'a PairMap,
    pairs: &'a [Pair],
}

impl TermTarget<'_> {
    /// The pair of local bodies (a, b).
    fn pair(&self, a: usize, b: usize) -> &Pair {
        &self.pairs[self.map.pairs[a * self.map.bodies.len() + b] as usize]
    }
}

/// The place of each body of a basic function among the bodies of a term that move.
fn slots(map: &PairMap, of: [usize; 2]) -> [Option<usize>; 2] {
    of.map(|body| map.bodies.iter().position(|&b| b == body))
}

/// The direction of a force on one body: Q = strength w, with w_q over the bodies of the direction.
struct Push {
    /// Local bodies it acts on, with the first entry of each in `jet`.
    on: [(Option<usize>, usize); 2],
    /// w in the gradient, w_q in the Hessian.
    jet: Jet,
}

impl System {
    /// (M q'')_q, weight and quadratic velocity terms.
    pub(super) fn body_derivatives<C: Coords>(&self, work: &Work, qddot: &[f64], out: &mut Derivatives) {
        out.force_q.fill(0.0);
        out.force_qdot.fill(0.0);
        out.force_t.fill(0.0);
        out.mass_q.fill(0.0);
        for (b, inertia) in self.inertia.iter().enumerate() {
            let node = &self.nodes[b];
            let force = &mut out.force[node.q()];
            force.fill(0.0);
            for k in 0..node.places {
                force[k] = inertia.weight * (work.load * self.gravity[k]);
            }
            if !C::NORMALISED || !node.turns() {
                continue;
            }
            let body = &work.bodies[b];
            let acc: [f64; 4] = std::array::from_fn(|k| qddot[node.q + C::D + k]);
            let mass = rotation_mass_derivative(&body.p, &inertia.tensor, &acc);
            let (gyro, by_p, by_pdot) = gyroscopic(body, &inertia.tensor);
            force[C::D..].copy_from_slice(&gyro);
            // diagonal pairs come first, in order of the bodies
            let at = self.layout.pairs[b].at_q;
            for i in 0..C::K {
                for j in 0..C::K {
                    let at = at + (C::D + i) * C::NQ + C::D + j;
                    out.mass_q[at] = mass[i][j];
                    out.force_q[at] = by_p[i][j];
                    out.force_qdot[at] = by_pdot[i][j];
                }
            }
        }
    }

    /// Applied forces.
    pub(super) fn force_derivatives<C: Coords>(&self, work: &Work, out: &mut Derivatives) {
        let mut jets = std::mem::take(&mut out.jets);
        for (term, map) in self.terms.iter().zip(&self.layout.term_pairs) {
            jets.resize_with(jets.len().max(term.inputs.len()), Jet::default);
            let target = TermTarget { map, pairs: &self.layout.pairs };
            self.term_derivatives::<C>(term, &target, work, &mut jets, out);
        }
        out.jets = jets;
    }
}

impl System {
    fn term_derivatives<C: Coords>(
        &self,
        term: &Term,
        target: &TermTarget,
        work: &Work,
        jets: &mut [Jet],
        out: &mut Derivatives,
    ) {
        let (mut vars, mut by) = ([0.0; MAX_VARIABLES], [0.0; MAX_VARIABLES]);
        vars[0] = work.t;
        for (k, (basic, jet)) in term.inputs.iter().zip(jets.iter_mut()).enumerate() {
            basic.jet::<C>(pair(&work.bodies, basic.bodies()), &work.turns, false, jet);
            vars[1 + 2 * k] = jet.value;
            vars[2 + 2 * k] = jet.rate;
        }
        let used = term.fill_flags(&work.pieces, &work.inputs, &mut vars);
        let mut strength = term.strength.partials(&vars[..used], &work.pieces, &mut by[..used]);
        let load = term.strength.part_of(work.load);
        if load != 1.0 {
            strength *= load;
            by[..used].iter_mut().for_each(|by| *by *= load);
        }
        let push = push::<C>(&term.direction, target.map, work);
        for (a, from) in push.on {
            let Some(a) = a else { continue };
            let w = &push.jet.grad[from..from + C::NQ];
            for (i, at) in self.nodes.q(target.map.bodies[a]).enumerate() {
                out.force[at] += strength * w[i];
                out.force_t[at] += by[0] * w[i];
            }
            // strength w_q
            for (b, col) in push.on {
                let Some(b) = b else { continue };
                target
                    .pair(a, b)
                    .add::<C>(&mut out.force_q, |i, j| strength * push.jet.hessian[from + i][col + j]);
            }
            // w strength_q and w strength_q'
            for (k, (basic, jet)) in term.inputs.iter().zip(jets.iter()).enumerate() {
                let (by_value, by_rate) = (by[1 + 2 * k], by[2 + 2 * k]);
                for (side, b) in slots(target.map, basic.bodies()).into_iter().enumerate() {
                    let Some(b) = b else { continue };
                    let (row, pair) = (side * C::NQ, target.pair(a, b));
                    pair.add::<C>(&mut out.force_q, |i, j| {
                        w[i] * (by_value * jet.grad[row + j] + by_rate * jet.grad_rate[row + j])
                    });
                    pair.add::<C>(&mut out.force_qdot, |i, j| w[i] * by_rate * jet.grad[row + j]);
                }
            }
        }
    }
}

fn push<C: Coords>(direction: &Direction, map: &PairMap, work: &Work) -> Push {
    let mut jet = Jet::default();
    let single = |body: usize| [(map.bodies.iter().position(|&b| b == body), 0), (None, 0)];
    match direction {
        Direction::Along(basic, sign) => {
            along::<C>(basic, *sign, work, &mut jet);
            let [i, j] = slots(map, basic.bodies());
            Push { on: [(i, 0), (j, C::NQ)], jet }
        }
        Direction::BodyForce { body, s, dir } => {
            body_force::<C>(&work.bodies[*body], s, dir, &mut jet);
            Push { on: single(*body), jet }
        }
        Direction::Torque { body, dir, body_fixed } => {
            torque::<C>(&work.bodies[*body], dir, *body_fixed, &mut jet);
            Push { on: single(*body), jet }
        }
    }
}

fn along<C: Coords>(basic: &Basic, sign: f64, work: &Work, jet: &mut Jet) {
    basic.jet::<C>(pair(&work.bodies, basic.bodies()), &work.turns, true, jet);
    for i in 0..2 * C::NQ {
        jet.grad[i] *= sign;
        for j in 0..2 * C::NQ {
            jet.hessian[i][j] *= sign;
        }
    }
}

/// w = (f, (A s)_p^T f) with f = A dir.
fn body_force<C: Coords>(body: &BodyState, s: &V3, dir: &V3, jet: &mut Jet) {
    let f = C::image(&body.a, dir);
    let (ds, df, k) = (C::d1(&body.p, s), C::d1(&body.p, dir), C::d2f(&body.p, s, &f));
    for i in 0..C::D {
        jet.grad[i] = f[i];
        for j in 0..C::K {
            jet.hessian[i][C::D + j] = df[i][j];
        }
    }
    for i in 0..C::K {
        jet.grad[C::D + i] = (0..C::D).map(|d| ds[d][i] * f[d]).sum();
        for j in 0..C::K {
            jet.hessian[C::D + i][C::D + j] = k[i][j] + (0..C::D).map(|d| ds[d][i] * df[d][j]).sum::<f64>();
        }
    }
}

/// w = 2 G^T n' for a torque fixed to the body, 2 E^T n for a global one; both linear in p.
fn torque<C: Coords>(body: &BodyState, dir: &V3, body_fixed: bool, jet: &mut Jet) {
    if !C::NORMALISED {
        jet.grad[C::D] = 1.0;
        return;
    }
    let n = euler::n_matrix(dir);
    // E differs from G in the sign of e~: the lower right part of N changes sign
    let sign = if body_fixed { 1.0 } else { -1.0 };
    for i in 0..C::K {
        for j in 0..C::K {
            let k = if i > 0 && j > 0 { sign } else { 1.0 };
            jet.hessian[C::D + i][C::D + j] = 2.0 * k * n[i][j];
        }
        jet.grad[C::D + i] = (0..C::K).map(|j| jet.hessian[C::D + i][C::D + j] * body.p[j]).sum();
    }
}
