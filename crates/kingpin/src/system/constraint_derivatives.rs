//! Derivatives of the constraints in coordinates.

use super::derivatives::{Derivatives, Normalisation};
use super::evaluate::pair;
use super::layout::{Group, Numbered, PairMap};
use super::{NONE, System, Work};
use crate::element::basic::{Basic, Coincide, Jet, W};
use crate::element::equation::Form;
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
                let at = self.map.pairs[slots[a] as usize * n + slots[b] as usize] as usize * C::NQ * C::NQ;
                for i in 0..C::NQ {
                    for j in 0..C::NQ {
                        self.lam_q[at + i * C::NQ + j] += k * hessian[a * C::NQ + i][b * C::NQ + j];
                    }
                }
            }
        }
    }

    /// Adds a rotational block on the diagonal.
    fn add_rotation(&mut self, slot: u8, k: f64, m: &[[f64; 4]; 4]) {
        let n = self.map.bodies.len();
        let at = self.map.pairs[slot as usize * n + slot as usize] as usize * C::NQ * C::NQ;
        for i in 0..C::K {
            for j in 0..C::K {
                self.lam_q[at + (C::D + i) * C::NQ + C::D + j] += k * m[i][j];
            }
        }
    }
}

/// Rows of one group in the block matrices.
struct Target {
    /// First row of the group's blocks among all block rows.
    before: usize,
    /// Rows of the group.
    rows: usize,
    /// Blocks of the group.
    blocks: usize,
}

