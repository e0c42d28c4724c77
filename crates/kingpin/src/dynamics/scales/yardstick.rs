//! Errors of a mechanism in units of what is allowed.

use super::arms::Arms;
use super::{Four, Parts, Scale, Scales, expect, natural, predict, worse};
use crate::dynamics::instant::Dynamics;
use crate::integrate::Loss;
use crate::system::{Node, NodeKind, Nodes, State, System};
use crate::threads::gathered;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// Measures errors of all bodies, the worst of which counts. It follows the motion: [`Yardstick::note`].
#[derive(Debug)]
pub struct Yardstick {
    pub(super) parts: Parts,
    pub(super) arms: Arms,
    /// Ranges of coordinates and velocities of the bodies.
    pub(super) nodes: Nodes,
    /// Dimensions of space.
    pub(super) d: usize,
    pub(super) rtol: f64,
    /// Errors that do not matter, whatever the scales.
    atol: Four,
    scales: RwLock<Scales>,
    /// The last exponent of a loss, and the turn in radians that steps to the tolerance make with it.
    turn: (AtomicUsize, AtomicU64),
}

/// Errors are not measured below so many units of round-off of the coordinates.
pub(super) const GRAIN: f64 = 100.0 * f64::EPSILON;
/// The same of angles that count many turns.
const COUNTED: f64 = 10.0 * f64::EPSILON;
/// Rates that may make round-off of places one of velocities, in parts of that of the motion.
const STIFFEST: f64 = 1e3;

/// A part that has turned so far, in radians, may turn on and on.
const TURNS: f64 = 0.3;
/// Least step of a smooth turn, in parts of what its order makes of the tolerance.
const EXPECTED: f64 = 0.5;

/// Bodies that are measured in one piece.
const BODIES: usize = 512;

/// What the coordinates of a part say at some instant.
#[derive(Clone, Copy, Default)]
pub(super) struct PartState {
    pub(super) reach: Four,
    /// Greatest distance from the origin, and greatest angle.
    far: f64,
    wound: f64,
}

impl Yardstick {
    /// For a run that starts, or goes on, with these scales.
    pub fn new(system: &System, rtol: f64, atol: Four, scales: Scales) -> Self {
        Self {
            parts: Parts::new(system),
            arms: Arms::new(system),
            nodes: system.nodes.clone(),
            d: system.dimensions(),
            rtol,
            atol,
            scales: RwLock::new(scales),
            turn: Default::default(),
        }
    }

    /// Scales of a run that starts at some coordinates, with no motion yet.
    pub fn at_rest(system: &System, t: f64, q: &[f64]) -> Scales {
        let parts = Parts::new(system);
        let sizes = parts.sizes(system, q);
        let scale = |(part, size)| {
            let bodies = parts.of(part);
            // of a state its value is the velocity, and small ones do not matter
            let state = bodies[0].checked_sub(system.masses()).map(|k| system.states[k].scale);
            let reach = Four { velocity: state.unwrap_or(0.0), ..Four::default() };
            Scale { body: bodies[0], bodies: bodies.len(), size, reach }
        };
        Scales { start: q.to_vec(), t, parts: sizes.into_iter().enumerate().map(scale).collect() }
    }

    /// The scales to look at: nobody changes them meanwhile, since a run has one thread at a time that measures errors.
    pub(super) fn standing(&self) -> RwLockReadGuard<'_, Scales> {
        self.scales.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// The scales to change.
    fn changed(&self) -> RwLockWriteGuard<'_, Scales> {
        self.scales.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// The scales as they stand.
    pub fn scales(&self) -> Scales {
        self.standing().clone()
    }

    /// The same into a place of their own, without allocation.
    pub fn write(&self, out: &mut Scales) {
        let scales = self.standing();
        out.start.clone_from(&scales.start);
        out.t = scales.t;
        out.parts.clone_from(&scales.parts);
    }

