//! Search for the split of bodies with the least predicted work.

use super::graph::JointGraph;
use super::levels::Sweep;
use super::metrics::{Metrics, WorkMeasure};
use super::minimum_degree::{minimum_degree, minimum_degree_by_rows};
use super::ordering::{Ranking, rank};
use super::permutation::Permutation;
use super::refine::RefineOptions;
use super::split::{BodyTree, Split};
use super::split_anneal::Component;
use super::split_balanced::{balanced_trees, balanced_trees_by};

/// The numbers of joints gathered on one piece that balanced trees are tried with.
const ARITIES: [usize; 6] = [2, 3, 4, 6, 8, 12];

/// Components are searched when each can have so many evaluations.
const LEAST_SHARE: usize = 100;

/// What to search for and how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SplitOptions {
    /// The equations of a fixed joint: 6 in space, 3 in the plane.
    pub fixed_size: usize,
    /// How many splits of components of at most 128 joints to evaluate in all; larger components cost more
    /// per evaluation and get fewer.
    pub evaluations: usize,
    /// How to order the joints of the split graph, by which measure, and the seed of the random numbers.
    pub ordering: RefineOptions,
}

impl Default for SplitOptions {
    fn default() -> Self {
        Self { fixed_size: 6, evaluations: 10_000, ordering: RefineOptions::default() }
    }
}

/// A split that promises less work than the graph as it is.
#[derive(Clone, Debug, PartialEq)]
pub struct SplitOutcome {
    /// The split.
    pub split: Split,
    /// The order of the joints of the split graph.
    pub permutation: Permutation,
    /// The best order found without splitting.
    pub before: Metrics,
    /// The order above.
    pub after: Metrics,
}

impl SplitOutcome {
    /// The part of the work that splitting saves, between 0 and 1.
    pub fn saving(&self, measure: WorkMeasure) -> f64 {
        1.0 - self.after.work(measure) as f64 / (self.before.work(measure) as f64).max(1.0)
    }
}

/// The best split found, or `None` when none promises less work by the measure of the options.
///
/// Large graphs: balanced trees of several arities, linear in the graph. Components of at most 128 joints:
/// also annealing over all trees, starting from those.
pub fn search_split(graph: &JointGraph, options: &SplitOptions) -> Option<SplitOutcome> {
    let unsplit = rank(graph, false, &options.ordering);
    let (split, ranking) = best_split(graph, options)?;
    let measure = options.ordering.measure;
    (ranking.metrics.work(measure) < unsplit.metrics.work(measure)).then_some(SplitOutcome {
        split,
        permutation: ranking.permutation,
        before: unsplit.metrics,
        after: ranking.metrics,
    })
}

/// The split with the least work among those tried, whether or not it wins; `None` without candidates.
pub(super) fn best_split(graph: &JointGraph, options: &SplitOptions) -> Option<(Split, Ranking)> {
    let balanced = balanced_candidates(graph, options);
    let annealed = annealed_trees(graph, &balanced, options);
    let mut best: Option<(Split, Ranking)> = None;
    for trees in balanced.into_iter().take(1).chain(annealed) {
        let Ok(split) = Split::new(graph, &trees, options.fixed_size) else { continue };
        if split.fixed_joints().is_empty() {
            continue;
        }
        let ranking = rank(split.graph(), true, &options.ordering);
        let work = |ranking: &Ranking| ranking.metrics.work(options.ordering.measure);
        if best.as_ref().is_none_or(|(_, known)| work(&ranking) < work(known)) {
            best = Some((split, ranking));
        }
    }
    best
}

/// Balanced trees of every arity, and of the best arity for each body on its own; the best first.
fn balanced_candidates(graph: &JointGraph, options: &SplitOptions) -> Vec<Vec<BodyTree>> {
    let own: Vec<usize> = (0..graph.bodies()).map(|body| best_arity(graph, body, options)).collect();
    let mut tried: Vec<(u64, Vec<BodyTree>)> = Vec::new();
    let uniform = ARITIES.iter().map(|&arity| balanced_trees(graph, arity));
    for trees in std::iter::once(balanced_trees_by(graph, |body| own[body])).chain(uniform) {
        if trees.is_empty() || tried.iter().any(|(_, known)| *known == trees) {
            continue;
        }
        if let Ok(split) = Split::new(graph, &trees, options.fixed_size) {
            tried.push((quick_work(split.graph(), options.ordering.measure), trees));
        }
    }
    tried.sort_by_key(|(work, _)| *work);
    tried.into_iter().map(|(_, trees)| trees).collect()
}

/// The work with the better of the two degree orders.
fn quick_work(graph: &JointGraph, measure: WorkMeasure) -> u64 {
    let work = |order: &Permutation| Metrics::new(graph, order).work(measure);
    work(&minimum_degree(graph)).min(work(&minimum_degree_by_rows(graph)))
}