impl Target {
    fn at<C: Coords>(&self, slot: u8, row: usize) -> usize {
        (self.before + slot as usize * self.rows + row) * C::NQ
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
            let before = self.layout.blocks.get(group.blocks.start).map_or(0, |b| b.before);
            let target = Target { before, rows: group.rows.len(), blocks: group.blocks.len() };
            for numbered in &self.layout.equations[group.equations.clone()] {
                match &numbered.equation.form {
                    Form::Coincide(c) => {
                        self.coincide_derivatives::<C>(
                            c,
                            numbered,
                            (group, map, &target),
                            work,
                            qddot,
                            lam,
                            out,
                        );
                    }
                    Form::Single(basic, motion) => {
                        clear_rows::<C>(&target, numbered.row, out);
                        let row = group.rows.start + numbered.row;
                        let [_, f1, f2, f3] = motion_jet(motion, work.t, &work.pieces);
                        out.phi_t[row] = -f1;
                        out.phi_tt[row] = -f2;
                        out.gamma[row] = f2;
                        out.gamma_t[row] = f3;
                        basic.jet::<C>(pair(&work.bodies, basic.bodies()), &work.turns, true, &mut jet);
                        let at = (group, map, &target, numbered.row, numbered.slots);
                        add_basic::<C>(basic, 1.0, &jet, at, qddot, lam, out);
                    }
                    Form::Sum(terms, _) => {
                        clear_rows::<C>(&target, numbered.row, out);
                        let row = group.rows.start + numbered.row;
                        (out.phi_t[row], out.phi_tt[row], out.gamma[row], out.gamma_t[row]) =
                            (0.0, 0.0, 0.0, 0.0);
                        for ((k, basic), slots) in terms.iter().zip(numbered.all_slots()) {
                            basic.jet::<C>(pair(&work.bodies, basic.bodies()), &work.turns, true, &mut jet);
                            let at = (group, map, &target, numbered.row, slots);
                            add_basic::<C>(basic, *k, &jet, at, qddot, lam, out);
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
        (group, map, target): (&Group, &PairMap, &Target),
        work: &Work,
        qddot: &[f64],
        lam: &[f64],
        out: &mut Derivatives,
    ) {
        let first = group.rows.start + n.row;
        for k in 0..C::D {
            (out.phi_t[first + k], out.phi_tt[first + k], out.gamma_t[first + k]) = (0.0, 0.0, 0.0);
            out.gamma[first + k] = 0.0;
        }
        let mut multipliers = [0.0; 3];
        multipliers[..C::D].copy_from_slice(&lam[first..first + C::D]);
        let mut contraction =
            Contraction::<C> { map, lam_q: &mut out.lam_q, _coords: std::marker::PhantomData };
        for a in 0..2 {
            let slot = n.slots[a];
            if slot == NONE {
                continue;
            }
            let (sign, body, s) = ([-1.0, 1.0][a], &work.bodies[c.bodies[a]], &c.s[a]);
            let mut acc = [0.0; 4];
            acc[..C::K].copy_from_slice(&qddot[c.bodies[a] * C::NQ + C::D..][..C::K]);
            let d1 = C::d1(&body.p, s);
            let (d2, d2a) = (C::d2(&body.p, s, &body.pdot), C::d2(&body.p, s, &acc));
            let d3 = C::d3(&body.p, s, &body.pdot);
            for k in 0..C::D {
                let at = target.at::<C>(slot, n.row + k);
                for m in
                    [&mut out.phi_q, &mut out.rate_q, &mut out.acc_q, &mut out.gamma_q, &mut out.gamma_qdot]
                {
                    m[at..at + C::D].fill(0.0);
                }
                out.phi_q[at + k] = sign;
                for l in 0..C::K {
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
        for (b, normalisation) in out.normalisation.iter_mut().enumerate() {
            let body = &work.bodies[b];
            let acc: [f64; 4] = std::array::from_fn(|k| qddot[b * C::NQ + C::D + k]);
            *normalisation = Normalisation {
                phi_p: body.p.map(|x| 2.0 * x),
                rate_p: body.pdot.map(|x| 2.0 * x),
                acc_p: acc.map(|x| 2.0 * x),
                gamma: -2.0 * body.pdot.iter().map(|x| x * x).sum::<f64>(),
                gamma_pdot: body.pdot.map(|x| -4.0 * x),
            };
            // the diagonal pairs come first, in order of the bodies
            for k in C::D..C::NQ {
                out.lam_q[(b * C::NQ + k) * C::NQ + k] += 2.0 * lam[b];
            }
        }
    }
}

/// Clears the row of a group in all of its blocks.
fn clear_rows<C: Coords>(target: &Target, row: usize, out: &mut Derivatives) {
    for slot in 0..target.blocks {
        let at = target.at::<C>(slot as u8, row);
        for m in [&mut out.phi_q, &mut out.rate_q, &mut out.acc_q, &mut out.gamma_q, &mut out.gamma_qdot] {
            m[at..at + C::NQ].fill(0.0);
        }
    }
}

/// Adds k times a basic function to a row and to the contraction with its multiplier.
fn add_basic<C: Coords>(
    basic: &Basic,
    k: f64,
    jet: &Jet,
    (group, map, target, local, slots): (&Group, &PairMap, &Target, usize, [u8; 2]),
    qddot: &[f64],
    lam: &[f64],
    out: &mut Derivatives,
) {
    let (of, row) = (basic.bodies(), group.rows.start + local);
    out.gamma[row] -= k * jet.curvature;
    // q'' of the two bodies; ground does not accelerate
    let mut acc = [0.0; W];
    for a in 0..2 {
        if slots[a] != NONE {
            acc[a * C::NQ..][..C::NQ].copy_from_slice(&qddot[of[a] * C::NQ..][..C::NQ]);
        }
    }
    for a in 0..2 {
        if slots[a] == NONE {
            continue;
        }
        let at = target.at::<C>(slots[a], local);
        for l in 0..C::NQ {
            let from = a * C::NQ + l;
            out.phi_q[at + l] += k * jet.grad[from];
            out.rate_q[at + l] += k * jet.grad_rate[from];
            out.gamma_q[at + l] -= k * jet.grad_curvature[from];
            out.gamma_qdot[at + l] -= 2.0 * k * jet.grad_rate[from];
            out.acc_q[at + l] += k * (0..2 * C::NQ).map(|m| jet.hessian[from][m] * acc[m]).sum::<f64>();
        }
    }
    let mut contraction = Contraction::<C> { map, lam_q: &mut out.lam_q, _coords: std::marker::PhantomData };
    contraction.add(slots, k * lam[row], &jet.hessian);
}
