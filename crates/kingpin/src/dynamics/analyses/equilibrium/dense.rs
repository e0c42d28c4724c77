//! A mechanism at rest in independent coordinates, with dense matrices.

use super::ground::{Ground, LoosePush, RestSlope, settle};
use super::stability::stability;
use super::yardstick::RestYardstick;
use super::{NO_PUSH, Unstable};
use crate::dynamics::analyses::pencil::Pencil;
use crate::dynamics::analyses::spectrum::Spectrum;
use crate::dynamics::forms::reduced::Reduced;
use crate::dynamics::instant::{Dynamics, Trouble};
use crate::integrate::SecondOrder;
use crate::system::{State, System};
use nalgebra::{DMatrix, DVector, Dyn, LU, SymmetricEigen};

pub(super) struct DenseGround<'a> {
    reduced: Reduced<'a>,
    trial: Vec<f64>,
}

pub(super) struct DenseSlope {
    pencil: Pencil,
    spectrum: Spectrum,
    f: DVector<f64>,
    least_mu: f64,
    push: Option<LoosePush>,
}

impl<'a> DenseGround<'a> {
    pub fn new(mechanism: Dynamics<'a>, start: &State) -> Result<Self, Trouble> {
        let reduced = Reduced::new(mechanism, start)?;
        Ok(Self { trial: vec![0.0; 2 * reduced.dim()], reduced })
    }

    /// The lowest eigenvalue of the symmetric part of a stiffness, without states: what these do to forces has no sign.
    fn lowest(&self, k: &DMatrix<f64>) -> f64 {
        let system = self.reduced.mechanism.system;
        let independent = self.reduced.partition.independent.iter().enumerate();
        let states = independent.filter(|(_, c)| system.nodes.of_velocity(**c).0 >= system.masses());
        let states: Vec<usize> = states.map(|(place, _)| place).collect();
        let bodies = (k + k.transpose()).remove_rows_at(&states).remove_columns_at(&states) * 0.5;
        if bodies.nrows() == 0 { 0.0 } else { SymmetricEigen::new(bodies).eigenvalues.min() }
    }

    fn accelerations(&self) -> Vec<f64> {
        self.reduced.partition.independent.iter().map(|&c| self.reduced.xddot[c]).collect()
    }
}

impl<'a> Ground<'a> for DenseGround<'a> {
    const SPARSE: bool = false;
    type Slope = DenseSlope;

    fn mechanism(&mut self) -> &mut Dynamics<'a> {
        &mut self.reduced.mechanism
    }

    fn held(&self) -> &Dynamics<'a> {
        &self.reduced.mechanism
    }

    fn freedoms(&self) -> usize {
        self.reduced.dim()
    }

    fn solve(&mut self) -> Result<(), Trouble> {
        self.reduced.solve()
    }

    fn look(&mut self, yardstick: &RestYardstick) -> Result<DenseSlope, Trouble> {
        let pencil = Pencil::new(&mut self.reduced)?;
        let f = pencil.in_metric(&self.accelerations());
        let k = &pencil.stiffness;
        let natural = yardstick.natural(self.held().system, &self.held().work);
        let spectrum = Spectrum::new(k, natural / yardstick.length).ok_or(Trouble::Partition)?;
        let lowest = self.lowest(k);
        let mut least_mu = if lowest < -100.0 * spectrum.nothing { -2.0 * lowest } else { 0.0 };
        let unheld = spectrum.unreachable(&f);
        let motion = &pencil.motions * &unheld;
        let (body, acceleration) = yardstick.acceleration(motion.as_slice());
        let push = (acceleration > NO_PUSH * natural).then_some((unheld.norm(), body, acceleration));
        let state = yardstick.pushed_state(motion.as_slice(), &self.reduced.q);
        let push = push.or(state.map(|(node, rate)| (unheld.norm(), node, rate)));
        if push.is_some() {
            least_mu = least_mu.max(yardstick.way(motion.as_slice()));
        }
        Ok(DenseSlope { pencil, spectrum, f, least_mu, push })
    }

    fn reach(&mut self, slope: &DenseSlope, x: &DVector<f64>, part: f64) -> Result<DVector<f64>, Trouble> {
        let (n, t) = (self.reduced.dim(), self.reduced.t);
        self.trial.copy_from_slice(&self.reduced.base.asked);
        self.trial[n..].fill(0.0);
        let change = slope.pencil.independent(x) * part;
        self.trial.iter_mut().zip(change.iter()).for_each(|(y, dy)| *y += dy);
        let (v, vdot) = self.trial.split_at(n);
        let mut accelerations = vec![0.0; n];
        self.reduced.acceleration(t, v, vdot, &mut accelerations)?;
        if settle(&mut self.reduced.mechanism) {
            self.reduced.solve()?;
            accelerations.copy_from_slice(&self.accelerations());
        }
        Ok(slope.pencil.in_metric(&accelerations))
    }

    fn accept(&mut self) -> Result<(), Trouble> {
        self.reduced.accept(self.reduced.t, &self.trial)?;
        self.reduced.rebase_here();
        Ok(())
    }

    fn configuration(&self) -> &[f64] {
        &self.reduced.q
    }

    fn write_state(&self, state: &mut State) {
        self.reduced.write_state(state);
    }
}

impl RestSlope for DenseSlope {
    /// `None` for no damping.
    type Damped = Option<LU<f64, Dyn, Dyn>>;

    fn f(&self) -> &DVector<f64> {
        &self.f
    }

    fn least_mu(&self) -> f64 {
        self.least_mu
    }

    fn push(&self) -> Option<LoosePush> {
        self.push
    }

    fn damp(&self, mu: f64) -> Option<Self::Damped> {
        let k = &self.pencil.stiffness;
        Some((mu > 0.0).then(|| LU::new(k + DMatrix::identity(k.nrows(), k.nrows()) * mu)))
    }

    fn solve(&self, with: &Self::Damped, f: &DVector<f64>) -> DVector<f64> {
        let damped = with.as_ref().and_then(|lu| lu.solve(f));
        damped.unwrap_or_else(|| self.spectrum.solve(f))
    }

    fn miss(&self, with: &Self::Damped, (x, part): (&DVector<f64>, f64), f: &DVector<f64>) -> DVector<f64> {
        let predicted = &self.f - &self.pencil.stiffness * x * part;
        self.solve(with, &(f - predicted))
    }

    fn norm(&self, x: &DVector<f64>) -> f64 {
        x.norm()
    }

    fn motion(&self, x: &DVector<f64>) -> DVector<f64> {
        &self.pencil.motions * x
    }

    fn free(&self) -> DMatrix<f64> {
        self.spectrum.basis().0
    }

    fn stability(&self, system: &System, natural: f64) -> Option<(usize, Vec<Unstable>, usize)> {
        let (free, unstable) = stability(system, &self.pencil, natural)?;
        let all = unstable.len();
        Some((free, unstable, all))
    }
}