/// The arity that suits a body best if only it and its joints existed; no split if that is best.
fn best_arity(graph: &JointGraph, body: usize, options: &SplitOptions) -> usize {
    let joints = graph.joints_on(body);
    if joints.len() < 4 {
        return usize::MAX;
    }
    let Ok(star) = JointGraph::new(1, joints.iter().map(|&j| ([0], graph.size(j)))) else {
        return usize::MAX;
    };
    let measure = options.ordering.measure;
    let mut best = (quick_work(&star, measure), usize::MAX);
    for arity in ARITIES {
        if let Ok(split) =
            Split::new(&star, &balanced_trees(&star, arity), graph.width(body, options.fixed_size))
        {
            best = best.min((quick_work(split.graph(), measure), arity));
        }
    }
    best.1
}

/// The best balanced trees with those of small components replaced by what annealing finds.
fn annealed_trees(
    graph: &JointGraph,
    balanced: &[Vec<BodyTree>],
    options: &SplitOptions,
) -> Option<Vec<BodyTree>> {
    let RefineOptions { measure, seed, .. } = options.ordering;
    let components: Vec<Component<'_>> = Sweep::new(graph)
        .components()
        .iter()
        .filter_map(|levels| Component::new(graph, levels.joints().to_vec(), options.fixed_size, measure))
        .collect();
    // Shared by too many components the evaluations are not worth spending.
    let share = options.evaluations.checked_div(components.len()).filter(|&share| share >= LEAST_SHARE)?;
    let mut trees: Vec<Option<BodyTree>> = vec![None; graph.bodies()];
    for tree in balanced.first().into_iter().flatten() {
        trees[tree.body] = Some(tree.clone());
    }
    for component in components {
        // Start from the best two balanced splits.
        let starts: Vec<Vec<BodyTree>> = balanced.iter().take(2).map(|trees| component.own(trees)).collect();
        let found = component.search(&starts, share, seed);
        component.bodies().for_each(|body| trees[body] = None);
        for tree in found {
            let body = tree.body;
            trees[body] = Some(tree);
        }
    }
    Some(trees.into_iter().flatten().collect())
}

#[cfg(test)]
mod tests {
    use super::super::examples::{chain, hmmwv, seven_body, star};
    use super::*;

    fn by(measure: WorkMeasure) -> SplitOptions {
        let ordering = RefineOptions { measure, ..RefineOptions::default() };
        SplitOptions { ordering, ..SplitOptions::default() }
    }

    /// Table III after index reduction: M = 233 as published, with fewer inversions and nonzeros.
    #[test]
    fn vehicle_in_blocks() {
        let outcome = search_split(&hmmwv(), &by(WorkMeasure::Blocks)).unwrap();
        let (before, after) = (outcome.before.counts, outcome.after.counts);
        assert_eq!(before.multiplications, 469);
        assert!(after.multiplications <= 233 && after.additions <= 223, "{after:?}");
        assert!(after.inversions <= 85 && after.nonzeros <= 75, "{after:?}");
        assert_eq!(Metrics::new(outcome.split.graph(), &outcome.permutation), outcome.after);
        assert!((outcome.saving(WorkMeasure::Blocks) - (1.0 - 233.0 / 469.0)).abs() < 1e-12);
    }

    #[test]
    fn vehicle_in_scalars() {
        let outcome = search_split(&hmmwv(), &by(WorkMeasure::Scalar)).unwrap();
        assert_eq!(outcome.before.scalar_work, 16_310);
        assert!(outcome.after.scalar_work <= 8_095);
        assert_eq!(outcome.split.split_bodies().collect::<Vec<_>>(), [0]);
    }

    #[test]
    fn stars_of_any_size() {
        for n in [4, 5, 8, 16, 30] {
            let outcome = search_split(&star(n), &by(WorkMeasure::Blocks)).unwrap();
            assert_eq!(outcome.after.counts.multiplications, 10 * (n as u64 - 2), "{n}");
        }
        let outcome = search_split(&star(1_000), &by(WorkMeasure::Blocks)).unwrap();
        assert_eq!(outcome.after.counts.multiplications, 9_980);
        assert_eq!(outcome.split.graph().topology_index(), 3);
    }

    #[test]
    fn no_split_where_none_pays() {
        assert!(search_split(&chain(40), &by(WorkMeasure::Scalar)).is_none());
        assert!(search_split(&seven_body(), &by(WorkMeasure::Blocks)).is_none());
        // Four distance constraints on a body: a fixed joint of six equations costs more than it saves.
        let light = JointGraph::new(5, (0..4).map(|j| ([0, j + 1], 1))).unwrap();
        assert!(search_split(&light, &by(WorkMeasure::Scalar)).is_none());
        let empty = JointGraph::new::<[usize; 0]>(3, []).unwrap();
        assert!(search_split(&empty, &by(WorkMeasure::Scalar)).is_none());
    }

    #[test]
    fn the_same_options_give_the_same_split() {
        let options = by(WorkMeasure::Scalar);
        assert_eq!(search_split(&hmmwv(), &options), search_split(&hmmwv(), &options));
    }
}
