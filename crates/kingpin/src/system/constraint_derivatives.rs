//! Derivatives of the constraints in coordinates.

use super::derivatives::{Derivatives, Normalisation};
use super::evaluate::pair;
use super::layout::{Block, EquationGroup, Numbered, Pair, PairMap};
use super::{NONE, System, Work};
use crate::element::basic::{Basic, Coincide, Jet, W};
use crate::element::equation::EquationForm;
use crate::model::function::Function;
use crate::scalar::Dual;
use crate::spatial::Coords;

/// Value and first three derivatives of a motion.
fn motion_jet(motion: &Function, t: f64, pieces: &[u8]) -> [f64; 4] {
    match motion {
        Function::Constant(c) => [*c, 0.0, 0.0, 0.0],
        other => {
            let x = Dual::variable(Dual::variable(Dual::variable(t)));
            let y = other.eval_on(&[x], pieces);
            [y.re.re.re, y.d.re.re, y.d.d.re, y.d.d.d]
        }
    }
}

/// The second derivative of a group, contracted with multipliers, on its way into the body pairs.
struct Contraction<'a, C: Coords> {
    map: &'a PairMap,
    pairs: &'a [Pair],
    lam_q: &'a mut [f64],
    _coords: std::marker::PhantomData<C>,
}

impl<C: Coords> Contraction<'_, C> {
    /// Adds k times the (a, b) part of a local Hessian.
    fn add(&mut self, slots: [u8; 2], k: f64, hessian: &[[f64; W]; W]) {
        let n = self.map.bodies.len();
        for a in 0..2 {
            for b in 0..2 {
                if slots[a] == NONE || slots[b] == NONE {
                    continue;
                }
                let pair = &self.pairs[self.map.pairs[slots[a] as usize * n + slots[b] as usize] as usize];
                pair.add::<C>(self.lam_q, |i, j| k * hessian[a * C::NQ + i][b * C::NQ + j]);
            }
        }
    }

    /// Adds a rotational block on the diagonal.
    fn add_rotation(&mut self, slot: u8, k: f64, m: &[[f64; 4]; 4]) {
        let n = self.map.bodies.len();
        let pair = &self.pairs[self.map.pairs[slot as usize * n + slot as usize] as usize];
        // a point does not turn
        let (at, turning) = (pair.at_q, if pair.nq[0] == C::NQ { C::K } else { 0 });
        for i in 0..turning {
            for j in 0..C::K {
                self.lam_q[at + (C::D + i) * C::NQ + C::D + j] += k * m[i][j];
            }
        }
    }
}

/// Where one group writes: its blocks, and pairs of its bodies.
struct GroupTarget<'a> {
    group: &'a EquationGroup,
    blocks: &'a [Block],
    map: &'a PairMap,
    pairs: &'a [Pair],
}

impl GroupTarget<'_> {
    fn row(&self, slot: u8, row: usize) -> std::ops::Range<usize> {
        self.blocks[slot as usize].row_q(row)
    }
}

impl System {
    pub(super) fn constraint_derivatives<C: Coords>(
        &self,
        work: &Work,
        qddot: &[f64],
        lam: &[f64],
        out: &mut Derivatives,
    ) {
        let mut jet = Jet::default();
        for (group, map) in self.layout.groups.iter().zip(&self.layout.group_pairs) {
            let (blocks, pairs) = (&self.layout.blocks[group.blocks.clone()], &self.layout.pairs[..]);
            let target = GroupTarget { group, blocks, map, pairs };
            for numbered in &self.layout.equations[group.equations.clone()] {
                match &numbered.equation.form {
                    EquationForm::Coincide(c) => {
                        self.coincide_derivatives::<C>(c, numbered, &target, work, qddot, lam, out);
                    }
                    EquationForm::Single(basic, motion) => {
                        clear_rows(&target, numbered.row, out);
                        let row = group.rows.start + numbered.row;
                        let [_, f1, f2, f3] = motion_jet(motion, work.t, &work.pieces);
                        out.phi_t[row] = -f1;
                        out.phi_tt[row] = -f2;
                        out.gamma[row] = f2;
                        out.gamma_t[row] = f3;
                        basic.jet::<C>(pair(&work.bodies, basic.bodies()), &work.turns, true, &mut jet);
                        let at = (&target, numbered.row, numbered.slots);
                        self.add_basic::<C>(basic, 1.0, &jet, at, qddot, lam, out);
                    }
                    EquationForm::Sum(terms, _) => {
                        clear_rows(&target, numbered.row, out);
                        let row = group.rows.start + numbered.row;
                        (out.phi_t[row], out.phi_tt[row], out.gamma[row], out.gamma_t[row]) =
                            (0.0, 0.0, 0.0, 0.0);
                        for ((k, basic), slots) in terms.iter().zip(numbered.all_slots()) {
                            basic.jet::<C>(pair(&work.bodies, basic.bodies()), &work.turns, true, &mut jet);
                            let at = (&target, numbered.row, slots);
                            self.add_basic::<C>(basic, *k, &jet, at, qddot, lam, out);
                        }
                    }
                }
            }
        }
    }

