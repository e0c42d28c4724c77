//! Annealing over the ways of splitting the bodies of one small component.

use std::collections::HashMap;

use super::graph::JointGraph;
use super::metrics::WorkMeasure;
use super::random::Random;
use super::refine::{RefineOptions, best_order};
use super::small::{Greedy, Mask, SMALL, SmallGraph, bit};
use super::split::BodyTree;
use super::split_shape::SplitShape;

/// The component of a graph whose bodies may be split, in its own numbering.
pub(super) struct Component<'g> {
    graph: &'g JointGraph,
    joints: Vec<usize>,
    /// Bodies with at least four joints, and their joints in local numbers.
    bodies: Vec<(usize, Vec<usize>)>,
    /// The joints of each other body.
    rest: Vec<Mask>,
    fixed_size: usize,
    measure: WorkMeasure,
}

/// Work by the measure of the search, then the number of joints to decide between equals.
type Cost = (u64, usize);

impl<'g> Component<'g> {
    /// The component with the given joints, if it is small and has a body worth splitting.
    pub(super) fn new(
        graph: &'g JointGraph,
        mut joints: Vec<usize>,
        fixed_size: usize,
        measure: WorkMeasure,
    ) -> Option<Self> {
        if joints.len() > SMALL {
            return None;
        }
        joints.sort_unstable();
        let local: HashMap<usize, usize> = joints.iter().enumerate().map(|(k, &j)| (j, k)).collect();
        let mut names: Vec<usize> = joints.iter().flat_map(|&j| graph.bodies_of(j)).copied().collect();
        names.sort_unstable();
        names.dedup();
        let (mut bodies, mut rest) = (Vec::new(), Vec::new());
        for body in names {
            let carried: Vec<usize> = graph.joints_on(body).iter().map(|j| local[j]).collect();
            if carried.len() >= 4 {
                bodies.push((body, carried));
            } else {
                rest.push(carried.iter().fold(0, |set, &j| set | bit(j)));
            }
        }
        (!bodies.is_empty()).then_some(Self { graph, joints, bodies, rest, fixed_size, measure })
    }

    /// The bodies worth splitting.
    pub(super) fn bodies(&self) -> impl Iterator<Item = usize> {
        self.bodies.iter().map(|(body, _)| *body)
    }

    /// The trees among the given ones that belong to this component.
    pub(super) fn own(&self, trees: &[BodyTree]) -> Vec<BodyTree> {
        let mine = |tree: &&BodyTree| self.bodies.binary_search_by_key(&tree.body, |(body, _)| *body).is_ok();
        trees.iter().filter(mine).cloned().collect()
    }

    /// How many joints the bodies worth splitting carry: the size of the search.
    fn leaves(&self) -> usize {
        self.bodies.iter().map(|(_, carried)| carried.len()).sum()
    }

    /// The bodies as given trees cut them; those not mentioned stay whole.
    fn shapes(&self, trees: &[BodyTree]) -> Vec<SplitShape> {
        let local: HashMap<usize, usize> = self.joints.iter().enumerate().map(|(k, &j)| (j, k)).collect();
        let shape = |(body, carried): &(usize, Vec<usize>)| match trees.iter().find(|t| t.body == *body) {
            None => SplitShape::whole(carried.clone()),
            Some(tree) => {
                let pieces = tree.pieces.iter().map(|piece| piece.iter().map(|j| local[j]).collect());
                SplitShape::from_tree(&BodyTree { pieces: pieces.collect(), ..tree.clone() })
            }
        };
        self.bodies.iter().map(shape).collect()
    }

    /// The trees of the bodies that are in more than one piece.
    fn trees(&self, shapes: &[SplitShape]) -> Vec<BodyTree> {
        let split = self.bodies.iter().zip(shapes).filter(|(_, shape)| shape.fixed() > 0);
        split
            .map(|((body, _), shape)| {
                let mut tree = shape.to_tree(*body);
                tree.pieces.iter_mut().flatten().for_each(|j| *j = self.joints[*j]);
                tree
            })
            .collect()
    }

    /// The graph after the split, unless it has become too large.
    fn split(&self, shapes: &[SplitShape]) -> Option<SmallGraph> {
        let fixed: usize = shapes.iter().map(SplitShape::fixed).sum();
        if self.joints.len() + fixed > SMALL {
            return None;
        }
        let mut size: Vec<u64> = self.joints.iter().map(|&j| self.graph.size(j) as u64).collect();
        for (shape, (body, _)) in shapes.iter().zip(&self.bodies) {
            let width = self.graph.width(*body, self.fixed_size) as u64;
            size.extend(std::iter::repeat_n(width, shape.fixed()));
        }
        let mut cliques = self.rest.clone();
        let mut next = self.joints.len();
        shapes.iter().for_each(|shape| shape.cliques(&mut next, &mut cliques));
        Some(SmallGraph::from_cliques(size, cliques))
    }

    /// The cost of a split by a greedy order.
    fn evaluate(&self, shapes: &[SplitShape], random: &mut Random) -> Option<Cost> {
        let graph = self.split(shapes)?;
        let joints = graph.size.len();
        Some((Greedy::FILL.order(graph, self.measure, random).1, joints))
    }

