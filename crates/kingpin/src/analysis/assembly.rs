//! From approximate initial values to consistent ones.

use super::held::{What, contradiction, holding};
use super::projector::Projector;
use super::rank::{Diagnosis, diagnose};
use crate::model::finding::{Finding, Subject};
use crate::system::{State, System, Work};

/// How far the assembly had to move a body.
#[derive(Clone, Debug, PartialEq)]
pub struct Correction {
    /// The body.
    pub body: usize,
    /// Its name.
    pub name: String,
    /// What was corrected: `position`, `rotation`, `velocity`, `angular velocity`.
    pub what: &'static str,
    /// By how much.
    pub amount: f64,
    /// Its unit.
    pub unit: &'static str,
}

/// An assembled mechanism.
#[derive(Clone, Debug)]
pub struct Assembly {
    /// A state that satisfies the constraints.
    pub state: State,
    /// Largest position residual: joints, drivers and normalisations.
    pub position_residual: f64,
    /// Largest velocity residual.
    pub velocity_residual: f64,
    /// Iterations it took.
    pub iterations: usize,
    /// Corrections above round-off, largest first within each kind.
    pub corrections: Vec<Correction>,
    /// Degrees of freedom and redundancies.
    pub diagnosis: Diagnosis,
}

/// A joint or driver that cannot be closed.
#[derive(Clone, Debug, PartialEq)]
pub struct Misfit {
    /// The joint or driver.
    pub subject: Subject,
    /// Its name.
    pub name: String,
    /// What remains between its points, in metres (or metres per second).
    pub length: f64,
    /// What remains between its directions or angles, in radians (or radians per second).
    pub angle: f64,
}

/// An initial joint coordinate, or its rate.
#[derive(Clone, Debug, PartialEq)]
pub struct GivenCoordinate {
    /// The joint.
    pub subject: Subject,
    /// The field of the joint.
    pub field: &'static str,
    /// What results call it, such as `crank_pin.angle`.
    pub name: String,
}

/// Why a mechanism could not be assembled.
#[derive(Clone, Debug, PartialEq)]
pub enum Failure {
    /// No configuration near the given one satisfies all constraints: these joints contradict each other.
    Inconsistent {
        /// The joints that cannot be closed together, worst first.
        misfits: Vec<Misfit>,
        /// What is missing in all, in metres: the sum over the joints.
        length: f64,
        /// The same for directions, in radians.
        angle: f64,
        /// The last described of the joints, with what it misses by when all others are closed; `None` if
        /// the others contradict each other without it.
        gap: Option<Misfit>,
    },
    /// The velocities that are prescribed contradict each other.
    InconsistentVelocities {
        /// The joints and drivers concerned, worst first.
        misfits: Vec<Misfit>,
    },
    /// Initial joint coordinates, or their rates, that cannot hold together; without any one of them the others
    /// can.
    Contradiction {
        /// They.
        given: Vec<GivenCoordinate>,
    },
    /// The iteration got lost; the given values are probably far from any solution.
    NoConvergence {
        /// The joints that are worst off.
        misfits: Vec<Misfit>,
        /// Iterations spent.
        iterations: usize,
    },
    /// An expression gave no finite number.
    NotFinite {
        /// The joint or driver concerned, if it is one.
        name: Option<String>,
        /// What is wrong with it, if that is known.
        finding: Option<Box<Finding>>,
    },
}

/// Residual below which constraints count as satisfied, per metre of model size.
const CLOSED: f64 = 1e-13;
/// Most iterations.
const ITERATIONS: usize = 200;

