//! The choice of elimination order, and of the bodies to split, before a simulation starts.

use std::fmt;

use super::graph::JointGraph;
use super::metrics::{Metrics, WorkMeasure};
use super::ordering::{Candidate, OrderingMethod, Ranking, rank};
use super::permutation::Permutation;
use super::refine::RefineOptions;
use super::split::Split;
use super::split_search::{SplitOptions, best_split};

/// What the plan may do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlanOptions {
    /// How the search for an order goes, and the measure by which all candidates compare.
    pub ordering: RefineOptions,
    /// Whether bodies may be split, and how.
    pub split: Option<SplitPermission>,
}

/// The conditions under which a plan may split bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SplitPermission {
    /// The equations of a fixed joint: 6 in space, 3 in the plane.
    pub fixed_size: usize,
    /// How many splits to evaluate in small components.
    pub evaluations: usize,
    /// The least part of the work that a split must save. Virtual bodies are not free: they add
    /// coordinates and worsen the condition of the reduced matrix.
    pub least_saving: f64,
}

impl Default for SplitPermission {
    fn default() -> Self {
        Self { fixed_size: 6, evaluations: SplitOptions::default().evaluations, least_saving: 0.1 }
    }
}

impl Default for PlanOptions {
    /// Scalar work, no splitting.
    fn default() -> Self {
        Self { ordering: RefineOptions::default(), split: None }
    }
}

/// The chosen order, the chosen split if any, and all that was considered.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The order in which joints are eliminated: of the joints of the split graph if there is a split,
    /// else of the graph as given.
    pub permutation: Permutation,
    /// The method that gave the order.
    pub method: OrderingMethod,
    /// The split bodies.
    pub split: Option<Split>,
    /// The best split found, where it saves too little to be taken.
    pub declined: Option<Split>,
    /// What the chosen order costs.
    pub metrics: Metrics,
    /// Every method tried, on the graph as given and on the split one.
    pub candidates: Vec<Candidate>,
    /// Why this order, in words.
    pub reason: String,
}

/// Picks the order, and the split where that is allowed, with the least predicted work.
///
/// Cost: a few passes linear in the graph, up to a logarithm; methods that cost more run only where the
/// graph is small enough, and the table says where they did not.
pub fn choose(graph: &JointGraph, options: &PlanOptions) -> Plan {
    let measure = options.ordering.measure;
    let unsplit = rank(graph, false, &options.ordering);
    let mut candidates = unsplit.candidates.clone();
    let before = unsplit.metrics.work(measure);
    let mut reason = explain_order(&unsplit, measure);
    let mut declined = None;
    if let Some(permission) = options.split {
        let SplitPermission { fixed_size, evaluations, least_saving } = permission;
        let search = SplitOptions { fixed_size, evaluations, ordering: options.ordering };
        match best_split(graph, &search) {
            None => reason.push_str("; no body has enough joints for splitting"),
            Some((split, ranking)) => {
                candidates.extend(ranking.candidates.iter().cloned());
                let after = ranking.metrics.work(measure);
                let pays = (after as f64) < (1.0 - least_saving) * before as f64;
                reason = explain_split(&reason, &split, before, after, pays, least_saving, measure);
                if pays {
                    return Plan::new(ranking, [Some(split), None], candidates, reason);
                }
                declined = Some(split);
            }
        }
    }
    Plan::new(unsplit, [None, declined], candidates, reason)
}

impl Plan {
    fn new(
        ranking: Ranking,
        [split, declined]: [Option<Split>; 2],
        candidates: Vec<Candidate>,
        reason: String,
    ) -> Self {
        let Ranking { permutation, method, metrics, .. } = ranking;
        Self { permutation, method, split, declined, metrics, candidates, reason }
    }

    /// The graph the order belongs to: the split one if there is a split, else the given `original`.
    pub fn graph<'a>(&'a self, original: &'a JointGraph) -> &'a JointGraph {
        self.split.as_ref().map_or(original, Split::graph)
    }

    /// The table of candidates.
    pub fn table(&self) -> impl fmt::Display + '_ {
        Table(&self.candidates)
    }
}

fn unit(measure: WorkMeasure) -> &'static str {
    match measure {
        WorkMeasure::Blocks => "block multiplications",
        WorkMeasure::Scalar => "multiply-adds",
    }
}

/// How much less `after` is than `before`, in percent.
fn saved(before: u64, after: u64) -> f64 {
    100.0 * (1.0 - after as f64 / (before as f64).max(1.0))
}

/// Why the winner of a ranking won.
fn explain_order(ranking: &Ranking, measure: WorkMeasure) -> String {
    let work = ranking.metrics.work(measure);
    let given = ranking.candidates.first().and_then(|c| c.metrics).unwrap_or_default().work(measure);
    let name = ranking.method.name();
    let optimal = if ranking.optimal { ", and no order needs fewer" } else { "" };
    if ranking.method == OrderingMethod::AsGiven {
        return format!("{name}: no other order needs less than its {work} {}{optimal}", unit(measure));
    }
    let percent = saved(given, work);
    format!("{name}: {work} {}, {percent:.1} % fewer than as given{optimal}", unit(measure))
}

