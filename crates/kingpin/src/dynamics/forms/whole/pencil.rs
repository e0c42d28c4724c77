//! The linearised equations of all coordinates where the chart is based, as a pencil of matrices bound by equations.

use super::Whole;
use super::bordered::VANISHING_LEVEL;
use super::skeleton::Skeleton;
use super::writing::MatrixPart;
use crate::dynamics::instant::Trouble;
use crate::integrate::SecondOrder;
use crate::linalg::{BlockFactor, ComplexNumber, FourWide};
use crate::system::Pair;
use nalgebra::{Complex, DVector};
use std::sync::Arc;

/// M x'' + C x' + K x + Phi_x^T lam = 0 with Phi_x x = 0 for small motions x about a state of rest, in the coordinates of
/// all bodies: sparse, and the same as M, C and K of any independent ones [Negrut 1998, appendix B].
pub(in crate::dynamics) struct BoundPencil {
    skeleton: Arc<Skeleton>,
    mass: Vec<f64>,
    damping: Vec<f64>,
    stiffness: Vec<f64>,
    phi: Vec<f64>,
    pairs: Vec<Pair>,
}

/// A factor of K with some mass, bordered by Phi_x.
pub(in crate::dynamics) struct BoundFactor(BlockFactor<f64>);

/// A factor of a M + b C + c K for complex weights, bordered by Phi_x.
pub(in crate::dynamics) struct ComplexBoundFactor(BlockFactor<ComplexNumber>);

/// A motion of all bodies with a phase.
pub(in crate::dynamics) type Swing = DVector<Complex<f64>>;

/// A stiffness as it is, or its symmetric part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::dynamics) enum StiffnessSide {
    Given,
    Symmetric,
}

impl Whole<'_, false> {
    /// Linearises where the chart is based, with the accelerations there.
    pub(in crate::dynamics) fn pencil(&mut self) -> Result<BoundPencil, Trouble> {
        let (t, x, rates) = (self.base.t, self.base.x.clone(), self.base.xdot.clone());
        let mut matrix = <Self as SecondOrder>::Matrix::default();
        self.linearise(t, &x, &rates, &mut matrix)?;
        let numbers = matrix.numbers;
        Ok(BoundPencil {
            skeleton: self.structure.single.clone(),
            mass: numbers.mass,
            damping: numbers.damping,
            stiffness: numbers.stiffness,
            phi: numbers.phi,
            pairs: self.mechanism.system.layout.pairs.clone(),
        })
    }

    /// Coordinates of the chart where it is based.
    pub(in crate::dynamics) fn based_at(&self) -> &[f64] {
        &self.base.x
    }

    /// Accelerations of the coordinates at the instant at hand, which were solved for.
    pub(in crate::dynamics) fn accelerations(&self) -> &[f64] {
        &self.xddot
    }

    /// Solves for accelerations at coordinates without rates, at the time of the base.
    pub(in crate::dynamics) fn rest_at(&mut self, x: &[f64]) -> Result<(), Trouble> {
        let (t, rates) = (self.base.t, vec![0.0; x.len()]);
        self.solve_at(t, x, &rates)
    }

    /// Solves for accelerations at the instant at hand again: pieces of forces have changed.
    pub(in crate::dynamics) fn solve_again(&mut self) -> Result<(), Trouble> {
        self.solve()
    }

    /// Configuration of the instant at hand.
    pub(in crate::dynamics) fn configuration(&self) -> &[f64] {
        &self.q
    }
}

impl BoundPencil {
    /// How many coordinates there are, and how many of them are bound.
    pub fn size(&self) -> [usize; 2] {
        [self.skeleton.places().count(), self.skeleton.equations()]
    }

