//! Search for the elimination order of least work while the graph is small.
//!
//! Simplicial joints are eliminated first, which is optimal. What remains falls into independent parts.
//! A part of at most 128 joints is ordered by the best of several randomised greedy orders, then by a
//! best-first search over sets of eliminated joints: two orders of the same set leave the same graph, so
//! this is dynamic programming over subsets that looks only at sets whose bound can still win.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use super::graph::JointGraph;
use super::metrics::{Metrics, WorkMeasure};
use super::minimum_fill::FillGraph;
use super::permutation::Permutation;
use super::random::Random;
use super::small::{Greedy, Mask, SMALL, SmallGraph, bit, members};

/// How long and for what to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RefineOptions {
    /// What to minimise.
    pub measure: WorkMeasure,
    /// How many randomised greedy orders and annealing moves to try, shared by the parts.
    pub trials: usize,
    /// How many sets of eliminated joints the exact search may visit, shared by the parts. Parts of more
    /// than 32 joints get fewer, in proportion to the square of their size.
    pub states: usize,
    /// Seed of the random numbers: the same seed gives the same order.
    pub seed: u64,
}

impl Default for RefineOptions {
    fn default() -> Self {
        Self { measure: WorkMeasure::Scalar, trials: 400, states: 8_000, seed: 1 }
    }
}

impl RefineOptions {
    /// What one of `parts` parts with `joints` joints may use.
    pub(super) fn share(self, parts: usize, joints: usize) -> Self {
        let parts = parts.max(1);
        let large = joints.max(32);
        Self {
            trials: (self.trials / parts).max(8),
            states: (self.states / parts).saturating_mul(32 * 32) / (large * large),
            ..self
        }
    }
}

/// An order improved by search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refined {
    /// The order, never worse than the one the search started from.
    pub permutation: Permutation,
    /// True when no order of the graph has less work.
    pub optimal: bool,
}

/// Improves an order of `graph`, which must name all its joints.
///
/// Cost: the deficiencies of the explicit graph once, then the given numbers of trials and states. A graph too large to keep its adjacency is returned as it came.
pub fn refine(graph: &JointGraph, start: &Permutation, options: &RefineOptions) -> Refined {
    let Some(adjacency) = graph.adjacency() else {
        return Refined { permutation: start.clone(), optimal: false };
    };
    // Simplicial joints first, then the parts of what remains.
    let mut fill = FillGraph::new(adjacency);
    let mut order = Vec::with_capacity(graph.joints());
    while let Some(joint) = fill.pop_simplicial() {
        fill.eliminate(joint);
        order.push(joint);
    }
    let mut optimal = true;
    // Small parts first: what they leave of the allowance goes to the larger ones.
    let mut parts = parts(&fill, &order, start);
    parts.sort_by_key(Vec::len);
    let mut left = *options;
    for at in 0..parts.len() {
        let share = left.share(parts.len() - at, parts[at].len());
        if parts[at].len() > SMALL {
            optimal = false;
        } else {
            let (proved, visited) = refine_part(graph, &fill, &mut parts[at], &share);
            optimal &= proved;
            left.trials -= share.trials.min(left.trials);
            left.states -= visited.min(left.states);
        }
    }
    order.extend(parts.into_iter().flatten());
    let permutation = Permutation::from_valid(order);
    let work = |order: &Permutation| Metrics::new(graph, order).work(options.measure);
    if work(&permutation) < work(start) {
        Refined { permutation, optimal }
    } else {
        Refined { permutation: start.clone(), optimal }
    }
}

/// Connected parts of the joints not yet ordered, each in the order of `start`.
fn parts(fill: &FillGraph, ordered: &[usize], start: &Permutation) -> Vec<Vec<usize>> {
    let mut seen = vec![false; start.len()];
    ordered.iter().for_each(|&joint| seen[joint] = true);
    let mut parts = Vec::new();
    for &joint in start.order() {
        if std::mem::replace(&mut seen[joint], true) {
            continue;
        }
        let mut part = vec![joint];
        let mut at = 0;
        while at < part.len() {
            for &other in fill.neighbours(part[at]) {
                if !std::mem::replace(&mut seen[other], true) {
                    part.push(other);
                }
            }
            at += 1;
        }
        part.sort_unstable_by_key(|&j| start.position()[j]);
        parts.push(part);
    }
    parts
}

/// Reorders one small part; tells whether the result is proved optimal and how many states that took.
fn refine_part(
    graph: &JointGraph,
    fill: &FillGraph,
    part: &mut Vec<usize>,
    options: &RefineOptions,
) -> (bool, usize) {
    let local: HashMap<usize, usize> = part.iter().enumerate().map(|(k, &j)| (j, k)).collect();
    let edges = part.iter().enumerate().flat_map(|(k, &j)| {
        let local = &local;
        fill.neighbours(j).iter().map(move |other| bit(k) | bit(local[other]))
    });
    let size = part.iter().map(|&j| graph.size(j) as u64).collect();
    let small = SmallGraph::from_cliques(size, edges);
    let found = best_order(&small, (0..part.len()).collect(), options);
    *part = found.order.into_iter().map(|k| part[k]).collect();
    (found.optimal, found.visited)
}