    /// The best trees found from the given starts within a number of evaluations.
    pub(super) fn search(&self, starts: &[Vec<BodyTree>], evaluations: usize, seed: u64) -> Vec<BodyTree> {
        let mut random = Random::new(seed);
        let mut finalists = Finalists::default();
        // A component of more than 32 joints costs more per evaluation and gets fewer.
        let evaluations = evaluations.saturating_mul(32) / self.joints.len().max(32);
        let round = 100 * self.leaves();
        let rounds = evaluations.div_ceil(round);
        for k in 0..rounds {
            let start = match k % (starts.len() + 1) {
                0 => self.shapes(&[]),
                at => self.shapes(&starts[at - 1]),
            };
            self.anneal(start, round.min(evaluations - k * round), &mut random, &mut finalists);
        }
        // The greedy order may misjudge a split, so the best few are ordered with more care.
        let (trials, states) = (evaluations / 150, evaluations / 6);
        let options = RefineOptions { measure: self.measure, trials, states, seed };
        let careful = |shapes: &Vec<SplitShape>| {
            let graph = self.split(shapes)?;
            let joints = graph.size.len();
            let order = best_order(&graph, (0..joints).collect(), &options.share(1, joints)).order;
            Some((graph.work(&order, self.measure), joints))
        };
        let best = finalists.list.iter().filter_map(|(_, shapes)| Some((careful(shapes)?, shapes)));
        best.min_by_key(|(cost, _)| *cost).map_or_else(Vec::new, |(_, shapes)| self.trees(shapes))
    }

    /// One round from high to low temperature.
    fn anneal(&self, start: Vec<SplitShape>, steps: usize, random: &mut Random, finalists: &mut Finalists) {
        let mut shapes = start;
        let Some(mut cost) = self.evaluate(&shapes, random) else { return };
        finalists.offer(cost, &shapes);
        for step in 0..steps {
            let temperature = 0.04 * cost.0 as f64 * (0.03f64).powf(step as f64 / steps as f64);
            let body = random.below(shapes.len());
            let Some(changed) = shapes[body].changed(random) else { continue };
            let before = std::mem::replace(&mut shapes[body], changed);
            let accepted = self.evaluate(&shapes, random).filter(|new| {
                let loss = new.0 as f64 - cost.0 as f64;
                loss <= 0.0 || random.unit() < (-loss / temperature).exp()
            });
            match accepted {
                Some(new) => {
                    cost = new;
                    finalists.offer(cost, &shapes);
                }
                None => shapes[body] = before,
            }
        }
    }
}

/// The best few different splits met so far, best first.
#[derive(Default)]
struct Finalists {
    list: Vec<(Cost, Vec<SplitShape>)>,
}

impl Finalists {
    const MANY: usize = 8;

    fn offer(&mut self, cost: Cost, shapes: &[SplitShape]) {
        let full = self.list.len() == Self::MANY;
        if full && self.list.last().is_some_and(|(worst, _)| *worst <= cost) {
            return;
        }
        let at = self.list.partition_point(|(known, _)| *known <= cost);
        // Mirror images cost the same; one of each cost is enough.
        if self.list[..at].last().is_some_and(|(known, _)| *known == cost) {
            return;
        }
        self.list.insert(at, (cost, shapes.to_vec()));
        self.list.truncate(Self::MANY);
    }
}

#[cfg(test)]
mod tests {
    use super::super::examples::{hmmwv, star};
    use super::super::metrics::Metrics;
    use super::super::permutation::Permutation;
    use super::super::refine::refine;
    use super::super::split::Split;
    use super::*;

    /// Whatever the seed, the search reaches the best known splits of the vehicle from the plain graph.
    #[test]
    fn best_known_splits_of_the_vehicle() {
        let graph = hmmwv();
        for (measure, best) in [(WorkMeasure::Blocks, 233), (WorkMeasure::Scalar, 8_095)] {
            for seed in [1, 2] {
                let component = Component::new(&graph, (0..21).collect(), 6, measure).unwrap();
                let trees = component.search(&[], 8_000, seed);
                let split = Split::new(&graph, &trees, 6).unwrap();
                let start = Permutation::identity(split.graph().joints());
                let options = RefineOptions { measure, ..RefineOptions::default() };
                let order = refine(split.graph(), &start, &options).permutation;
                assert!(Metrics::new(split.graph(), &order).work(measure) <= best);
            }
        }
    }

    #[test]
    fn nothing_to_split_and_too_large_to_search() {
        assert!(Component::new(&star(3), (0..3).collect(), 6, WorkMeasure::Blocks).is_none());
        assert!(Component::new(&star(200), (0..200).collect(), 6, WorkMeasure::Blocks).is_none());
        // A split that would not fit is refused, not attempted.
        let graph = star(127);
        let component = Component::new(&graph, (0..127).collect(), 6, WorkMeasure::Blocks).unwrap();
        assert!(component.search(&[], 50, 1).len() <= 1);
    }
}