/// Makes the given state consistent and diagnoses it.
pub fn assemble(system: &System) -> Result<Assembly, Failure> {
    let mut state = system.given.clone();
    let scale = length_scale(system);
    let weights = inverse_weights(system, scale);
    let keep = |fixed: &[bool]| -> Vec<f64> {
        weights.iter().zip(fixed).map(|(w, f)| if *f { 0.0 } else { *w }).collect()
    };
    // given joint coordinates are kept by equations of their own
    let target = holding(system, What::Values);
    let (mut projector, mut work) = (Projector::new(&target, keep(&system.fixed)), target.work());
    let iterations = match close(&target, &mut projector, &mut work, &mut state, scale, None) {
        Ok(iterations) => iterations,
        Err(failure) => {
            let closes = |target: &System| {
                let (mut state, mut work) = (system.given.clone(), target.work());
                let mut projector = Projector::new(target, keep(&system.fixed));
                close(target, &mut projector, &mut work, &mut state, scale, None).is_ok()
            };
            if let Some(failure) = contradiction(system, What::Values, closes) {
                return Err(failure);
            }
            let Failure::Inconsistent { misfits, length, angle, .. } = failure else { return Err(failure) };
            let gap = gap(&target, &mut projector, &mut work, &misfits, scale);
            return Err(Failure::Inconsistent { misfits, length, angle, gap });
        }
    };
    target.set_state(&mut work, &state);
    target.count_turns(&mut work);
    state.turns.copy_from_slice(&work.turns);
    let velocity_weights = keep(&system.fixed_velocity);
    let velocity_residual = if system.held.is_empty() {
        projector.set_inverse_weights(velocity_weights);
        close_velocities(system, &mut projector, &mut work, &mut state)?
    } else {
        let residual = hold_velocities(system, &velocity_weights, &mut state)?;
        (projector, work) = (Projector::new(system, weights.clone()), system.work());
        residual
    };
    projector.set_inverse_weights(weights);
    system.set_state(&mut work, &state);
    system.settle_pieces(&mut work);
    state.pieces.copy_from_slice(&work.pieces);
    let diagnosis = diagnose(system, &mut projector, &mut work, &state, scale);
    system.set_state(&mut work, &state);
    system.evaluate_constraints(&mut work);
    Ok(Assembly {
        position_residual: largest(&work.phi).max(normalisation_residual(system, &state)),
        velocity_residual,
        iterations,
        corrections: corrections(system, &state, scale),
        diagnosis,
        state,
    })
}

/// Makes velocities consistent, given rates of joint coordinates kept.
fn hold_velocities(system: &System, weights: &[f64], state: &mut State) -> Result<f64, Failure> {
    let run = |target: &System, state: &mut State| {
        let (mut projector, mut work) = (Projector::new(target, weights.to_vec()), target.work());
        close_velocities(target, &mut projector, &mut work, state)
    };
    let before = state.clone();
    run(&holding(system, What::Rates), state).map_err(|failure| {
        let closes = |target: &System| run(target, &mut before.clone()).is_ok();
        contradiction(system, What::Rates, closes).unwrap_or(failure)
    })
}

/// Bodies that the assembly had to move far from where the model puts them: probably not what was meant.
pub fn far_moves(system: &System, assembly: &Assembly) -> Vec<Finding> {
    let (d, scale) = (system.dimensions(), length_scale(system));
    let far = |c: &Correction| {
        let given = &system.given.v[system.nodes.v(c.body)];
        let (limit, field) = match c.what {
            "position" => (0.3 * scale, "position"),
            "rotation" => (0.3, if d == 3 { "orientation" } else { "angle" }),
            // velocities left at zero are for the assembly to find
            "velocity" => (positive(0.5 * square(&given[..d]).sqrt()), "velocity"),
            _ => (positive(0.5 * square(&given[d..]).sqrt()), "angular_velocity"),
        };
        // where joints have placed a body, the rest is for the assembly to find
        (c.amount > limit && !system.placed[c.body]).then(|| {
            let message = format!(
                "the assembly had to change the {} of body `{}` by {:.3} {}",
                c.what, c.name, c.amount, c.unit
            );
            Finding::warning(Subject::Body(c.body), field, message)
                .hint("check the given values, or mark those that must stay as `fixed`")
        })
    };
    assembly.corrections.iter().filter_map(far).collect()
}

/// The number, or infinity if it is not positive.
fn positive(x: f64) -> f64 {
    if x > 0.0 { x } else { f64::INFINITY }
}

/// A length typical of the mechanism: the mean distance of joint points from the centres of mass.
pub fn length_scale(system: &System) -> f64 {
    let ground = system.bodies();
    let places = system.joint_places.iter().flatten().flatten();
    let lengths = places.filter(|p| p.body != ground).map(|p| p.s.iter().map(|x| x * x).sum::<f64>().sqrt());
    let (sum, count) = lengths.filter(|l| *l > 0.0).fold((0.0, 0), |(s, n), l| (s + l, n + 1));
    if count > 0 && sum > 0.0 { sum / f64::from(count) } else { 1.0 }
}

/// A turn by one radian counts as much as a displacement by the length scale.
fn inverse_weights(system: &System, scale: f64) -> Vec<f64> {
    system.nodes.turning().map(|turns| if turns { 1.0 / (scale * scale) } else { 1.0 }).collect()
}

fn largest(x: &[f64]) -> f64 {
    // a comparison that lets NaN through
    x.iter().fold(0.0, |m, x| if x.abs() > m || x.is_nan() { x.abs() } else { m })
}

fn square(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum()
}

