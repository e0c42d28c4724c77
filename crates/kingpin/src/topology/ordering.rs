//! The list of ordering methods, and their comparison on one graph.

use super::cuthill_mckee::reverse_cuthill_mckee;
use super::gibbs::{gibbs_king, gibbs_poole_stockmeyer};
use super::graph::JointGraph;
use super::metrics::{Metrics, WorkMeasure};
use super::minimum_degree::{minimum_degree, minimum_degree_by_rows};
use super::minimum_fill::{self, minimum_fill};
use super::permutation::Permutation;
use super::refine::{RefineOptions, refine};

/// Methods whose cost grows faster than the graph run up to this many joints.
const MODERATE_JOINTS: usize = 4_000;
/// They also need the sum of the squared degrees, about the cost of all deficiencies, below this, and
/// minimum fill is given up when it has taken so many steps.
const MODERATE_STEPS: u64 = 30_000_000;

/// A way of ordering the joints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrderingMethod {
    /// The joints as the model lists them.
    AsGiven,
    /// [`reverse_cuthill_mckee`].
    ReverseCuthillMckee,
    /// [`gibbs_poole_stockmeyer`].
    GibbsPooleStockmeyer,
    /// [`gibbs_king`].
    GibbsKing,
    /// [`minimum_degree`].
    MinimumDegree,
    /// [`minimum_degree_by_rows`].
    MinimumDegreeByRows,
    /// `minimum_fill`.
    MinimumFill,
    /// [`refine`], from the best of the others.
    Refined,
}

impl OrderingMethod {
    /// All methods, cheap ones first.
    pub const ALL: [Self; 8] = [
        Self::AsGiven,
        Self::ReverseCuthillMckee,
        Self::GibbsPooleStockmeyer,
        Self::GibbsKing,
        Self::MinimumDegree,
        Self::MinimumDegreeByRows,
        Self::MinimumFill,
        Self::Refined,
    ];

    /// The name for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::AsGiven => "as given",
            Self::ReverseCuthillMckee => "reverse Cuthill-McKee",
            Self::GibbsPooleStockmeyer => "Gibbs-Poole-Stockmeyer",
            Self::GibbsKing => "Gibbs-King",
            Self::MinimumDegree => "minimum degree",
            Self::MinimumDegreeByRows => "minimum degree by rows",
            Self::MinimumFill => "minimum fill",
            Self::Refined => "search",
        }
    }

    /// The order this method gives. The search starts from minimum degree, with its default allowance.
    pub fn order(self, graph: &JointGraph) -> Permutation {
        match self {
            Self::AsGiven => Permutation::identity(graph.joints()),
            Self::ReverseCuthillMckee => reverse_cuthill_mckee(graph),
            Self::GibbsPooleStockmeyer => gibbs_poole_stockmeyer(graph),
            Self::GibbsKing => gibbs_king(graph),
            Self::MinimumDegree => minimum_degree(graph),
            Self::MinimumDegreeByRows => minimum_degree_by_rows(graph),
            Self::MinimumFill => minimum_fill(graph),
            Self::Refined => refine(graph, &minimum_degree(graph), &RefineOptions::default()).permutation,
        }
    }

    /// Why the method is not worth running on this graph, if it is not.
    fn too_costly(self, graph: &JointGraph) -> Option<String> {
        if !matches!(self, Self::MinimumFill | Self::Refined) {
            return None;
        }
        let joints = graph.joints();
        if joints > MODERATE_JOINTS {
            return Some(format!("skipped: {joints} joints, more than {MODERATE_JOINTS}"));
        }
        let squares: u64 = (0..joints).map(|j| (graph.degree(j) as u64).pow(2)).sum();
        (graph.adjacency().is_none() || squares > MODERATE_STEPS).then(|| {
            format!("skipped: too many joints on one body (topology index {})", graph.topology_index())
        })
    }
}

/// One method tried on one graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The method.
    pub method: OrderingMethod,
    /// Whether the graph was the one with split bodies.
    pub split: bool,
    /// What the order costs; `None` when the method was not run.
    pub metrics: Option<Metrics>,
    /// Why it was not run, or what is known about the result; may be empty.
    pub note: String,
}

