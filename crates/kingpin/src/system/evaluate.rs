//! Constraints and forces in velocities: what every acceleration needs.

use super::forces::inputs;
use super::layout::{Block, Layout, Numbered};
use super::{EquationGroup, NONE, System, Work, in_space};
use crate::element::basic::{Basic, Coincide, First};
use crate::element::equation::{EquationForm, Term};
use crate::element::law::{MAX_VARIABLES, Strength};
use crate::element::turned::TurnedRate;
use crate::model::Subject;
use crate::model::function::Function;
use crate::spatial::{BodyState, Coords};
use crate::threads::{Divide, in_pieces};
use std::ops::Range;

/// The two bodies of a basic function.
#[inline(always)]
pub(super) fn pair(bodies: &[BodyState], of: [usize; 2]) -> [&BodyState; 2] {
    [&bodies[of[0]], &bodies[of[1]]]
}

/// Where one group writes its rows.
struct GroupRows<'a> {
    phi: &'a mut [f64],
    nu: &'a mut [f64],
    gamma: &'a mut [f64],
    /// Phi_v of this and other groups.
    phi_v: &'a mut [f64],
    /// The place of its first number among those of all groups.
    number: usize,
    /// The blocks of the group.
    blocks: &'a [Block],
}

/// Room for the rows of some groups that follow each other.
struct GroupsRoom<'a> {
    layout: &'a Layout,
    phi: &'a mut [f64],
    nu: &'a mut [f64],
    gamma: &'a mut [f64],
    phi_v: &'a mut [f64],
    /// The first row and the first number of Phi_v among all.
    first: [usize; 2],
}

impl Divide for GroupsRoom<'_> {
    fn divide(self, group: usize) -> (Self, Self) {
        let (layout, [row, number]) = (self.layout, self.first);
        let first = layout.starts(group);
        let at = first[0] - row;
        let (phi, nu) = (self.phi.split_at_mut(at), self.nu.split_at_mut(at));
        let (gamma, phi_v) = (self.gamma.split_at_mut(at), self.phi_v.split_at_mut(first[1] - number));
        let before =
            GroupsRoom { layout, phi: phi.0, nu: nu.0, gamma: gamma.0, phi_v: phi_v.0, first: self.first };
        (before, GroupsRoom { layout, phi: phi.1, nu: nu.1, gamma: gamma.1, phi_v: phi_v.1, first })
    }
}

/// What constraints depend on.
#[derive(Clone, Copy)]
struct Seen<'a> {
    t: f64,
    bodies: &'a [BodyState],
    turns: &'a [f64],
    pieces: &'a [u8],
}

impl GroupRows<'_> {
    /// Copies as much of a row over all velocities of a frame as a body of the group has.
    #[inline(always)]
    fn put<C: Coords>(&mut self, slot: u8, row: usize, numbers: &[f64; 6]) {
        let block = &self.blocks[slot as usize];
        let first = block.at + row * block.nv - self.number;
        // copies of known length are a few instructions
        if block.nv == C::NV {
            self.phi_v[first..first + C::NV].copy_from_slice(&numbers[..C::NV]);
        } else if block.nv == C::D {
            self.phi_v[first..first + C::D].copy_from_slice(&numbers[..C::D]);
        } else {
            self.phi_v[first] = numbers[0];
        }
    }
}

/// Adds k times as much of a row over all velocities of a frame as there is room for.
#[inline(always)]
pub(super) fn put_more<C: Coords>(k: f64, row: &[f64; 6], to: &mut [f64]) {
    if to.len() == C::NV {
        for l in 0..C::NV {
            to[l] += k * row[l];
        }
    } else {
        to.iter_mut().zip(row).for_each(|(to, x)| *to += k * x);
    }
}

impl System {
    /// Evaluates Phi, Phi_v, nu and gamma at the instant of the work, and the rates of inertances. O(equations).
    pub fn evaluate_constraints(&self, work: &mut Work) {
        let groups = 0..self.layout.groups.len();
        in_space!(self.space, C => {
            let (seen, room) = self.halves(work);
            in_pieces(groups, self.grain, room, &|groups, mut room| {
                self.constraints_in::<C>(&seen, &mut room, &self.layout.groups[groups]);
            });
            self.rates_in::<C>(work);
        });
    }

    /// The same for some of the groups; what belongs to the others stays as it is. O(equations of those groups).
    pub fn evaluate_constraints_of(&self, work: &mut Work, groups: &[usize]) {
        in_space!(self.space, C => {
            let (seen, mut room) = self.halves(work);
            for &group in groups {
                self.constraints_in::<C>(&seen, &mut room, &self.layout.groups[group..=group]);
            }
            self.rates_in::<C>(work);
        });
    }

