//! The equations about a state as a linear system: x' = A x + B u, y = C x + D u.

use crate::accel::{Problem, Solver};
use crate::dynamics::analyses::held::{not_linear, without_reactions};
use crate::dynamics::analyses::pencil::Linearised;
use crate::dynamics::analyses::steady::{Axes, SteadyMotion, steady_motion};
use crate::dynamics::forms::reduced::Reduced;
use crate::dynamics::instant::{Dynamics, Trouble};
use crate::dynamics::stepping::Matrices;
use crate::integrate::SecondOrder;
use crate::results::Channels;
use crate::system::{State, System};
use nalgebra::{DMatrix, DVector};

/// A mechanism about a state as a linear system, x' = A x + B u and y = C x + D u in changes of states, inputs and
/// outputs. Controllers that work at samples hold what they gave last.
#[derive(Clone, Debug, PartialEq)]
pub struct Linear {
    /// Names of the states: independent coordinates such as `rod.angle`, then their rates, with states of the model among these.
    pub states: Vec<String>,
    /// Names of the inputs.
    pub inputs: Vec<String>,
    /// Names of the outputs.
    pub outputs: Vec<String>,
    /// States on rates of states; exact.
    pub a: DMatrix<f64>,
    /// Inputs on rates of states; exact.
    pub b: DMatrix<f64>,
    /// States on outputs; differences of the fourth order.
    pub c: DMatrix<f64>,
    /// Inputs on outputs; differences of the fourth order.
    pub d: DMatrix<f64>,
    /// The axes in which changes of the states are seen, in which A is constant. `None` where there are none: then
    /// changes are those of the coordinates at the instant, and A holds there alone.
    pub axes: Option<Axes>,
}

/// Steps of differences of outputs, in metres, radians, and parts of inputs.
const STEP: f64 = 1e-3;
/// Places and weights of differences of the fourth order.
const PLACES: [(f64, f64); 4] = [(1.0, 8.0), (-1.0, -8.0), (2.0, -1.0), (-2.0, 1.0)];

/// Linearises at a consistent state: some inputs of the model, by number, and some channels. Positions are those of the
/// chart at the state: translations of the centre of mass, turns about the axes of the body. About a steady motion they
/// are seen in the axes in which A is constant; outputs are as they are, so C and D hold for outputs that such axes do not
/// turn.
pub fn linearise(
    system: &System,
    problem: &Problem,
    state: &State,
    inputs: &[usize],
    (channels, outputs): (&Channels, &[usize]),
) -> Result<Linear, Trouble> {
    if let Some(trouble) = not_linear(system, state) {
        return Err(trouble);
    }
    if let Some(trouble) = without_reactions(system, problem, state, Matrices::Dense) {
        return Err(trouble);
    }
    let mut reduced = Reduced::new(Dynamics::of(system, problem, Solver::Elimination), state)?;
    reduced.solve()?;
    let n = reduced.dim();
    let motion = steady_motion(system, problem, state)?;
    // A of the chart, and how rates of the chart follow from those seen in the axes of the motion
    let mut linearised = Linearised::new(&mut reduced)?;
    let still = SteadyMotion::rest(system);
    let transport = linearised.seen_in(motion.as_ref().unwrap_or(&still), &reduced);
    let (a, mut y) = (state_matrix(&linearised)?, vec![0.0; 2 * n]);
    reduced.independent(&mut y);
    let b = input_matrix(&mut reduced, inputs)?;
    let mut outlook = Outlook { system, channels, outputs, values: vec![0.0; channels.len()] };
    let mut c = DMatrix::zeros(outputs.len(), 2 * n);
    for k in 0..2 * n {
        let mut moved = state.clone();
        for (place, weight) in PLACES {
            let mut there = y.clone();
            there[k] += place * STEP;
            reduced.recover_at(state.t, &there)?;
            reduced.write_state(&mut moved);
            let seen = outlook.at(&mut reduced.mechanism, &moved)?;
            c.column_mut(k).axpy(weight / (12.0 * STEP), &seen, 1.0);
        }
    }
    if let Some(transport) = transport {
        let by_rate = c.columns(n, n) * transport;
        let mut by_place = c.columns_mut(0, n);
        by_place += by_rate;
    }
    let mut d = DMatrix::zeros(outputs.len(), inputs.len());
    for (k, &input) in inputs.iter().enumerate() {
        let step = STEP * state.inputs[input].abs().max(1.0);
        for (place, weight) in PLACES {
            let mut moved = state.clone();
            moved.inputs[input] += place * step;
            let seen = outlook.at(&mut reduced.mechanism, &moved)?;
            d.column_mut(k).axpy(weight / (12.0 * step), &seen, 1.0);
        }
    }
    let names = |list: &[usize]| list.iter().map(|&k| system.inputs[k].clone()).collect();
    let outputs = outputs.iter().map(|&k| channels.list()[k].name.clone()).collect();
    let mut linear = Linear {
        states: state_names(&reduced),
        inputs: names(inputs),
        outputs,
        a,
        b,
        c,
        d,
        axes: motion.map(|motion| motion.axes),
    };
    // nothing depends on the integrals of states
    let integrals: Vec<usize> =
        (0..n).filter(|&k| system.is_state_velocity(reduced.partition.independent[k])).collect();
    if !integrals.is_empty() {
        let mut k = 0;
        linear.states.retain(|_| {
            k += 1;
            !integrals.contains(&(k - 1))
        });
        linear.a = linear.a.remove_rows_at(&integrals).remove_columns_at(&integrals);
        linear.b = linear.b.remove_rows_at(&integrals);
        linear.c = linear.c.remove_columns_at(&integrals);
    }
    Ok(linear)
}