    /// The motion has come to this state. O(bodies).
    pub fn note(&self, t: f64, q: &[f64], v: &[f64]) {
        let mut scales = self.changed();
        let h = (t - scales.t).abs();
        scales.t = t;
        for part in 0..self.parts.len() {
            let now = self.instant(&scales, part, q, v).reach;
            let scale = &mut scales.parts[part];
            if self.is_state(part) {
                scale.reach.velocity = scale.reach.velocity.max(now.velocity);
                continue;
            }
            scale.reach.position = scale.reach.position.max(now.position);
            scale.reach.angle = scale.reach.angle.max(now.angle);
            let Four { position, angle, .. } = scale.natural();
            scale.reach.velocity = faded(scale.reach.velocity, h, position).max(now.velocity);
            let spin = faded(scale.reach.angular_velocity, h, angle);
            scale.reach.angular_velocity = spin.max(now.angular_velocity);
        }
    }

    /// Forces have jumped, and will be smooth for a time `until`: parts that have not yet moved by their size may now get
    /// further. What has hardly begun is not measured against how far it has come.
    pub(in crate::dynamics) fn predict(&self, mechanism: &mut Dynamics, state: &State, until: f64) {
        let scales = &mut *self.changed();
        if scales.parts.iter().any(|part| part.reach.position < part.size) {
            predict(mechanism, state, until, scales);
        }
    }

    /// The same of speeds, at a state a little later.
    pub(in crate::dynamics) fn expect(&self, mechanism: &mut Dynamics, later: &State, by: f64) {
        expect(mechanism, later, by.abs(), &mut self.changed());
    }

    /// The worst error of a step of size `h` to the state (q, v). Errors are in the layout of velocities: of the
    /// position and the small turn of each body in `dq`, of its velocities in `dv`. O(bodies).
    pub fn tangent(
        &self,
        (h, loss): (f64, Option<Loss>),
        (q, v): (&[f64], &[f64]),
        (dq, dv): (&[f64], &[f64]),
    ) -> f64 {
        let scales = self.standing();
        let mut worst = 0.0;
        for part in 0..self.parts.len() {
            let allowed = self.allowed(&scales, part, h, q, v);
            let caution =
                loss.map_or(1.0, |loss| caution(h, self.smooth_turn(loss), loss, scales.parts[part].reach));
            let of_body = |body: usize| {
                let node = &self.nodes[body];
                let allowed = self.arms.allowed(body, allowed);
                caution * Self::lengths(node, &dq[node.v()], &dv[node.v()], 1.0).over(allowed)
            };
            worst = worse(worst, self.worst_of(part, &of_body));
        }
        worst
    }

    /// The worst over the bodies of a part.
    #[inline(always)]
    pub(super) fn worst_of(&self, part: usize, of_body: &(impl Fn(usize) -> f64 + Sync)) -> f64 {
        let bodies = self.parts.of(part);
        let of = |some: Range<usize>| bodies[some].iter().fold(0.0, |worst, &b| worse(worst, of_body(b)));
        gathered(0..bodies.len(), BODIES, &of, &worse)
    }

    fn part_of(&self, body: usize) -> usize {
        (0..self.parts.len()).find(|&p| self.parts.of(p).contains(&body)).unwrap_or(0)
    }

    /// The part of a body, as things stand.
    pub fn scale_of(&self, body: usize) -> Scale {
        self.standing().parts.get(self.part_of(body)).copied().unwrap_or_default()
    }

    /// What errors are relative to, times the tolerance; for the part of a body, as things stand.
    pub fn allowed_of(&self, body: usize, h: f64, q: &[f64], v: &[f64]) -> Four {
        let part = self.part_of(body);
        self.arms.allowed(body, self.allowed(&self.standing(), part, h, q, v))
    }

    pub(super) fn allowed(&self, scales: &Scales, part: usize, h: f64, q: &[f64], v: &[f64]) -> Four {
        let PartState { reach, far, wound } = self.instant(scales, part, q, v);
        let scale = &scales.parts[part];
        if self.is_state(part) {
            return self.allowed_of_state(scale.reach.velocity.max(reach.velocity));
        }
        let size = scale.size;
        let natural = natural(size, scale.reach.max(reach));
        let position = GRAIN * (far + size);
        let angle = GRAIN * if size > 0.0 { 1.0 + far / size } else { 1.0 } + COUNTED * wound;
        let velocity = grain_of_rate(position, h, natural.position, natural.velocity);
        let angular_velocity = grain_of_rate(angle, h, natural.angle, natural.angular_velocity);
        let grain = Four { position, angle, velocity, angular_velocity };
        natural.times(self.rtol).max(grain).max(self.atol)
    }

