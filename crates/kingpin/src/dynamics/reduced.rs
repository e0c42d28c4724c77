//! The equations of motion in independent coordinates: an ordinary differential equation of second order.

use super::columns::Columns;
use super::jacobian::CoordinateJacobian;
use super::mechanism::{DENSE, Mechanism, Trouble, largest};
use super::partition::Partition;
use super::recover::STILL;
use super::tangent::Tangent;
use crate::integrate::{IterationMatrix, Linearisation, SecondOrder};
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
    pub(super) values: Vec<f64>,
    pub(super) base: Base,
    /// The instant of `q`, `qdot`, `velocity`, and whether `qddot` belongs to it.
    pub(super) t: f64,
    pub(super) q: Vec<f64>,
    pub(super) qdot: Vec<f64>,
    pub(super) velocity: Vec<f64>,
    pub(super) qddot: Vec<f64>,
    pub(super) solved: bool,
    /// Whether the factors at hand are good for something; a failure may leave them ruined.
    pub(super) factored: bool,
    /// Room for a right side, and for forces in coordinates.
    pub(super) step: Vec<f64>,
    pub(super) force: Vec<f64>,
    pub(super) derivatives: Derivatives,
    pub(super) multipliers: Vec<f64>,
    pub(super) tangent: Tangent,
    /// Whether the linearisation at hand is one of forces rather than of accelerations.
    pub(super) in_forces: bool,
    pub(super) columns: Option<Columns>,
    /// Whether columns are the cheaper form, once that is known.
    pub(super) by_columns: Option<bool>,
    /// Condition of Phi_u where it was factored last.
    pub(super) condition: f64,
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
pub(super) struct Base {
    pub t: f64,
    pub q: Vec<f64>,
    pub qdot: Vec<f64>,
    pub qddot: Vec<f64>,
    /// Size of corrections that count as none.
    pub still: f64,
}

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

impl SecondOrder for Reduced<'_> {
    type Error = Trouble;

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
        self.balance(t, v, vdot, a, out)
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
