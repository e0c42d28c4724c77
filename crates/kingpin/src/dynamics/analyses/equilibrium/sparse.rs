//! A mechanism at rest in all coordinates, with sparse matrices.

use super::ground::{Ground, LoosePush, RestSlope, settle};
use super::yardstick::RestYardstick;
use super::{LISTED, NO_PUSH, Unstable};
use crate::dynamics::analyses::bound::{Definite, Krylov, Slack, nearly_nothing, slack};
use crate::dynamics::analyses::shares::body_shares;
use crate::dynamics::forms::whole::{BoundFactor, BoundPencil, StiffnessSide, Whole};
use crate::dynamics::instant::{Dynamics, Trouble};
use crate::system::{State, System};
use nalgebra::{Complex, DMatrix, DVector};

pub(super) struct SparseGround<'a> {
    whole: Whole<'a, false>,
    trial: Vec<f64>,
}

/// Steps are motions of all bodies, in the metric of the mass.
pub(super) struct SparseSlope {
    pencil: BoundPencil,
    f: DVector<f64>,
    /// Directions without stiffness, by columns; where something is pushed along one they do not matter, and are none.
    free: Slack,
    definite: Definite,
    least_mu: f64,
    push: Option<LoosePush>,
    /// As much mass as is nearly nothing, and what that makes of the stiffness.
    nothing: f64,
    nearly: BoundFactor,
}

/// The part of nothing that counts where all directions have stiffness.
const SURELY: f64 = 1e-3;
/// How often what is held is taken away from accelerations.
const FILTERS: usize = 4;
/// Most refinements of a solution with it.
const REFINEMENTS: usize = 20;
/// Eigenvalues with a relative error below this have converged.
const CONVERGED: f64 = 1e-10;
/// Dimensions that are explored at once, and at most.
const MORE: usize = 24;
const MOST: usize = 1200;

impl<'a> SparseGround<'a> {
    pub fn new(mechanism: Dynamics<'a>, start: &State) -> Result<Self, Trouble> {
        let whole = Whole::new(mechanism, start)?;
        Ok(Self { trial: vec![0.0; whole.based_at().len()], whole })
    }
}

impl<'a> Ground<'a> for SparseGround<'a> {
    const SPARSE: bool = true;
    type Slope = SparseSlope;

    fn mechanism(&mut self) -> &mut Dynamics<'a> {
        &mut self.whole.mechanism
    }

    fn held(&self) -> &Dynamics<'a> {
        &self.whole.mechanism
    }

    fn freedoms(&self) -> usize {
        self.whole.mechanism.freedoms()
    }

    fn solve(&mut self) -> Result<(), Trouble> {
        self.whole.solve_again()
    }

    fn look(&mut self, yardstick: &RestYardstick) -> Result<SparseSlope, Trouble> {
        let pencil = self.whole.pencil()?;
        let f = DVector::from_column_slice(self.whole.accelerations());
        let natural = yardstick.natural(self.held().system, &self.held().work);
        let rate = natural / yardstick.length;
        let (nearly, nothing) = nearly_nothing(&pencil, rate).ok_or(Trouble::Partition)?;
        let unheld = unheld(&pencil, (&nearly, nothing), &f);
        let (body, acceleration) = yardstick.acceleration(unheld.as_slice());
        let state = yardstick.pushed_state(unheld.as_slice(), self.whole.configuration());
        let pushed_body = acceleration > NO_PUSH * natural;
        let (body, acceleration) =
            if pushed_body { (body, acceleration) } else { state.unwrap_or((body, acceleration)) };
        let pushed = pushed_body || state.is_some();
        let free =
            if pushed { Slack::none(&pencil) } else { slack(&pencil, &nearly, StiffnessSide::Given, rate) };
        // without such directions what is negative is so, however little
        let least = if free.is_none() && !pushed { SURELY * nothing } else { nothing };
        let definite = Definite::new(&pencil, least).ok_or(Trouble::Partition)?;
        let mut slope = SparseSlope {
            least_mu: 2.0 * definite.mass,
            pencil,
            f,
            free,
            definite,
            push: None,
            nothing,
            nearly,
        };
        if pushed {
            slope.push = Some((slope.norm(&unheld), body, acceleration));
            slope.least_mu = slope.least_mu.max(yardstick.way(unheld.as_slice()));
        }
        Ok(slope)
    }

    fn reach(&mut self, _: &SparseSlope, x: &DVector<f64>, part: f64) -> Result<DVector<f64>, Trouble> {
        let from = self.whole.based_at();
        for ((to, from), x) in self.trial.iter_mut().zip(from).zip(x.iter()) {
            *to = from + part * x;
        }
        self.whole.rest_at(&self.trial)?;
        if settle(&mut self.whole.mechanism) {
            self.whole.solve_again()?;
        }
        Ok(DVector::from_column_slice(self.whole.accelerations()))
    }

    fn accept(&mut self) -> Result<(), Trouble> {
        let mut state = self.held().system.given.clone();
        self.whole.write_state(&mut state);
        state.inputs.copy_from_slice(&self.held().work.inputs);
        state.v.fill(0.0);
        self.whole.begin(&state);
        self.whole.solve_again()
    }

    fn configuration(&self) -> &[f64] {
        self.whole.configuration()
    }

    fn write_state(&self, state: &mut State) {
        self.whole.write_state(state);
    }
}

/// A factor of K with that much mass.
pub(super) struct DampedBound {
    factor: Option<BoundFactor>,
    /// Whether there should be none.
    undamped: bool,
}

impl RestSlope for SparseSlope {
    type Damped = DampedBound;

    fn f(&self) -> &DVector<f64> {
        &self.f
    }

    fn least_mu(&self) -> f64 {
        self.least_mu
    }

