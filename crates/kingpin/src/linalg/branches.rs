//! Branches of an elimination tree: what can be eliminated at once by several threads.
//!
//! Columns of different branches have nothing to do with each other; all that several of them reach is the trunk, which
//! comes behind them. Cut and order follow from the tree alone: every sum has the same terms in the same order whoever
//! eliminates which branch when.

/// No parent: the root of a tree.
pub(crate) const NO_PARENT: u32 = u32::MAX;

/// An elimination order in which branches follow each other and the trunk is last.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Branches {
    /// Places in the order that was given, in the new order.
    pub order: Vec<u32>,
    /// Where each branch ends in the new order; the first begins at zero. Empty if nothing is gained by a cut.
    pub ends: Vec<usize>,
}

/// Parts of the work: branches larger than the first are cut where that can be done, those smaller than the second are
/// put together, and the trunk has no more than the third.
const LARGE: f64 = 1.0 / 16.0;
const SMALL: f64 = 1.0 / 64.0;
const TRUNK: f64 = 1.0 / 16.0;

impl Branches {
    /// Whether so many columns are to be cut.
    pub fn are_worth_it(columns: usize, grain: usize) -> bool {
        columns / 8 >= grain.max(1)
    }

    /// Cuts a tree with the parent of each column, which comes behind it, and the work that it takes. Trees of few
    /// columns stay whole: a branch has at least `grain`. O(columns log columns)
    pub fn cut(parent: &[u32], work: &[f64], grain: usize) -> Branches {
        let n = parent.len();
        if !Self::are_worth_it(n, grain) {
            return Branches::default();
        }
        let tree = WeighedTree::new(parent, work);
        let roots = tree.branch_roots(work);
        let ends = tree.bundles(roots.clone());
        if ends.len() < 2 {
            return Branches::default();
        }
        // the bundle of each column: that of its root, or none for the trunk
        let mut bundle = vec![u32::MAX; n];
        let mut first = 0;
        for (k, &end) in ends.iter().enumerate() {
            roots[first..end].iter().for_each(|&root| bundle[root] = k as u32);
            first = end;
        }
        for k in (0..n).rev().filter(|&k| parent[k] != NO_PARENT) {
            bundle[k] = bundle[k].min(bundle[parent[k] as usize]);
        }
        // columns soon behind those below them, so that numbers are at hand
        let mut order = tree.children_first();
        order.sort_by_key(|&k| bundle[k as usize]);
        let place = |k: usize| order.partition_point(|&column| bundle[column as usize] <= k as u32);
        Branches { ends: (0..ends.len()).map(place).collect(), order }
    }
}

/// A tree with the work of all subtrees.
struct WeighedTree {
    /// Work of each column with all below it.
    sums: Vec<f64>,
    total: f64,
    first_child: Vec<u32>,
    sibling: Vec<u32>,
    roots: Vec<usize>,
}

impl WeighedTree {
    fn new(parent: &[u32], work: &[f64]) -> WeighedTree {
        let n = parent.len();
        let mut tree = WeighedTree {
            sums: work.to_vec(),
            total: work.iter().sum(),
            first_child: vec![NO_PARENT; n],
            sibling: vec![NO_PARENT; n],
            roots: Vec::new(),
        };
        for k in 0..n {
            match parent[k] {
                NO_PARENT => tree.roots.push(k),
                above => {
                    tree.sums[above as usize] += tree.sums[k];
                    tree.sibling[k] = tree.first_child[above as usize];
                    tree.first_child[above as usize] = k as u32;
                }
            }
        }
        tree
    }

