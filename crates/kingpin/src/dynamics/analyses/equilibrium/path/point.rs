//! A point of a path, and where the path goes from there.

use super::super::loaded::UnderLoad;
use super::{LoadPoint, LoadPointKind};
use crate::dynamics::analyses::bound::{Definite, Scatter};
use crate::dynamics::analyses::shares::body_shares;
use crate::dynamics::forms::whole::{BoundPencil, StiffnessSide};
use crate::system::State;
use nalgebra::{Complex, DVector};

/// An equilibrium with the direction of the path.
#[derive(Clone)]
pub(super) struct PathPoint {
    pub factor: f64,
    pub state: State,
    /// How bodies move and the load changes along the path, of length one.
    pub direction: DVector<f64>,
    pub rate: f64,
    /// Directions of negative stiffness.
    pub negatives: usize,
}

/// A scalar product of steps.
#[derive(Clone)]
pub(super) struct StepMetric(Vec<f64>);

impl StepMetric {
    pub fn new(mechanism: &UnderLoad) -> Self {
        Self(mechanism.yardstick.weights())
    }

    pub fn dot(&self, a: &DVector<f64>, b: &DVector<f64>) -> f64 {
        self.0.iter().zip(a.iter()).zip(b.iter()).map(|((w, a), b)| w * a * b).sum()
    }
}

impl PathPoint {
    /// The point where a mechanism is, under that part of the loads; the path goes on as it came. `None` where its
    /// direction cannot be computed.
    pub fn at(
        mechanism: &mut UnderLoad,
        metric: &StepMetric,
        factor: f64,
        before: Option<&DVector<f64>>,
    ) -> Option<Self> {
        mechanism.trust();
        let [_, grown] = mechanism.accelerate_and_grow(factor).ok()?;
        let pencil = mechanism.pencil().ok()?;
        let way = pencil.solve(&pencil.factor(0.0, StiffnessSide::Given)?, &pencil.mass_times(&grown));
        let back = before.is_some_and(|before| metric.dot(before, &way) < 0.0);
        let rate = if back { -1.0 } else { 1.0 } / metric.dot(&way, &way).sqrt();
        let negatives = Definite::negatives(&pencil, 0.0)?;
        let direction = way * rate;
        let sound = rate.is_finite() && direction.iter().all(|x| x.is_finite());
        sound.then(|| Self { factor, state: mechanism.state.clone(), direction, rate, negatives })
    }

    /// What results hold of it, after it was the last to be looked at.
    pub fn shown(&self, mechanism: &UnderLoad, kind: LoadPointKind) -> LoadPoint {
        LoadPoint {
            factor: self.factor,
            state: self.state.clone(),
            accelerations: mechanism.mechanism().result.clone(),
            unstable_directions: self.negatives,
            kind,
        }
    }
}

/// The body that moves most in the motion of least stiffness, by inverse iteration.
pub(super) fn softest(mechanism: &UnderLoad, pencil: &BoundPencil) -> String {
    let name = || -> Option<String> {
        let factor = pencil.factor(0.0, StiffnessSide::Symmetric)?;
        let mut scatter = Scatter::new(1);
        let mut x = DVector::from_fn(pencil.size()[0], |_, _| scatter.next());
        for _ in 0..3 {
            x = pencil.solve(&factor, &pencil.mass_times(&x));
            let size = x.amax();
            x /= size;
        }
        let motion = x.map(|x| Complex::new(x, 0.0));
        body_shares(mechanism.system(), &motion).first().map(|share| share.name.clone())
    };
    name().unwrap_or_default()
}
