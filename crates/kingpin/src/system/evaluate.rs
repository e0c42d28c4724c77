//! Constraints and forces in velocities: what every acceleration needs.

use super::layout::Numbered;
use super::{NONE, System, Work, in_space};
use crate::element::basic::{Basic, Coincide, First};
use crate::element::equation::{Direction, Form, Term};
use crate::element::law::MAX_VARIABLES;
use crate::model::function::Function;
use crate::spatial::{BodyState, Coords, V3, apply, apply_t, cross};

/// The two bodies of a basic function.
#[inline(always)]
pub(super) fn pair(bodies: &[BodyState], of: [usize; 2]) -> [&BodyState; 2] {
    [&bodies[of[0]], &bodies[of[1]]]
}

/// Where one group writes its rows.
struct Rows<'a> {
    phi: &'a mut [f64],
    nu: &'a mut [f64],
    gamma: &'a mut [f64],
    /// The blocks of the group, one after the other.
    phi_v: &'a mut [f64],
    /// Rows of the group.
    rows: usize,
}

impl System {
    /// Evaluates Phi, Phi_v, nu and gamma at the instant of the work. O(equations).
    pub fn evaluate_constraints(&self, work: &mut Work) {
        in_space!(self.space, C => self.constraints_in::<C>(work, 0..self.layout.groups.len()));
    }

    /// The same for some of the groups; what belongs to the others stays as it is. O(equations of those groups).
    pub fn evaluate_constraints_of(&self, work: &mut Work, groups: &[usize]) {
        in_space!(self.space, C => self.constraints_in::<C>(work, groups.iter().copied()));
    }

    /// Evaluates the generalised forces at the instant of the work. O(bodies + terms).
    pub fn evaluate_forces(&self, work: &mut Work) {
        in_space!(self.space, C => self.forces_in::<C>(work));
    }

    fn constraints_in<C: Coords>(&self, work: &mut Work, groups: impl Iterator<Item = usize>) {
        for group in groups.map(|k| &self.layout.groups[k]) {
            let (r, rows) = (group.rows.clone(), group.rows.len());
            let before =
                self.layout.blocks.get(group.blocks.start).map_or(self.layout.block_rows, |b| b.before);
            let own = before * C::NV..(before + rows * group.blocks.len()) * C::NV;
            let mut out = Rows {
                phi: &mut work.phi[r.clone()],
                nu: &mut work.nu[r.clone()],
                gamma: &mut work.gamma[r],
                phi_v: &mut work.phi_v[own],
                rows,
            };
            for numbered in &self.layout.equations[group.equations.clone()] {
                match &numbered.equation.form {
                    Form::Coincide(c) => coincide::<C>(c, numbered, &work.bodies, &mut out),
                    Form::Single(b, motion) => {
                        let f = match motion {
                            Function::Constant(c) => [*c, 0.0, 0.0],
                            other => other.time_jet_on(work.t, &work.pieces),
                        };
                        single::<C>(b, f, numbered, &work.bodies, &work.turns, &mut out);
                    }
                    Form::Sum(terms, value) => {
                        sum::<C>(terms, *value, numbered, &work.bodies, &work.turns, &mut out);
                    }
                }
            }
        }
    }

