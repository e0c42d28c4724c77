//! Symbolic factorisation: elimination tree, column counts and the pattern of the factor.
//!
//! Everything here is in *places*: row and column `k` belong to the joint `permutation.order()[k]`.
//! Given an order, a clique has the same filled graph as the star from its first eliminated joint, because
//! eliminating that joint creates the clique. Replacing every body by such a star makes the input linear in
//! the model, however many joints one body carries.

use super::graph::JointGraph;
use super::lists::Lists;
use super::permutation::Permutation;

/// Marks the absence of a parent inside the algorithms.
const NONE: usize = usize::MAX;

/// The elimination tree of an ordered graph and the number and weight of the entries of every column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EliminationTree {
    /// The parent of each place, the first row below the diagonal of its column; `None` for a root.
    pub parent: Vec<Option<usize>>,
    /// The number of blocks below the diagonal of each column: the remaining neighbours `k` at elimination.
    pub count: Vec<usize>,
    /// The number of scalar rows below the diagonal block of each column: the `q` of the scalar work.
    pub rows: Vec<u64>,
}

/// The pattern of the block Cholesky factor of an ordered graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbolic {
    /// The elimination tree.
    pub tree: EliminationTree,
    /// The places below the diagonal of each column, in ascending order.
    pub columns: Lists,
}

/// Stars of the cliques: for each place, the earlier places it is tied to (repetitions are harmless).
fn stars(graph: &JointGraph, permutation: &Permutation) -> Lists {
    let position = permutation.position();
    let first: Vec<usize> = (0..graph.bodies())
        .map(|body| graph.joints_on(body).iter().map(|&j| position[j]).min().unwrap_or(NONE))
        .collect();
    let mut rows = Lists::from_rows::<[usize; 0]>([]);
    let mut row = Vec::new();
    for (place, &joint) in permutation.order().iter().enumerate() {
        row.clear();
        row.extend(graph.bodies_of(joint).iter().map(|&b| first[b]).filter(|&p| p < place));
        rows.push(&row);
    }
    rows
}

/// Parents by Liu's algorithm with path compression [Liu 1990].
fn parents(rows: &Lists, steps: &mut u64) -> Vec<usize> {
    let n = rows.len();
    let (mut parent, mut ancestor) = (vec![NONE; n], vec![NONE; n]);
    for i in 0..n {
        for &column in rows.row(i) {
            let mut j = column;
            while j != NONE && j < i {
                *steps += 1;
                let next = ancestor[j];
                ancestor[j] = i;
                if next == NONE {
                    parent[j] = i;
                }
                j = next;
            }
        }
    }
    parent
}

/// The vertices of a forest, children before parents and every subtree contiguous.
fn postorder(parent: &[usize]) -> Vec<usize> {
    let n = parent.len();
    let (mut head, mut next) = (vec![NONE; n], vec![NONE; n]);
    for j in (0..n).rev().filter(|&j| parent[j] != NONE) {
        next[j] = head[parent[j]];
        head[parent[j]] = j;
    }
    let (mut post, mut stack) = (Vec::with_capacity(n), Vec::new());
    for root in (0..n).filter(|&j| parent[j] == NONE) {
        stack.push(root);
        while let Some(&top) = stack.last() {
            if head[top] == NONE {
                post.push(top);
                stack.pop();
            } else {
                let child = head[top];
                head[top] = next[child];
                stack.push(child);
            }
        }
    }
    post
}

/// Row subtrees seen one leaf at a time [Gilbert, Ng and Peyton 1994].
struct RowSubtrees {
    first: Vec<usize>,
    max_first: Vec<usize>,
    previous_leaf: Vec<usize>,
    ancestor: Vec<usize>,
}

/// What column `j` is to the row subtree of `i`.
enum Leaf {
    Inner,
    First,
    Later { common_ancestor: usize },
}

impl RowSubtrees {
    /// `first[j]` becomes the first place in postorder among the descendants of `j`.
    fn new(parent: &[usize], post: &[usize]) -> Self {
        let n = parent.len();
        let mut first = vec![NONE; n];
        for (k, &leaf) in post.iter().enumerate() {
            let mut j = leaf;
            while j != NONE && first[j] == NONE {
                first[j] = k;
                j = parent[j];
            }
        }
        Self { first, max_first: vec![NONE; n], previous_leaf: vec![NONE; n], ancestor: (0..n).collect() }
    }