    fn children(&self, k: usize) -> impl Iterator<Item = usize> + '_ {
        let some = |k: u32| (k != NO_PARENT).then_some(k as usize);
        std::iter::successors(some(self.first_child[k]), move |&child| some(self.sibling[child]))
    }

    /// All columns, every one right behind all below it.
    fn children_first(&self) -> Vec<u32> {
        let mut order = Vec::with_capacity(self.sums.len());
        let mut todo = self.roots.clone();
        while let Some(k) = todo.pop() {
            order.push(k as u32);
            todo.extend(self.children(k));
        }
        order.reverse();
        order
    }

    /// The roots of all branches, in order: large ones are cut below the columns down to the next fork.
    fn branch_roots(&self, work: &[f64]) -> Vec<usize> {
        let (mut left, mut roots) = (TRUNK * self.total, Vec::new());
        let mut todo = self.roots.clone();
        while let Some(root) = todo.pop() {
            let way =
                if self.sums[root] > LARGE * self.total { self.to_fork(root, work, left) } else { None };
            let Some((way, cost)) = way else {
                roots.push(root);
                continue;
            };
            left -= cost;
            for (k, &column) in way.iter().enumerate() {
                let next = way.get(k + 1).copied();
                todo.extend(self.children(column).filter(|&child| Some(child) != next));
            }
        }
        roots.sort_unstable();
        roots
    }

    /// The columns from a root down to the first with two children worth a branch, and their work, if it is no more than
    /// `most`.
    fn to_fork(&self, root: usize, work: &[f64], most: f64) -> Option<(Vec<usize>, f64)> {
        let (mut way, mut cost) = (vec![root], work[root]);
        loop {
            if cost > most {
                return None;
            }
            let (mut heavy, mut second) = (None, 0.0);
            for child in self.children(*way.last()?) {
                let sum = self.sums[child];
                match heavy {
                    Some(other) if self.sums[other] >= sum => second = f64::max(second, sum),
                    Some(other) => (second, heavy) = (self.sums[other], Some(child)),
                    None => heavy = Some(child),
                }
            }
            if second > SMALL * self.total {
                return Some((way, cost));
            }
            let next = heavy?;
            cost += work[next];
            way.push(next);
        }
    }

    /// Branches put together so that none is small: where each bundle ends among the roots.
    fn bundles(&self, roots: Vec<usize>) -> Vec<usize> {
        let (mut ends, mut sum) = (Vec::new(), 0.0);
        for (k, &root) in roots.iter().enumerate() {
            sum += self.sums[root];
            if sum > SMALL * self.total {
                ends.push(k + 1);
                sum = 0.0;
            }
        }
        match ends.last_mut() {
            Some(last) => *last = roots.len(),
            None => ends.push(roots.len()),
        }
        ends
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(parent: &[u32]) -> Branches {
        Branches::cut(parent, &vec![1.0; parent.len()], 1)
    }

    /// Every branch is closed: parents are in the same branch or in the trunk, and behind their children.
    fn check(parent: &[u32], branches: &Branches) {
        let mut place = vec![0; parent.len()];
        branches.order.iter().enumerate().for_each(|(at, &k)| place[k as usize] = at);
        let branch = |at: usize| branches.ends.partition_point(|&end| end <= at);
        for (k, &above) in parent.iter().enumerate().filter(|(_, above)| **above != NO_PARENT) {
            let (own, other) = (place[k], place[above as usize]);
            assert!(own < other, "{k} comes before {above}");
            assert!(branch(own) == branch(other) || branch(other) == branches.ends.len());
        }
    }

    #[test]
    fn a_path_stays_whole_and_two_that_meet_are_two_branches() {
        let path: Vec<u32> = (1..100).chain([NO_PARENT]).collect();
        assert_eq!(cut(&path), Branches::default());
        // even columns and odd ones, which meet in the last
        let folded: Vec<u32> =
            (0..101).map(|k: u32| if k == 100 { NO_PARENT } else { (k + 2).min(100) }).collect();
        let two = cut(&folded);
        assert_eq!(two.ends, [50, 100]);
        assert!(two.order[..50].iter().all(|k| k % 2 == 0) && two.order[100] == 100);
        check(&folded, &two);
    }

    #[test]
    fn a_binary_tree_has_many_branches_of_like_work() {
        // heap order turned round: the root is last
        let n = 1023_u32;
        let parent: Vec<u32> =
            (0..n).map(|k| if k == n - 1 { NO_PARENT } else { n - 1 - (n - 2 - k) / 2 }).collect();
        let branches = cut(&parent);
        check(&parent, &branches);
        assert!(branches.ends.len() >= 16, "{} branches", branches.ends.len());
        let largest = branches.ends.windows(2).map(|w| w[1] - w[0]).max();
        assert!(largest.is_some_and(|most| most <= 64), "{largest:?}");
        assert!(n as usize - branches.ends[branches.ends.len() - 1] <= 63, "the trunk is small");
    }

    #[test]
    fn many_small_trees_are_bundled() {
        let parent: Vec<u32> = (0..900).map(|k| if k % 3 == 2 { NO_PARENT } else { k + 1 }).collect();
        let branches = cut(&parent);
        check(&parent, &branches);
        assert!((20..=64).contains(&branches.ends.len()), "{} branches", branches.ends.len());
        assert_eq!(branches.ends.last(), Some(&900));
        assert_eq!(Branches::cut(&parent, &vec![1.0; 900], 256), Branches::default());
    }
}
