//! The way along a path: predictions along its tangent, corrected square to that.

use super::super::NoEquilibrium;
use super::super::loaded::{STILL, UnderLoad};
use super::point::{PathPoint, StepMetric};
use super::{LoadPath, LoadPoint, LoadPointKind, PathChoice, PathEnd};
use crate::dynamics::analyses::bound::{nearly_nothing, slack};
use crate::dynamics::analyses::shares::body_shares;
use crate::dynamics::forms::whole::StiffnessSide;
use crate::dynamics::instant::Trouble;
use nalgebra::Complex;

/// Iterations after which a step was too long, and those that are best.
const MOST: usize = 12;
const BEST: f64 = 6.0;
/// The longest and the shortest step, as the mean way of bodies in sizes of the mechanism or half radians.
const LONGEST: f64 = 0.25;
const SHORTEST: f64 = 1e-9;
/// The first step, as a part of the way that all loads would make if nothing else changed.
const FIRST: f64 = 0.1;
/// Corrections beyond this lead to other paths.
const ASTRAY: f64 = 1.0;
/// Error of the trapezoidal rule for the load between two points, as a part of the one to reach.
const BENT: f64 = 0.02;
/// The cosine between the directions of two points, at least.
const STRAIGHT: f64 = 0.8;

pub(super) struct LoadWalk<'a> {
    pub(super) mechanism: UnderLoad<'a>,
    pub(super) metric: StepMetric,
    choice: PathChoice,
    points: Vec<LoadPoint>,
}

impl<'a> LoadWalk<'a> {
    pub fn new(mechanism: UnderLoad<'a>, choice: PathChoice) -> Self {
        let metric = StepMetric::new(&mechanism);
        Self { mechanism, metric, choice, points: Vec::new() }
    }

    pub fn run(mut self) -> Result<LoadPath, NoEquilibrium> {
        if let Some(loose) = self.loose()? {
            return Err(loose);
        }
        let here = PathPoint::at(&mut self.mechanism, &self.metric, 0.0, None);
        let mut here = here.ok_or(Trouble::Partition)?;
        if self.choice.to < 0.0 {
            (here.direction, here.rate) = (-here.direction, -here.rate);
        }
        self.note(&here, LoadPointKind::Regular);
        let mut step = f64::min(LONGEST, FIRST * (self.choice.to / here.rate).abs());
        let end = loop {
            if self.points.len() >= self.choice.points {
                break PathEnd::Points;
            }
            let Some((next, iterations, last)) = self.next(&here, step) else {
                step *= 0.5;
                if step < SHORTEST {
                    break PathEnd::Short;
                }
                continue;
            };
            if next.negatives != here.negatives
                && let Some((point, kind)) = self.critical(&here, step, &next)
            {
                self.note(&point, kind);
            }
            self.note(&next, LoadPointKind::Regular);
            if last {
                break PathEnd::Reached;
            }
            if next.factor * self.choice.to.signum() < -self.choice.to.abs() {
                break PathEnd::Back;
            }
            here = next;
            let by = (BEST / iterations.max(1) as f64).sqrt().clamp(0.5, 2.0);
            // at least as many points as first steps would give
            let evenly = FIRST * (self.choice.to / here.rate).abs();
            step = f64::min(LONGEST, by * step).min(f64::max(evenly, 0.5 * step));
        };
        Ok(LoadPath { points: self.points, end })
    }

    /// The point that is a step further, in how many iterations, and whether all loads are borne there.
    fn next(&mut self, here: &PathPoint, step: f64) -> Option<(PathPoint, usize, bool)> {
        let (mut factor, iterations) = self.advance(here, step)?;
        let to = self.choice.to;
        let last = (here.factor - to) * (factor - to) <= 0.0 && here.factor != to;
        if last {
            self.mechanism.rest(to, f64::INFINITY, MOST)?;
            factor = to;
        }
        let next = PathPoint::at(&mut self.mechanism, &self.metric, factor, Some(&here.direction))?;
        let straight = self.metric.dot(&here.direction, &next.direction) > STRAIGHT;
        // what the tangents at both ends promise of the load, and where it is: no bend between them is left out
        let promised = 0.5 * step * (here.rate + next.rate);
        let bent = (next.factor - here.factor - promised).abs() > BENT * to.abs();
        let fine = straight && (last || !bent);
        (fine || step < 1e3 * SHORTEST).then_some((next, iterations, last))
    }

    /// Goes a step along the path from a point: to which load, in how many iterations.
    pub(super) fn advance(&mut self, from: &PathPoint, step: f64) -> Option<(f64, usize)> {
        let mechanism = &mut self.mechanism;
        mechanism.state.clone_from(&from.state);
        mechanism.trust();
        mechanism.accelerate(from.factor).ok()?;
        mechanism.go(&(&from.direction * step)).ok()?;
        let mut factor = from.factor + step * from.rate;
        for iteration in 1..=MOST {
            let [f, grown] = mechanism.accelerate_and_grow(factor).ok()?;
            let pencil = mechanism.pencil().ok()?;
            let k = pencil.factor(0.0, StiffnessSide::Given)?;
            let mut ways = [pencil.mass_times(&f), pencil.mass_times(&grown)];
            pencil.solve_each(&k, &mut ways);
            let [rest, grow] = ways;
            // square to the direction of the path
            let more = -self.metric.dot(&from.direction, &rest) / self.metric.dot(&from.direction, &grow);
            let change = rest + grow * more;
            let way = mechanism.yardstick.way(change.as_slice());
            if way.is_nan() || way > ASTRAY {
                return None;
            }
            mechanism.go(&change).ok()?;
            factor += more;
            if way <= STILL {
                return Some((factor, iteration));
            }
        }
        None
    }

    /// Adds a point; the mechanism is looked at there again.
    fn note(&mut self, point: &PathPoint, kind: LoadPointKind) {
        self.mechanism.state.clone_from(&point.state);
        // it was solved for there before
        if self.mechanism.accelerate(point.factor).is_ok() {
            self.points.push(point.shown(&self.mechanism, kind));
        }
    }

    /// Who moves freely without loads, if anything does.
    fn loose(&mut self) -> Result<Option<NoEquilibrium>, Trouble> {
        self.mechanism.trust();
        self.mechanism.accelerate(0.0)?;
        let pencil = self.mechanism.pencil()?;
        let (nearly, _) = nearly_nothing(&pencil, 0.0).ok_or(Trouble::Partition)?;
        let free = slack(&pencil, &nearly, StiffnessSide::Given, 0.0);
        if free.is_none() {
            return Ok(None);
        }
        let motion = free.basis.column(0).map(|x| Complex::new(x, 0.0));
        let system = self.mechanism.system();
        let shares = body_shares(system, &motion);
        let first = shares.first().and_then(|share| system.body_names.iter().position(|n| *n == share.name));
        Ok(Some(NoEquilibrium::Loose { body: first.unwrap_or(0) }))
    }
}