    fn leaf(&mut self, i: usize, j: usize, steps: &mut u64) -> Leaf {
        if self.max_first[i] != NONE && self.first[j] <= self.max_first[i] {
            return Leaf::Inner;
        }
        self.max_first[i] = self.first[j];
        let previous = std::mem::replace(&mut self.previous_leaf[i], j);
        if previous == NONE {
            return Leaf::First;
        }
        // Least common ancestor of the two leaves, with path compression.
        let mut root = previous;
        while root != self.ancestor[root] {
            *steps += 1;
            root = self.ancestor[root];
        }
        let mut walk = previous;
        while walk != root {
            walk = std::mem::replace(&mut self.ancestor[walk], root);
        }
        Leaf::Later { common_ancestor: root }
    }
}

/// Column counts and weights, diagonal included, in time almost linear in the stars.
fn column_sums(rows: &Lists, parent: &[usize], weight: &[u64], steps: &mut u64) -> (Vec<i64>, Vec<i64>) {
    let n = parent.len();
    let post = postorder(parent);
    let columns = rows.transpose(n);
    let mut subtrees = RowSubtrees::new(parent, &post);
    let (mut count, mut total) = (vec![0i64; n], vec![0i64; n]);
    let mut add = |column: usize, row: usize, sign: i64| {
        count[column] += sign;
        total[column] += sign * weight[row] as i64;
    };
    for (k, &j) in post.iter().enumerate() {
        if subtrees.first[j] == k {
            add(j, j, 1);
        }
    }
    for &j in &post {
        // The diagonal of a child is no entry of its parent.
        if parent[j] != NONE {
            add(parent[j], j, -1);
        }
        // A row starts at the leaves of its subtree and is counted once where two branches meet.
        for &i in columns.row(j) {
            *steps += 1;
            match subtrees.leaf(i, j, steps) {
                Leaf::Inner => {}
                Leaf::First => add(j, i, 1),
                Leaf::Later { common_ancestor } => {
                    add(j, i, 1);
                    add(common_ancestor, i, -1);
                }
            }
        }
        if parent[j] != NONE {
            subtrees.ancestor[j] = parent[j];
        }
    }
    for j in (0..n).filter(|&j| parent[j] != NONE) {
        count[parent[j]] += count[j];
        total[parent[j]] += total[j];
    }
    (count, total)
}

impl EliminationTree {
    /// Tree and column counts of `graph` eliminated in the given order, which must name all its joints.
    ///
    /// Almost linear in the number of (joint, body) pairs, even where the factor is dense.
    pub fn new(graph: &JointGraph, permutation: &Permutation) -> Self {
        Self::counted(graph, permutation, &mut 0)
    }

    pub(super) fn counted(graph: &JointGraph, permutation: &Permutation, steps: &mut u64) -> Self {
        Self::from_stars(&stars(graph, permutation), graph, permutation, steps)
    }

    fn from_stars(rows: &Lists, graph: &JointGraph, permutation: &Permutation, steps: &mut u64) -> Self {
        let parent = parents(rows, steps);
        let weight: Vec<u64> = permutation.order().iter().map(|&j| graph.size(j) as u64).collect();
        let (count, total) = column_sums(rows, &parent, &weight, steps);
        Self {
            count: count.iter().map(|&c| (c - 1) as usize).collect(),
            rows: total.iter().zip(&weight).map(|(&t, &w)| t as u64 - w).collect(),
            parent: parent.iter().map(|&p| (p != NONE).then_some(p)).collect(),
        }
    }

    /// The places with children before parents and every subtree contiguous.
    ///
    /// Eliminating in this order instead gives the same blocks and the same work, with better locality.
    pub fn postorder(&self) -> Vec<usize> {
        let parent: Vec<usize> = self.parent.iter().map(|p| p.unwrap_or(NONE)).collect();
        postorder(&parent)
    }

    /// The number of levels of the tree: eliminations on one level can run in parallel.
    pub fn height(&self) -> usize {
        let mut height = vec![1; self.parent.len()];
        for (j, parent) in self.parent.iter().enumerate() {
            if let Some(p) = *parent {
                height[p] = height[p].max(height[j] + 1);
            }
        }
        height.into_iter().max().unwrap_or(0)
    }
}

