//! The equations of motion in independent coordinates: an ordinary differential equation of second order.

use super::chart::{Chart, FARTHEST};
use super::columns::Columns;
use super::instant::{DENSE, Dynamics, Trouble, largest};
use super::jacobian::CoordinateJacobian;
use super::partition::Partition;
use super::recover::STILL;
use super::scales::Yardstick;
use super::slopes::Slopes;
use super::tangent::Tangent;
use crate::integrate::{IterationMatrix, Linearisation, Loss, Measure, Norm, SecondOrder};
use crate::linalg::StaticLu;
use crate::system::{Derivatives, State};
use std::rc::Rc;

/// The state-space form of a mechanism: v'' = f(t, v, v') in the independent coordinates, chosen among the
/// coordinates of the `chart` of the step. Dependent positions come from Newton's method, dependent
/// velocities from the velocity equations, both to round-off.
pub struct Reduced<'a> {
    /// The mechanism.
    pub mechanism: Dynamics<'a>,
    /// The coordinates chosen.
    pub partition: Partition,
    /// How the equations are linearised.
    pub linearising: Linearising,
    /// What errors are measured against; the norm of the stepper if there is none.
    pub yardstick: Option<Rc<Yardstick>>,
    pub(super) jacobian: CoordinateJacobian,
    pub(super) chart: Chart,
    /// Numbers of Phi_x in the configuration of the last recovery.
    pub(super) values: Vec<f64>,
    pub(super) base: Base,
    pub(super) end: Instant,
    /// The instant at hand in the chart; whether `xddot` belongs to it.
    pub(super) t: f64,
    pub(super) x: Vec<f64>,
    pub(super) xdot: Vec<f64>,
    pub(super) xddot: Vec<f64>,
    pub(super) solved: bool,
    /// The same instant in coordinates and velocities.
    pub(super) q: Vec<f64>,
    pub(super) velocity: Vec<f64>,
    /// Whether the factors at hand are good for something; a failure may leave them ruined.
    pub(super) factored: bool,
    /// Whether the instant at hand satisfies the constraints; a failure leaves it somewhere else.
    pub(super) recovered: bool,
    /// Room for a right side, for forces, and for changes or accelerations of all bodies.
    pub(super) step: Vec<f64>,
    pub(super) force: Vec<f64>,
    pub(super) change: Vec<f64>,
    pub(super) rate_change: Vec<f64>,
    pub(super) acc: Vec<f64>,
    pub(super) derivatives: Derivatives,
    pub(super) slopes: Slopes,
    pub(super) qddot: Vec<f64>,
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

/// The accepted state at which the chart is based and from which others are predicted.
#[derive(Clone, Debug)]
pub(super) struct Base {
    pub t: f64,
    pub x: Vec<f64>,
    pub xdot: Vec<f64>,
    pub xddot: Vec<f64>,
    /// Phi_x and the factors of Phi_u there.
    pub values: Vec<f64>,
    pub lu: StaticLu,
    /// Size of corrections that count as none.
    pub still: f64,
}

/// The end of the step last accepted, in the chart of that step.
#[derive(Clone, Debug, Default)]
pub(super) struct Instant {
    pub t: f64,
    pub x: Vec<f64>,
    pub xdot: Vec<f64>,
    /// Accelerations of the coordinates and of the bodies, if they were solved for.
    pub xddot: Vec<f64>,
    pub acc: Vec<f64>,
    pub solved: bool,
    /// Whether there is such an instant.
    pub known: bool,
}

/// The partition is chosen anew when its condition has grown by this factor [thesis, section 4.1.2].
const WORSE: f64 = 1.25;

