//! The equations of motion in independent coordinates: an ordinary differential equation of second order.

use super::columns::Columns;
use super::jacobian::CoordinateJacobian;
use super::mechanism::{DENSE, Mechanism, Trouble, largest};
use super::partition::Partition;
use super::tangent::Tangent;
use crate::accel::AccelFailure;
use crate::integrate::{IterationMatrix, Linearisation, SecondOrder};
use crate::spatial::{V3, apply, euler};
use crate::system::{Derivatives, State};

/// The state-space form of a mechanism: v'' = f(t, v, v') in the independent coordinates. Dependent positions
/// come from Newton's method, dependent velocities from the velocity equations, both to round-off.
pub struct Reduced<'a> {
    /// The mechanism.
    pub mechanism: Mechanism<'a>,
    /// The coordinates chosen.
    pub partition: Partition,
    /// How the equations are linearised.
    pub linearising: Linearising,
    pub(super) jacobian: CoordinateJacobian,
    /// Numbers of Phi_q in the configuration of the last recovery.
    values: Vec<f64>,
    base: Base,
    /// The instant of `q`, `qdot`, `velocity`, and whether `qddot` belongs to it.
    pub(super) t: f64,
    pub(super) q: Vec<f64>,
    pub(super) qdot: Vec<f64>,
    pub(super) velocity: Vec<f64>,
    pub(super) qddot: Vec<f64>,
    solved: bool,
    /// Whether the factors at hand are good for something; a failure may leave them ruined.
    factored: bool,
    /// Room for a right side, and for forces in coordinates.
    step: Vec<f64>,
    force: Vec<f64>,
    pub(super) derivatives: Derivatives,
    pub(super) multipliers: Vec<f64>,
    pub(super) tangent: Tangent,
    /// Whether the linearisation at hand is one of forces rather than of accelerations.
    pub(super) in_forces: bool,
    pub(super) columns: Option<Columns>,
    /// Whether columns are the cheaper form, once that is known.
    by_columns: Option<bool>,
    /// Condition of Phi_u where it was factored last.
    condition: f64,
    /// Changes of the independent coordinates so far.
    pub repartitions: usize,
}

/// How the integration Jacobian is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Linearising {
    /// Exact derivatives, whichever of the two forms takes less work.
    #[default]
    Exact,
    /// Exact, from the reduced equations [thesis, section 3.2.1].
    Reduced,
    /// Exact, column by column through the factor of the acceleration problem [thesis, appendix A].
    Columns,
    /// Differences of accelerations.
    Differences,
}

/// The accepted state from which others are predicted.
#[derive(Clone, Debug, Default)]
struct Base {
    t: f64,
    q: Vec<f64>,
    qdot: Vec<f64>,
    qddot: Vec<f64>,
    /// Size of corrections that count as none.
    still: f64,
}

/// Corrections below this, relative to the largest coordinate (or rate), end an iteration.
const STILL: f64 = 1e-12;
/// Corrections greater than this many times that lead nowhere.
const FAR: f64 = 1e14;
/// Most iterations of a recovery.
const ITERATIONS: usize = 25;
/// Convergence slower than this makes a new factor worth its price.
const SLOW: f64 = 0.1;
/// The partition is chosen anew when its condition has grown by this factor [thesis, section 4.1.2].
const WORSE: f64 = 1.25;

impl<'a> Reduced<'a> {
    /// Chooses coordinates for a consistent state; an error where the constraints are dependent there.
    pub fn new(mut mechanism: Mechanism<'a>, state: &State) -> Result<Self, Trouble> {
        let system = mechanism.system;
        let freedoms = mechanism.freedoms();
        if freedoms > DENSE {
            return Err(Trouble::TooLarge { freedoms });
        }
        let jacobian = CoordinateJacobian::new(system, &mechanism.redundant);
        let (n, m) = (system.coordinates(), jacobian.rows.len());
        let mut values = vec![0.0; jacobian.len];
        system.set_state(&mut mechanism.work, state);
        system.evaluate_constraints(&mut mechanism.work);
        CoordinateJacobian::from_velocities(system, &mechanism.work, &mut values);
        let partition = Partition::choose(&jacobian, &values).ok_or(Trouble::Partition)?;
        let mut tangent = Tangent::new(system, &jacobian, &partition);
        tangent.predict_with(&partition, &values);
        let mut reduced = Self {
            tangent,
            columns: None,
            by_columns: None,
            derivatives: system.derivatives(),
            multipliers: vec![0.0; system.constraints()],
            in_forces: true,
            condition: partition.condition,
            mechanism,
            partition,
            linearising: Linearising::Exact,
            jacobian,
            values,
            base: Base::default(),
            t: state.t,
            q: state.q.clone(),
            qdot: vec![0.0; n],
            velocity: state.v.clone(),
            qddot: vec![0.0; n],
            solved: false,
            factored: true,
            step: vec![0.0; m],
            force: vec![0.0; n],
            repartitions: 0,
        };
        reduced.start(state);
        Ok(reduced)
    }