    /// Whether a part is a first-order state.
    pub(super) fn is_state(&self, part: usize) -> bool {
        self.nodes[self.parts.of(part)[0]].kind == NodeKind::State
    }

    /// What is allowed of errors of a state of some size: nothing depends on its integral.
    fn allowed_of_state(&self, size: f64) -> Four {
        let any = f64::INFINITY;
        Four { position: any, angle: any, velocity: self.rtol.max(GRAIN) * size, angular_velocity: any }
    }

    /// What a step of size `h` allows bodies as errors of acceleration and angular acceleration, in parts of the
    /// tolerance, as far as the motion has come: they are errors of velocity after that time, and of place. O(bodies).
    pub fn accelerations(&self, part_of_tolerance: f64, h: f64, out: &mut Vec<[f64; 2]>) {
        let scales = self.standing();
        out.resize(self.nodes.len(), [0.0; 2]);
        for part in 0..self.parts.len() {
            if self.is_state(part) {
                let allowed = self.allowed_of_state(scales.parts[part].reach.velocity);
                let rate = part_of_tolerance * allowed.velocity / h;
                self.parts.of(part).iter().for_each(|&node| out[node] = [rate, f64::INFINITY]);
                continue;
            }
            let (size, natural) = (scales.parts[part].size, scales.parts[part].natural());
            let h = h.min(natural.position / natural.velocity);
            let grain = Four {
                position: GRAIN * size,
                angle: GRAIN,
                velocity: GRAIN * size / h,
                angular_velocity: GRAIN / h,
            };
            let allowed = natural.times(self.rtol).max(grain).max(self.atol);
            for &body in self.parts.of(part) {
                let allowed = self.arms.allowed(body, allowed);
                let moves = (allowed.velocity / h).min(allowed.position / (h * h));
                let spins = (allowed.angular_velocity / h).min(allowed.angle / (h * h));
                out[body] = [moves, spins].map(|allowed| part_of_tolerance * allowed);
            }
        }
    }

    /// A change of coordinates that means nothing, in parts of the tolerance, even if it comes and goes within a time `h`: for
    /// all bodies, in metres and radians, as far as the motion has come. O(parts).
    pub fn least(&self, part_of_tolerance: f64, h: f64) -> f64 {
        let of_part = |part: &Scale| {
            let Four { position, angle, velocity, angular_velocity } =
                part.natural().times(self.rtol).max(self.atol);
            position.min(angle).min(h * velocity.min(angular_velocity))
        };
        let scales = self.standing();
        let parts = scales.parts.iter().enumerate().filter(|(k, _)| !self.is_state(*k));
        let least = parts.map(|(_, part)| of_part(part)).fold(f64::INFINITY, f64::min);
        if least.is_finite() { part_of_tolerance * least } else { 0.0 }
    }

    pub(super) fn instant(&self, scales: &Scales, part: usize, q: &[f64], v: &[f64]) -> PartState {
        let bodies = self.parts.of(part);
        let of = |some: Range<usize>| self.instant_of(&scales.start, &bodies[some], q, v);
        gathered(0..bodies.len(), BODIES, &of, &|a, b| PartState {
            reach: a.reach.max(b.reach),
            far: a.far.max(b.far),
            wound: a.wound.max(b.wound),
        })
    }

    /// The same of some bodies of a part.
    #[inline(never)]
    fn instant_of(&self, start: &[f64], bodies: &[usize], q: &[f64], v: &[f64]) -> PartState {
        let d = self.d;
        let mut now = PartState::default();
        for &body in bodies {
            let node = &self.nodes[body];
            let (q, v, start) = (&q[node.q()], &v[node.v()], &start[node.q()]);
            let turned = if !node.turns() {
                0.0
            } else if d == 3 {
                // the two signs of Euler parameters are the same attitude
                let square =
                    |sign: f64| q[d..].iter().zip(&start[d..]).map(move |(a, b)| (a + sign * b).powi(2));
                2.0 * square(-1.0).sum::<f64>().min(square(1.0).sum::<f64>()).sqrt()
            } else {
                now.wound = now.wound.max(q[d].abs());
                (q[d] - start[d]).abs()
            };
            let (place, (moves, turns)) = (node.split(q).0, node.split(v));
            let apart = place.iter().zip(start).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt();
            let here = Four {
                position: apart,
                angle: turned,
                velocity: length(moves),
                angular_velocity: length(turns),
            };
            now.reach = now.reach.max(here);
            now.far = now.far.max(length(place));
        }
        now
    }