impl<'a> Reduced<'a> {
    /// Chooses coordinates for a consistent state; an error where the constraints are dependent there.
    pub fn new(mut mechanism: Dynamics<'a>, state: &State) -> Result<Self, Trouble> {
        let system = mechanism.system;
        let freedoms = mechanism.freedoms();
        if freedoms > DENSE {
            return Err(Trouble::TooLarge { freedoms });
        }
        let jacobian = CoordinateJacobian::new(system, &mechanism.redundant);
        system.set_state(&mut mechanism.work, state);
        system.evaluate_constraints(&mut mechanism.work);
        let partition = Partition::choose(&jacobian, &mechanism.work.phi_v).ok_or(Trouble::Partition)?;
        Ok(Self::with_partition(mechanism, jacobian, partition, state))
    }

    /// The form for coordinates chosen before.
    pub(super) fn with_partition(
        mechanism: Dynamics<'a>,
        jacobian: CoordinateJacobian,
        partition: Partition,
        state: &State,
    ) -> Self {
        let system = mechanism.system;
        let (n, m) = (system.velocities(), jacobian.rows.len());
        let room = || vec![0.0; n];
        let values = vec![0.0; jacobian.len];
        let base = Base {
            t: state.t,
            x: room(),
            xdot: room(),
            xddot: room(),
            values: values.clone(),
            lu: partition.lu.clone(),
            still: 0.0,
        };
        let mut reduced = Self {
            tangent: Tangent::new(system, &jacobian, &partition),
            columns: None,
            by_columns: None,
            derivatives: system.derivatives(),
            slopes: Slopes::new(system),
            multipliers: vec![0.0; system.constraints()],
            in_forces: true,
            condition: partition.condition,
            linearising: Linearising::Exact,
            yardstick: None,
            chart: Chart::new(system),
            end: Instant { x: room(), xdot: room(), xddot: room(), acc: room(), ..Instant::default() },
            base,
            values,
            t: state.t,
            x: room(),
            xdot: room(),
            xddot: room(),
            solved: false,
            q: state.q.clone(),
            velocity: state.v.clone(),
            qddot: vec![0.0; system.coordinates()],
            factored: true,
            recovered: true,
            step: vec![0.0; m],
            force: room(),
            change: room(),
            rate_change: room(),
            acc: room(),
            repartitions: 0,
            mechanism,
            partition,
            jacobian,
        };
        reduced.start(state);
        reduced
    }

    /// Sets the state from which the next step starts.
    pub fn start(&mut self, state: &State) {
        let Dynamics { system, work, .. } = &mut self.mechanism;
        system.set_state(work, state);
        system.evaluate_constraints(work);
        self.t = state.t;
        self.q.copy_from_slice(&state.q);
        self.velocity.copy_from_slice(&state.v);
        self.solved = false;
        self.acc.fill(0.0);
        self.set_base();
    }

