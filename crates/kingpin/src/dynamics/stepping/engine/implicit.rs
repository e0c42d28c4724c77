//! An implicit method on the form whose matrices take less time.

use super::{Made, Setup, Stepping};
use crate::dynamics::forms::form::Form;
use crate::dynamics::forms::whole::{Bordered, Whole, sparse_work};
use crate::dynamics::instant::{DENSE, Dynamics, Trouble};
use crate::dynamics::stepping::Matrices;
use crate::integrate::{Implicit, Scheme, SecondOrder};

/// Systems with fewer freedoms are small.
const SMALL: usize = 100;

/// Instructions in a step, counted on chains of 100 rods, beyond what both ways have in common: of dense matrices for the
/// cube of the freedoms, and for each freedom and velocity, whose derivatives are made in half of the steps; of sparse ones
/// for each multiplication of a factorisation and of a solution.
const CUBE: f64 = 3.0;
const SLOPE: f64 = 500.0;
const FACTOR: f64 = 30.0;
const SOLUTION: f64 = 400.0;

/// Whether a step with sparse matrices is predicted to take less time than one with dense ones. O(symbolic phase)
fn sparse_pays(mechanism: &Dynamics) -> bool {
    let (n, velocities) = (mechanism.freedoms() as f64, mechanism.system.velocities() as f64);
    let [factor, solution] = sparse_work(mechanism);
    FACTOR * factor + SOLUTION * solution < n * (CUBE * n * n + SLOPE * velocities)
}

impl Matrices {
    /// Whether implicit methods on a mechanism get sparse ones.
    pub fn is_sparse(self, mechanism: &Dynamics) -> bool {
        match self {
            Matrices::Auto => match mechanism.freedoms() {
                0..SMALL => false,
                SMALL..=DENSE => sparse_pays(mechanism),
                _ => true,
            },
            Matrices::Dense => false,
            Matrices::Sparse => true,
        }
    }
}

/// Sets an implicit method to work on a dense form F, or on all coordinates: with a matrix that is exact, if the
/// method needs it so.
pub(in crate::dynamics::stepping) fn implicit<'a, F, S, const EXACT: bool>(setup: Setup<'a, '_>) -> Made<'a>
where
    F: Form<'a> + SecondOrder<Error = Trouble> + 'a,
    F::Matrix: 'a,
    S: Scheme + 'a,
{
    if setup.settings.matrices.is_sparse(&setup.mechanism) {
        return Stepping::<Whole<'a, EXACT>, Implicit<S, Bordered<EXACT>>>::boxed(setup);
    }
    Stepping::<F, Implicit<S, F::Matrix>>::boxed(setup)
}