    /// The turn in radians of a step that follows a smooth motion to the tolerance.
    fn smooth_turn(&self, loss: Loss) -> f64 {
        let (exponent, turn) = (&self.turn.0, &self.turn.1);
        if exponent.load(Ordering::Relaxed) != loss.exponent {
            turn.store(smooth_turn(self.rtol, loss).to_bits(), Ordering::Relaxed);
            exponent.store(loss.exponent, Ordering::Relaxed);
        }
        f64::from_bits(turn.load(Ordering::Relaxed))
    }

    /// Lengths of the parts of differences of coordinates and velocities of one body.
    pub(super) fn lengths(node: &Node, dq: &[f64], dv: &[f64], half_angle: f64) -> Four {
        let ((place, attitude), (moves, turns)) = (node.split(dq), node.split(dv));
        Four {
            position: length(place),
            angle: half_angle * length(attitude),
            velocity: length(moves),
            angular_velocity: length(turns),
        }
    }
}

/// Round-off of a velocity that follows from round-off of places, the `grain`, over a step of size `h`; or over a small
/// part of the time in which a `speed` crosses the `reach`, if the step is shorter still: it is short for another
/// reason than stiffness then, and velocities are known better.
fn grain_of_rate(grain: f64, h: f64, reach: f64, speed: f64) -> f64 {
    let stiffest = if reach > grain && speed > 0.0 { STIFFEST * speed / reach } else { f64::INFINITY };
    grain * stiffest.min(1.0 / h)
}

/// A smooth turn is followed to the tolerance in steps of about so many radians.
fn smooth_turn(rtol: f64, loss: Loss) -> f64 {
    EXPECTED * rtol.powf(1.0 / loss.exponent as f64)
}

/// How many times smaller errors are to be in a step of size `h` of a part that turns far. Where steps are much shorter
/// than those of a smooth turn, stiff forces hold them short, of which a method with stages of low order makes errors of
/// a low order. Each is small enough, but they have the same sign from step to step (a stiff damper takes energy from
/// them), and there are many to a turn.
fn caution(h: f64, smooth: f64, loss: Loss, reach: Four) -> f64 {
    let turn = h * reach.angular_velocity / reach.angle.min(1.0);
    if reach.angle < TURNS || turn == 0.0 { 1.0 } else { (smooth / turn).clamp(1.0, loss.caution) }
}

/// A speed after a time `h` in which it would have crossed a `reach` again and again.
fn faded(speed: f64, h: f64, reach: f64) -> f64 {
    if speed == 0.0 { 0.0 } else { speed / (1.0 + speed * h / reach) }
}

/// Length of what belongs to a place or a turn; a loop over so few numbers costs more than they do.
#[inline(always)]
fn length(x: &[f64]) -> f64 {
    match x {
        [] => 0.0,
        [a] => a.abs(),
        [a, b] => (a * a + b * b).sqrt(),
        [a, b, c] => (a * a + b * b + c * c).sqrt(),
        _ => x.iter().map(|x| x * x).sum::<f64>().sqrt(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_short_steps_of_stiff_turns_are_taken_with_caution() {
        let loss = Loss { exponent: 4, caution: 10.0 };
        let smooth = smooth_turn(1e-4, loss);
        let reach = |angle, angular_velocity| Four { angle, angular_velocity, ..Four::default() };
        // a smooth turn in steps of a tenth of a radian at 1e-4, and half of that
        assert_eq!(caution(0.1, smooth, loss, reach(6.0, 1.0)), 1.0);
        assert_eq!(caution(0.05, smooth, loss, reach(6.0, 1.0)), 1.0);
        // shorter, and much shorter
        assert!((caution(0.01, smooth, loss, reach(6.0, 1.0)) - 5.0).abs() < 1e-12);
        assert_eq!(caution(1e-5, smooth, loss, reach(6.0, 1.0)), 10.0);
        // what hardly turns, or does not turn
        assert_eq!(caution(1e-5, smooth, loss, reach(0.1, 1.0)), 1.0);
        assert_eq!(caution(1e-5, smooth, loss, reach(6.0, 0.0)), 1.0);
    }
}