    /// Independent coordinates and their rates at the instant at hand, one after the other.
    pub fn independent(&self, y: &mut [f64]) {
        let (v, vdot) = y.split_at_mut(self.partition.independent.len());
        for (k, &c) in self.partition.independent.iter().enumerate() {
            (v[k], vdot[k]) = (self.x[c], self.xdot[c]);
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

    /// Recovers the state at accepted independent values and leaves the constraints evaluated there. Called again for
    /// the same values it gives the same bits, whatever was looked at in between.
    pub fn accept(&mut self, t: f64, y: &[f64]) -> Result<(), Trouble> {
        let (v, vdot) = y.split_at(self.partition.independent.len());
        let wanted = (t, v, vdot);
        if self.end.known && self.is((self.end.t, &self.end.x, &self.end.xdot), wanted) {
            self.return_to_end();
            return Ok(());
        }
        if self.is((self.base.t, &self.base.x, &self.base.xdot), wanted) {
            self.return_to_base();
        } else if !self.is_at(t, v, vdot) {
            self.recover(t, v, vdot)?;
            self.look();
        }
        let end = &mut self.end;
        (end.t, end.known, end.solved) = (t, true, self.solved);
        end.x.copy_from_slice(&self.x);
        end.xdot.copy_from_slice(&self.xdot);
        end.xddot.copy_from_slice(&self.xddot);
        end.acc.copy_from_slice(&self.mechanism.result.acc);
        Ok(())
    }

    /// Recovers the state at independent values inside a step.
    pub fn recover_at(&mut self, t: f64, y: &[f64]) -> Result<(), Trouble> {
        let (v, vdot) = y.split_at(self.partition.independent.len());
        self.recover(t, v, vdot)?;
        let Dynamics { system, work, .. } = &mut self.mechanism;
        system.set(work, t, &self.q, &self.velocity);
        Ok(())
    }

    /// Whether Phi_u has become ill-conditioned in comparison with when the coordinates were chosen.
    pub fn strained(&self) -> bool {
        self.condition.is_nan() || self.condition > WORSE * self.partition.condition
    }

    /// Chooses the coordinates anew where the chart is based; whether they have changed.
    pub fn repartition(&mut self) -> Result<bool, Trouble> {
        self.return_to_base();
        let chosen = Partition::choose(&self.jacobian, &self.values);
        let partition = chosen.ok_or(Trouble::Partition)?;
        self.condition = partition.condition;
        if partition.same_split(&self.partition) {
            self.partition.condition = partition.condition;
            return self.partition.factor(&self.values).map(|_| false).ok_or(Trouble::Partition);
        }
        self.tangent = Tangent::new(self.mechanism.system, &self.jacobian, &partition);
        self.columns.iter_mut().for_each(|c| c.renumber(&partition));
        self.base.lu = partition.lu.clone();
        self.partition = partition;
        (self.factored, self.end.known) = (true, false);
        self.repartitions += 1;
        Ok(true)
    }

    /// Sets the work to the instant at hand and evaluates the constraints there.
    fn look(&mut self) {
        let Dynamics { system, work, .. } = &mut self.mechanism;
        system.set(work, self.t, &self.q, &self.velocity);
        system.evaluate_constraints(work);
    }

    /// Makes an instant of the chart the one at hand.
    fn take(&mut self, at: impl Fn(&Self) -> (f64, &[f64], &[f64])) {
        let (mut x, mut xdot) = (std::mem::take(&mut self.x), std::mem::take(&mut self.xdot));
        let (t, from, rates) = at(self);
        x.copy_from_slice(from);
        xdot.copy_from_slice(rates);
        (self.t, self.x, self.xdot, self.solved) = (t, x, xdot, false);
        self.chart.place(&self.x, &mut self.q);
        self.chart.velocities(&self.xdot, &mut self.velocity);
        self.look();
        self.chart.jacobian(self.mechanism.system, &self.mechanism.work, &mut self.values);
        (self.factored, self.recovered) = (false, true);
    }

    fn return_to_base(&mut self) {
        if !self.is_at_base() {
            self.take(|own| (own.base.t, &own.base.x, &own.base.xdot));
        }
    }

    fn return_to_end(&mut self) {
        if self.t != self.end.t || self.x != self.end.x || self.xdot != self.end.xdot {
            self.take(|own| (own.end.t, &own.end.x, &own.end.xdot));
        }
    }

    /// Bases the chart at the instant at hand, whose constraints are evaluated and whose accelerations are in `acc`.
    pub(super) fn set_base(&mut self) {
        let system = self.mechanism.system;
        self.chart.base(&self.q, &mut self.x);
        self.xdot.copy_from_slice(&self.velocity);
        self.xddot.copy_from_slice(&self.acc);
        self.chart.jacobian(system, &self.mechanism.work, &mut self.values);
        // a failure is no harm yet: other coordinates may do
        self.condition = self.partition.factor(&self.values).unwrap_or(f64::INFINITY);
        (self.factored, self.recovered) = (self.condition.is_finite(), true);
        self.end.known = false;
        let base = &mut self.base;
        base.t = self.t;
        base.x.copy_from_slice(&self.x);
        base.xdot.copy_from_slice(&self.xdot);
        base.xddot.copy_from_slice(&self.xddot);
        base.values.copy_from_slice(&self.values);
        base.lu.copy_numbers(&self.partition.lu);
        // angles may count hundreds of turns: only their rounding errors grow with them
        let d = system.dimensions();
        let far = system.nodes.by_v(&self.x).map(|x| largest(&x[..d])).fold(0.0, f64::max);
        base.still = STILL * (1.0 + far) + f64::EPSILON * largest(&self.x);
    }

    /// Whether an instant of the chart has these independent values.
    fn is(&self, at: (f64, &[f64], &[f64]), (t, v, vdot): (f64, &[f64], &[f64])) -> bool {
        let mut places = self.partition.independent.iter().zip(v.iter().zip(vdot));
        at.0 == t && places.all(|(&c, (v, vdot))| at.1[c] == *v && at.2[c] == *vdot)
    }

    /// Whether the instant at hand has these independent values.
    fn is_at(&self, t: f64, v: &[f64], vdot: &[f64]) -> bool {
        self.recovered && self.is((self.t, &self.x, &self.xdot), (t, v, vdot))
    }

    /// Whether the instant at hand is the one at which the chart is based.
    pub(super) fn is_at_base(&self) -> bool {
        self.t == self.base.t && self.x == self.base.x && self.xdot == self.base.xdot
    }

    /// Whether the chart is based at a time.
    pub(super) fn is_based_at(&self, t: f64) -> bool {
        self.base.t == t
    }

    /// Accelerations at independent values, unless they are at hand.
    pub(super) fn solve_at(&mut self, t: f64, v: &[f64], vdot: &[f64]) -> Result<(), Trouble> {
        if !self.is_at(t, v, vdot) {
            if self.is((self.base.t, &self.base.x, &self.base.xdot), (t, v, vdot)) {
                self.return_to_base();
            } else {
                self.recover(t, v, vdot)?;
            }
        }
        if self.solved { Ok(()) } else { self.solve() }
    }

    /// Accelerations at the instant at hand.
    pub fn solve(&mut self) -> Result<(), Trouble> {
        self.solved = false;
        self.mechanism.accelerate(self.t, &self.q, &self.velocity)?;
        self.chart.of_accelerations(&self.x, &self.xdot, &self.mechanism.result.acc, &mut self.xddot);
        self.solved = true;
        Ok(())
    }

    /// Factors Phi_x of the instant at hand and notes its condition.
    pub(super) fn factor_here(&mut self) -> Result<(), Trouble> {
        self.chart.jacobian(self.mechanism.system, &self.mechanism.work, &mut self.values);
        self.condition = self.partition.factor(&self.values).ok_or(Trouble::Partition)?;
        Ok(())
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
            *out = self.xddot[c];
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
    fn rebase(&mut self, t: f64, y: &mut [f64], accelerations: [&mut [f64]; 2]) -> Result<(), Trouble> {
        self.rebase_with(t, y, accelerations)
    }

    fn measure(&mut self, norm: &Norm, h: f64, error: &[f64], (y0, y1): (&[f64], &[f64])) -> f64 {
        self.measure_bodies(h, error, None).unwrap_or_else(|| norm.of_step(h, error, y0, y1))
    }

    fn measure_losing(
        &mut self,
        norm: &Norm,
        h: f64,
        (error, loss): (&[f64], Loss),
        (y0, y1): (&[f64], &[f64]),
    ) -> f64 {
        self.measure_bodies(h, error, Some(loss)).unwrap_or_else(|| norm.of_step(h, error, y0, y1))
    }

    fn natural_time(&self) -> Option<Option<f64>> {
        let (yardstick, Dynamics { system, result, .. }) = (self.yardstick.as_ref()?, &self.mechanism);
        let mut rates = vec![0.0; system.coordinates()];
        system.rates(&self.q, &self.velocity, &mut rates);
        rates.extend(&result.acc);
        Some(yardstick.natural_time(&[&self.q[..], &self.velocity[..]].concat(), &rates))
    }

    fn longest_step(&self) -> f64 {
        self.chart.longest(&self.base.xdot)
    }

    fn retreat(&self, error: &Trouble) -> f64 {
        match error {
            Trouble::Turn { angle, .. } => (FARTHEST / angle).clamp(0.1, 0.9),
            _ => 0.25,
        }
    }
}
