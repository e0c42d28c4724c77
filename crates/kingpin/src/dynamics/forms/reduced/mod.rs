//! The equations of motion in independent coordinates: an ordinary differential equation of second order.

mod instants;
mod memory;
mod reaction_slopes;
mod readings;
mod renewal;
mod second_order;

use crate::dynamics::forms::chart::Chart;
use crate::dynamics::forms::columns::Columns;
use crate::dynamics::forms::jacobian::CoordinateJacobian;
use crate::dynamics::forms::partition::Partition;
use crate::dynamics::forms::plane::Plane;
use crate::dynamics::forms::slopes::Slopes;
use crate::dynamics::forms::tangent::Tangent;
use crate::dynamics::forms::turning::Turning;
use crate::dynamics::instant::{DENSE, Dynamics, Trouble};
use crate::dynamics::scales::Yardstick;
use crate::linalg::StaticLu;
use crate::system::{Derivatives, State};
use reaction_slopes::ReactionSlopes;
use std::sync::Arc;

/// The state-space form of a mechanism: v'' = f(t, v, v') in the independent coordinates, chosen among the
/// coordinates of the `chart` of the step. Dependent positions come from Newton's method, dependent
/// velocities from the velocity equations, both to round-off. With a `plane` the coordinates are those of the tangent
/// plane instead, and the partition serves to solve for the others.
pub struct Reduced<'a> {
    /// The mechanism.
    pub mechanism: Dynamics<'a>,
    /// The coordinates chosen.
    pub partition: Partition,
    pub(in crate::dynamics) plane: Option<Plane>,
    /// How the equations are linearised.
    pub linearising: Linearising,
    /// What errors are measured against; the norm of the stepper if there is none.
    pub yardstick: Option<Arc<Yardstick>>,
    pub(in crate::dynamics) jacobian: CoordinateJacobian,
    pub(in crate::dynamics) chart: Chart,
    /// Nodes that turn with their stiffness, and those of them all of whose coordinates are independent.
    turning: [Turning; 2],
    /// Numbers of Phi_x in the configuration of the last recovery.
    pub(in crate::dynamics) values: Vec<f64>,
    pub(in crate::dynamics) base: Base,
    pub(in crate::dynamics) end: StepEnd,
    /// What was asked for at the end of the step, and at the instant at hand: coordinates, then their rates.
    pub(in crate::dynamics) end_asked: Vec<f64>,
    pub(in crate::dynamics) asked: Vec<f64>,
    /// Last iterates of stages in the chart at hand.
    pub(in crate::dynamics) stages: [StageIterate; 3],
    /// The instant at hand in the chart; whether `xddot` belongs to it.
    pub(in crate::dynamics) t: f64,
    pub(in crate::dynamics) x: Vec<f64>,
    pub(in crate::dynamics) xdot: Vec<f64>,
    pub(in crate::dynamics) xddot: Vec<f64>,
    pub(in crate::dynamics) solved: bool,
    /// The same instant in coordinates and velocities.
    pub(in crate::dynamics) q: Vec<f64>,
    pub(in crate::dynamics) velocity: Vec<f64>,
    /// Whether the factors at hand are good for something; a failure may leave them ruined.
    pub(in crate::dynamics) factored: bool,
    /// Whether the instant at hand satisfies the constraints; a failure leaves it somewhere else.
    pub(in crate::dynamics) recovered: bool,
    /// Room for a right side, for forces, for changes or accelerations of all bodies, and for what the coordinates of the
    /// form have of these.
    pub(in crate::dynamics) step: Vec<f64>,
    pub(in crate::dynamics) pair: Vec<[f64; 2]>,
    pub(in crate::dynamics) force: Vec<f64>,
    pub(in crate::dynamics) change: Vec<f64>,
    pub(in crate::dynamics) rate_change: Vec<f64>,
    pub(in crate::dynamics) own: Vec<f64>,
    pub(in crate::dynamics) acc: Vec<f64>,
    pub(in crate::dynamics) derivatives: Derivatives,
    pub(in crate::dynamics) slopes: Slopes,
    pub(in crate::dynamics) qddot: Vec<f64>,
    pub(in crate::dynamics) multipliers: Vec<f64>,
    pub(in crate::dynamics) reactions: ReactionSlopes,
    pub(in crate::dynamics) tangent: Tangent,
    /// Whether the linearisation at hand is one of forces rather than of accelerations.
    pub(in crate::dynamics) in_forces: bool,
    pub(in crate::dynamics) columns: Option<Columns>,
    /// Whether columns are the cheaper form, once that is known.
    pub(in crate::dynamics) by_columns: Option<bool>,
    /// Condition of Phi_u where it was factored last.
    pub(in crate::dynamics) condition: f64,
    /// Changes of the independent coordinates so far.
    pub repartitions: usize,
}

/// How the integration Jacobian is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Linearising {
    /// Exact derivatives, whichever of the two forms takes less work.
    #[default]
    Exact,
    /// Exact, from the reduced equations [Negrut 1998, section 3.2.1].
    Reduced,
    /// Exact, column by column through the factor of the acceleration problem [Negrut 1998, appendix A]; where mass
    /// couples bodies, from the reduced equations all the same, since that factor knows single bodies alone.
    Columns,
    /// Differences of accelerations.
    Differences,
}