    /// Sets the state from which the next step starts.
    pub fn start(&mut self, state: &State) {
        let system = self.mechanism.system;
        system.set_state(&mut self.mechanism.work, state);
        self.t = state.t;
        self.q.copy_from_slice(&state.q);
        self.velocity.copy_from_slice(&state.v);
        system.rates(&state.q, &state.v, &mut self.qdot);
        self.qddot.fill(0.0);
        self.solved = false;
        self.set_base();
    }

    /// Independent coordinates and their rates at the instant at hand, one after the other.
    pub fn independent(&self, y: &mut [f64]) {
        let (v, vdot) = y.split_at_mut(self.partition.independent.len());
        for (k, &c) in self.partition.independent.iter().enumerate() {
            (v[k], vdot[k]) = (self.q[c], self.qdot[c]);
        }
    }

    /// The instant at hand as a state.
    pub fn write_state(&self, state: &mut State) {
        state.t = self.t;
        state.q.copy_from_slice(&self.q);
        state.v.copy_from_slice(&self.velocity);
        state.turns.copy_from_slice(&self.mechanism.work.turns);
        state.pieces.copy_from_slice(&self.mechanism.work.pieces);
    }

    /// Recovers the state at accepted independent values and makes it the base of the next step.
    pub fn accept(&mut self, t: f64, y: &[f64]) -> Result<(), Trouble> {
        let (v, vdot) = y.split_at(self.partition.independent.len());
        if !self.is_at(t, v, vdot) {
            self.recover(t, v, vdot)?;
        }
        self.set_base();
        Ok(())
    }

    /// Recovers the state at independent values inside a step.
    pub fn recover_at(&mut self, t: f64, y: &[f64]) -> Result<(), Trouble> {
        let (v, vdot) = y.split_at(self.partition.independent.len());
        self.recover(t, v, vdot)
    }

    /// Whether Phi_u has become ill-conditioned in comparison with when the coordinates were chosen.
    pub fn strained(&self) -> bool {
        self.condition > WORSE * self.partition.condition
    }

    /// Chooses the coordinates anew at the instant at hand; whether they have changed.
    pub fn repartition(&mut self) -> Result<bool, Trouble> {
        let system = self.mechanism.system;
        system.set(&mut self.mechanism.work, self.t, &self.q, &self.velocity);
        system.evaluate_constraints(&mut self.mechanism.work);
        CoordinateJacobian::from_velocities(system, &self.mechanism.work, &mut self.values);
        let chosen = Partition::choose(&self.jacobian, &self.values);
        let partition = chosen.ok_or(Trouble::Partition)?;
        self.condition = partition.condition;
        if partition.same_split(&self.partition) {
            self.partition.condition = partition.condition;
            return self.partition.factor(&self.values).map(|_| false).ok_or(Trouble::Partition);
        }
        self.tangent = Tangent::new(system, &self.jacobian, &partition);
        self.tangent.predict_with(&partition, &self.values);
        self.columns.iter_mut().for_each(|c| c.renumber(&partition));
        self.partition = partition;
        self.repartitions += 1;
        Ok(true)
    }

    fn set_base(&mut self) {
        let base = &mut self.base;
        base.t = self.t;
        base.q.clone_from(&self.q);
        base.qdot.clone_from(&self.qdot);
        base.qddot.clone_from(&self.qddot);
        // angles may count hundreds of turns: only their rounding errors grow with them
        let system = self.mechanism.system;
        let (nq, d) = (system.nq(), system.dimensions());
        let far = self.q.chunks_exact(nq).map(|q| largest(&q[..d])).fold(0.0, f64::max);
        base.still = STILL * (1.0 + far) + f64::EPSILON * largest(&self.q);
    }

