//! What faer finds out about a pattern: a good order of elimination, and where the factor fills in.

use faer::dyn_stack::{MemBuffer, MemStack, StackReq};
use faer::sparse::linalg::amd;
use faer::sparse::linalg::cholesky::simplicial;
use faer::sparse::{FaerError, SymbolicSparseColMatRef};

use crate::SparseError;
use crate::pattern::Pattern;
use crate::triangle::Triangle;

/// An order of elimination of little fill: approximate minimum degree on the pattern of `A + A^T`.
/// [Amestoy, Davis, Duff 1996]
pub(crate) fn minimum_degree_order(pattern: &Pattern) -> Result<Vec<u32>, SparseError> {
    let n = pattern.n;
    let (mut order, mut place) = (vec![0; n], vec![0; n]);
    let mut memory = scratch(amd::order_scratch::<u32>(n, pattern.rows.len()))?;
    let stack = MemStack::new(&mut memory);
    amd::order(&mut order, &mut place, view(pattern), amd::Control::default(), stack).map_err(refused)?;
    Ok(order)
}

/// The places below the diagonal of the Cholesky factor of a symmetric matrix given by its upper triangle, rows
/// increasing in every column. O(entries of the factor)
pub(crate) fn factor_pattern(upper: &Pattern) -> Result<Triangle, SparseError> {
    let n = upper.n;
    let (mut tree, mut counts) = (vec![0; n], vec![0; n]);
    let mut memory = scratch(StackReq::any_of(&[
        simplicial::prefactorize_symbolic_cholesky_scratch::<u32>(n, upper.rows.len()),
        simplicial::factorize_simplicial_symbolic_cholesky_scratch::<u32>(n),
    ]))?;
    let stack = MemStack::new(&mut memory);
    let tree = simplicial::prefactorize_symbolic_cholesky(&mut tree, &mut counts, view(upper), stack);
    // the sum of the counts must fit an index before the pattern itself is asked for
    if counts.iter().map(|&count| u64::from(count)).sum::<u64>() > i32::MAX as u64 {
        return Err(SparseError::TooLarge);
    }
    let symbolic = simplicial::factorize_simplicial_symbolic_cholesky(view(upper), tree, &counts, stack)
        .map_err(refused)?;
    // faer stores the diagonal first in each column: leave it out
    let (starts, rows) = (symbolic.col_ptr(), symbolic.row_idx());
    let mut lower = Triangle::with_capacity(n, rows.len() - n);
    for k in 0..n {
        lower.rows.extend_from_slice(&rows[starts[k] as usize + 1..starts[k + 1] as usize]);
        lower.starts[k + 1] = lower.rows.len() as u32;
    }
    lower.values.resize(lower.rows.len(), 0.0);
    Ok(lower)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern::checked_order;

    #[test]
    fn orders_are_permutations_for_every_small_shape() {
        // no columns, no entries, diagonal only, a full matrix, an arrow whose hub comes first
        let arrow: Vec<usize> = (0..6).chain((1..6).flat_map(|i| [0, i])).collect();
        for (n, columns, rows) in [
            (0, vec![0], vec![]),
            (3, vec![0; 4], vec![]),
            (3, vec![0, 1, 2, 3], vec![0, 1, 2]),
            (3, vec![0, 3, 6, 9], vec![0, 1, 2, 0, 1, 2, 0, 1, 2]),
            (6, vec![0, 6, 8, 10, 12, 14, 16], arrow),
        ] {
            let pattern = Pattern::checked(n, &columns, &rows).unwrap();
            let order = minimum_degree_order(&pattern).unwrap();
            let order: Vec<usize> = order.into_iter().map(|index| index as usize).collect();
            assert!(checked_order(&order, n).is_ok());
            // the hub of the arrow is not eliminated while two of its five neighbours remain
            assert!(n < 6 || order.iter().position(|&index| index == 0).unwrap() >= 4);
        }
    }

    #[test]
    fn fill_joins_the_neighbours_of_an_eliminated_column() {
        // an arrow with its hub first fills in completely
        let pattern = Pattern::checked(4, &[0, 1, 3, 5, 7], &[0, 0, 1, 0, 2, 0, 3]).unwrap();
        let lower = factor_pattern(&pattern).unwrap();
        assert_eq!(lower.starts, [0, 3, 5, 6, 6]);
        assert_eq!(lower.rows, [1, 2, 3, 2, 3, 3]);
    }
}