/// The accepted state at which the chart is based and from which others are predicted.
#[derive(Clone, Debug)]
pub(in crate::dynamics) struct Base {
    pub t: f64,
    pub x: Vec<f64>,
    pub xdot: Vec<f64>,
    pub xddot: Vec<f64>,
    /// Phi_x and the factors of Phi_u there.
    pub values: Vec<f64>,
    pub lu: StaticLu,
    /// How all coordinates move with those of the plane, if there is one.
    pub motions: Vec<f64>,
    /// Coordinates of the form there, and their rates.
    pub asked: Vec<f64>,
    /// Size of corrections that count as none.
    pub still: f64,
}

/// Positions and velocities of an iterate of a stage.
#[derive(Clone, Debug)]
pub(in crate::dynamics) struct StageIterate {
    pub t: f64,
    pub x: Vec<f64>,
    pub xdot: Vec<f64>,
    /// Factors of Phi_u there.
    pub lu: StaticLu,
    /// Whether there is one in the chart at hand.
    pub known: bool,
}

/// The end of the step last accepted, in the chart of that step.
#[derive(Clone, Debug, Default)]
pub(in crate::dynamics) struct StepEnd {
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
    pub(in crate::dynamics) fn with_partition(
        mechanism: Dynamics<'a>,
        jacobian: CoordinateJacobian,
        partition: Partition,
        state: &State,
    ) -> Self {
        let system = mechanism.system;
        let (n, m) = (system.velocities(), jacobian.rows.len());
        let room = || vec![0.0; n];
        let values = vec![0.0; jacobian.len];
        let asked = vec![0.0; 2 * partition.independent.len()];
        let base = Base {
            t: state.t,
            x: room(),
            xdot: room(),
            xddot: room(),
            values: values.clone(),
            lu: partition.lu.clone(),
            motions: Vec::new(),
            asked: asked.clone(),
            still: 0.0,
        };
        let mut reduced = Self {
            tangent: Tangent::new(system, &jacobian, &partition),
            plane: None,
            columns: None,
            by_columns: None,
            derivatives: system.derivatives(),
            slopes: Slopes::new(system),
            multipliers: vec![0.0; system.constraints()],
            reactions: ReactionSlopes::default(),
            in_forces: true,
            condition: partition.condition,
            linearising: Linearising::Exact,
            yardstick: None,
            chart: Chart::new(system),
            turning: {
                let all = Turning::new(system);
                [all.clone(), all.among(&partition.independent)]
            },
            stages: std::array::from_fn(|_| StageIterate {
                t: 0.0,
                x: room(),
                xdot: room(),
                lu: partition.lu.clone(),
                known: false,
            }),
            end: StepEnd { x: room(), xdot: room(), xddot: room(), acc: room(), ..StepEnd::default() },
            end_asked: asked.clone(),
            asked,
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
            pair: vec![[0.0; 2]; m],
            force: room(),
            change: room(),
            rate_change: room(),
            own: vec![0.0; partition.independent.len()],
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

    /// Coordinates and their rates at the instant at hand, one after the other.
    pub fn independent(&self, y: &mut [f64]) {
        let (v, vdot) = y.split_at_mut(self.partition.independent.len());
        self.read(&self.x, v);
        self.read(&self.xdot, vdot);
    }

    /// What the coordinates of the form are for coordinates x of the chart, or their rates or accelerations for those.
    pub(in crate::dynamics) fn read(&self, x: &[f64], z: &mut [f64]) {
        match &self.plane {
            Some(plane) => plane.read(x, z),
            None => z.iter_mut().zip(&self.partition.independent).for_each(|(z, &c)| *z = x[c]),
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
        if self.end.known && self.end.t == t && self.end_asked == y {
            self.return_to_end();
            return Ok(());
        }
        if self.is_base(t, v, vdot) {
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
        self.end_asked.copy_from_slice(y);
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

    /// Accelerations at independent values, unless they are at hand.
    pub(in crate::dynamics) fn solve_at(&mut self, t: f64, v: &[f64], vdot: &[f64]) -> Result<(), Trouble> {
        if !self.is_at(t, v, vdot) {
            if self.is_base(t, v, vdot) {
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
    pub(in crate::dynamics) fn factor_here(&mut self) -> Result<(), Trouble> {
        self.chart.jacobian(self.mechanism.system, &self.mechanism.work, &mut self.values);
        self.condition = self.partition.factor(&self.values).ok_or(Trouble::Partition)?;
        self.follow()
    }

    /// Makes the motions of the plane, if there is one, those of the factors at hand.
    pub(in crate::dynamics) fn follow(&mut self) -> Result<(), Trouble> {
        let Self { plane, jacobian, partition, values, .. } = self;
        let followed = plane.as_mut().is_none_or(|plane| plane.follow(jacobian, partition, values).is_some());
        if followed { Ok(()) } else { Err(Trouble::Partition) }
    }
}