    /// What constraints depend on, and room for them.
    fn halves<'a>(&'a self, work: &'a mut Work) -> (Seen<'a>, GroupsRoom<'a>) {
        let Work { t, bodies, turns, pieces, phi, nu, gamma, phi_v, .. } = work;
        let layout = &self.layout;
        (Seen { t: *t, bodies, turns, pieces }, GroupsRoom { layout, phi, nu, gamma, phi_v, first: [0; 2] })
    }

    #[inline(never)]
    fn constraints_in<C: Coords>(&self, seen: &Seen, room: &mut GroupsRoom, groups: &[EquationGroup]) {
        for group in groups {
            self.group_in::<C>(seen, room, group);
        }
    }

    #[inline(always)]
    fn group_in<C: Coords>(&self, seen: &Seen, room: &mut GroupsRoom, group: &EquationGroup) {
        let [row, number] = room.first;
        let rows: Range<usize> = group.rows.start - row..group.rows.end - row;
        let mut out = GroupRows {
            phi: &mut room.phi[rows.clone()],
            nu: &mut room.nu[rows.clone()],
            gamma: &mut room.gamma[rows],
            phi_v: room.phi_v,
            number,
            blocks: &self.layout.blocks[group.blocks.clone()],
        };
        for numbered in &self.layout.equations[group.equations.clone()] {
            match &numbered.equation.form {
                EquationForm::Coincide(c) => coincide::<C>(c, numbered, seen.bodies, &mut out),
                EquationForm::Single(b, motion) => {
                    let f = match motion {
                        Function::Constant(c) => [*c, 0.0, 0.0],
                        other => other.time_jet_on(seen.t, seen.pieces),
                    };
                    single::<C>(b, f, numbered, seen.bodies, seen.turns, &mut out);
                }
                EquationForm::Held(b, slot) => {
                    let at = [seen.turns[*slot], 0.0, 0.0];
                    single::<C>(b, at, numbered, seen.bodies, seen.turns, &mut out);
                }
                EquationForm::Sum(terms, value) => {
                    sum::<C>(terms, *value, numbered, seen.bodies, seen.turns, &mut out);
                }
            }
        }
    }

    /// The strength of each force term at the instant of the work: tensions, torques, tyre forces.
    pub fn strengths(&self, work: &Work) -> Vec<f64> {
        self.terms.iter().map(|term| self.term_numbers(term, work)[2]).collect()
    }

    /// What a force term acts on, the rate of that, and the strength: length, rate and tension of a spring,
    /// deflection, its rate and the force of a tyre.
    pub fn term_numbers(&self, term: &Term, work: &Work) -> [f64; 3] {
        let mut vars = [0.0; MAX_VARIABLES];
        in_space!(self.space, C => inputs::<C>(&term.inputs, &work.bodies, &work.turns, work.t, &mut vars));
        let used = term.fill_flags(&work.pieces, &work.inputs, &mut vars);
        let [value, rate] = term.strength.probed(&vars[..used], &work.pieces);
        let strength = term.strength.eval(&vars[..used], &work.pieces);
        [value, rate, strength * term.strength.part_of(work.load)]
    }

    /// What a driver prescribes, and the row of its equation; nothing of any other group.
    pub fn driven(&self, group: usize) -> Option<(&Basic, usize)> {
        let own = &self.layout.groups[group];
        let equation = self.layout.equations.get(own.equations.start)?;
        match (&own.subject, &equation.equation.form) {
            (Subject::Driver(_), EquationForm::Single(basic, _)) => Some((basic, own.rows.start)),
            _ => None,
        }
    }

    /// Strain and stored energy of a bar; zeros of any other term.
    pub fn strain(&self, term: &Term, work: &Work) -> [f64; 2] {
        let Strength::Bar(law) = &term.strength else { return [0.0; 2] };
        let mut vars = [0.0; MAX_VARIABLES];
        in_space!(self.space, C => inputs::<C>(&term.inputs, &work.bodies, &work.turns, work.t, &mut vars));
        law.stored(&vars, &work.pieces)
    }
}

