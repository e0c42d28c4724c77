//! Derivatives of forces that go with reactions, in independent coordinates. Small changes of r = R(x, lam),
//!
//! ```text
//! dr = R_x dx + R_lam dlam      Phi_u^T dlam = -(M dx'' + f dv + g dv')_u + (Q_r dr)_u
//! ```
//!
//! with f and g of the [tangent](crate::dynamics::forms::tangent), give dr = N (R_x dx - W (M dx'' + f dv + g dv')_u) for
//! W = R_lam Phi_u^-T and N = (1 - W (Q_r)_u)^-1, and -P^T Q_r dr adds to the linearised equations: a few products of columns
//! and rows, one for each reaction.

use super::Reduced;
use crate::dynamics::instant::Trouble;
use crate::integrate::Linearisation;
use crate::linalg::DenseLu;
use crate::system::{System, Work};

/// How reactions and what goes with them change at an instant, one after the other.
#[derive(Clone, Debug, Default)]
pub(in crate::dynamics) struct ReactionSlopes {
    /// Q_r, R_x, and R_lam by equations.
    pub push: Vec<f64>,
    pub by_x: Vec<f64>,
    pub by_lam: Vec<f64>,
    /// W on dependent coordinates, and Phi_u^-T (M W^T)_u.
    rows: Vec<f64>,
    curve: Vec<f64>,
    /// 1 - W (Q_r)_u and its exchanges.
    matrix: Vec<f64>,
    exchange: Vec<usize>,
    /// P^T Q_r, and N times what a column of accelerations, velocities and positions makes of reactions.
    pull: Vec<f64>,
    columns: [Vec<f64>; 3],
    /// Mhat without any reaction.
    mass: Vec<f64>,
}

impl ReactionSlopes {
    /// The mass where equations were linearised last, without what forces that go with reactions add to it.
    pub fn mass(&self) -> &[f64] {
        &self.mass
    }

    /// Q_r, R_x and R_lam where accelerations are known. O(reactions times coordinates)
    fn read(&mut self, system: &System, work: &Work, lam: &[f64]) {
        let (count, n, rows) = (system.readings.len(), system.velocities(), system.layout.rows);
        for list in [&mut self.push, &mut self.by_x] {
            list.resize(count * n, 0.0);
        }
        self.by_lam.resize(count * rows, 0.0);
        for (k, own) in system.readings.iter().enumerate() {
            system.force_by_input(system.first_reading() + k, work, &mut self.push[k * n..(k + 1) * n]);
            let (by_lam, by_x) =
                (&mut self.by_lam[k * rows..(k + 1) * rows], &mut self.by_x[k * n..(k + 1) * n]);
            system.reading_slopes(own, work, lam, by_lam, by_x);
        }
    }
}

