//! Asks the library for the plan that solvers use, and for the one the published tables would choose.

use crate::naming::body_name;
use crate::ready::Ready;
use kingpin::accel::{Choice, Gathered, Problem, choose_method, condition, plan};
use kingpin::topology::{
    Candidate, Connectivity, JointGraph, OrderingMethod, Permutation, Plan, PlanOptions, RefineOptions,
    Split, SplitPermission, WorkMeasure, choose, fold_chains,
};

/// Equations up to which the condition number is worth its cube.
const CONDITION_ROWS: usize = 400;

/// What is reported.
pub struct Survey<'a> {
    /// The mechanism.
    pub ready: &'a Ready,
    /// Its joint graph, redundant equations left out.
    pub graph: JointGraph,
    /// Loops and separate parts.
    pub connectivity: Connectivity,
    /// The plan of least multiply-adds: what solvers follow.
    pub plan: Plan,
    /// The order solvers eliminate in: that of the plan, short chains from both ends.
    pub order: Permutation,
    /// The plan of fewest block multiplications, to compare with published counts.
    pub by_blocks: Plan,
    /// Condition of the reduced matrix without and with the split, if bodies are split and it is not too large.
    pub condition: Option<[f64; 2]>,
    /// The solver that is predicted to be fastest.
    pub choice: Choice,
}

/// An order tried, with its name.
pub struct Row<'a> {
    pub name: &'static str,
    pub candidate: &'a Candidate,
}

/// A way to split bodies, and the orders tried on it.
pub struct SplitTable<'a> {
    pub split: &'a Split,
    /// What it makes least.
    pub measure: WorkMeasure,
    pub rows: Vec<Row<'a>>,
}

impl<'a> Survey<'a> {
    /// Plans twice: once by each measure.
    pub fn new(ready: &'a Ready) -> Survey<'a> {
        let problem = Problem::new(ready.system(), ready.redundant());
        let graph = problem.graph();
        let plan = plan(&problem, true);
        let ordering = RefineOptions { measure: WorkMeasure::Blocks, ..RefineOptions::default() };
        let permission = SplitPermission {
            fixed_size: problem.nodes.widest(),
            least_saving: 0.0,
            ..SplitPermission::default()
        };
        let by_blocks = choose(&graph, &PlanOptions { ordering, split: Some(permission) });
        let condition = conditions(ready, &problem, &plan);
        let connectivity = Connectivity::new(&graph);
        let order = fold_chains(plan.graph(&graph), &plan.permutation);
        let choice = choose_method(&problem);
        Survey { ready, graph, connectivity, plan, order, by_blocks, condition, choice }
    }

    /// The orders of the joints as they are.
    pub fn unsplit(&self) -> Vec<Row<'_>> {
        let rows = rows(&self.plan, WorkMeasure::Scalar, false);
        with_block_search(rows, &self.by_blocks, false)
    }

    /// The splits found, that of least multiply-adds first; one entry if both measures agree on it.
    pub fn splits(&self) -> Vec<SplitTable<'_>> {
        let mut tables = Vec::new();
        for (plan, measure) in [(&self.plan, WorkMeasure::Scalar), (&self.by_blocks, WorkMeasure::Blocks)] {
            let Some(split) = plan.split.as_ref().or(plan.declined.as_ref()) else { continue };
            tables.push(SplitTable { split, measure, rows: rows(plan, measure, true) });
        }
        if let [first, second] = &mut tables[..]
            && first.split == second.split
        {
            first.rows = with_block_search(std::mem::take(&mut first.rows), &self.by_blocks, true);
            tables.truncate(1);
        }
        tables
    }

    /// The name of a joint of the given or split graph; the fixed joint between two parts of a body is called
    /// `body 1-2`.
    pub fn joint_name(&self, split: Option<&Split>, joint: usize) -> String {
        let groups = &self.ready.system().layout.groups;
        if let Some(group) = groups.get(joint) {
            return group.name.clone();
        }
        let fixed = split.and_then(|split| Some((split, split.fixed_joints().get(joint - groups.len())?)));
        let Some((split, fixed)) = fixed else { return String::new() };
        let parts = split.parts_of(fixed.original);
        let number = |body: usize| parts.iter().position(|part| part.body == body).map_or(0, |k| k + 1);
        let [a, b] = fixed.bodies.map(number);
        format!("{} {a}-{b}", body_name(self.ready.system(), fixed.original))
    }

    /// The bodies with the most joints.
    pub fn hubs(&self) -> Vec<String> {
        let most = self.graph.topology_index();
        let all = (0..self.graph.bodies()).filter(|&body| most > 0 && self.graph.joint_index(body) == most);
        all.map(|body| body_name(self.ready.system(), body).into()).collect()
    }
}

/// The split bodies by name, and how many virtual bodies stand for each.
pub fn split_bodies(ready: &Ready, split: &Split) -> Vec<(String, usize)> {
    let name = |body| (body_name(ready.system(), body).into(), split.parts_of(body).len());
    split.split_bodies().map(name).collect()
}

/// How a measure is called.
pub fn measure_name(measure: WorkMeasure) -> &'static str {
    match measure {
        WorkMeasure::Blocks => "block multiplications",
        WorkMeasure::Scalar => "multiply-adds",
    }
}

/// The name of an order; searches differ by what they make least.
pub fn order_name(method: OrderingMethod, measure: WorkMeasure) -> &'static str {
    match (method, measure) {
        (OrderingMethod::Refined, WorkMeasure::Blocks) => "search by blocks",
        _ => method.name(),
    }
}

fn rows(plan: &Plan, measure: WorkMeasure, split: bool) -> Vec<Row<'_>> {
    let of = plan.candidates.iter().filter(|candidate| candidate.split == split);
    of.map(|candidate| Row { name: order_name(candidate.method, measure), candidate }).collect()
}

/// The rows with the search for fewest block multiplications at the end, if there was one.
fn with_block_search<'a>(mut rows: Vec<Row<'a>>, by_blocks: &'a Plan, split: bool) -> Vec<Row<'a>> {
    let mut searched =
        by_blocks.candidates.iter().filter(|c| c.split == split && c.method == OrderingMethod::Refined);
    if let Some(candidate) = searched.next().filter(|c| c.metrics.is_some()) {
        rows.push(Row { name: order_name(candidate.method, WorkMeasure::Blocks), candidate });
    }
    rows
}

fn conditions(ready: &Ready, problem: &Problem, with: &Plan) -> Option<[f64; 2]> {
    let split = with.split.as_ref()?;
    if split.graph().sizes().iter().sum::<usize>() > CONDITION_ROWS {
        return None;
    }
    let (work, mut room) = (ready.work(), Gathered::default());
    let numbers = problem.gather(&work, &mut room);
    Some([&plan(problem, false), with].map(|plan| condition(problem, plan, numbers.phi_v)))
}
