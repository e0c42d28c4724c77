//! Reactions that forces depend on, found together with the multipliers that they make.
//!
//! Where friction alone depends on them, Newton's method for x = R(x), where R are the reactions that the forces at x make:
//! multipliers are linear in forces, so one more solution for each reaction tells the slopes. It starts at zero, so that
//! nothing depends on what was before. Forces that are other functions of reactions need more care: [`feedback`].

mod feedback;

use super::{Dynamics, Trouble};
use crate::accel::{Accelerations, Accelerator};
use crate::element::reading::{Reading, ReadingPart};
use crate::linalg::DenseLu;
use crate::system::{System, Work};
use feedback::Feedback;
use nalgebra::DMatrix;

/// Iterations for reactions, and what is left of them at the end: where they get no better, and at most.
const MOST: usize = 60;
const CLOSE: f64 = 1e-13;
const ENOUGH: f64 = 1e-9;

/// Whoever finds multipliers for forces.
pub(in crate::dynamics) trait Answering {
    /// The equations and the instant, whose inputs are the reactions at hand.
    fn instant(&mut self) -> (&System, &mut Work);
    /// Evaluates forces and finds the multipliers that they make.
    fn answer(&mut self) -> Result<(), Trouble>;
    /// The multipliers found last.
    fn multipliers(&self) -> &[f64];
    /// What a force alone makes of multipliers; leaves the instant to be evaluated again.
    fn answer_to(&mut self, push: &[f64], lam: &mut [f64]) -> Result<(), Trouble>;
}

/// Room for reactions that forces depend on.
#[derive(Clone, Debug, Default)]
pub(in crate::dynamics) struct ReadingRoom {
    x: Vec<f64>,
    left: Vec<f64>,
    /// Multipliers at the reactions at hand, a force, and what it makes of multipliers for each reaction.
    lam: Vec<f64>,
    push: Vec<f64>,
    slopes: Vec<f64>,
    /// Which reactions forces depend on.
    moves: Vec<bool>,
    matrix: Vec<f64>,
    exchange: Vec<usize>,
    feedback: Feedback,
}

impl ReadingRoom {
    /// For a system.
    pub fn new(system: &System) -> Self {
        let count = system.readings.len();
        let rows = if count == 0 { 0 } else { system.layout.rows };
        ReadingRoom {
            x: vec![0.0; count],
            left: vec![0.0; count],
            lam: vec![0.0; rows],
            push: vec![0.0; if count == 0 { 0 } else { system.velocities() }],
            slopes: vec![0.0; rows * count],
            moves: vec![false; count],
            matrix: vec![0.0; count * count],
            exchange: vec![0; count],
            feedback: Feedback::new(system),
        }
    }

    /// Finds reactions that agree with the forces that they make, and leaves these evaluated.
    pub fn agree(&mut self, of: &mut impl Answering) -> Result<(), Trouble> {
        if of.instant().0.reads_bend {
            return self.feedback.agree(of);
        }
        self.x.fill(0.0);
        let mut last = f64::INFINITY;
        for round in 0..MOST {
            let (system, work) = of.instant();
            work.inputs[system.first_reading()..].copy_from_slice(&self.x);
            of.answer()?;
            let (most, size) = self.compare(of);
            if most <= CLOSE * size || round > 2 && most >= 0.5 * last && most <= ENOUGH * size {
                return Ok(());
            }
            if !most.is_finite() {
                break;
            }
            let system = of.instant().0;
            if system.forces_read && round == 0 {
                self.differentiate(of)?;
            }
            if !self.moves.contains(&true) {
                // nothing depends on them
                self.x.iter_mut().zip(&self.left).for_each(|(x, left)| *x += left);
                let (system, work) = of.instant();
                work.inputs[system.first_reading()..].copy_from_slice(&self.x);
                return Ok(());
            }
            if !self.step(of) {
                break;
            }
            last = most;
        }
        let (system, _) = of.instant();
        let joint = system.readings.first().map_or("", |own| &system.layout.groups[own.group].name);
        let why = "no consistent reaction exists (friction jamming)";
        Err(Trouble::Held { joint: joint.into(), why: why.into() })
    }

    /// What reactions lack; the most of it, and their size.
    fn compare(&mut self, of: &mut impl Answering) -> (f64, f64) {
        self.lam.copy_from_slice(of.multipliers());
        let (system, work) = of.instant();
        let (mut most, mut size) = (0.0_f64, 0.0_f64);
        for (own, (x, left)) in system.readings.iter().zip(self.x.iter().zip(&mut self.left)) {
            let found = system.reading(own, work, &self.lam);
            *left = found - x;
            size = size.max(found.abs()).max(x.abs());
            most = if left.abs() <= most { most } else { left.abs() };
        }
        (most, size)
    }

    /// What multipliers do per unit of each reaction.
    fn differentiate(&mut self, of: &mut impl Answering) -> Result<(), Trouble> {
        let rows = self.lam.len();
        for k in 0..self.x.len() {
            let (system, work) = of.instant();
            system.force_by_input(system.first_reading() + k, work, &mut self.push);
            self.moves[k] = self.push.iter().any(|x| *x != 0.0);
            if self.moves[k] {
                of.answer_to(&self.push, &mut self.slopes[k * rows..(k + 1) * rows])?;
            }
        }
        Ok(())
    }