    fn is_at(&self, t: f64, v: &[f64], vdot: &[f64]) -> bool {
        let mut places = self.partition.independent.iter().zip(v.iter().zip(vdot));
        self.t == t && places.all(|(&c, (v, vdot))| self.q[c] == *v && self.qdot[c] == *vdot)
    }

    /// Dependent positions and velocities; leaves the constraints evaluated in this configuration.
    pub(super) fn recover(&mut self, t: f64, v: &[f64], vdot: &[f64]) -> Result<(), Trouble> {
        self.solved = false;
        if !self.factored {
            self.refactor_at_base()?;
        }
        self.predict(t, v, vdot);
        self.t = t;
        let recovered = self.recover_positions().and_then(|()| self.recover_velocities());
        self.factored = recovered.is_ok();
        recovered
    }

    /// Factors Phi_u at the last accepted state.
    fn refactor_at_base(&mut self) -> Result<(), Trouble> {
        let (system, work) = (self.mechanism.system, &mut self.mechanism.work);
        self.velocity.fill(0.0);
        system.set(work, self.base.t, &self.base.q, &self.velocity);
        system.evaluate_constraints(work);
        self.refactor()
    }

    /// Along the motion of the base, corrected for the independent values by the tangent at hand. Values at the
    /// time of the last recovery are close to it: the next iterate of a stage.
    fn predict(&mut self, t: f64, v: &[f64], vdot: &[f64]) {
        let (base, tau) = (&self.base, t - self.base.t);
        if t != self.t || !self.factored {
            for c in 0..self.q.len() {
                self.q[c] = base.q[c] + tau * (base.qdot[c] + 0.5 * tau * base.qddot[c]);
                self.qdot[c] = base.qdot[c] + tau * base.qddot[c];
            }
        }
        for (k, &c) in self.partition.independent.iter().enumerate() {
            let (dv, dvdot) = (v[k] - self.q[c], vdot[k] - self.qdot[c]);
            for (h, &u) in self.tangent.column(k).iter().zip(&self.partition.dependent) {
                self.q[u] += h * dv;
                self.qdot[u] += h * dvdot;
            }
            (self.q[c], self.qdot[c]) = (v[k], vdot[k]);
        }
    }

    /// Factors Phi_u in the configuration of the work.
    fn refactor(&mut self) -> Result<(), Trouble> {
        let system = self.mechanism.system;
        CoordinateJacobian::from_velocities(system, &self.mechanism.work, &mut self.values);
        if self.partition.lu.factor(&self.values) == 0.0 { Err(Trouble::Partition) } else { Ok(()) }
    }

    fn recover_positions(&mut self) -> Result<(), Trouble> {
        let mut before = f64::INFINITY;
        for _ in 0..ITERATIONS {
            let (system, work) = (self.mechanism.system, &mut self.mechanism.work);
            system.set(work, self.t, &self.q, &self.velocity);
            system.evaluate_constraints(work);
            for (r, &row) in self.step.iter_mut().zip(&self.partition.rows) {
                *r = match self.jacobian.equation[row] {
                    Some(equation) => work.phi[equation],
                    None => {
                        let body = row + system.bodies() - self.jacobian.rows.len();
                        work.bodies[body].p.iter().map(|e| e * e).sum::<f64>() - 1.0
                    }
                };
            }
            self.partition.lu.solve(&mut self.step);
            let size = largest(&self.step);
            if !size.is_finite() || size > FAR * self.base.still {
                break;
            }
            for (x, &u) in self.step.iter().zip(&self.partition.dependent) {
                self.q[u] -= x;
            }
            if size <= self.base.still {
                return Ok(());
            }
            if size > SLOW * before {
                self.refactor()?;
            }
            before = size;
        }
        Err(self.position_trouble())
    }

    /// The worst equation.
    fn position_trouble(&self) -> Trouble {
        let worst = |(row, most): (Option<usize>, f64), (r, phi): (usize, &f64)| {
            if phi.abs() <= most { (row, most) } else { (Some(r), phi.abs()) }
        };
        let (row, residual) = self.mechanism.work.phi.iter().enumerate().fold((None, 0.0), worst);
        Trouble::Positions { row, residual }
    }

