//! Closing the joints of a mechanism: positions by Newton's method with damping, velocities by one linear problem.

use super::misfits::{inconsistent, misfits, not_finite, rate_misfits};
use super::{AssemblyFailure, Misfit, largest, square};
use crate::analysis::projector::Projector;
use crate::system::{State, System, Work};

/// Residual below which constraints count as satisfied, per metre of model size.
const CLOSED: f64 = 1e-13;
/// Most iterations.
const ITERATIONS: usize = 200;

/// Levenberg-Marquardt on Phi(q) = 0 with least weighted correction; the damping vanishes with the square of
/// the residual, so convergence is quadratic, redundant constraints included [Yamashita and Fukushima 2001].
/// The equations of group `without` are left out.
pub(in crate::analysis) fn close(
    system: &System,
    projector: &mut Projector,
    work: &mut Work,
    state: &mut State,
    scale: f64,
    without: Option<usize>,
) -> Result<usize, AssemblyFailure> {
    let goal = CLOSED * (1.0 + scale);
    let evaluate = |work: &mut Work, state: &State| {
        system.set_state(work, state);
        system.evaluate_constraints(work);
        if let Some(group) = without {
            blank(system, work, group);
        }
    };
    evaluate(work, state);
    let (mut raise, mut stalled) = (1.0, 0);
    let mut step = vec![0.0; system.velocities()];
    let mut trial = state.clone();
    for iteration in 0..ITERATIONS {
        let (size, worst) = (square(&work.phi), largest(&work.phi));
        if !size.is_finite() {
            return Err(not_finite(system, work));
        }
        if worst <= goal {
            return Ok(iteration);
        }
        // least-squares point with a residual left: nothing nearby satisfies all
        if stationary(system, work, projector, worst, goal) {
            return Err(inconsistent(system, work));
        }
        let mu = raise * size.min(1.0) * 1e-2;
        if projector.factor(work, mu).is_none() {
            return Err(not_finite(system, work));
        }
        projector.solve(work, &work.phi.clone(), &mut step);
        let shorten = step_limit(system, &step, scale);
        step.iter_mut().for_each(|x| *x *= -shorten);
        trial.q.copy_from_slice(&state.q);
        system.displace(&mut trial.q, &step);
        evaluate(work, &trial);
        let better = square(&work.phi);
        if better < size {
            std::mem::swap(&mut state.q, &mut trial.q);
            raise = (raise * 0.2_f64).max(1e-12);
            stalled = if better > 0.5 * size { stalled + 1 } else { 0 };
        } else {
            evaluate(work, state);
            // at round-off no step helps any more
            if worst <= 100.0 * goal {
                return Ok(iteration);
            }
            raise *= 10.0;
            stalled += 1;
        }
        if stalled > 60 {
            break;
        }
    }
    if settled(system, work, projector) {
        return Err(inconsistent(system, work));
    }
    Err(AssemblyFailure::NoConvergence { misfits: misfits(system, &work.phi), iterations: ITERATIONS })
}

/// Takes a group out of the evaluated equations.
fn blank(system: &System, work: &mut Work, group: usize) {
    let group = &system.layout.groups[group];
    work.phi[group.rows.clone()].fill(0.0);
    for block in &system.layout.blocks[group.blocks.clone()] {
        work.phi_v[block.numbers()].fill(0.0);
    }
}

/// What the last of the contradicting joints misses by when all others are closed.
pub(super) fn gap(
    system: &System,
    projector: &mut Projector,
    work: &mut Work,
    misfits: &[Misfit],
    scale: f64,
) -> Option<Misfit> {
    let last = misfits.iter().max_by(|a, b| a.subject.cmp(&b.subject))?;
    let group = system.layout.groups.iter().position(|g| g.subject == last.subject)?;
    let mut state = system.given.clone();
    close(system, projector, work, &mut state, scale, Some(group)).ok()?;
    system.set_state(work, &state);
    system.evaluate_constraints(work);
    self::misfits(system, &work.phi).into_iter().find(|m| m.subject == last.subject)
}

/// Whether the gradient Phi_v^T Phi vanishes although Phi does not.
fn stationary(system: &System, work: &Work, projector: &Projector, worst: f64, goal: f64) -> bool {
    worst > 1e4 * goal && gradient_ratio(system, work, projector) < 1e-7
}

fn settled(system: &System, work: &Work, projector: &Projector) -> bool {
    gradient_ratio(system, work, projector) < 1e-2
}

/// |Phi_v^T Phi| over |Phi_v| |Phi|, in the weighted norm.
fn gradient_ratio(system: &System, work: &Work, projector: &Projector) -> f64 {
    let mut gradient = vec![0.0; system.velocities()];
    system.transpose_times(work, &work.phi, &mut gradient);
    let weigh = |k: usize| projector.inverse_weights()[k];
    let left: f64 = gradient.iter().enumerate().map(|(k, g)| g * g * weigh(k)).sum();
    let mut norm = 0.0_f64;
    for block in &system.layout.blocks {
        for (k, x) in work.phi_v[block.numbers()].iter().enumerate() {
            norm = norm.max(x * x * weigh(block.v + k % block.nv));
        }
    }
    (left / (norm * square(&work.phi)).max(f64::MIN_POSITIVE)).sqrt()
}

/// Shortens steps that turn a body by more than half a radian or move it by more than ten lengths.
fn step_limit(system: &System, step: &[f64], scale: f64) -> f64 {
    let worst = system.nodes.split_v(step).fold(0.0_f64, |m, (moves, turns)| {
        m.max(square(moves).sqrt() / (10.0 * scale)).max(square(turns).sqrt() / 0.5)
    });
    if worst > 1.0 { 1.0 / worst } else { 1.0 }
}

pub(super) fn close_velocities(
    system: &System,
    projector: &mut Projector,
    work: &mut Work,
    state: &mut State,
) -> Result<f64, AssemblyFailure> {
    system.set_state(work, state);
    system.evaluate_constraints(work);
    if projector.factor(work, 0.0).is_none() {
        return Err(not_finite(system, work));
    }
    let rows = system.joint_equations();
    let (mut residual, mut step) = (vec![0.0; rows], vec![0.0; system.velocities()]);
    let miss = |state: &State, work: &Work, residual: &mut [f64]| {
        system.jacobian_times(work, &state.v, residual);
        residual.iter_mut().zip(&work.nu).for_each(|(r, nu)| *r = nu - *r);
    };
    // the problem is linear; further rounds only remove round-off
    for _ in 0..4 {
        miss(state, work, &mut residual);
        projector.solve(work, &residual, &mut step);
        state.v.iter_mut().zip(&step).for_each(|(v, s)| *v += s);
    }
    miss(state, work, &mut residual);
    let speed = largest(&state.v).max(largest(&work.nu)).max(1.0);
    if largest(&residual).is_nan() {
        return Err(not_finite(system, work));
    }
    if largest(&residual) > 1e-8 * speed {
        return Err(AssemblyFailure::InconsistentVelocities { misfits: rate_misfits(system, &residual) });
    }
    Ok(largest(&residual))
}
