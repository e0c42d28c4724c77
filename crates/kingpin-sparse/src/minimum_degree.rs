//! Minimum degree without any other library.

use crate::pattern::Pattern;
use std::collections::BTreeSet;

/// The vertex of least degree first, the first of several; its neighbours become neighbours of each other. On the
/// pattern of `A + A^T`. O(fill log n) for sparse factors.
#[cfg_attr(feature = "faer", allow(dead_code))]
pub(crate) fn order(pattern: &Pattern) -> Vec<u32> {
    let n = pattern.n;
    let mut neighbours: Vec<BTreeSet<u32>> = vec![BTreeSet::new(); n];
    for column in 0..n {
        for &row in &pattern.rows[pattern.starts[column] as usize..pattern.starts[column + 1] as usize] {
            if row as usize != column {
                neighbours[column].insert(row);
                neighbours[row as usize].insert(column as u32);
            }
        }
    }
    let mut waiting: BTreeSet<(usize, u32)> =
        neighbours.iter().enumerate().map(|(k, list)| (list.len(), k as u32)).collect();
    let mut order = Vec::with_capacity(n);
    while let Some((_, next)) = waiting.pop_first() {
        order.push(next);
        let clique: Vec<u32> = std::mem::take(&mut neighbours[next as usize]).into_iter().collect();
        for &k in &clique {
            let list = &mut neighbours[k as usize];
            waiting.remove(&(list.len(), k));
            list.remove(&next);
            list.extend(clique.iter().filter(|&&other| other != k));
            waiting.insert((list.len(), k));
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::factor_pattern;
    use crate::pattern::checked_order;

    /// The upper triangle of a grid of `side * side` in an order.
    fn grid(side: usize, order: &[u32]) -> Pattern {
        let n = side * side;
        let mut place = vec![0; n];
        order.iter().enumerate().for_each(|(k, &old)| place[old as usize] = k);
        let mut columns: Vec<Vec<usize>> = (0..n).map(|k| vec![k]).collect();
        let mut link = |a: usize, b: usize| columns[place[a].max(place[b])].push(place[a].min(place[b]));
        for k in 0..n {
            if k % side + 1 < side {
                link(k, k + 1);
            }
            if k + side < n {
                link(k, k + side);
            }
        }
        columns.iter_mut().for_each(|column| column.sort_unstable());
        let mut starts = vec![0];
        columns.iter().for_each(|column| starts.push(starts.last().unwrap() + column.len()));
        Pattern::checked(n, &starts, &columns.concat()).unwrap()
    }

    #[test]
    fn orders_are_permutations_of_little_fill() {
        let side = 15;
        let given: Vec<u32> = (0..(side * side) as u32).collect();
        let pattern = grid(side, &given);
        let found = order(&pattern);
        assert!(checked_order(&found.iter().map(|&k| k as usize).collect::<Vec<_>>(), side * side).is_ok());
        let fill = |order: &[u32]| factor_pattern(&grid(side, order)).unwrap().rows.len();
        // a band of 15 has about 225 * 15 entries, of which a third can be saved
        assert!(fill(&found) * 3 < fill(&given) * 2, "{} {}", fill(&found), fill(&given));
    }

    #[cfg(feature = "faer")]
    #[test]
    fn fill_is_that_of_faer_or_nearly() {
        let given: Vec<u32> = (0..400).collect();
        let pattern = grid(20, &given);
        let fill = |order: &[u32]| factor_pattern(&grid(20, order)).unwrap().rows.len() as f64;
        let (own, theirs) = (fill(&order(&pattern)), fill(&crate::amd::order(&pattern).unwrap()));
        assert!(own < 1.15 * theirs, "{own} {theirs}");
    }
}
