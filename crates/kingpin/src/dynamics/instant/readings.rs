//! Reactions that forces depend on, found together with the accelerations that they make.

use super::{Dynamics, Trouble};
use crate::accel::Accelerations;
use crate::element::reading::{Reading, ReadingPart};
use crate::system::System;
use nalgebra::{DMatrix, DVector};

/// Iterations for reactions, and what is left of them at the end: where they get no better, and at most.
const MOST: usize = 60;
const CLOSE: f64 = 1e-13;
const ENOUGH: f64 = 1e-9;

impl Dynamics<'_> {
    /// Accelerations and multipliers where the instant is set; of forces that go with reactions too.
    pub(in crate::dynamics) fn evaluate(&mut self) -> Result<(), Trouble> {
        self.solves += 1;
        if !self.system.readings.is_empty() {
            return self.evaluate_with_readings();
        }
        self.accelerator.evaluate(self.system, &mut self.work, &mut self.result)?;
        Ok(())
    }

    /// Newton's method for the reactions x = R(x), where R are those that the forces at x make: multipliers are linear in
    /// forces, so one more solution for each tells the slopes. From zero, so that nothing depends on what was before.
    fn evaluate_with_readings(&mut self) -> Result<(), Trouble> {
        let system = self.system;
        let (first, count) = (system.first_reading(), system.readings.len());
        let mut x = DVector::<f64>::zeros(count);
        let (mut slopes, mut last) = (Vec::new(), f64::INFINITY);
        for round in 0..MOST {
            self.work.inputs[first..].copy_from_slice(x.as_slice());
            self.accelerator.evaluate(system, &mut self.work, &mut self.result)?;
            let found = DVector::from_iterator(count, system.readings.iter().map(|own| self.read(own)));
            let left = &found - &x;
            let (most, size) = (left.amax(), found.amax().max(x.amax()));
            if most <= CLOSE * size || round > 2 && most >= 0.5 * last && most <= ENOUGH * size {
                return Ok(());
            }
            if !most.is_finite() {
                break;
            }
            let result = self.result.clone();
            if round == 0 || system.reads_bend {
                slopes = self.reading_slopes()?;
            }
            if slopes.iter().all(Option::is_none) {
                // nothing depends on them
                self.work.inputs[first..].copy_from_slice(found.as_slice());
                return Ok(());
            }
            let Some(step) = self.reading_step(&slopes, &result, &left) else { break };
            x += step;
            for (x, own) in x.iter_mut().zip(&system.readings) {
                *x = if own.part.is_size() { x.max(0.0) } else { *x };
            }
            last = most;
        }
        let joint = system.readings.first().map_or("", |own| &system.layout.groups[own.group].name);
        let why = "no reaction agrees with the forces that it makes: it jams";
        Err(Trouble::Held { joint: joint.into(), why: why.into() })
    }

    /// What multipliers do per unit of each reading; `None` where nothing depends on it.
    fn reading_slopes(&mut self) -> Result<Vec<Option<Accelerations>>, Trouble> {
        let Dynamics { system, work, accelerator, result, .. } = self;
        let kept = result.clone();
        if !system.forces_read {
            return Ok(vec![None; system.readings.len()]);
        }
        let mut push = vec![0.0; work.force.len()];
        // what velocities make without any force, which some solvers know by themselves
        work.gamma.fill(0.0);
        work.force.fill(0.0);
        accelerator.solve(system, work, result)?;
        let none = result.clone();
        let mut all = Vec::with_capacity(system.readings.len());
        for k in 0..system.readings.len() {
            system.force_by_input(system.first_reading() + k, work, &mut push);
            if push.iter().all(|x| *x == 0.0) {
                all.push(None);
                continue;
            }
            work.force.copy_from_slice(&push);
            accelerator.solve(system, work, result)?;
            result.lam.iter_mut().zip(&none.lam).for_each(|(x, none)| *x -= none);
            all.push(Some(result.clone()));
        }
        *result = kept;
        Ok(all)
    }

    /// A step of Newton's method.
    fn reading_step(
        &self,
        slopes: &[Option<Accelerations>],
        result: &Accelerations,
        left: &DVector<f64>,
    ) -> Option<DVector<f64>> {
        let mut matrix = DMatrix::<f64>::identity(left.len(), left.len());
        for (k, slope) in slopes.iter().enumerate() {
            let Some(slope) = slope else { continue };
            for (j, own) in self.system.readings.iter().enumerate() {
                matrix[(j, k)] -= self.reading_change(own, result, slope);
            }
        }
        matrix.lu().solve(left)
    }

    /// What a reading is at the instant.
    fn read(&self, own: &Reading) -> f64 {
        self.system.reading(own, &self.work, &self.result.lam)
    }

    /// How a reading changes with multipliers.
    fn reading_change(&self, own: &Reading, at: &Accelerations, slope: &Accelerations) -> f64 {
        let (system, work) = (self.system, &self.work);
        if !own.part.is_size() {
            return system.reading(own, work, &slope.lam);
        }
        let of = |lam: &[f64]| {
            let reaction = system.reaction(own.group, work, lam);
            if own.part == ReadingPart::ForceSize { reaction.force } else { reaction.torque }
        };
        let (here, change) = (of(&at.lam), of(&slope.lam));
        let length = super::holds::size(here);
        let along: f64 = here.iter().zip(change).map(|(a, b)| a * b).sum();
        if length > 0.0 { along / length } else { 0.0 }
    }
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

const NOT_UNIQUE: &str = "its reaction is not unique, because equations of joints are redundant, and friction or a function reads \
                          it; take joints that leave more free (a spherical one for a revolute one), a planar model, or for friction \
                          `reaction = false` and a `preload`";

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
