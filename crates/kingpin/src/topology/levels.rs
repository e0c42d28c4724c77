//! Rooted level structures by breadth-first search over cliques, and the ends of a long path.

use super::graph::JointGraph;

/// The joints of one component, level by level from a root.
#[derive(Clone, Debug)]
pub(super) struct Levels {
    order: Vec<usize>,
    start: Vec<usize>,
}

impl Levels {
    pub(super) fn root(&self) -> usize {
        self.order[0]
    }

    /// All joints of the component.
    pub(super) fn joints(&self) -> &[usize] {
        &self.order
    }

    pub(super) fn height(&self) -> usize {
        self.start.len() - 1
    }

    pub(super) fn level(&self, k: usize) -> &[usize] {
        &self.order[self.start[k]..self.start[k + 1]]
    }

    /// The size of the largest level.
    pub(super) fn width(&self) -> usize {
        self.start.windows(2).map(|w| w[1] - w[0]).max().unwrap_or(0)
    }
}

/// Scratch for repeated searches: a joint or body is seen when it carries the stamp of the search.
pub(super) struct Sweep<'g> {
    pub(super) graph: &'g JointGraph,
    joint_seen: Vec<usize>,
    body_seen: Vec<usize>,
    stamp: usize,
    /// Joints and clique members touched so far.
    pub(super) steps: u64,
}

impl<'g> Sweep<'g> {
    pub(super) fn new(graph: &'g JointGraph) -> Self {
        Self {
            graph,
            joint_seen: vec![0; graph.joints()],
            body_seen: vec![0; graph.bodies()],
            stamp: 0,
            steps: 0,
        }
    }

    /// Levels of the component of `root`. Each body is opened once: linear in its (joint, body) pairs.
    pub(super) fn levels(&mut self, root: usize) -> Levels {
        self.stamp += 1;
        self.joint_seen[root] = self.stamp;
        let (mut order, mut start) = (vec![root], vec![0]);
        while start.last().is_some_and(|&begin| begin < order.len()) {
            let begin = start[start.len() - 1];
            let end = order.len();
            for at in begin..end {
                self.open(order[at], &mut order);
            }
            start.push(end);
        }
        Levels { order, start }
    }

    /// Appends the unseen joints that share an unopened body with `joint`.
    fn open(&mut self, joint: usize, order: &mut Vec<usize>) {
        self.steps += 1;
        for &body in self.graph.bodies_of(joint) {
            if self.body_seen[body] == self.stamp {
                continue;
            }
            self.body_seen[body] = self.stamp;
            for &other in self.graph.joints_on(body) {
                self.steps += 1;
                if self.joint_seen[other] != self.stamp {
                    self.joint_seen[other] = self.stamp;
                    order.push(other);
                }
            }
        }
    }

    /// The component of every joint in turn, each as the levels from its joint of least degree.
    pub(super) fn components(&mut self) -> Vec<Levels> {
        let mut done = vec![false; self.graph.joints()];
        let mut components = Vec::new();
        for joint in 0..self.graph.joints() {
            if done[joint] {
                continue;
            }
            let levels = self.levels(joint);
            for &member in levels.joints() {
                done[member] = true;
            }
            let graph = self.graph;
            let root = levels.joints().iter().copied().min_by_key(|&j| (graph.degree(j), j));
            components.push(self.levels(root.unwrap_or(joint)));
        }
        components
    }

    /// Level structures from two ends of a long path [Gibbs, Poole and Stockmeyer 1976, algorithm I].
    ///
    /// From the last level one joint of each degree is tried, at most eight: all twins look alike.
    pub(super) fn ends(&mut self, start: Levels) -> (Levels, Levels) {
        let mut near = start;
        loop {
            let mut last = near.level(near.height() - 1).to_vec();
            last.sort_unstable_by_key(|&j| (self.graph.degree(j), j));
            last.dedup_by_key(|j| self.graph.degree(*j));
            last.truncate(8);
            let mut far: Option<Levels> = None;
            let mut longer = None;
            for joint in last {
                let levels = self.levels(joint);
                if levels.height() > near.height() {
                    longer = Some(levels);
                    break;
                }
                if far.as_ref().is_none_or(|best| levels.width() < best.width()) {
                    far = Some(levels);
                }
            }
            match (longer, far) {
                (Some(levels), _) => near = levels,
                (None, Some(far)) => return (near, far),
                (None, None) => return (near.clone(), near),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::examples::{chain, random_graph, star};
    use super::*;

    #[test]
    fn the_ends_of_a_chain_are_found_from_its_middle() {
        let graph = chain(9);
        let mut sweep = Sweep::new(&graph);
        let middle = sweep.levels(4);
        assert_eq!((middle.height(), middle.width(), middle.level(1)), (5, 2, &[3, 5][..]));
        let (near, far) = sweep.ends(middle);
        let mut roots = [near.root(), far.root()];
        roots.sort_unstable();
        assert_eq!((roots, near.height()), ([0, 8], 9));
    }

    #[test]
    fn levels_separate_and_components_cover() {
        for seed in 0..30 {
            let graph = random_graph(seed, 20, 14);
            let mut seen = [0; 20];
            for component in Sweep::new(&graph).components() {
                let mut level = [usize::MAX; 20];
                for k in 0..component.height() {
                    for &joint in component.level(k) {
                        seen[joint] += 1;
                        level[joint] = k;
                    }
                }
                for &joint in component.joints() {
                    for &other in graph.adjacency().unwrap().row(joint) {
                        assert!(level[joint].abs_diff(level[other]) <= 1);
                    }
                }
            }
            assert_eq!(seen, [1; 20]);
        }
    }

    #[test]
    fn a_hub_is_opened_once() {
        let graph = star(50_000);
        let mut sweep = Sweep::new(&graph);
        let start = sweep.levels(7);
        sweep.ends(start);
        assert!(sweep.steps < 50_000 * 20, "{}", sweep.steps);
    }
}
