//! Derivatives of the constraints in coordinates.

use super::derivatives::{Derivatives, Normalisation};
use super::derivatives_room::GroupSlopes;
use super::evaluate::pair;
use super::layout::{Block, EquationGroup, Numbered, Pair, PairMap};
use super::{NONE, System, Work, in_space};
use crate::element::basic::{Basic, Coincide, Jet, W};
use crate::element::equation::EquationForm;
use crate::model::function::Function;
use crate::scalar::Dual;
use crate::spatial::Coords;
use crate::threads::in_pieces;
use std::ops::Range;

/// Where equations are linearised: an instant, accelerations and multipliers.
struct LinearPoint<'a> {
    work: &'a Work,
    qddot: &'a [f64],
    lam: &'a [f64],
}

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
    /// All pairs, or those of the group alone from some place on.
    lam_q: &'a mut [f64],
    share: Option<usize>,
    _coords: std::marker::PhantomData<C>,
}

impl<C: Coords> Contraction<'_, C> {
    /// The pair of two local bodies, where its numbers go.
    fn pair(&self, a: u8, b: u8) -> Pair {
        let k = a as usize * self.map.bodies.len() + b as usize;
        let pair = self.pairs[self.map.pairs[k] as usize];
        self.share.map_or(pair, |first| Pair { at_q: first + k * C::NQ * C::NQ, ..pair })
    }

    /// Adds k times the (a, b) part of a local Hessian.
    fn add(&mut self, slots: [u8; 2], k: f64, hessian: &[[f64; W]; W]) {
        for a in 0..2 {
            for b in 0..2 {
                if slots[a] == NONE || slots[b] == NONE {
                    continue;
                }
                let pair = self.pair(slots[a], slots[b]);
                pair.add::<C>(self.lam_q, |i, j| k * hessian[a * C::NQ + i][b * C::NQ + j]);
            }
        }
    }

    /// Adds a rotational block on the diagonal.
    fn add_rotation(&mut self, slot: u8, k: f64, m: &[[f64; 4]; 4]) {
        let pair = self.pair(slot, slot);
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
    /// Where its own numbers of the pairs begin, if they are apart from those of others.
    share: Option<usize>,
}

impl GroupTarget<'_> {
    fn row(&self, slot: u8, row: usize) -> std::ops::Range<usize> {
        self.blocks[slot as usize].row_q(row)
    }

    fn contraction<'a, C: Coords>(&'a self, lam_q: &'a mut [f64]) -> Contraction<'a, C> {
        let (map, pairs, share) = (self.map, self.pairs, self.share);
        Contraction { map, pairs, lam_q, share, _coords: std::marker::PhantomData }
    }
}

impl System {
    /// Where the share of each group in (Phi_q^T lam)_q begins, and the end; empty if there is one piece.
    pub(super) fn share_starts(&self) -> Vec<usize> {
        let maps = &self.layout.group_pairs;
        if maps.len() <= self.grain {
            return Vec::new();
        }
        let block = in_space!(self.space, C => C::NQ * C::NQ);
        let mut starts = vec![0];
        for map in maps {
            starts.push(starts[starts.len() - 1] + map.pairs.len() * block);
        }
        starts
    }

    /// Group by group, in pieces; bodies then sum what groups add to their pairs, in the order of these.
    pub(super) fn constraint_derivatives<C: Coords>(
        &self,
        work: &Work,
        qddot: &[f64],
        lam: &[f64],
        out: &mut Derivatives,
    ) {
        let (at, groups, layout) =
            (LinearPoint { work, qddot, lam }, 0..self.layout.groups.len(), &self.layout);
        out.lam_q.fill(0.0);
        if out.share_starts.is_empty() {
            return self.derivatives_in::<C>(&at, groups, GroupSlopes::of(layout, out));
        }
        in_pieces(groups, self.grain, GroupSlopes::of(layout, out), &|groups, room: GroupSlopes| {
            self.derivatives_in::<C>(&at, groups, room);
        });
        let Derivatives { lam_q, shares, share_starts, .. } = out;
        for (map, &first) in layout.group_pairs.iter().zip(&*share_starts) {
            for (k, &pair) in map.pairs.iter().enumerate() {
                let (pair, from) = (&layout.pairs[pair as usize], &shares[first + k * C::NQ * C::NQ..]);
                pair.add::<C>(lam_q, |i, j| from[i * pair.nq[1] + j]);
            }
        }
    }