    /// Coincident points: d = r_j + A_j s_j - r_i - A_i s_i, row by row.
    fn coincide_derivatives<C: Coords>(
        &self,
        c: &Coincide,
        n: &Numbered,
        target: &GroupTarget,
        work: &Work,
        qddot: &[f64],
        lam: &[f64],
        out: &mut Derivatives,
    ) {
        let first = target.group.rows.start + n.row;
        for k in 0..C::D {
            (out.phi_t[first + k], out.phi_tt[first + k], out.gamma_t[first + k]) = (0.0, 0.0, 0.0);
            out.gamma[first + k] = 0.0;
        }
        let mut multipliers = [0.0; 3];
        multipliers[..C::D].copy_from_slice(&lam[first..first + C::D]);
        let (map, pairs) = (target.map, target.pairs);
        let mut contraction =
            Contraction::<C> { map, pairs, lam_q: &mut out.lam_q, _coords: std::marker::PhantomData };
        for a in 0..2 {
            let slot = n.slots[a];
            if slot == NONE {
                continue;
            }
            let (sign, body, s) = ([-1.0, 1.0][a], &work.bodies[c.bodies[a]], &c.s[a]);
            let mut acc = [0.0; 4];
            let node = &self.nodes[c.bodies[a]];
            let turning = if node.turns() { C::K } else { 0 };
            acc[..turning].copy_from_slice(&qddot[node.q()][node.places..]);
            let d1 = C::d1(&body.p, s);
            let (d2, d2a) = (C::d2(&body.p, s, &body.pdot), C::d2(&body.p, s, &acc));
            let d3 = C::d3(&body.p, s, &body.pdot);
            for k in 0..C::D {
                let at = target.row(slot, n.row + k).start;
                for m in
                    [&mut out.phi_q, &mut out.rate_q, &mut out.acc_q, &mut out.gamma_q, &mut out.gamma_qdot]
                {
                    m[at..at + node.places].fill(0.0);
                }
                if k < node.places {
                    out.phi_q[at + k] = sign;
                }
                for l in 0..turning {
                    let at = at + C::D + l;
                    out.phi_q[at] = sign * d1[k][l];
                    out.rate_q[at] = sign * d2[k][l];
                    out.acc_q[at] = sign * d2a[k][l];
                    out.gamma_q[at] = -sign * d3[k][l];
                    out.gamma_qdot[at] = -2.0 * sign * d2[k][l];
                    out.gamma[first + k] -= sign * d2[k][l] * body.pdot[l];
                }
            }
            contraction.add_rotation(slot, sign, &C::d2f(&body.p, s, &multipliers));
        }
    }

    pub(super) fn normalisation_derivatives<C: Coords>(
        &self,
        work: &Work,
        qddot: &[f64],
        lam: &[f64],
        out: &mut Derivatives,
    ) {
        for ((number, b), normalisation) in self.nodes.normalised().enumerate().zip(&mut out.normalisation) {
            let body = &work.bodies[b];
            let acc: [f64; 4] = std::array::from_fn(|k| qddot[self.nodes[b].q + C::D + k]);
            *normalisation = Normalisation {
                phi_p: body.p.map(|x| 2.0 * x),
                rate_p: body.pdot.map(|x| 2.0 * x),
                acc_p: acc.map(|x| 2.0 * x),
                gamma: -2.0 * body.pdot.iter().map(|x| x * x).sum::<f64>(),
                gamma_pdot: body.pdot.map(|x| -4.0 * x),
            };
            // the diagonal pairs come first, in order of the bodies
            for k in C::D..C::NQ {
                out.lam_q[self.layout.pairs[b].at_q + k * C::NQ + k] += 2.0 * lam[number];
            }
        }
    }
}

/// Clears the row of a group in all of its blocks.
fn clear_rows(target: &GroupTarget, row: usize, out: &mut Derivatives) {
    for block in target.blocks {
        for m in [&mut out.phi_q, &mut out.rate_q, &mut out.acc_q, &mut out.gamma_q, &mut out.gamma_qdot] {
            m[block.row_q(row)].fill(0.0);
        }
    }
}

impl System {
    /// Adds k times a basic function to a row and to the contraction with its multiplier.
    fn add_basic<C: Coords>(
        &self,
        basic: &Basic,
        k: f64,
        jet: &Jet,
        (target, local, slots): (&GroupTarget, usize, [u8; 2]),
        qddot: &[f64],
        lam: &[f64],
        out: &mut Derivatives,
    ) {
        let (of, row) = (basic.bodies(), target.group.rows.start + local);
        out.gamma[row] -= k * jet.curvature;
        // q'' of the two bodies; ground does not accelerate, points do not turn
        let mut acc = [0.0; W];
        for a in 0..2 {
            if slots[a] != NONE {
                let own = &qddot[self.nodes.q(of[a])];
                acc[a * C::NQ..][..own.len()].copy_from_slice(own);
            }
        }
        for a in 0..2 {
            if slots[a] == NONE {
                continue;
            }
            for (l, at) in target.row(slots[a], local).enumerate() {
                let from = a * C::NQ + l;
                out.phi_q[at] += k * jet.grad[from];
                out.rate_q[at] += k * jet.grad_rate[from];
                out.gamma_q[at] -= k * jet.grad_curvature[from];
                out.gamma_qdot[at] -= 2.0 * k * jet.grad_rate[from];
                out.acc_q[at] += k * (0..2 * C::NQ).map(|m| jet.hessian[from][m] * acc[m]).sum::<f64>();
            }
        }
        let (map, pairs) = (target.map, target.pairs);
        let mut contraction =
            Contraction::<C> { map, pairs, lam_q: &mut out.lam_q, _coords: std::marker::PhantomData };
        contraction.add(slots, k * lam[row], &jet.hessian);
    }
}
