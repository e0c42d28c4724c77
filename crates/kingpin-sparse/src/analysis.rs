//! What is found out about a pattern: a good order of elimination, and where the factor fills in.

use crate::SparseError;
use crate::amd;
use crate::pattern::Pattern;
use crate::triangle::Triangle;

/// An order of elimination of little fill: approximate minimum degree on the pattern of `A + A^T`.
pub(crate) fn minimum_degree_order(pattern: &Pattern) -> Vec<u32> {
    let n = pattern.n;
    let mut neighbours: Vec<Vec<u32>> = vec![Vec::new(); n];
    for column in 0..n {
        for &row in pattern.rows[pattern.column(column)].iter().filter(|&&row| row as usize != column) {
            neighbours[column].push(row);
            neighbours[row as usize].push(column as u32);
        }
    }
    // an entry and its mirror image are one neighbour
    for list in &mut neighbours {
        list.sort_unstable();
        list.dedup();
    }
    amd::order(&neighbours, &vec![1; n])
}

/// No column.
const NONE: u32 = u32::MAX;

/// The places below the diagonal of the Cholesky factor of a symmetric matrix given by its upper triangle, rows
/// increasing in every column: row k has an entry in every column on the way from the entries of column k to k along
/// the elimination tree. O(entries of the factor) [Davis 2006, section 4.8]
pub(crate) fn factor_pattern(upper: &Pattern) -> Result<Triangle, SparseError> {
    let n = upper.n;
    let (mut parent, mut seen) = (vec![NONE; n], vec![NONE; n]);
    let mut columns: Vec<Vec<u32>> = vec![Vec::new(); n];
    let mut entries = 0_u64;
    for k in 0..n as u32 {
        seen[k as usize] = k;
        let column = upper.starts[k as usize] as usize..upper.starts[k as usize + 1] as usize;
        for &row in upper.rows[column].iter().filter(|&&row| row < k) {
            let mut j = row as usize;
            while seen[j] != k {
                seen[j] = k;
                columns[j].push(k);
                entries += 1;
                if parent[j] == NONE {
                    parent[j] = k;
                }
                j = parent[j] as usize;
            }
        }
        if entries > i32::MAX as u64 {
            return Err(SparseError::TooLarge);
        }
    }
    let mut lower = Triangle::with_capacity(n, entries as usize);
    for (k, column) in columns.iter().enumerate() {
        lower.rows.extend_from_slice(column);
        lower.starts[k + 1] = lower.rows.len() as u32;
    }
    lower.values.resize(lower.rows.len(), 0.0);
    Ok(lower)
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
            let order = minimum_degree_order(&pattern);
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