    fn recover_velocities(&mut self) -> Result<(), Trouble> {
        let system = self.mechanism.system;
        CoordinateJacobian::from_velocities(system, &self.mechanism.work, &mut self.values);
        let still = STILL * (1.0 + largest(&self.qdot));
        let (mut before, mut settled) = (f64::INFINITY, false);
        for _ in 0..ITERATIONS {
            for (x, &row) in self.step.iter_mut().zip(&self.partition.rows) {
                let nu = self.jacobian.equation[row].map_or(0.0, |e| self.mechanism.work.nu[e]);
                let entries = self.jacobian.rows[row].iter();
                *x = entries.map(|&(place, c)| self.values[place] * self.qdot[c]).sum::<f64>() - nu;
            }
            self.partition.lu.solve(&mut self.step);
            let size = largest(&self.step);
            if !size.is_finite() {
                break;
            }
            for (x, &u) in self.step.iter().zip(&self.partition.dependent) {
                self.qdot[u] -= x;
            }
            if size <= still {
                settled = true;
                break;
            }
            if size > SLOW * before {
                self.refactor()?;
            }
            before = size;
        }
        self.write_velocities();
        if settled { Ok(()) } else { Err(Trouble::Partition) }
    }

    /// Velocities (r', w) from the rates of the coordinates.
    fn write_velocities(&mut self) {
        if self.mechanism.system.nq() == 3 {
            self.velocity.copy_from_slice(&self.qdot);
            return;
        }
        let each = self.q.chunks_exact(7).zip(self.qdot.chunks_exact(7));
        for ((q, rate), v) in each.zip(self.velocity.chunks_exact_mut(6)) {
            v[..3].copy_from_slice(&rate[..3]);
            let w = euler::g_times(&[q[3], q[4], q[5], q[6]], &[rate[3], rate[4], rate[5], rate[6]]);
            for k in 0..3 {
                v[3 + k] = 2.0 * w[k];
            }
        }
    }

    /// Accelerations at independent values, unless they are at hand.
    pub(super) fn solve_at(&mut self, t: f64, v: &[f64], vdot: &[f64]) -> Result<(), Trouble> {
        if self.solved && self.is_at(t, v, vdot) {
            return Ok(());
        }
        self.recover(t, v, vdot)?;
        self.solve()
    }

    /// Accelerations at the instant at hand.
    pub fn solve(&mut self) -> Result<(), Trouble> {
        self.solved = false;
        self.mechanism.accelerate(self.t, &self.q, &self.velocity)?;
        let Mechanism { system, work, result, .. } = &self.mechanism;
        system.coordinate_accelerations(work, &result.acc, &mut self.qddot);
        self.solved = true;
        Ok(())
    }

    /// Factors Phi_q as differentiated and notes its condition.
    pub(super) fn factor_exact(&mut self) -> Result<(), Trouble> {
        CoordinateJacobian::from_derivatives(&self.derivatives, &mut self.values);
        self.condition = self.partition.factor(&self.values).ok_or(Trouble::Partition)?;
        Ok(())
    }

    /// Notes the condition of Phi_u at the instant at hand.
    pub(super) fn note_condition(&mut self) -> Result<(), Trouble> {
        self.condition = self.partition.factor(&self.values).ok_or(Trouble::Partition)?;
        Ok(())
    }

    pub(super) fn values(&self) -> &[f64] {
        &self.values
    }
}

impl Reduced<'_> {
    /// Accelerations of all coordinates for those of the independent ones, by the acceleration equations.
    fn complete(&mut self, a: &[f64]) {
        for (a, &c) in a.iter().zip(&self.partition.independent) {
            self.qddot[c] = *a;
        }
        for &c in &self.partition.dependent {
            self.qddot[c] = 0.0;
        }
        let bodies = &self.mechanism.work.bodies;
        for (x, &row) in self.step.iter_mut().zip(&self.partition.rows) {
            let right = match self.jacobian.equation[row] {
                Some(equation) => self.mechanism.work.gamma[equation],
                None => {
                    let body = row + self.mechanism.system.bodies() - self.jacobian.rows.len();
                    -2.0 * bodies[body].pdot.iter().map(|x| x * x).sum::<f64>()
                }
            };
            let known = self.jacobian.rows[row].iter().map(|&(place, c)| self.values[place] * self.qddot[c]);
            *x = right - known.sum::<f64>();
        }
        self.partition.lu.solve(&mut self.step);
        for (x, &c) in self.step.iter().zip(&self.partition.dependent) {
            self.qddot[c] = *x;
        }
    }

    /// Forces less inertia forces in coordinates, for the accelerations `qddot`; into `force`.
    fn unbalanced(&mut self) {
        let Mechanism { system, work, .. } = &self.mechanism;
        let (nq, nv) = (system.nq(), system.nv());
        let each = self.qddot.chunks_exact(nq).zip(self.force.chunks_exact_mut(nq)).enumerate();
        for (b, (acc, out)) in each {
            let (inertia, force) = (&system.inertia[b], &work.force[b * nv..(b + 1) * nv]);
            if nq == 3 {
                out[0] = force[0] - inertia.mass * acc[0];
                out[1] = force[1] - inertia.mass * acc[1];
                out[2] = force[2] - inertia.tensor[0][0] * acc[2];
                continue;
            }
            let p = &work.bodies[b].p;
            let turn = euler::g_times(p, &[acc[3], acc[4], acc[5], acc[6]]).map(|x| 2.0 * x);
            let inertial = apply(&inertia.tensor, &turn);
            let torque: V3 = std::array::from_fn(|k| force[3 + k] - inertial[k]);
            for k in 0..3 {
                out[k] = force[k] - inertia.mass * acc[k];
            }
            let radial = euler::gt_times(p, &torque);
            for k in 0..4 {
                out[3 + k] = 2.0 * radial[k];
            }
        }
    }
}

