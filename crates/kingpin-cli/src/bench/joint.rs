//! `kingpin bench joint`: the system in joint coordinates, solved by blocks and by general solvers.

use super::clock::{Budget, medians, shown};
use super::standard::{self, Refusal};
use crate::check::json::text;
use crate::output::{Exit, complain, print};
use crate::ready::Ready;
use crate::table::{Align, Table};
use crate::words::{count, many, number};
use kingpin::accel::{Gathered, JointEquations, Problem, joint_multiplications};
use kingpin::linalg::{BunchKaufman, DenseLu};
use kingpin_io::{Overrides, read_path};
use kingpin_sparse::SparseLu;
use serde::Serialize;
use std::io;
use std::time::Duration;

/// Measure solvers of the augmented system in joint coordinates
#[derive(clap::Args)]
#[command(after_help = crate::output::EXIT_CODES)]
pub struct Args {
    /// Model file [default: a car]
    #[arg(value_name = "MODEL")]
    model: Option<String>,
    /// Measuring time per solver
    #[arg(long, value_name = "MILLISECONDS", default_value_t = 400)]
    budget: u64,
    /// Print JSON instead of a table
    #[arg(long)]
    json: bool,
}

/// Most coordinates and equations: dense solvers take part.
const MOST: usize = 1_000;

#[derive(Serialize)]
struct Report {
    model: String,
    coordinates: usize,
    equations: usize,
    fill: usize,
    multiplications: u64,
    gauss_multiplications: u64,
    solvers: Vec<Record>,
}

#[derive(Serialize)]
struct Record {
    name: &'static str,
    ns: f64,
    ratio: f64,
    /// Greatest difference from the first solver, relative to the greatest entry.
    disagreement: f64,
}

/// A solver of the system: overwrites its vector with the solution.
type Solver<'a> = Box<dyn FnMut(&mut [f64]) -> bool + 'a>;

/// Runs the command.
pub fn run(args: &Args) -> io::Result<Exit> {
    let (name, ready) = match &args.model {
        Some(path) => (path.clone(), standard::ready(read_path(path, &Overrides::none()))),
        None => standard::car(),
    };
    match ready.and_then(|ready| measured(&name, &ready, args.budget)) {
        Ok(report) => {
            print(&if args.json { text(&report) } else { table(&report) })?;
            Ok(Exit::Good)
        }
        Err(refusal) => {
            complain(&refusal.message);
            Ok(refusal.exit)
        }
    }
}

fn measured(name: &str, ready: &Ready, budget: u64) -> Result<Report, Refusal> {
    let problem = Problem::new(ready.system(), ready.redundant());
    let spanning = problem.spanning();
    if spanning.coordinates() + spanning.cut_equations > MOST {
        return Err(Refusal::new(format!("{name}: more than {} unknowns", count(MOST))));
    }
    let (work, mut room) = (ready.work(), Gathered::default());
    let mut equations = JointEquations::new(ready.system(), &problem);
    equations.form(&problem, &problem.gather(&work, &mut room)).map_err(Refusal::new)?;
    let [multiplications, gauss_multiplications] = joint_multiplications(spanning);
    let (coordinates, cut, fill) = (equations.coordinates(), equations.equations(), equations.fill());
    let (matrix, right) = equations.dense();
    let (right, order) = (right.to_vec(), right.len());
    let mut solvers: Vec<(&'static str, Solver)> = vec![
        ("blocks without fill", Box::new(move |x| equations.solve(x).is_ok())),
        ("dense LU", dense_lu(&matrix, &right)),
        ("dense symmetric indefinite", symmetric(&matrix, &right)),
    ];
    solvers.extend(sparse_lu(&matrix, &right).map(|solver| ("sparse LU, pivots kept", solver)));
    let mut results = Vec::new();
    for (name, solver) in &mut solvers {
        let mut x = vec![0.0; order];
        if !solver(&mut x) {
            return Err(Refusal::new(format!("`{name}` finds the matrix singular")));
        }
        results.push(x);
    }
    let budget = Budget { each: Duration::from_millis(budget) };
    let mut x = vec![0.0; order];
    let times = medians::<_, 1>(&mut solvers, budget, |(_, solver), _| {
        std::hint::black_box(solver(&mut x));
    });
    let first = times.first().map_or(f64::NAN, |t| t[0]);
    let size = results.iter().flatten().fold(0.0_f64, |m, x| m.max(x.abs()));
    let record = |k: usize| {
        let (ns, x) = (times[k][0], &results[k]);
        let far = x.iter().zip(&results[0]).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
        let disagreement = if far == 0.0 { 0.0 } else { far / size };
        Record { name: solvers[k].0, ns, ratio: ns / first, disagreement }
    };
    Ok(Report {
        model: name.into(),
        coordinates,
        equations: cut,
        fill,
        multiplications,
        gauss_multiplications,
        solvers: (0..solvers.len()).map(record).collect(),
    })
}

fn dense_lu<'a>(matrix: &'a [f64], right: &'a [f64]) -> Solver<'a> {
    let lu = DenseLu::new(right.len());
    let (mut values, mut exchange) = (matrix.to_vec(), vec![0; right.len()]);
    Box::new(move |x| {
        values.copy_from_slice(matrix);
        x.copy_from_slice(right);
        let sound = lu.factor(&mut values, &mut exchange, 1e-15).is_ok();
        lu.solve(&values, &exchange, x);
        sound
    })
}

fn symmetric<'a>(matrix: &'a [f64], right: &'a [f64]) -> Solver<'a> {
    let solver = BunchKaufman::new(right.len());
    let (mut values, mut pivots) = (matrix.to_vec(), vec![0; right.len()]);
    Box::new(move |x| {
        values.copy_from_slice(matrix);
        x.copy_from_slice(right);
        let sound = solver.factor(&mut values, &mut pivots).is_ok();
        solver.solve(&values, &pivots, x);
        sound
    })
}

/// Compressed columns of what is not zero.
fn sparse_lu<'a>(matrix: &'a [f64], right: &'a [f64]) -> Option<Solver<'a>> {
    let n = right.len();
    let (mut columns, mut rows, mut values) = (vec![0], Vec::new(), Vec::new());
    for column in matrix.chunks_exact(n.max(1)) {
        for (row, x) in column.iter().enumerate().filter(|(_, x)| **x != 0.0) {
            rows.push(row);
            values.push(*x);
        }
        columns.push(rows.len());
    }
    let mut lu = SparseLu::analyse(n, &columns, &rows).ok()?;
    Some(Box::new(move |x| {
        x.copy_from_slice(right);
        lu.refactor(&values).is_ok() && lu.solve(x).is_ok()
    }))
}

fn table(report: &Report) -> String {
    let columns = [
        ("solver", Align::Left),
        ("solve", Align::Right),
        ("ratio", Align::Right),
        ("disagreement", Align::Right),
    ];
    let table = Table::new(columns, report.solvers.len(), |k| {
        let r = &report.solvers[k];
        [r.name.into(), shown(r.ns), number(r.ratio, 3), format!("{:.1e}", r.disagreement)]
    });
    format!(
        "{}: {}, {} outside the spanning tree; {} multiplications and {} pairs of bodies filled in; Gaussian elimination: {} multiplications\n\n{table}\n",
        report.model,
        many(report.coordinates, "joint coordinate"),
        many(report.equations, "equation"),
        count(report.multiplications as usize),
        count(report.fill),
        count(report.gauss_multiplications as usize),
    )
}
