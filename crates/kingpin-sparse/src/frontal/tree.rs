//! Which columns are eliminated together, and what each front holds.

use super::compress::Groups;

/// A front: columns that are eliminated together, and the rows below them that change.
#[derive(Clone, Debug, Default)]
pub(super) struct Front {
    /// first column in the order of elimination, and how many
    pub first: usize,
    pub columns: usize,
    /// rows below the columns, in the order of elimination, increasing
    pub below: Vec<u32>,
    /// front that takes what this one leaves
    pub parent: Option<u32>,
}

impl Front {
    /// Rows of the front, its columns among them.
    pub fn size(&self) -> usize {
        self.columns + self.below.len()
    }
}

/// The rows of the factor by groups, in an order of elimination.
pub(super) struct Columns {
    below: Vec<Vec<u32>>,
    parent: Vec<u32>,
    /// group at each step; behind those that are eliminated, those that are kept
    order: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl Columns {
    /// Rows of each column: neighbours that come later, and rows of columns that it is the parent of. The last `kept`
    /// groups of the order are not eliminated. O(entries of the factor) [Liu 1990]
    pub fn of(groups: &Groups, order: &[u32], kept: usize) -> Columns {
        let n = order.len() - kept;
        let mut place = vec![0_u32; order.len()];
        order.iter().enumerate().for_each(|(k, &group)| place[group as usize] = k as u32);
        let (mut below, mut parent) = (Vec::with_capacity(n), vec![NONE; n]);
        let (mut children, mut seen) = (vec![Vec::<u32>::new(); n], vec![NONE; order.len()]);
        for k in 0..n as u32 {
            seen[k as usize] = k;
            let mut rows = Vec::new();
            let mut add = |row: u32| {
                if row > k && seen[row as usize] != k {
                    seen[row as usize] = k;
                    rows.push(row);
                }
            };
            groups.neighbours[order[k as usize] as usize].iter().for_each(|&g| add(place[g as usize]));
            for &child in &children[k as usize] {
                let list: &Vec<u32> = &below[child as usize];
                list.iter().for_each(|&row| add(row));
            }
            rows.sort_unstable();
            if let Some(&first) = rows.first().filter(|&&first| (first as usize) < n) {
                parent[k as usize] = first;
                children[first as usize].push(k);
            }
            below.push(rows);
        }
        Columns { below, parent, order: order.to_vec() }
    }

    /// Multiply-adds of the factorisation.
    pub fn work(&self, groups: &Groups) -> f64 {
        let weight = |k: u32| groups.members[self.order[k as usize] as usize].len() as f64;
        let column = |k: usize| {
            let (own, rest) = (weight(k as u32), self.below[k].iter().map(|&row| weight(row)).sum::<f64>());
            own * (own + rest) * (own + rest) / 2.0
        };
        (0..self.below.len()).map(column).sum()
    }

    /// The same columns with those of each subtree one behind the other.
    fn postordered(&self) -> Columns {
        let n = self.below.len();
        let mut children = vec![Vec::new(); n];
        for k in (0..n).rev().filter(|&k| self.parent[k] != NONE) {
            children[self.parent[k] as usize].push(k as u32);
        }
        // parents before children, then the other way round
        let mut steps = Vec::with_capacity(n);
        for root in (0..n as u32).rev().filter(|&k| self.parent[k as usize] == NONE) {
            let mut waiting = vec![root];
            while let Some(k) = waiting.pop() {
                steps.push(k);
                waiting.extend(children[k as usize].iter().rev());
            }
        }
        steps.reverse();
        let mut place: Vec<u32> = (0..self.order.len() as u32).collect();
        steps.iter().enumerate().for_each(|(k, &old)| place[old as usize] = k as u32);
        let moved = |&old: &u32| {
            let mut rows: Vec<u32> =
                self.below[old as usize].iter().map(|&row| place[row as usize]).collect();
            rows.sort_unstable();
            rows
        };
        let above = |&old: &u32| {
            let parent = self.parent[old as usize];
            if parent == NONE { NONE } else { place[parent as usize] }
        };
        Columns {
            below: steps.iter().map(moved).collect(),
            parent: steps.iter().map(above).collect(),
            order: steps.iter().chain(&place[n..]).map(|&old| self.order[old as usize]).collect(),
        }
    }

    /// Fronts of columns that have the same rows, or nearly so, and the order of all indices. What is kept is a last
    /// front that takes what the roots leave.
    pub fn fronts(&self, groups: &Groups) -> (Vec<Front>, Vec<u32>) {
        let own = self.postordered();
        let mut starts = vec![0_usize];
        for &group in &own.order {
            starts.push(starts[starts.len() - 1] + groups.members[group as usize].len());
        }
        let order = own.order.iter().flat_map(|&g| groups.members[g as usize].iter().copied()).collect();
        let weight = |&row: &u32| starts[row as usize + 1] - starts[row as usize];
        let rows: Vec<usize> = own.below.iter().map(|list| list.iter().map(weight).sum()).collect();
        // ranges of columns, each with the rows of its last column below it
        let mut ranges: Vec<(usize, usize, usize)> = Vec::new();
        for k in 0..own.below.len() {
            let mut range = (k, k + 1, 0);
            while let Some(&(first, end, zeros)) = ranges.last() {
                if own.parent[end - 1] as usize != range.0 {
                    break;
                }
                let (child, parent) = (starts[end] - starts[first], starts[k + 1] - starts[range.0]);
                let added = child * (parent + rows[k] - rows[end - 1]);
                let size = child + parent;
                let total = size * (size + 2 * rows[k]) / 2;
                let most = if size < 24 { total / 2 } else { total / 12 };
                if zeros + range.2 + added > most && added > 0 {
                    break;
                }
                range = (first, range.1, zeros + range.2 + added);
                ranges.pop();
            }
            ranges.push(range);
        }
        (own.named(&ranges, &starts), order)
    }

    fn named(&self, ranges: &[(usize, usize, usize)], starts: &[usize]) -> Vec<Front> {
        let mut front_of = vec![0_u32; self.below.len()];
        for (front, &(first, end, _)) in ranges.iter().enumerate() {
            front_of[first..end].fill(front as u32);
        }
        let front = |&(first, end, _): &(usize, usize, usize)| Front {
            first: starts[first],
            columns: starts[end] - starts[first],
            below: self.below[end - 1]
                .iter()
                .flat_map(|&row| starts[row as usize] as u32..starts[row as usize + 1] as u32)
                .collect(),
            parent: (self.parent[end - 1] != NONE).then(|| front_of[self.parent[end - 1] as usize]),
        };
        let mut fronts: Vec<Front> = ranges.iter().map(front).collect();
        let eliminated = starts[self.below.len()];
        let kept = starts[self.order.len()] - eliminated;
        if kept > 0 {
            let last = Some(fronts.len() as u32);
            let leaving = |front: &&mut Front| front.parent.is_none() && !front.below.is_empty();
            fronts.iter_mut().filter(leaving).for_each(|front| front.parent = last);
            fronts.push(Front { first: eliminated, columns: kept, below: Vec::new(), parent: None });
        }
        fronts
    }
}