impl Symbolic {
    /// The pattern of the factor of `graph` eliminated in the given order, which must name all its joints.
    ///
    /// Time and memory are linear in the size of the factor.
    pub fn new(graph: &JointGraph, permutation: &Permutation) -> Self {
        let rows = stars(graph, permutation);
        let tree = EliminationTree::from_stars(&rows, graph, permutation, &mut 0);
        let n = rows.len();
        let mut start = vec![0; n + 1];
        for j in 0..n {
            start[j + 1] = start[j] + tree.count[j];
        }
        // Row i fills the columns on the paths from its entries up to i; rows come in ascending order.
        let mut next = start.clone();
        let mut item = vec![0; start[n]];
        let mut mark = vec![NONE; n];
        for i in 0..n {
            mark[i] = i;
            for &column in rows.row(i) {
                let mut j = column;
                while mark[j] != i {
                    mark[j] = i;
                    item[next[j]] = i;
                    next[j] += 1;
                    match tree.parent[j] {
                        Some(parent) => j = parent,
                        None => break,
                    }
                }
            }
        }
        Self { columns: Lists::from_rows((0..n).map(|j| &item[start[j]..start[j + 1]])), tree }
    }
}

#[cfg(test)]
mod tests {
    use super::super::examples::{
        brute_force_columns, chain, ladder, random_graph, random_order, rosette, star,
    };
    use super::super::minimum_degree::minimum_degree;
    use super::*;

    #[test]
    fn pattern_tree_and_counts_equal_brute_force_elimination() {
        for seed in 0..200 {
            let graph = random_graph(seed, 1 + seed as usize % 30, 1 + seed as usize % 17);
            let order = random_order(seed, graph.joints());
            let symbolic = Symbolic::new(&graph, &order);
            let expected = brute_force_columns(&graph, &order);
            for (j, column) in expected.iter().enumerate() {
                assert_eq!(symbolic.columns.row(j), column, "seed {seed} column {j}");
                assert_eq!(symbolic.tree.parent[j], column.first().copied());
                assert_eq!(symbolic.tree.count[j], column.len());
                let rows: usize = column.iter().map(|&p| graph.size(order.order()[p])).sum();
                assert_eq!(symbolic.tree.rows[j], rows as u64);
            }
        }
    }

    #[test]
    fn postorder_keeps_the_work() {
        for seed in 0..30 {
            let graph = random_graph(seed, 25, 14);
            let order = random_order(seed, 25);
            let tree = EliminationTree::new(&graph, &order);
            let post = tree.postorder();
            let joints = post.iter().map(|&place| order.order()[place]).collect();
            let moved = EliminationTree::new(&graph, &Permutation::new(joints).unwrap());
            for (place, &old) in post.iter().enumerate() {
                assert_eq!((moved.count[place], moved.rows[place]), (tree.count[old], tree.rows[old]));
                assert_eq!(moved.parent[place].map(|p| post[p]), tree.parent[old]);
            }
        }
    }

    #[test]
    fn counting_grows_linearly() {
        for family in [chain, ladder, star, rosette] {
            let mut steps = [0, 0];
            for (size, steps) in [3_000, 30_000].into_iter().zip(&mut steps) {
                let graph = family(size);
                EliminationTree::counted(&graph, &minimum_degree(&graph), steps);
            }
            assert!(steps[1] < 12 * steps[0], "{steps:?}");
        }
    }

    #[test]
    fn a_dense_factor_is_counted_without_being_formed() {
        let graph = star(100_000);
        let mut steps = 0;
        let tree = EliminationTree::counted(&graph, &Permutation::identity(100_000), &mut steps);
        assert_eq!((tree.count[0], tree.count[99_999]), (99_999, 0));
        assert_eq!(tree.height(), 100_000);
        assert!(steps < 1_000_000, "{steps} steps");
    }

    #[test]
    fn empty_and_isolated() {
        let empty = JointGraph::new::<[usize; 0]>(0, []).unwrap();
        let symbolic = Symbolic::new(&empty, &Permutation::identity(0));
        assert_eq!((symbolic.columns.len(), symbolic.tree.height()), (0, 0));
        let isolated = JointGraph::new(0, [([0usize; 0], 3), ([0; 0], 2)]).unwrap();
        let symbolic = Symbolic::new(&isolated, &Permutation::identity(2));
        assert_eq!(symbolic.tree.parent, [None, None]);
        assert_eq!(symbolic.columns.items(), 0);
    }
}