impl SecondOrder for Reduced<'_> {
    type Error = Trouble;

    /// From the equations of motion as they stand, without solving for accelerations: the stiff forces enter
    /// along their present directions and do not pass through a mass matrix that changes, so that the iteration
    /// of a stage converges where differences of accelerations would not.
    fn imbalance(
        &mut self,
        matrix: &mut IterationMatrix,
        (t, v, vdot): (f64, &[f64], &[f64]),
        a: &[f64],
        out: &mut [f64],
    ) -> Result<(), Trouble> {
        if !self.in_forces {
            self.acceleration(t, v, vdot, out)?;
            out.iter_mut().zip(a).for_each(|(f, a)| *f -= a);
            matrix.multiply_by_mass(out);
            return Ok(());
        }
        self.recover(t, v, vdot)?;
        if self.partition.lu.factor(&self.values) == 0.0 {
            self.factored = false;
            return Err(Trouble::Partition);
        }
        let Mechanism { system, work, .. } = &mut self.mechanism;
        system.set(work, t, &self.q, &self.velocity);
        system.evaluate_constraints(work);
        system.evaluate_forces(work);
        self.complete(a);
        self.unbalanced();
        // P^T force: what acts on dependent coordinates is passed on to the independent ones
        for (y, &c) in self.step.iter_mut().zip(&self.partition.dependent) {
            *y = self.force[c];
        }
        self.partition.lu.solve_transposed(&mut self.step);
        for (y, &row) in self.step.iter().zip(&self.partition.rows) {
            for &(place, c) in &self.jacobian.rows[row] {
                self.force[c] -= y * self.values[place];
            }
        }
        for (out, &c) in out.iter_mut().zip(&self.partition.independent) {
            *out = self.force[c];
        }
        if largest(out).is_finite() { Ok(()) } else { Err(AccelFailure::NotFinite.into()) }
    }

    fn dim(&self) -> usize {
        self.partition.independent.len()
    }

    fn acceleration(&mut self, t: f64, v: &[f64], vdot: &[f64], vddot: &mut [f64]) -> Result<(), Trouble> {
        self.solve_at(t, v, vdot)?;
        for (out, &c) in vddot.iter_mut().zip(&self.partition.independent) {
            *out = self.qddot[c];
        }
        Ok(())
    }

    fn linearise(&mut self, t: f64, v: &[f64], vdot: &[f64], out: &mut Linearisation) -> Result<(), Trouble> {
        self.solve_at(t, v, vdot)?;
        let by_columns = match self.linearising {
            Linearising::Exact => self.by_columns.unwrap_or_else(|| self.prefers_columns()),
            Linearising::Columns => true,
            Linearising::Reduced | Linearising::Differences => false,
        };
        if self.linearising == Linearising::Exact {
            self.by_columns = Some(by_columns);
        }
        self.in_forces = !by_columns && self.linearising != Linearising::Differences;
        match (self.linearising, by_columns) {
            (Linearising::Differences, _) => self.linearise_by_differences(t, v, vdot, out),
            (_, true) => self.linearise_by_columns(out),
            (_, false) => self.linearise_exact(out),
        }
    }
}
