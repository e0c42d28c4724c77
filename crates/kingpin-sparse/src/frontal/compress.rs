//! Rows that a symmetric matrix treats alike, as those of one node of a mesh, are ordered as one.

use crate::pattern::{Pattern, accumulate};
use std::collections::BTreeMap;

/// Indices in groups of equal neighbours, and which groups are neighbours.
#[derive(Clone, Debug)]
pub(super) struct Groups {
    /// members of each group, increasing
    pub members: Vec<Vec<u32>>,
    /// groups next to each, increasing
    pub neighbours: Vec<Vec<u32>>,
}

/// Neighbours of each index by the upper triangle, its own included, increasing. O(entries)
fn closed_neighbours(upper: &Pattern) -> (Vec<u32>, Vec<u32>) {
    let n = upper.n;
    let mut starts = vec![0_u32; n + 1];
    for j in 0..n {
        starts[j + 1] += 1;
        for &i in upper.rows[upper.column(j)].iter().filter(|&&i| (i as usize) < j) {
            starts[j + 1] += 1;
            starts[i as usize + 1] += 1;
        }
    }
    accumulate(&mut starts);
    let (mut next, mut list) = (starts.clone(), vec![0; starts[n] as usize]);
    let mut put = |of: usize, value: u32| {
        list[next[of] as usize] = value;
        next[of] += 1;
    };
    // rows above j come with column j itself, those below with later columns
    for j in 0..n {
        for &i in upper.rows[upper.column(j)].iter().filter(|&&i| (i as usize) < j) {
            put(j, i);
        }
        put(j, j as u32);
        for &i in upper.rows[upper.column(j)].iter().filter(|&&i| (i as usize) < j) {
            put(i as usize, j as u32);
        }
    }
    (starts, list)
}

impl Groups {
    /// The groups of a matrix given by its upper triangle, in the order of their first members. Indices that are kept
    /// are groups of their own. O(entries log groups)
    pub fn of(upper: &Pattern, kept: &[bool]) -> Groups {
        let n = upper.n;
        let (starts, list) = closed_neighbours(upper);
        let range = |i: usize| starts[i] as usize..starts[i + 1] as usize;
        let mut known: BTreeMap<&[u32], u32> = BTreeMap::new();
        let (mut group, mut members) = (vec![0_u32; n], Vec::<Vec<u32>>::new());
        for i in 0..n {
            let next = members.len() as u32;
            let own = if kept[i] { next } else { *known.entry(&list[range(i)]).or_insert(next) };
            if own == next {
                members.push(Vec::new());
            }
            members[own as usize].push(i as u32);
            group[i] = own;
        }
        let mut neighbours = Vec::with_capacity(members.len());
        for (own, members) in members.iter().enumerate() {
            let near = list[range(members[0] as usize)].iter().map(|&i| group[i as usize]);
            let mut near: Vec<u32> = near.filter(|&other| other as usize != own).collect();
            near.sort_unstable();
            near.dedup();
            neighbours.push(near);
        }
        Groups { members, neighbours }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_of_one_node_are_one_group() {
        // nodes {0, 1}, {2, 3}, {4}: a chain of full blocks
        let columns = [0, 1, 3, 6, 10, 13];
        let rows = [0, 0, 1, 0, 1, 2, 0, 1, 2, 3, 2, 3, 4];
        let pattern = Pattern::checked(5, &columns, &rows).unwrap();
        let groups = Groups::of(&pattern, &[false; 5]);
        assert_eq!(groups.members, [vec![0, 1], vec![2, 3], vec![4]]);
        assert_eq!(groups.neighbours, [vec![1], vec![0, 2], vec![1]]);
        let apart = Groups::of(&pattern, &[false, false, true, true, false]);
        assert_eq!(apart.members, [vec![0, 1], vec![2], vec![3], vec![4]]);
    }
}