    fn push(&self) -> Option<LoosePush> {
        self.push
    }

    fn damp(&self, mu: f64) -> Option<DampedBound> {
        if mu > 0.0 {
            let factor = [1.0, 1.07, 1.3].into_iter().find_map(|by| self.pencil.factor_regular(by * mu));
            return factor.map(|factor| DampedBound { factor: Some(factor), undamped: false });
        }
        // what has no stiffness is left out below, and for the rest the little mass is refined away
        let exact = (self.free.is_none()).then(|| self.pencil.factor_regular(0.0));
        Some(DampedBound { factor: exact.flatten(), undamped: true })
    }

    fn solve(&self, with: &DampedBound, f: &DVector<f64>) -> DVector<f64> {
        self.solve_force(with, self.pencil.mass_times(f))
    }

    fn miss(&self, with: &DampedBound, (x, part): (&DVector<f64>, f64), f: &DVector<f64>) -> DVector<f64> {
        let bent = self.pencil.stiffness_times(StiffnessSide::Given, x) * part;
        self.solve_force(with, self.pencil.mass_times(&(f - &self.f)) + bent)
    }

    fn norm(&self, x: &DVector<f64>) -> f64 {
        self.pencil.mass_times(x).dot(x).max(0.0).sqrt()
    }

    fn motion(&self, x: &DVector<f64>) -> DVector<f64> {
        x.clone()
    }

    fn free(&self) -> DMatrix<f64> {
        self.free.basis.clone()
    }

    fn stability(&self, system: &System, _: f64) -> Option<(usize, Vec<Unstable>, usize)> {
        let free = if self.free.whole { self.free.basis.ncols() } else { self.count_free()? };
        if self.definite.negatives == 0 {
            return Some((free, Vec::new(), 0));
        }
        let (all, wanted) = (self.definite.negatives, self.definite.negatives.min(LISTED));
        // between twice the lowest eigenvalue and minus infinity there is none
        let shift = 2.0 * self.definite.mass;
        let factor = self.pencil.factor_regular(shift)?;
        let parts = |x: &DVector<Complex<f64>>, apply: &dyn Fn(&DVector<f64>) -> DVector<f64>| {
            let (re, im) = (apply(&x.map(|x| x.re)), apply(&x.map(|x| x.im)));
            re.zip_map(&im, Complex::new)
        };
        let mass = |x: &DVector<Complex<f64>>| parts(x, &|x| self.pencil.mass_times(x));
        let operator =
            |x: &DVector<Complex<f64>>| parts(x, &|x| self.pencil.solve(&factor, &self.pencil.mass_times(x)));
        let [n, bound] = self.pencil.size();
        let mut krylov = Krylov::new([n, n - bound, 0], operator, mass);
        loop {
            let more = krylov.explore(MORE.max(wanted));
            let found = krylov.ritz()?;
            let negative = |value: Complex<f64>| (1.0 / value).re - shift < -self.nothing;
            let done = found.iter().take(wanted).all(|r| r.error < CONVERGED || !negative(r.value));
            if !(done && found.len() >= wanted) && more && krylov.explored() < MOST {
                continue;
            }
            if !done {
                return None;
            }
            let unstable = found.iter().take(wanted).filter(|r| negative(r.value)).map(|r| {
                let motion = krylov.vector(r);
                let shares = body_shares(system, &motion);
                let body = shares.first().map_or_else(String::new, |share| share.name.clone());
                Unstable { rate: (shift - (1.0 / r.value).re).sqrt(), body }
            });
            let mut unstable: Vec<Unstable> = unstable.collect();
            unstable.sort_by(|a, b| b.rate.total_cmp(&a.rate));
            return Some((free, unstable, all));
        }
    }
}

/// The part of accelerations that nothing holds: what is left where stiffness counts for less than nearly nothing.
fn unheld(pencil: &BoundPencil, (nearly, nothing): (&BoundFactor, f64), f: &DVector<f64>) -> DVector<f64> {
    let energy = |x: &DVector<f64>| pencil.mass_times(x).dot(x);
    let filter = |f: DVector<f64>, _| pencil.solve(nearly, &(pencil.mass_times(&f) * nothing));
    let left = (0..FILTERS).fold(f.clone(), filter);
    // stiffness that is negative and next to nothing would make more of it than there is
    if energy(&left) <= energy(f) { left } else { f.clone() }
}

impl SparseSlope {
    /// Directions without stiffness, where there are many, by the eigenvalues next to zero.
    fn count_free(&self) -> Option<usize> {
        Definite::negatives(&self.pencil, -self.nothing)?.checked_sub(self.definite.negatives)
    }

    /// The motion that a force causes.
    fn solve_force(&self, with: &DampedBound, mut force: DVector<f64>) -> DVector<f64> {
        match &with.factor {
            Some(factor) => return self.pencil.solve(factor, &force),
            None if !with.undamped => return DVector::from_element(force.len(), f64::NAN),
            None => {}
        }
        // nothing along motions without stiffness
        let free = &self.free.basis;
        let parts = free.tr_mul(&force);
        force -= self.pencil.mass_times(&(free * parts));
        let take_out = |x: &mut DVector<f64>| {
            let parts = free.tr_mul(&self.pencil.mass_times(x));
            *x -= free * parts;
        };
        let (mut x, mut before) = (DVector::zeros(force.len()), f64::INFINITY);
        for _ in 0..REFINEMENTS {
            let left = &force - self.pencil.stiffness_times(StiffnessSide::Given, &x);
            let mut change = self.pencil.solve(&self.nearly, &left);
            take_out(&mut change);
            let size = self.norm(&change);
            if size.is_nan() || size >= before || size <= f64::EPSILON * self.norm(&x) {
                break;
            }
            (x, before) = (x + change, size);
        }
        x
    }
}
