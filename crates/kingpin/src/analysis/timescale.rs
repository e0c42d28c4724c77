//! The fastest time constants: which spring, damper or bushing, on which mass.

use super::projector::Projector;
use super::ranking::rounded;
use crate::element::equation::{Direction, Term};
use crate::element::law::MAX_VARIABLES;
use crate::system::{State, System, Work};

/// The time scale of one force term.
#[derive(Clone, Debug, PartialEq)]
pub struct TimeConstant {
    /// The force.
    pub force: String,
    /// Which of its terms.
    pub label: &'static str,
    /// The body that gives way.
    pub body: String,
    /// Stiffness along the term, per metre or radian.
    pub stiffness: f64,
    /// Damping along the term.
    pub damping: f64,
    /// The mass (or inertia) that the term moves, constraints included where that is affordable.
    pub mass: f64,
    /// The fastest time constant of mass, spring and damper alone.
    pub seconds: f64,
}

/// Beyond this many equations or terms the constraints are left out of the effective masses.
const AFFORDABLE: usize = 20_000;

/// Time constants of all springs, dampers, bushings, tyres and elements of beams, and the fastest cell of each structure, fastest first; what is equally fast in the order of the
/// model.
///
/// The mass a term sees is 1 / (g_v P g_v^T) with P the inverse mass matrix projected on the constraints.
/// Of the roots of m s^2 + c s + k = 0 the fastest counts.
pub fn time_constants(system: &System, state: &State) -> Vec<TimeConstant> {
    let mut work = system.work();
    system.set_state(&mut work, state);
    system.evaluate_constraints(&mut work);
    let many = system.terms.len() * (system.joint_equations() + system.bodies()) > AFFORDABLE * 100;
    let mut projector =
        (!many && system.joint_equations() > 0).then(|| Projector::new(system, inverse_masses(system)));
    // constraints that are not finite numbers hold nothing; whoever solves with them says so
    projector = projector.and_then(|mut own| own.factor(&work, 0.0).map(|_| own));
    let mut all = Vec::new();
    for force in &system.forces {
        for term in &system.terms[force.terms.clone()] {
            let Some((stiffness, damping)) = rates(system, term, &work) else { continue };
            let Some((mass, body)) = effective_mass(system, term, &work, projector.as_mut()) else {
                continue;
            };
            let Some(seconds) = fastest(mass, damping, stiffness) else { continue };
            let (force, label, body) =
                (force.name.clone(), term.words.label, system.body_names[body].clone());
            all.push(TimeConstant { force, label, body, stiffness, damping, mass, seconds });
        }
    }
    all.extend(super::beamscale::beam_constants(system, &work));
    all.extend(super::cellscale::cell_constants(system, &work));
    all.sort_by_cached_key(|constant| rounded(constant.seconds));
    all
}

/// Inverse masses per velocity; products of inertia are left out, which is enough for a time scale.
fn inverse_masses(system: &System) -> Vec<f64> {
    let d = system.dimensions();
    let of =
        |i: &crate::system::Inertia, k: usize| if k < d { i.inverse_mass } else { i.inverse[k - d][k - d] };
    let each = system.inertia.iter().zip(system.nodes.iter());
    each.flat_map(|(i, node)| (0..node.nv).map(move |k| of(i, k))).collect()
}

/// Stiffness and damping of a term along its own direction.
pub(crate) fn rates(system: &System, term: &Term, work: &Work) -> Option<(f64, f64)> {
    let Direction::Along(along, sign) = &term.direction else { return None };
    let own = term.inputs.iter().position(|input| input == along)?;
    let (mut vars, mut by) = ([0.0; MAX_VARIABLES], [0.0; MAX_VARIABLES]);
    vars[0] = work.t;
    for (k, basic) in term.inputs.iter().enumerate() {
        (vars[1 + 2 * k], vars[2 + 2 * k]) = system.basic_value_and_rate(basic, work);
    }
    let used = term.fill_flags(&work.pieces, &work.inputs, &mut vars);
    term.strength.partials(&vars[..used], &work.pieces, &mut by[..used]);
    let (k, c) = (-sign * by[1 + 2 * own], -sign * by[2 + 2 * own]);
    (k != 0.0 || c != 0.0).then_some((k, c))
}

/// 1 / (g_v P g_v^T), and the body that yields most.
fn effective_mass(
    system: &System,
    term: &Term,
    work: &Work,
    projector: Option<&mut Projector>,
) -> Option<(f64, usize)> {
    let Direction::Along(along, _) = &term.direction else { return None };
    let inverse = inverse_masses(system);
    let mut x = vec![0.0; system.velocities()];
    let row = system.basic_row(along, work);
    for (side, body) in along.bodies().into_iter().enumerate() {
        if body < system.bodies() {
            for (k, at) in system.nodes.v(body).enumerate() {
                x[at] = inverse[at] * row[side][k];
            }
        }
    }
    // P = M^-1 - M^-1 Phi_v^T S^-1 Phi_v M^-1: what the joints do not allow is taken out of M^-1 g_v^T
    if let Some(projector) = projector {
        let (mut b, mut across) = (vec![0.0; system.joint_equations()], vec![0.0; x.len()]);
        system.jacobian_times(work, &x, &mut b);
        projector.solve(work, &b, &mut across);
        x.iter_mut().zip(&across).for_each(|(x, a)| *x -= a);
    }
    let part = |side: usize, body: usize| -> f64 {
        if body >= system.bodies() {
            return 0.0;
        }
        x[system.nodes.v(body)].iter().zip(&row[side]).map(|(x, r)| r * x).sum()
    };
    let [i, j] = along.bodies();
    let (on_i, on_j) = (part(0, i), part(1, j));
    let body = if on_i > on_j { i } else { j };
    (on_i + on_j > 1e-12 * inverse.iter().fold(0.0_f64, |m, x| m.max(*x)) && body < system.bodies())
        .then(|| (1.0 / (on_i + on_j), body))
}

/// 1 / |s| for the fastest root of m s^2 + c s + k = 0.
pub(super) fn fastest(m: f64, c: f64, k: f64) -> Option<f64> {
    let discriminant = c * c - 4.0 * m * k;
    let rate =
        if discriminant >= 0.0 { (c.abs() + discriminant.sqrt()) / (2.0 * m) } else { (k / m).abs().sqrt() };
    (rate > 0.0 && rate.is_finite()).then(|| 1.0 / rate)
}