/// What the search for an order of a small graph came to.
pub(super) struct BestOrder {
    pub(super) order: Vec<usize>,
    /// No order has less work.
    pub(super) optimal: bool,
    /// Sets of eliminated joints that were looked at.
    visited: usize,
}

/// The best order of a small graph that the search finds.
pub(super) fn best_order(graph: &SmallGraph, start: Vec<usize>, options: &RefineOptions) -> BestOrder {
    let measure = options.measure;
    let mut random = Random::new(options.seed);
    let mut best = (graph.work(&start, measure), start);
    let (order, work) = Greedy::FILL.order(graph.clone(), measure, &mut random);
    if work < best.0 {
        best = (work, order);
    }
    // Plain minimum fill is often the best there is; where that is soon proved, no other order need be tried.
    let mut visited = 0;
    if let Search::NoBetter = search_sets(graph, measure, best.0, options.states / 8, &mut visited) {
        return BestOrder { order: best.1, optimal: true, visited };
    }
    // Greedy orders with noise.
    for trial in 1..=options.trials / 2 {
        let rule = Greedy {
            deficiency: if trial % 4 == 1 { 0.0 } else { 1.0 },
            degree: if trial % 4 == 2 { 0.0 } else { 0.5 },
            noise: 2.0 * random.unit(),
        };
        let (order, work) = rule.order(graph.clone(), measure, &mut random);
        if work < best.0 {
            best = (work, order);
        }
    }
    let mut visited = 0;
    match search_sets(graph, measure, best.0, options.states, &mut visited) {
        Search::Better(order) => BestOrder { order, optimal: true, visited },
        Search::NoBetter => BestOrder { order: best.1, optimal: true, visited },
        Search::GaveUp => {
            let order = anneal(graph, best, options.trials, measure, &mut random).1;
            BestOrder { order, optimal: false, visited }
        }
    }
}

enum Search {
    Better(Vec<usize>),
    NoBetter,
    GaveUp,
}

/// Best-first search over sets of eliminated joints for work below `limit`.
///
/// The priority of a set is the work so far plus the bound of the graph that is left; it grows only by
/// the edges and triangles that an elimination creates, so the first complete set is optimal.
fn search_sets(
    graph: &SmallGraph,
    measure: WorkMeasure,
    limit: u64,
    states: usize,
    visited: &mut usize,
) -> Search {
    let mut came_from: HashMap<Mask, (u64, Mask, Vec<usize>)> = HashMap::new();
    // Whatever is simplicial from the start goes first.
    let mut first = Vec::new();
    graph.clone().eliminate_simplicial(graph.remaining, &mut first);
    let start = first.iter().fold(0, |set, &j| set | bit(j));
    let bound = graph.bound(measure);
    came_from.insert(start, (bound, 0, first));
    let mut heap = BinaryHeap::from([Reverse((bound, start))]);
    while let Some(Reverse((work, set))) = heap.pop() {
        if work >= limit {
            return Search::NoBetter;
        }
        if came_from[&set].0 < work {
            continue;
        }
        let mut here = graph.clone();
        members(set).for_each(|joint| here.eliminate(joint));
        if here.remaining == 0 {
            return Search::Better(trace(&came_from, set));
        }
        *visited += 1;
        if *visited > states {
            return Search::GaveUp;
        }
        for joint in members(here.remaining) {
            let mut next = here.clone();
            let total = work.saturating_add(next.eliminate_counting_fill(joint, measure));
            let mut path = vec![joint];
            let near = here.adjacent[joint];
            let changed = members(near).fold(near, |set, j| set | next.adjacent[j]);
            next.eliminate_simplicial(changed, &mut path);
            let reached = path.iter().fold(set, |s, &j| s | bit(j));
            // What is left without a simplicial joint needs at least one more edge.
            let at_least =
                if next.remaining == 0 { total } else { total.saturating_add(next.least_fill(measure)) };
            if at_least < limit && came_from.get(&reached).is_none_or(|known| total < known.0) {
                came_from.insert(reached, (total, set, path));
                heap.push(Reverse((total, reached)));
            }
        }
    }
    Search::NoBetter
}

fn trace(came_from: &HashMap<Mask, (u64, Mask, Vec<usize>)>, mut set: Mask) -> Vec<usize> {
    let mut order = Vec::new();
    while set != 0 {
        let (_, before, path) = &came_from[&set];
        order.extend(path.iter().rev());
        set = *before;
    }
    order.reverse();
    order
}