    /// A step of Newton's method; whether there is one.
    fn step(&mut self, of: &mut impl Answering) -> bool {
        let (count, rows) = (self.x.len(), self.lam.len());
        let (system, work) = of.instant();
        self.matrix.fill(0.0);
        for (j, own) in system.readings.iter().enumerate() {
            self.matrix[j * (count + 1)] = 1.0;
            for k in (0..count).filter(|&k| self.moves[k]) {
                let slope = &self.slopes[k * rows..(k + 1) * rows];
                self.matrix[j + k * count] -= change(system, own, work, &self.lam, slope);
            }
        }
        let lu = DenseLu::new(count);
        if lu.factor(&mut self.matrix, &mut self.exchange, 0.0).is_err() {
            return false;
        }
        lu.solve(&self.matrix, &self.exchange, &mut self.left);
        for (own, (x, left)) in system.readings.iter().zip(self.x.iter_mut().zip(&self.left)) {
            *x = if own.part.is_size() { (*x + left).max(0.0) } else { *x + left };
        }
        true
    }
}

/// How a reading at multipliers changes with a change of them.
fn change(system: &System, own: &Reading, work: &Work, at: &[f64], by: &[f64]) -> f64 {
    if own.part == ReadingPart::Drive {
        return system.reading(own, work, by);
    }
    let [here, by] = [at, by].map(|lam| system.reaction(own.group, work, lam));
    system.reading_change(own.part, work, &here, &by)
}

/// Multipliers with the accelerations that forces make.
struct Accelerating<'a> {
    system: &'a System,
    work: &'a mut Work,
    accelerator: &'a mut Accelerator,
    result: &'a mut Accelerations,
}

impl Answering for Accelerating<'_> {
    fn instant(&mut self) -> (&System, &mut Work) {
        (self.system, self.work)
    }

    fn answer(&mut self) -> Result<(), Trouble> {
        Ok(self.accelerator.evaluate(self.system, self.work, self.result)?)
    }

    fn multipliers(&self) -> &[f64] {
        &self.result.lam
    }

    fn answer_to(&mut self, push: &[f64], lam: &mut [f64]) -> Result<(), Trouble> {
        let Accelerating { system, work, accelerator, result } = self;
        // what velocities make without any force, which some solvers know by themselves
        work.gamma.fill(0.0);
        work.force.fill(0.0);
        accelerator.solve(system, work, result)?;
        lam.copy_from_slice(&result.lam);
        work.force.copy_from_slice(push);
        accelerator.solve(system, work, result)?;
        lam.iter_mut().zip(&result.lam).for_each(|(lam, with)| *lam = with - *lam);
        Ok(())
    }
}

impl Dynamics<'_> {
    /// Accelerations and multipliers where the instant is set; of forces that go with reactions too.
    pub(in crate::dynamics) fn evaluate(&mut self) -> Result<(), Trouble> {
        self.solves += 1;
        let Dynamics { system, work, accelerator, result, .. } = self;
        if system.readings.is_empty() {
            accelerator.evaluate(system, work, result)?;
            return Ok(());
        }
        self.readings.agree(&mut Accelerating { system, work, accelerator, result })
    }
}

/// What is wrong with sparse matrices where forces go with reactions: they couple what no joint does.
pub(in crate::dynamics) fn not_sparse(system: &System, sparse: bool) -> Option<Trouble> {
    let own = system.readings.first().filter(|_| sparse && system.forces_read)?;
    let joint = system.layout.groups[own.group].name.clone();
    let why = "forces that depend on its reaction need dense matrices: omit `matrices`, or set it to `dense`";
    Some(Trouble::Held { joint, why: why.into() })
}

/// The first joint or driver that something reads a reaction of which is not unique: redundant equations share it in any way.
pub(in crate::dynamics) fn not_unique(mechanism: &mut Dynamics) -> Option<Trouble> {
    let system = mechanism.system;
    if system.readings.is_empty() || !mechanism.redundant.iter().any(|redundant| *redundant) {
        return None;
    }
    system.evaluate_constraints(&mut mechanism.work);
    let rows = jacobian(mechanism);
    let eigen = (&rows * rows.transpose()).symmetric_eigen();
    let largest = eigen.eigenvalues.amax();
    for (k, value) in eigen.eigenvalues.iter().enumerate() {
        if *value > 1e-18_f64.max(1e-11 * largest) {
            continue;
        }
        let lam: Vec<f64> = eigen.eigenvectors.column(k).iter().copied().collect();
        let shared = |own: &&Reading| {
            let reaction = system.reaction(own.group, &mechanism.work, &lam);
            if own.part == ReadingPart::Drive {
                return system.reading(own, &mechanism.work, &lam).abs() > 1e-7;
            }
            let part = if own.part.is_torque() { reaction.torque } else { reaction.force };
            part.iter().any(|x| x.abs() > 1e-7)
        };
        if let Some(own) = system.readings.iter().find(shared) {
            return Some(Trouble::Held {
                joint: system.layout.groups[own.group].name.clone(),
                why: NOT_UNIQUE.into(),
            });
        }
    }
    None
}

const NOT_UNIQUE: &str = "its reaction is not unique because of redundant constraint equations, but friction or a function \
     depends on it; use joints with fewer equations (spherical instead of revolute), a planar model, or \
     friction with `reaction = false` and a `preload`";

/// Phi_v of all equations.
fn jacobian(mechanism: &Dynamics) -> DMatrix<f64> {
    let system: &System = mechanism.system;
    let mut all = DMatrix::zeros(system.layout.rows, system.velocities());
    for group in &system.layout.groups {
        for block in &system.layout.blocks[group.blocks.clone()] {
            let v = system.nodes.v(block.body);
            for r in 0..block.rows {
                for (column, x) in v.clone().zip(&mechanism.work.phi_v[block.row(r)]) {
                    all[(group.rows.start + r, column)] = *x;
                }
            }
        }
    }
    all
}