    /// The stiffness from one side.
    fn stiffness(&self, side: StiffnessSide) -> Vec<f64> {
        let mut out = self.stiffness.clone();
        if side == StiffnessSide::Given {
            return out;
        }
        let mut places: Vec<([usize; 2], usize)> = self.pairs.iter().map(|p| (p.bodies, p.at)).collect();
        places.sort_unstable();
        for pair in &self.pairs {
            let [rows, columns] = pair.nv;
            let across = [pair.bodies[1], pair.bodies[0]];
            let Ok(k) = places.binary_search_by_key(&across, |place| place.0) else { continue };
            for i in 0..rows {
                for j in 0..columns {
                    let (here, there) = (pair.at + i * columns + j, places[k].1 + j * rows + i);
                    out[here] = 0.5 * (self.stiffness[here] + self.stiffness[there]);
                }
            }
        }
        out
    }

    /// Factors mass M + K; `None` where it is singular. O(entries of the factor)
    pub fn factor(&self, mass: f64, side: StiffnessSide) -> Option<BoundFactor> {
        self.factor_into(BlockFactor::new(&self.skeleton.lu), mass, side)
    }

    /// The same for a matrix that is far from singular: interfaces of sub-domains may be solved by iterations.
    pub fn factor_regular(&self, mass: f64) -> Option<BoundFactor> {
        self.factor_into(BlockFactor::iterating(&self.skeleton.lu), mass, StiffnessSide::Given)
    }

    fn factor_into(&self, mut to: BlockFactor<f64>, mass: f64, side: StiffnessSide) -> Option<BoundFactor> {
        let stiffness = self.stiffness(side);
        let write = |part: &mut MatrixPart<f64>| {
            part.add_pairs(mass, &self.mass, [0, 0]);
            part.add_pairs(1.0, &stiffness, [0, 0]);
            part.put_border(&self.phi, |to, x| *to = x);
        };
        self.skeleton.factor(&mut to, VANISHING_LEVEL, &write).ok()?;
        Some(BoundFactor(to))
    }

    /// Factors a M + b C + c K; `None` where it is singular.
    pub fn factor_complex(&self, weights: [Complex<f64>; 3]) -> Option<ComplexBoundFactor> {
        let mut to = BlockFactor::<ComplexNumber>::iterating(&self.skeleton.lu);
        let write = |part: &mut MatrixPart<ComplexNumber>| {
            for (weight, pairs) in weights.into_iter().zip([&self.mass, &self.damping, &self.stiffness]) {
                part.put_pairs(pairs, [0, 0], |to, x| {
                    (to.re, to.im) = (to.re + weight.re * x, to.im + weight.im * x);
                });
            }
            part.put_border(&self.phi, |to, x| to.re = x);
        };
        self.skeleton.factor(&mut to, VANISHING_LEVEL, &write).ok()?;
        Some(ComplexBoundFactor(to))
    }

    /// The motion that a complex force causes.
    pub fn solve_complex(&self, factor: &ComplexBoundFactor, force: &Swing) -> Swing {
        let mut right = vec![ComplexNumber::default(); self.skeleton.lu.rows()];
        for (place, x) in self.skeleton.places().zip(force.iter()) {
            right[place] = ComplexNumber { re: x.re, im: x.im };
        }
        self.skeleton.lu.solve(&factor.0, &mut right);
        let each = self.skeleton.places().map(|place| Complex::new(right[place].re, right[place].im));
        Swing::from_iterator(force.len(), each)
    }

    /// a M x + b C x + c K x.
    pub fn weighed(&self, weights: [Complex<f64>; 3], x: &Swing) -> Swing {
        let parts = [x.map(|x| x.re), x.map(|x| x.im)];
        let mut out = Swing::zeros(x.len());
        for (weight, pairs) in weights.into_iter().zip([&self.mass, &self.damping, &self.stiffness]) {
            if weight != Complex::new(0.0, 0.0) {
                let [re, im] = [&parts[0], &parts[1]].map(|x| self.times(pairs, x));
                out += re.zip_map(&im, |re, im| weight * Complex::new(re, im));
            }
        }
        out
    }

