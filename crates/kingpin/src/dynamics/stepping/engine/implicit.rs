//! An implicit method on the form whose matrices take less time.

use super::{Made, Setup, Stepping};
use crate::dynamics::forms::coordinates::Coordinates;
use crate::dynamics::forms::form::Form;
use crate::dynamics::forms::whole::{Bordered, Whole, sparse_pays};
use crate::dynamics::instant::{DENSE, Dynamics, Trouble};
use crate::dynamics::stepping::{Matrices, Settings};
use crate::integrate::{Implicit, Scheme, SecondOrder};

impl Matrices {
    /// Whether implicit methods on a mechanism get sparse ones.
    pub fn is_sparse(self, mechanism: &Dynamics) -> bool {
        if mechanism.system.forces_read {
            // reactions that forces go with couple what no joint does: dense matrices alone know them
            return false;
        }
        match self {
            Matrices::Auto => mechanism.freedoms() > DENSE || sparse_pays(mechanism),
            Matrices::Dense => false,
            Matrices::Sparse => true,
        }
    }
}

impl Settings {
    /// Whether implicit methods on a mechanism get sparse matrices.
    pub fn is_sparse(&self, mechanism: &Dynamics) -> bool {
        !self.wants_dense() && self.matrices.is_sparse(mechanism)
    }

    /// Whether matrices are to be dense, whatever their size: sparse ones know no partition, so whoever asks for one gets
    /// dense ones.
    pub(in crate::dynamics) fn wants_dense(&self) -> bool {
        self.matrices == Matrices::Dense || self.coordinates == Coordinates::Partition
    }
}

/// Sets an implicit method to work on a dense form F, or on all coordinates: with a matrix that is exact, if the
/// method needs it so.
pub(in crate::dynamics::stepping) fn implicit<'a, F, S, const EXACT: bool>(setup: Setup<'a, '_>) -> Made<'a>
where
    F: Form<'a> + SecondOrder<Error = Trouble> + 'a,
    F::Matrix: Send + 'a,
    S: Scheme + Send + 'a,
{
    if setup.settings.is_sparse(&setup.mechanism) {
        return Stepping::<Whole<'a, EXACT>, Implicit<S, Bordered<EXACT>>>::boxed(setup);
    }
    Stepping::<F, Implicit<S, F::Matrix>>::boxed(setup)
}