impl System {
    /// For each number of Phi_v, whether it can differ from zero: those that vanish at random configurations
    /// vanish everywhere, since all equations are analytic.
    pub fn structural_nonzeros(&self) -> Vec<bool> {
        let mut work = self.work();
        let mut seed = 0x9E37_79B9_7F4A_7C15_u64;
        let mut random = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 11) as f64 / (1u64 << 53) as f64 - 0.3
        };
        let v = vec![0.0; self.velocities()];
        let mut found = vec![false; work.phi_v.len()];
        for _ in 0..2 {
            let q: Vec<f64> = (0..self.coordinates()).map(|_| random()).collect();
            self.set(&mut work, 0.0, &q, &v);
            self.evaluate_constraints(&mut work);
            found.iter_mut().zip(&work.phi_v).for_each(|(f, x)| *f |= *x != 0.0);
        }
        found
    }

    /// Value of a basic function at the instant of the work.
    pub fn basic_value(&self, basic: &Basic, work: &Work) -> f64 {
        in_space!(self.space, C => basic.first::<C>(pair(&work.bodies, basic.bodies()), &work.turns).value)
    }

    /// Value and rate of a basic function at the instant of the work.
    pub fn basic_value_and_rate(&self, basic: &Basic, work: &Work) -> (f64, f64) {
        let two = pair(&work.bodies, basic.bodies());
        in_space!(self.space, C => {
            let first = basic.first::<C>(two, &work.turns);
            (first.value, first.rate::<C>(two))
        })
    }

    /// Rate and second rate of a basic function at the instant of the work, with accelerations of all nodes.
    pub fn basic_rates(&self, basic: &Basic, work: &Work, acc: &[f64]) -> [f64; 2] {
        let two = pair(&work.bodies, basic.bodies());
        in_space!(self.space, C => {
            let first = basic.first::<C>(two, &work.turns);
            let mut second = first.curvature;
            for (row, body) in first.row.iter().zip(basic.bodies()).filter(|(_, body)| *body < self.bodies()) {
                let (moves, twists) = self.nodes[body].split(&acc[self.nodes.v(body)]);
                second += row.iter().zip(moves).map(|(a, b)| a * b).sum::<f64>();
                second += row[C::D..].iter().zip(twists).map(|(a, b)| a * b).sum::<f64>();
            }
            [first.rate::<C>(two), second]
        })
    }

    /// The velocity that an observer sees along an axis of a third body, and its acceleration along the same axis.
    pub fn turned_rates(&self, way: &TurnedRate, work: &Work, acc: &[f64]) -> [f64; 2] {
        let mut sum = [0.0; 2];
        for [cosine, offset] in way.parts(self.space) {
            let (cosine, _) = self.basic_value_and_rate(&cosine, work);
            let rates = self.basic_rates(&offset, work, acc);
            sum.iter_mut().zip(rates).for_each(|(sum, rate)| *sum += cosine * rate);
        }
        sum
    }

    /// Row of a basic function in velocities, for each of its two bodies, and its second derivative without accelerations.
    pub fn basic_row_and_curvature(&self, basic: &Basic, work: &Work) -> ([[f64; 6]; 2], f64) {
        in_space!(self.space, C => {
            let first = basic.first::<C>(pair(&work.bodies, basic.bodies()), &work.turns);
            (first.row, first.curvature)
        })
    }

    /// Row of a basic function in velocities, for each of its two bodies.
    pub fn basic_row(&self, basic: &Basic, work: &Work) -> [[f64; 6]; 2] {
        in_space!(self.space, C => basic.first::<C>(pair(&work.bodies, basic.bodies()), &work.turns).row)
    }
}

#[inline]
fn coincide<C: Coords>(c: &Coincide, n: &Numbered, bodies: &[BodyState], out: &mut GroupRows) {
    let two = pair(bodies, c.bodies);
    let (d, _, curve) = c.first::<C>(two);
    for k in 0..C::D {
        let row = n.row + k;
        out.phi[row] = d[k];
        out.nu[row] = 0.0;
        out.gamma[row] = -curve[k];
    }
    for a in 0..2 {
        if n.slots[a] == NONE {
            continue;
        }
        let sign = if a == 0 { -1.0 } else { 1.0 };
        let block = &out.blocks[n.slots[a] as usize];
        let first = block.at + n.row * block.nv - out.number;
        if block.nv == C::NV {
            let rows = &mut out.phi_v[first..first + C::D * C::NV];
            for k in 0..C::D {
                let row = &mut rows[k * C::NV..(k + 1) * C::NV];
                let turn = c.turn_row::<C>(a, two[a], k);
                row[..C::D].fill(0.0);
                row[k] = sign;
                row[C::D..].copy_from_slice(&turn[..C::M]);
            }
        } else {
            let rows = &mut out.phi_v[first..first + C::D * block.nv];
            rows.fill(0.0);
            (0..block.nv).for_each(|k| rows[k * block.nv + k] = sign);
        }
    }
}

#[inline]
fn single<C: Coords>(
    basic: &Basic,
    [f, fdot, fddot]: [f64; 3],
    n: &Numbered,
    bodies: &[BodyState],
    turns: &[f64],
    out: &mut GroupRows,
) {
    let first = basic.first::<C>(pair(bodies, basic.bodies()), turns);
    out.phi[n.row] = first.value - f;
    out.nu[n.row] = fdot;
    out.gamma[n.row] = fddot - first.curvature;
    for a in 0..2 {
        if n.slots[a] != NONE {
            out.put::<C>(n.slots[a], n.row, &first.row[a]);
        }
    }
}

fn sum<C: Coords>(
    terms: &[(f64, Basic)],
    value: f64,
    n: &Numbered,
    bodies: &[BodyState],
    turns: &[f64],
    out: &mut GroupRows,
) {
    (out.phi[n.row], out.nu[n.row], out.gamma[n.row]) = (-value, 0.0, 0.0);
    let place = |block: &Block, number: usize| {
        let first = block.at + n.row * block.nv - number;
        first..first + block.nv
    };
    for block in out.blocks {
        out.phi_v[place(block, out.number)].fill(0.0);
    }
    for ((k, basic), slots) in terms.iter().zip(n.all_slots()) {
        let first: First = basic.first::<C>(pair(bodies, basic.bodies()), turns);
        out.phi[n.row] += k * first.value;
        out.gamma[n.row] -= k * first.curvature;
        for a in 0..2 {
            if slots[a] != NONE {
                let block = &out.blocks[slots[a] as usize];
                put_more::<C>(*k, &first.row[a], &mut out.phi_v[place(block, out.number)]);
            }
        }
    }
}