/// What is seen at a state.
struct Outlook<'a> {
    system: &'a System,
    channels: &'a Channels,
    outputs: &'a [usize],
    values: Vec<f64>,
}

impl Outlook<'_> {
    fn at(&mut self, mechanism: &mut Dynamics, state: &State) -> Result<DVector<f64>, Trouble> {
        self.system.set_state(&mut mechanism.work, state);
        mechanism.accelerate(state.t, &state.q, &state.v)?;
        self.channels.fill(self.system, &mechanism.work, &mechanism.result, &mut self.values);
        let seen = self.outputs.iter().map(|&k| self.values[k]);
        Ok(DVector::from_iterator(self.outputs.len(), seen))
    }
}

/// A = [0, I; -Mhat^-1 M2, -Mhat^-1 M1].
fn state_matrix(linearised: &Linearised) -> Result<DMatrix<f64>, Trouble> {
    let n = linearised.mass.nrows();
    let mass = linearised.mass.clone().lu();
    let mut a = DMatrix::zeros(2 * n, 2 * n);
    a.view_mut((0, n), (n, n)).fill_with_identity();
    for (first, matrix) in [(0, &linearised.stiffness), (n, &linearised.damping)] {
        let block = mass.solve(matrix).ok_or(Trouble::Partition)?;
        a.view_mut((n, first), (n, n)).copy_from(&-block);
    }
    Ok(a)
}

/// Accelerations by inputs: the acceleration problem with dQ/du as the forces and nothing else. Where forces go with
/// reactions, these change by (1 - R_r)^-1 R_u, and their forces too.
fn input_matrix(reduced: &mut Reduced, inputs: &[usize]) -> Result<DMatrix<f64>, Trouble> {
    let n = reduced.dim();
    let mut b = DMatrix::zeros(2 * n, inputs.len());
    let Dynamics { system, work, accelerator, result, .. } = &mut reduced.mechanism;
    let readings = if system.forces_read { system.readings.len() } else { 0 };
    system.evaluate_constraints(work);
    let mut by_lam = vec![vec![0.0; system.layout.rows]; readings];
    let mut by_x = vec![0.0; system.velocities()];
    for (own, by_lam) in system.readings.iter().zip(&mut by_lam) {
        system.reading_slopes(own, work, &result.lam, by_lam, &mut by_x);
    }
    // neither constraints nor inertances owe anything to the motion at hand
    work.gamma.fill(0.0);
    work.rates.iter_mut().for_each(|rate| rate.curvature = 0.0);
    let mut force = vec![0.0; work.force.len()];
    let independent = reduced.partition.independent.clone();
    let mut answer = |input: usize| -> Result<(DVector<f64>, DVector<f64>), Trouble> {
        system.force_by_input(input, work, &mut force);
        work.force.copy_from_slice(&force);
        accelerator.solve(system, work, result)?;
        let read = |by: &Vec<f64>| by.iter().zip(&result.lam).map(|(r, lam)| r * lam).sum::<f64>();
        let readings = DVector::from_iterator(readings, by_lam.iter().map(read));
        Ok((DVector::from_iterator(n, independent.iter().map(|&c| result.acc[c])), readings))
    };
    let (mut moved, mut read) = (DMatrix::zeros(n, readings), DMatrix::identity(readings, readings));
    for k in 0..readings {
        let (acc, change) = answer(system.first_reading() + k)?;
        moved.set_column(k, &acc);
        read.column_mut(k).axpy(-1.0, &change, 1.0);
    }
    let read = read.lu();
    for (k, &input) in inputs.iter().enumerate() {
        let (acc, change) = answer(input)?;
        if readings == 0 {
            b.view_mut((n, k), (n, 1)).copy_from(&acc);
            continue;
        }
        let change = read.solve(&change).ok_or(Trouble::Partition)?;
        b.view_mut((n, k), (n, 1)).copy_from(&(acc + &moved * change));
    }
    Ok(b)
}

fn state_names(reduced: &Reduced) -> Vec<String> {
    let system = reduced.mechanism.system;
    let planar = system.dimensions() == 2;
    let names: &[&str] = if planar { &["x", "y", "angle"] } else { &["x", "y", "z", "rx", "ry", "rz"] };
    let name = |&c: &usize| {
        let (body, place) = system.nodes.of_velocity(c);
        format!("{}.{}", system.body_names[body], names[place])
    };
    let positions: Vec<String> = reduced.partition.independent.iter().map(name).collect();
    // a state is the rate of its node
    let rate =
        |(name, &c): (&String, &usize)| match system.nodes.of_velocity(c).0.checked_sub(system.masses()) {
            Some(k) => system.states[k].name.clone(),
            None => format!("{name}_rate"),
        };
    let rates: Vec<String> = positions.iter().zip(&reduced.partition.independent).map(rate).collect();
    positions.into_iter().chain(rates).collect()
}