    /// Whether there is no damping at all, and the stiffness is symmetric: frequencies can be counted.
    pub fn is_conservative(&self) -> bool {
        let largest = self.stiffness.iter().fold(0.0, |most: f64, k| most.max(k.abs()));
        let symmetric = self.stiffness(StiffnessSide::Symmetric);
        let apart = symmetric.iter().zip(&self.stiffness).all(|(a, b)| (a - b).abs() <= 1e-12 * largest);
        apart && self.damping.iter().all(|c| *c == 0.0)
    }

    /// Motions in which a factored symmetric matrix is negative.
    pub fn negatives(&self, factor: &BoundFactor) -> Option<usize> {
        // each equation brings one negative eigenvalue of its own
        self.skeleton.lu.negatives(&factor.0)?.checked_sub(self.skeleton.equations())
    }

    /// The motion that a force causes.
    pub fn solve(&self, factor: &BoundFactor, force: &DVector<f64>) -> DVector<f64> {
        let mut right = vec![0.0; self.skeleton.lu.rows()];
        let force = force.as_slice();
        self.skeleton.write_right(&mut right, |c| force[c], |_| 0.0);
        self.skeleton.lu.solve(&factor.0, &mut right);
        DVector::from_iterator(force.len(), self.skeleton.places().map(|place| right[place]))
    }

    /// The same for many forces, four at a time, in place.
    pub fn solve_each(&self, factor: &BoundFactor, forces: &mut [DVector<f64>]) {
        let mut right: Vec<FourWide> = vec![[0.0; 4]; self.skeleton.lu.rows()];
        for some in forces.chunks_mut(4) {
            right.fill([0.0; 4]);
            for (k, force) in some.iter().enumerate() {
                self.skeleton.places().zip(force.iter()).for_each(|(place, x)| right[place][k] = *x);
            }
            self.skeleton.lu.solve(&factor.0, &mut right);
            for (k, motion) in some.iter_mut().enumerate() {
                self.skeleton.places().zip(motion.iter_mut()).for_each(|(place, x)| *x = right[place][k]);
            }
        }
    }

    fn times(&self, pairs: &[f64], x: &DVector<f64>) -> DVector<f64> {
        let mut out = DVector::zeros(x.len());
        self.skeleton.add_product(1.0, pairs, x.as_slice(), out.as_mut_slice());
        out
    }

    /// M x.
    pub fn mass_times(&self, x: &DVector<f64>) -> DVector<f64> {
        self.times(&self.mass, x)
    }

    /// K x from one side.
    pub fn stiffness_times(&self, side: StiffnessSide, x: &DVector<f64>) -> DVector<f64> {
        if side == StiffnessSide::Given {
            self.times(&self.stiffness, x)
        } else {
            self.times(&self.stiffness(side), x)
        }
    }

    /// |x|^T |K| |x|: what rounding errors of x^T K x are a part of.
    pub fn stiffness_size(&self, x: &DVector<f64>) -> f64 {
        let sizes: Vec<f64> = self.stiffness.iter().map(|k| k.abs()).collect();
        let x = x.map(f64::abs);
        self.times(&sizes, &x).dot(&x)
    }

    /// The same for C.
    pub fn damping_size(&self, x: &DVector<f64>) -> f64 {
        let sizes: Vec<f64> = self.damping.iter().map(|c| c.abs()).collect();
        let x = x.map(f64::abs);
        self.times(&sizes, &x).dot(&x)
    }

    /// The largest stiffness of a coordinate of a body for its own mass.
    pub fn stiffest(&self) -> f64 {
        let diagonal = |pairs: &[f64]| -> Vec<f64> {
            let own = self.pairs.iter().filter(|p| p.bodies[0] == p.bodies[1]);
            own.flat_map(|p| (0..p.nv[0]).map(|k| pairs[p.at + k * (p.nv[0] + 1)]).collect::<Vec<f64>>())
                .collect()
        };
        let each = diagonal(&self.stiffness).into_iter().zip(diagonal(&self.mass));
        each.filter(|(_, m)| *m > 0.0).map(|(k, m)| k.abs() / m).fold(0.0, f64::max)
    }
}