impl Reduced<'_> {
    /// Adds what forces that go with reactions change of the linearised equations; derivatives of everything else are in the
    /// tangent. Without `out`, where multipliers stay unknowns, what positions alone change is added to the tangent.
    pub(in crate::dynamics) fn add_reactions(
        &mut self,
        out: Option<&mut Linearisation>,
    ) -> Result<(), Trouble> {
        let mut own = std::mem::take(&mut self.reactions);
        own.read(self.mechanism.system, &self.mechanism.work, &self.mechanism.result.lam);
        let added = match out {
            Some(out) => self.eliminate_reactions(&mut own, out),
            None => {
                self.tangent.add_to_forces(&own.push, &own.by_x);
                Ok(())
            }
        };
        self.reactions = own;
        added
    }

    fn eliminate_reactions(
        &mut self,
        own: &mut ReactionSlopes,
        out: &mut Linearisation,
    ) -> Result<(), Trouble> {
        let (count, m, dof) = (self.mechanism.system.readings.len(), self.step.len(), self.dof());
        own.mass.clone_from(&out.mhat);
        own.rows.resize(count * m, 0.0);
        own.curve.resize(count * m, 0.0);
        own.pull.resize(count * dof, 0.0);
        own.matrix.resize(count * count, 0.0);
        own.exchange.resize(count, 0);
        (0..count).for_each(|k| self.weigh_reaction(k, own));
        self.couple_reactions(own)?;
        let lu = DenseLu::new(count);
        own.columns.iter_mut().for_each(|column| column.resize(count, 0.0));
        for column in 0..=dof {
            for k in 0..count {
                let sums = self.tangent.reaction_column(
                    column,
                    &self.partition.dependent,
                    [of(&own.rows, k, m), of(&own.curve, k, m)],
                    of(&own.by_x, k, self.x.len()),
                    column < dof,
                );
                own.columns.iter_mut().zip(sums).for_each(|(list, sum)| list[k] = sum);
            }
            own.columns.iter_mut().for_each(|list| lu.solve(&own.matrix, &own.exchange, list));
            for i in 0..dof {
                let sum = |list: &[f64]| -> f64 { (0..count).map(|k| own.pull[k * dof + i] * list[k]).sum() };
                let [mass, damping, stiffness] = [0, 1, 2].map(|k| sum(&own.columns[k]));
                if column == dof {
                    out.f_t[i] -= stiffness;
                    continue;
                }
                let at = i + column * dof;
                out.mhat[at] += mass;
                out.m1[at] += damping;
                out.m2[at] += stiffness;
            }
        }
        Ok(())
    }

    fn dof(&self) -> usize {
        self.partition.independent.len()
    }

    /// W of a reaction, M W^T, Phi_u^-T of what that moves of the dependent coordinates, and P^T Q_r.
    fn weigh_reaction(&mut self, k: usize, own: &mut ReactionSlopes) {
        let (n, m, dof) = (self.x.len(), self.step.len(), self.dof());
        let Reduced { partition, jacobian, change, force, plane, mechanism, tangent, .. } = self;
        let (system, work) = (mechanism.system, &mechanism.work);
        let by_lam = of(&own.by_lam, k, system.layout.rows);
        let row = &mut own.rows[k * m..(k + 1) * m];
        row.iter_mut().zip(&partition.rows).for_each(|(x, &row)| *x = by_lam[jacobian.equation[row]]);
        partition.lu.solve(row);
        change.fill(0.0);
        row.iter().zip(&partition.dependent).for_each(|(x, &c)| change[c] = *x);
        system.whole_mass_times(work, change, force);
        if let Some(plane) = plane {
            // what acts on no coordinate of the plane: (1 - B L)^T
            plane.forces(force, &mut own.pull[k * dof..(k + 1) * dof]);
            let z = &own.pull[k * dof..(k + 1) * dof];
            for (force, row) in force.iter_mut().zip(plane.rows().chunks_exact(dof.max(1))) {
                *force -= row.iter().zip(z).map(|(l, z)| l * z).sum::<f64>();
            }
        }
        let curve = &mut own.curve[k * m..(k + 1) * m];
        curve.iter_mut().zip(&partition.dependent).for_each(|(x, &c)| *x = force[c]);
        partition.lu.solve_transposed(curve);
        tangent.forces_along(of(&own.push, k, n), &mut own.pull[k * dof..(k + 1) * dof]);
    }

    /// Factors 1 - W (Q_r)_u.
    fn couple_reactions(&self, own: &mut ReactionSlopes) -> Result<(), Trouble> {
        let (n, m, count) = (self.x.len(), self.step.len(), own.exchange.len());
        for j in 0..count {
            for k in 0..count {
                let push = of(&own.push, k, n);
                let each = of(&own.rows, j, m).iter().zip(&self.partition.dependent);
                let answer: f64 = each.map(|(w, &c)| w * push[c]).sum();
                own.matrix[j + k * count] = f64::from(u8::from(j == k)) - answer;
            }
        }
        let lu = DenseLu::new(count);
        lu.factor(&mut own.matrix, &mut own.exchange, 0.0).map_err(|_| {
            let system = self.mechanism.system;
            let joint = system.readings.first().map_or("", |own| &system.layout.groups[own.group].name);
            let why = "no consistent reaction exists (friction jamming)";
            Trouble::Held { joint: joint.into(), why: why.into() }
        })
    }
}

/// The numbers of one of several lists of the same length.
fn of(all: &[f64], k: usize, length: usize) -> &[f64] {
    &all[k * length..(k + 1) * length]
}