    fn forces_in<C: Coords>(&self, work: &mut Work) {
        let (bodies, force) = (&work.bodies, &mut work.force);
        for ((inertia, body), out) in self.inertia.iter().zip(bodies).zip(force.chunks_exact_mut(C::NV)) {
            // weight and gyroscopic torque -w x J w
            for k in 0..C::D {
                out[k] = inertia.mass * self.gravity[k];
            }
            let turn = if C::M == 3 { cross(&apply(&inertia.tensor, &body.w), &body.w) } else { [0.0; 3] };
            out[C::D..].copy_from_slice(&turn[..C::M]);
        }
        for term in &self.terms {
            let mut vars = [0.0; MAX_VARIABLES];
            inputs::<C>(&term.inputs, bodies, &work.turns, work.t, &mut vars);
            let used = term.fill_flags(&work.pieces, &work.inputs, &mut vars);
            let strength = term.strength.eval(&vars[..used], &work.pieces);
            apply_force::<C>(&term.direction, strength, bodies, &work.turns, force);
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
        [value, rate, term.strength.eval(&vars[..used], &work.pieces)]
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

    /// Row of a basic function in velocities, for each of its two bodies.
    pub fn basic_row(&self, basic: &Basic, work: &Work) -> [[f64; 6]; 2] {
        in_space!(self.space, C => basic.first::<C>(pair(&work.bodies, basic.bodies()), &work.turns).row)
    }
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

pub(super) fn apply_force<C: Coords>(
    direction: &Direction,
    strength: f64,
    bodies: &[BodyState],
    turns: &[f64],
    force: &mut [f64],
) {
    let ground = bodies.len() - 1;
    match direction {
        Direction::Along(basic, sign) => {
            let of = basic.bodies();
            let first = basic.first::<C>(pair(bodies, of), turns);
            for a in 0..2 {
                if of[a] != ground {
                    let out = &mut force[of[a] * C::NV..][..C::NV];
                    for k in 0..C::NV {
                        out[k] += sign * strength * first.row[a][k];
                    }
                }
            }
        }
        Direction::BodyForce { body, s, dir } => {
            if *body != ground {
                let b = &bodies[*body];
                let f = C::image(&b.a, dir);
                let turn = C::moment(&b.a, s, &f);
                let out = &mut force[body * C::NV..][..C::NV];
                for k in 0..C::D {
                    out[k] += strength * f[k];
                }
                for k in 0..C::M {
                    out[C::D + k] += strength * turn[k];
                }
            }
        }
        Direction::Torque { body, dir, body_fixed } => {
            if *body != ground {
                let torque: V3 = match (C::M, body_fixed) {
                    (1, _) => [1.0, 0.0, 0.0],
                    (_, true) => *dir,
                    (_, false) => apply_t(&bodies[*body].a, dir),
                };
                for k in 0..C::M {
                    force[body * C::NV + C::D + k] += strength * torque[k];
                }
            }
        }
    }
}

#[inline]
fn coincide<C: Coords>(c: &Coincide, n: &Numbered, bodies: &[BodyState], out: &mut Rows) {
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
        let at = (n.slots[a] as usize * out.rows + n.row) * C::NV;
        let block = &mut out.phi_v[at..at + C::D * C::NV];
        for k in 0..C::D {
            let row = &mut block[k * C::NV..(k + 1) * C::NV];
            let turn = c.turn_row::<C>(a, two[a], k);
            row[..C::D].fill(0.0);
            row[k] = sign;
            row[C::D..].copy_from_slice(&turn[..C::M]);
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
    out: &mut Rows,
) {
    let first = basic.first::<C>(pair(bodies, basic.bodies()), turns);
    out.phi[n.row] = first.value - f;
    out.nu[n.row] = fdot;
    out.gamma[n.row] = fddot - first.curvature;
    for a in 0..2 {
        if n.slots[a] != NONE {
            let at = (n.slots[a] as usize * out.rows + n.row) * C::NV;
            out.phi_v[at..at + C::NV].copy_from_slice(&first.row[a][..C::NV]);
        }
    }
}

fn sum<C: Coords>(
    terms: &[(f64, Basic)],
    value: f64,
    n: &Numbered,
    bodies: &[BodyState],
    turns: &[f64],
    out: &mut Rows,
) {
    (out.phi[n.row], out.nu[n.row], out.gamma[n.row]) = (-value, 0.0, 0.0);
    let blocks = out.phi_v.len() / (out.rows * C::NV);
    for b in 0..blocks {
        let at = (b * out.rows + n.row) * C::NV;
        out.phi_v[at..at + C::NV].fill(0.0);
    }
    for ((k, basic), slots) in terms.iter().zip(n.all_slots()) {
        let first: First = basic.first::<C>(pair(bodies, basic.bodies()), turns);
        out.phi[n.row] += k * first.value;
        out.gamma[n.row] -= k * first.curvature;
        for a in 0..2 {
            if slots[a] != NONE {
                let at = (slots[a] as usize * out.rows + n.row) * C::NV;
                for l in 0..C::NV {
                    out.phi_v[at + l] += k * first.row[a][l];
                }
            }
        }
    }
}