/// Simulated annealing over orders: move one joint, keep worse orders less and less often.
fn anneal(
    graph: &SmallGraph,
    start: (u64, Vec<usize>),
    trials: usize,
    measure: WorkMeasure,
    random: &mut Random,
) -> (u64, Vec<usize>) {
    let n = start.1.len();
    let mut best = start.clone();
    let (mut work, mut order) = start;
    for trial in 0..trials {
        let cooling = 1.0 - trial as f64 / trials as f64;
        let temperature = 0.01 * best.0 as f64 * cooling;
        let mut moved = order.clone();
        let joint = moved.remove(random.below(n));
        moved.insert(random.below(n), joint);
        let changed = graph.work(&moved, measure);
        let loss = changed as f64 - work as f64;
        if loss <= 0.0 || random.unit() < (-loss / temperature).exp() {
            (work, order) = (changed, moved);
            if work < best.0 {
                best = (work, order.clone());
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::super::examples::{hmmwv, ladder, random_graph, random_order, rosette, seven_body};
    use super::super::minimum_degree::minimum_degree;
    use super::*;

    fn blocks() -> RefineOptions {
        RefineOptions { measure: WorkMeasure::Blocks, ..RefineOptions::default() }
    }

    #[test]
    fn optima_of_the_published_models_are_proved() {
        let bad = random_order(5, 10);
        let refined = refine(&seven_body(), &bad, &blocks());
        assert!(refined.optimal);
        assert_eq!(Metrics::new(&seven_body(), &refined.permutation).counts.multiplications, 35);

        let bad = random_order(5, 21);
        let refined = refine(&hmmwv(), &bad, &blocks());
        assert!(refined.optimal);
        assert_eq!(Metrics::new(&hmmwv(), &refined.permutation).counts.multiplications, 469);
        let refined = refine(&hmmwv(), &bad, &RefineOptions::default());
        assert!(refined.optimal);
        assert_eq!(Metrics::new(&hmmwv(), &refined.permutation).scalar_work, 16_310);
    }

    /// The least work over all orders of at most 7 joints.
    fn exhaustive(graph: &JointGraph, prefix: &mut Vec<usize>, measure: WorkMeasure) -> u64 {
        let n = graph.joints();
        if prefix.len() == n {
            return Metrics::new(graph, &Permutation::new(prefix.clone()).unwrap()).work(measure);
        }
        let mut best = u64::MAX;
        for joint in 0..n {
            if !prefix.contains(&joint) {
                prefix.push(joint);
                best = best.min(exhaustive(graph, prefix, measure));
                prefix.pop();
            }
        }
        best
    }

    #[test]
    fn proved_optima_equal_exhaustive_search() {
        for seed in 0..12 {
            let graph = random_graph(seed, 7, 6);
            for measure in [WorkMeasure::Blocks, WorkMeasure::Scalar] {
                let options = RefineOptions { measure, trials: 0, ..RefineOptions::default() };
                let refined = refine(&graph, &random_order(seed, 7), &options);
                assert!(refined.optimal);
                let found = Metrics::new(&graph, &refined.permutation).work(measure);
                assert_eq!(found, exhaustive(&graph, &mut Vec::new(), measure), "seed {seed}");
            }
        }
    }

    #[test]
    fn never_worse_and_deterministic() {
        for seed in 0..10 {
            let graph = random_graph(seed, 50, 35);
            let start = minimum_degree(&graph);
            let refined = refine(&graph, &start, &RefineOptions::default());
            let work = |order: &Permutation| Metrics::new(&graph, order).scalar_work;
            assert!(work(&refined.permutation) <= work(&start));
            assert_eq!(refined, refine(&graph, &start, &RefineOptions::default()));
        }
    }

    #[test]
    fn independent_parts_and_large_ones() {
        // Loops around a hub hang together through it; a long ladder is one part beyond the small ones.
        let loops = rosette(12);
        let refined = refine(&loops, &Permutation::identity(48), &RefineOptions::default());
        assert_eq!(refined.permutation.len(), 48);
        let long = ladder(100);
        let refined = refine(&long, &Permutation::identity(300), &RefineOptions::default());
        assert!(!refined.optimal);
        let sizes = [1 << 24, 1 << 25, 1 << 24, 1 << 25];
        let huge = JointGraph::new(4, (0..4).map(|j| ([j, (j + 1) % 4], sizes[j]))).unwrap();
        refine(&huge, &Permutation::identity(4), &RefineOptions::default());
        let empty = JointGraph::new::<[usize; 0]>(0, []).unwrap();
        assert!(refine(&empty, &Permutation::identity(0), &RefineOptions::default()).optimal);
    }
}