    #[inline(never)]
    fn derivatives_in<C: Coords>(&self, at: &LinearPoint, groups: Range<usize>, mut out: GroupSlopes) {
        let (mut jet, layout, work) = (Jet::default(), &self.layout, at.work);
        for index in groups {
            let (group, map) = (&layout.groups[index], &layout.group_pairs[index]);
            let (blocks, pairs) = (&layout.blocks[group.blocks.clone()], &layout.pairs[..]);
            let target = GroupTarget { group, blocks, map, pairs, share: out.begin_share(index) };
            for numbered in &layout.equations[group.equations.clone()] {
                let row = group.rows.start + numbered.row - out.first[0];
                match &numbered.equation.form {
                    EquationForm::Coincide(c) => {
                        self.coincide_derivatives::<C>(c, numbered, &target, at, &mut out);
                    }
                    EquationForm::Single(basic, _) | EquationForm::Held(basic, _) => {
                        out.clear_rows(target.blocks, numbered.row);
                        let [_, f1, f2, f3] = match &numbered.equation.form {
                            EquationForm::Single(_, motion) => motion_jet(motion, work.t, &work.pieces),
                            _ => [0.0; 4],
                        };
                        out.set_times(row, [-f1, -f2, f2, f3]);
                        basic.jet::<C>(pair(&work.bodies, basic.bodies()), &work.turns, true, &mut jet);
                        let place = (&target, numbered.row, numbered.slots);
                        self.add_basic::<C>(basic, 1.0, &jet, place, at, &mut out);
                    }
                    EquationForm::Sum(terms, _) => {
                        out.clear_rows(target.blocks, numbered.row);
                        out.set_times(row, [0.0; 4]);
                        for ((k, basic), slots) in terms.iter().zip(numbered.all_slots()) {
                            basic.jet::<C>(pair(&work.bodies, basic.bodies()), &work.turns, true, &mut jet);
                            self.add_basic::<C>(
                                basic,
                                *k,
                                &jet,
                                (&target, numbered.row, slots),
                                at,
                                &mut out,
                            );
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
        &LinearPoint { work, qddot, lam }: &LinearPoint,
        out: &mut GroupSlopes,
    ) {
        let first = target.group.rows.start + n.row;
        let [row, number, _] = out.first;
        (0..C::D).for_each(|k| out.set_times(first + k - row, [0.0; 4]));
        let mut multipliers = [0.0; 3];
        multipliers[..C::D].copy_from_slice(&lam[first..first + C::D]);
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
                let at = target.row(slot, n.row + k).start - number;
                out.matrices().into_iter().for_each(|m| m[at..at + node.places].fill(0.0));
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
                    out.gamma[first + k - row] -= sign * d2[k][l] * body.pdot[l];
                }
            }
            let turned = C::d2f(&body.p, s, &multipliers);
            target.contraction::<C>(out.lam_q).add_rotation(slot, sign, &turned);
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

impl System {
    /// Adds k times a basic function to a row and to the contraction with its multiplier.
    fn add_basic<C: Coords>(
        &self,
        basic: &Basic,
        k: f64,
        jet: &Jet,
        (target, local, slots): (&GroupTarget, usize, [u8; 2]),
        &LinearPoint { qddot, lam, .. }: &LinearPoint,
        out: &mut GroupSlopes,
    ) {
        let (of, row) = (basic.bodies(), target.group.rows.start + local);
        let [first, number, _] = out.first;
        out.gamma[row - first] -= k * jet.curvature;
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
                let (from, at) = (a * C::NQ + l, at - number);
                out.phi_q[at] += k * jet.grad[from];
                out.rate_q[at] += k * jet.grad_rate[from];
                out.gamma_q[at] -= k * jet.grad_curvature[from];
                out.gamma_qdot[at] -= 2.0 * k * jet.grad_rate[from];
                out.acc_q[at] += k * (0..2 * C::NQ).map(|m| jet.hessian[from][m] * acc[m]).sum::<f64>();
            }
        }
        target.contraction::<C>(out.lam_q).add(slots, k * lam[row], &jet.hessian);
    }
}
