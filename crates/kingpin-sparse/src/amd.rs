//! The order that faer finds.

use crate::SparseError;
use crate::pattern::Pattern;
use faer::dyn_stack::{MemBuffer, MemStack, StackReq};
use faer::sparse::linalg::amd;
use faer::sparse::{FaerError, SymbolicSparseColMatRef};

/// Approximate minimum degree on the pattern of `A + A^T`. [Amestoy, Davis and Duff 1996]
pub(crate) fn order(pattern: &Pattern) -> Result<Vec<u32>, SparseError> {
    let n = pattern.n;
    let (mut order, mut place) = (vec![0; n], vec![0; n]);
    let mut memory = scratch(amd::order_scratch::<u32>(n, pattern.rows.len()))?;
    let stack = MemStack::new(&mut memory);
    amd::order(&mut order, &mut place, view(pattern), amd::Control::default(), stack).map_err(refused)?;
    Ok(order)
}

fn view(pattern: &Pattern) -> SymbolicSparseColMatRef<'_, u32> {
    SymbolicSparseColMatRef::new_checked(pattern.n, pattern.n, &pattern.starts, None, &pattern.rows)
}

fn scratch(size: StackReq) -> Result<MemBuffer, SparseError> {
    MemBuffer::try_new(size).map_err(|_| SparseError::OutOfMemory)
}

fn refused(error: FaerError) -> SparseError {
    match error {
        FaerError::OutOfMemory => SparseError::OutOfMemory,
        _ => SparseError::TooLarge,
    }
}