fn normalisation_residual(system: &System, state: &State) -> f64 {
    let attitudes = system.nodes.normalised().map(|body| &state.q[system.nodes.q(body)][3..]);
    let norms = attitudes.map(|p| (square(p) - 1.0).abs());
    norms.fold(0.0, f64::max)
}

/// Levenberg-Marquardt on Phi(q) = 0 with least weighted correction; the damping vanishes with the square of
/// the residual, so convergence is quadratic, redundant constraints included [Yamashita, Fukushima 2001].
/// The equations of group `without` are left out.
pub(super) fn close(
    system: &System,
    projector: &mut Projector,
    work: &mut Work,
    state: &mut State,
    scale: f64,
    without: Option<usize>,
) -> Result<usize, Failure> {
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
    Err(Failure::NoConvergence { misfits: misfits(system, &work.phi), iterations: ITERATIONS })
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
fn gap(
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
    let d = system.dimensions();
    let worst = system.nodes.by_v(step).fold(0.0_f64, |m, x| {
        m.max(square(&x[..d]).sqrt() / (10.0 * scale)).max(square(&x[d..]).sqrt() / 0.5)
    });
    if worst > 1.0 { 1.0 / worst } else { 1.0 }
}

fn close_velocities(
    system: &System,
    projector: &mut Projector,
    work: &mut Work,
    state: &mut State,
) -> Result<f64, Failure> {
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
        return Err(Failure::InconsistentVelocities { misfits: misfits(system, &residual) });
    }
    Ok(largest(&residual))
}

fn not_finite(system: &System, work: &Work) -> Failure {
    let row = work.phi.iter().zip(&work.nu).position(|(x, y)| !(x.is_finite() && y.is_finite()));
    let name = row.map(|row| system.row_name(row));
    let at_row = || {
        let name = name.as_ref()?;
        let message = format!("`{}` gives no finite number in the given pose", name.name);
        Some(Finding::error(name.subject.clone(), "", message))
    };
    // forces have no part in assembly: only a driver can be to blame
    let driver = system.bad_driver(work);
    let finding = driver.or_else(at_row).map(Box::new);
    Failure::NotFinite { name: name.map(|name| name.name), finding }
}

fn inconsistent(system: &System, work: &Work) -> Failure {
    let misfits = misfits(system, &work.phi);
    let (length, angle) = misfits.iter().fold((0.0, 0.0), |(l, a), m| (l + m.length, a + m.angle));
    Failure::Inconsistent { misfits, length, angle, gap: None }
}

/// Joints with a residual that matters, worst first.
fn misfits(system: &System, residual: &[f64]) -> Vec<Misfit> {
    let mut all: Vec<Misfit> = system
        .layout
        .groups
        .iter()
        .map(|group| {
            let (mut length, mut angle) = (0.0, 0.0);
            for row in group.rows.clone() {
                let part = residual[row] * residual[row];
                if system.row_is_angle(row) { angle += part } else { length += part }
            }
            let (subject, name) = (group.subject.clone(), group.name.clone());
            Misfit { subject, name, length: length.sqrt(), angle: angle.sqrt() }
        })
        .collect();
    let worst = all.iter().fold(0.0_f64, |m, x| m.max(x.length + x.angle));
    all.retain(|m| m.length + m.angle > 1e-3 * worst);
    all.sort_by(|a, b| (b.length + b.angle).total_cmp(&(a.length + a.angle)));
    all
}

/// What the assembly changed, largest first.
fn corrections(system: &System, state: &State, scale: f64) -> Vec<Correction> {
    let d = system.dimensions();
    let given = &system.given;
    let mut all = Vec::new();
    for (body, name) in system.body_names.iter().enumerate() {
        let node = &system.nodes[body];
        let (q, q0, v, v0) = (&state.q[node.q()], &given.q[node.q()], &state.v[node.v()], &given.v[node.v()]);
        let apart =
            |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt();
        // half the turn is the angle between unit Euler parameters
        let turn = apart(&q[d..], &q0[d..]) * if d == 3 { 2.0 } else { 1.0 };
        for (what, amount, unit, ignore) in [
            ("position", apart(&q[..d], &q0[..d]), "m", 1e-12 * (1.0 + scale)),
            ("rotation", turn, "rad", 1e-12),
            ("velocity", apart(&v[..d], &v0[..d]), "m/s", 1e-12 * (1.0 + largest(v))),
            ("angular velocity", apart(&v[d..], &v0[d..]), "rad/s", 1e-12 * (1.0 + largest(v))),
        ] {
            if amount > ignore {
                all.push(Correction { body, name: name.clone(), what, amount, unit });
            }
        }
    }
    all.sort_by(|a, b| b.amount.total_cmp(&a.amount));
    all
}
