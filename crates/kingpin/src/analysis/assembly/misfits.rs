//! What does not fit, and what was changed so that it does.

use super::super::ranking::rounded;
use super::{AssemblyFailure, Corrected, Correction, Misfit, largest};
use crate::model::finding::Finding;
use crate::system::{State, System, Work};
use std::cmp::Reverse;

pub(super) fn not_finite(system: &System, work: &Work) -> AssemblyFailure {
    let row = work.phi.iter().zip(&work.nu).position(|(x, y)| !(x.is_finite() && y.is_finite()));
    let name = row.map(|row| system.row_name(row));
    let at_row = || {
        let name = name.as_ref()?;
        let message = format!("`{}` is not finite in the given pose", name.name);
        Some(Finding::error(name.subject.clone(), "", message))
    };
    // forces have no part in assembly: only a driver can be to blame
    let driver = system.bad_driver(work);
    let finding = driver.or_else(at_row).map(Box::new);
    AssemblyFailure::NotFinite { name: name.map(|name| name.name), finding }
}

pub(super) fn inconsistent(system: &System, work: &Work) -> AssemblyFailure {
    let misfits = misfits(system, &work.phi);
    let (length, angle) = misfits.iter().fold((0.0, 0.0), |(l, a), m| (l + m.length, a + m.angle));
    AssemblyFailure::Inconsistent { misfits, length, angle, gap: None }
}

/// Joints whose position is off by what matters, worst first. Cosines of right angles become the angle by which axes are
/// off, which is a right one at most: beyond it they are nearer to pointing the other way.
pub(super) fn misfits(system: &System, residual: &[f64]) -> Vec<Misfit> {
    sorted(system, residual, true)
}

/// Joints whose velocity is off by what matters, worst first.
pub(super) fn rate_misfits(system: &System, residual: &[f64]) -> Vec<Misfit> {
    sorted(system, residual, false)
}

fn sorted(system: &System, residual: &[f64], positions: bool) -> Vec<Misfit> {
    let mut all: Vec<Misfit> = system
        .layout
        .groups
        .iter()
        .map(|group| {
            let (mut length, mut angle, mut cosine) = (0.0, 0.0, 0.0);
            for row in group.rows.clone() {
                let part = residual[row] * residual[row];
                match system.row_is_angle(row) {
                    true if positions && system.row_is_cosine(row) => cosine += part,
                    true => angle += part,
                    false => length += part,
                }
            }
            let angle = f64::sqrt(angle).hypot(f64::sqrt(cosine).min(1.0).asin());
            let (subject, name) = (group.subject.clone(), group.name.clone());
            Misfit { subject, name, length: f64::sqrt(length), angle }
        })
        .collect();
    let worst = all.iter().fold(0.0_f64, |m, x| m.max(x.length + x.angle));
    all.retain(|m| m.length + m.angle > 1e-3 * worst);
    all.sort_by(|a, b| (b.length + b.angle).total_cmp(&(a.length + a.angle)));
    all
}

/// What the assembly changed, largest first.
pub(super) fn corrections(system: &System, state: &State, scale: f64) -> Vec<Correction> {
    let d = system.dimensions();
    let given = &system.given;
    let mut all = Vec::new();
    for (body, name) in system.body_names.iter().enumerate() {
        let node = &system.nodes[body];
        let (q, q0, v, v0) = (&state.q[node.q()], &given.q[node.q()], &state.v[node.v()], &given.v[node.v()]);
        let apart =
            |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt();
        let ((r, p), (r0, p0), (rdot, w), (rdot0, w0)) =
            (node.split(q), node.split(q0), node.split(v), node.split(v0));
        // half the turn is the angle between unit Euler parameters
        let turn = apart(p, p0) * if d == 3 { 2.0 } else { 1.0 };
        for (what, amount, ignore) in [
            (Corrected::Position, apart(r, r0), 1e-12 * (1.0 + scale)),
            (Corrected::Rotation, turn, 1e-12),
            (Corrected::Velocity, apart(rdot, rdot0), 1e-12 * (1.0 + largest(v))),
            (Corrected::AngularVelocity, apart(w, w0), 1e-12 * (1.0 + largest(v))),
        ] {
            if amount > ignore {
                all.push(Correction { body, name: name.clone(), what, amount });
            }
        }
    }
    all.sort_by_cached_key(|correction| Reverse(rounded(correction.amount)));
    all
}