/// What splitting changes and whether that is enough.
fn explain_split(
    order: &str,
    split: &Split,
    before: u64,
    after: u64,
    pays: bool,
    least_saving: f64,
    measure: WorkMeasure,
) -> String {
    let bodies = split.split_bodies().count();
    let fixed = split.fixed_joints().len();
    let percent = saved(before, after);
    let what = format!(
        "splitting {bodies} {} with {fixed} fixed {} gives {after} {} against {before}",
        if bodies == 1 { "body" } else { "bodies" },
        if fixed == 1 { "joint" } else { "joints" },
        unit(measure)
    );
    if after >= before {
        format!("{order}; splitting bodies saves no work")
    } else if pays {
        format!("{what}, {percent:.1} % fewer than the best order without ({order})")
    } else {
        let least = 100.0 * least_saving;
        format!("{order}; {what}: a saving of {percent:.1} %, less than the required {least:.0} %")
    }
}

struct Table<'a>(&'a [Candidate]);

impl fmt::Display for Table<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:<24} {:>5} {:>14} {:>12} {:>12} {:>9} {:>9} {:>12}  note",
            "order", "split", "multiply-adds", "block mult", "fill", "bandwidth", "levels", "env work"
        )?;
        for candidate in self.0 {
            let split = if candidate.split { "yes" } else { "no" };
            write!(f, "{:<24} {split:>5} ", candidate.method.name())?;
            match candidate.metrics {
                Some(m) => writeln!(
                    f,
                    "{:>14} {:>12} {:>12} {:>9} {:>9} {:>12}  {}",
                    m.scalar_work,
                    m.counts.multiplications,
                    m.counts.fill,
                    m.envelope.bandwidth,
                    m.tree_height,
                    m.envelope.work,
                    candidate.note
                )?,
                None => writeln!(f, "{:>73}  {}", "", candidate.note)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::examples::{chain, hmmwv, ladder, star};
    use super::*;

    fn splitting(least_saving: f64) -> PlanOptions {
        let permission = SplitPermission { least_saving, ..SplitPermission::default() };
        PlanOptions { split: Some(permission), ..PlanOptions::default() }
    }

    #[test]
    fn vehicle_without_splitting() {
        let graph = hmmwv();
        let plan = choose(&graph, &PlanOptions::default());
        assert_eq!(plan.metrics.scalar_work, 16_310);
        assert_eq!(Metrics::new(plan.graph(&graph), &plan.permutation), plan.metrics);
        assert!(plan.split.is_none());
        assert_eq!(
            plan.reason,
            "minimum degree by rows: 16310 multiply-adds, 0.4 % fewer than as given, and no order needs fewer"
        );
        assert_eq!(plan.candidates.len(), OrderingMethod::ALL.len());
    }

    #[test]
    fn vehicle_with_splitting() {
        let graph = hmmwv();
        let plan = choose(&graph, &splitting(0.1));
        assert!(plan.metrics.scalar_work <= 8_095);
        let split = plan.split.as_ref().unwrap();
        assert_eq!(plan.permutation.len(), split.graph().joints());
        assert_eq!(Metrics::new(plan.graph(&graph), &plan.permutation), plan.metrics);
        assert!(plan.reason.starts_with("splitting 1 body with "), "{}", plan.reason);
        assert!(plan.reason.contains("against 16310"), "{}", plan.reason);
        assert_eq!(plan.candidates.len(), 2 * OrderingMethod::ALL.len());
        let table = plan.table().to_string();
        assert_eq!(table.lines().count(), 1 + 2 * OrderingMethod::ALL.len());
        assert!(table.contains("proved optimal"));
    }

    #[test]
    fn a_split_that_saves_too_little_is_reported_and_left() {
        let plan = choose(&hmmwv(), &splitting(0.9));
        assert!(plan.split.is_none() && plan.declined.is_some());
        assert_eq!(plan.metrics.scalar_work, 16_310);
        assert!(plan.reason.ends_with("less than the required 90 %"), "{}", plan.reason);
    }

    #[test]
    fn blocks_as_the_measure() {
        let ordering = RefineOptions { measure: WorkMeasure::Blocks, ..RefineOptions::default() };
        let plan = choose(&hmmwv(), &PlanOptions { ordering, ..splitting(0.1) });
        assert!(plan.metrics.counts.multiplications <= 233);
        assert!(plan.reason.contains("block multiplications against 469"), "{}", plan.reason);
    }

    #[test]
    fn large_models() {
        let plan = choose(&star(20_000), &splitting(0.1));
        assert!(plan.metrics.scalar_work < 20_000 * 1_000);
        assert!(plan.candidates.iter().any(|c| c.note.starts_with("skipped: 20000 joints")));
        let plan = choose(&ladder(10_000), &splitting(0.1));
        assert!(plan.split.is_none());
        assert!(plan.reason.ends_with("no body has enough joints for splitting"), "{}", plan.reason);
    }

    #[test]
    fn nothing_to_choose() {
        let empty = JointGraph::new::<[usize; 0]>(2, []).unwrap();
        let plan = choose(&empty, &splitting(0.1));
        assert!(plan.permutation.is_empty() && plan.split.is_none());
        let plan = choose(&chain(30), &splitting(0.1));
        assert_eq!((plan.method, plan.metrics.counts.fill), (OrderingMethod::AsGiven, 0));
    }

    #[test]
    fn the_same_model_gives_the_same_plan() {
        assert_eq!(choose(&hmmwv(), &splitting(0.1)), choose(&hmmwv(), &splitting(0.1)));
    }
}