/// The best order of a graph and how all methods compare.
#[derive(Clone, Debug)]
pub(super) struct Ranking {
    pub(super) method: OrderingMethod,
    pub(super) permutation: Permutation,
    pub(super) metrics: Metrics,
    pub(super) optimal: bool,
    pub(super) candidates: Vec<Candidate>,
}

/// Tries all methods that the size of the graph allows; the first of the best wins.
pub(super) fn rank(graph: &JointGraph, split: bool, search: &RefineOptions) -> Ranking {
    let given = Permutation::identity(graph.joints());
    let metrics = Metrics::new(graph, &given);
    let mut ranking = Ranking {
        method: OrderingMethod::AsGiven,
        permutation: given,
        metrics,
        optimal: false,
        candidates: vec![Candidate {
            method: OrderingMethod::AsGiven,
            split,
            metrics: Some(metrics),
            note: String::new(),
        }],
    };
    for method in OrderingMethod::ALL.into_iter().skip(1) {
        if let Some(note) = method.too_costly(graph) {
            ranking.candidates.push(Candidate { method, split, metrics: None, note });
            continue;
        }
        let mut note = String::new();
        let permutation = match method {
            OrderingMethod::Refined => {
                let refined = refine(graph, &ranking.permutation, search);
                ranking.optimal = refined.optimal;
                note.push_str(if refined.optimal { "proved optimal" } else { "not proved optimal" });
                Some(refined.permutation)
            }
            OrderingMethod::MinimumFill => minimum_fill::within(graph, MODERATE_STEPS),
            _ => Some(method.order(graph)),
        };
        let Some(permutation) = permutation else {
            let note = "skipped: too much fill".to_string();
            ranking.candidates.push(Candidate { method, split, metrics: None, note });
            continue;
        };
        ranking.enter(graph, split, method, permutation, note, search.measure);
    }
    ranking
}

impl Ranking {
    fn enter(
        &mut self,
        graph: &JointGraph,
        split: bool,
        method: OrderingMethod,
        permutation: Permutation,
        note: String,
        measure: WorkMeasure,
    ) {
        let metrics = Metrics::new(graph, &permutation);
        self.candidates.push(Candidate { method, split, metrics: Some(metrics), note });
        if metrics.work(measure) < self.metrics.work(measure) {
            (self.method, self.permutation, self.metrics) = (method, permutation, metrics);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::examples::{chain, hmmwv, random_graph, star};
    use super::*;

    #[test]
    fn every_method_orders_every_graph() {
        let mut graphs: Vec<JointGraph> =
            (0..40).map(|seed| random_graph(seed, seed as usize, 1 + seed as usize / 2)).collect();
        graphs.push(JointGraph::new(0, vec![([0usize; 0], 1); 5]).unwrap());
        graphs.push(chain(1));
        for graph in graphs {
            for method in OrderingMethod::ALL {
                let permutation = method.order(&graph);
                assert_eq!(permutation.len(), graph.joints(), "{}", method.name());
                assert_eq!(Permutation::new(permutation.order().to_vec()).as_ref(), Ok(&permutation));
            }
        }
    }

    #[test]
    fn the_winner_has_the_least_work_in_the_table() {
        let ranking = rank(&hmmwv(), false, &RefineOptions::default());
        let works = ranking.candidates.iter().filter_map(|c| c.metrics).map(|m| m.scalar_work);
        assert_eq!(works.min(), Some(ranking.metrics.scalar_work));
        assert_eq!((ranking.metrics.scalar_work, ranking.optimal), (16_310, true));
        assert_eq!(ranking.candidates.len(), OrderingMethod::ALL.len());
    }

    #[test]
    fn expensive_methods_are_skipped_with_a_reason() {
        for graph in [chain(5_000), star(2_000)] {
            let ranking = rank(&graph, false, &RefineOptions::default());
            let skipped: Vec<_> = ranking.candidates.iter().filter(|c| c.metrics.is_none()).collect();
            assert_eq!(skipped.len(), 2);
            assert!(skipped.iter().all(|c| c.note.starts_with("skipped: ")));
        }
    }
}
