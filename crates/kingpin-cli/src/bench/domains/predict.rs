//! Times on machines of many ranks, from what one core does here and what messages take there.
//!
//! An iteration of balancing by constraints is work on sub-domains, which ranks share; two exchanges with neighbours;
//! three sums of one number for each sub-domain; and the coarse problem, which every rank gathers and solves. Gathering
//! takes the latency of as many rounds as two has to be doubled to reach the ranks, and the bytes of all once.

use super::{Args, options, solved};
use crate::check::json::text;
use crate::output::{Exit, complain, print};
use crate::table::{Align, Table};
use crate::words::{count, number};
use kingpin_domains::communicate::{Alone, Communicator, crew};
use kingpin_domains::grid::Grid;
use kingpin_domains::solver::{Method, StructureSolver};
use kingpin_domains::{DomainError, Sharing};
use serde::Serialize;
use std::io;

/// Most ranks that are predicted.
const MOST: usize = 10_000;
/// Ranks, as threads here, that predictions are compared with; or those that `mpirun` has started.
const MEASURED: [usize; 3] = [1, 2, 4];

#[derive(Serialize)]
struct Row {
    scaling: &'static str,
    ranks: usize,
    domains: usize,
    freedoms: usize,
    setup_s: f64,
    solve_s: f64,
    /// Part of the ideal speed.
    efficiency: f64,
    /// Set-up and solution as measured here.
    measured_s: Option<f64>,
}

#[derive(Serialize)]
struct Report {
    latency_s: f64,
    bandwidth: f64,
    cores_here: usize,
    /// What ranks were that times were measured with.
    measured_with: &'static str,
    rows: Vec<Row>,
}

/// What one core does here with sub-domains of one size.
struct Costs {
    grid: Grid,
    iterations: f64,
    /// for each sub-domain
    setup: f64,
    iteration: f64,
    coarse_unknowns: f64,
    /// seconds for each multiply-add of solutions, and for each of the factorisation of the coarse problem
    entry: f64,
}

impl Costs {
    /// Without sharing, since real structures have no equal sub-domains.
    fn measured(args: &Args, grid: Grid) -> Result<Costs, DomainError> {
        let (pieces, _) = grid.pieces(0..grid.domains())?;
        let mut apart = options(args, Method::Bddc);
        apart.sharing = Sharing::Patterns;
        let solver = StructureSolver::new(&pieces, &Alone, &apart)?;
        let record = solved(args, grid, Method::Bddc, &Alone, 1)?;
        let (mut inside, mut ends) = (0, 0);
        for local in solver.domains().iter().flat_map(|domains| domains.locals()) {
            inside += local.entries().0;
            ends += local.entries().1;
        }
        let iterations = record.iterations as f64;
        let unknowns = record.coarse as f64;
        // numbers read in a solution: insides twice, in each iteration both factors of the interface twice
        let coarse = 2.0 * coarse_entries(grid.dim, unknowns);
        let entries = 2.0 * inside as f64 + iterations * (4.0 * ends as f64 + coarse);
        let entry = record.repeat_s / entries;
        let domains = grid.domains() as f64;
        let setup = record.setup_s - entry * coarse_work(grid.dim, unknowns) / 4.0;
        Ok(Costs {
            grid,
            iterations,
            setup: setup.max(0.5 * record.setup_s) / domains,
            iteration: (record.repeat_s / iterations - entry * coarse).max(0.0) / domains,
            coarse_unknowns: unknowns / domains,
            entry,
        })
    }

    /// Set-up and solution of so many sub-domains along a side on so many ranks, each with a core of its own or several
    /// on one.
    fn predicted(&self, per_side: usize, (ranks, cores): (usize, usize), messages: [f64; 2]) -> (f64, f64) {
        let (dim, [latency, bandwidth]) = (self.grid.dim, messages);
        let domains = per_side.pow(dim as u32) as f64;
        let crowd = (ranks as f64 / cores as f64).max(1.0);
        let own = (domains / ranks as f64).ceil() * crowd;
        let unknowns = self.coarse_unknowns * domains;
        let rounds = (ranks as f64).log2().ceil();
        let gather = |numbers: f64| {
            if ranks == 1 { 0.0 } else { rounds * latency + 8.0 * numbers / bandwidth }
        };
        // a rank holds a square or cube of sub-domains; its surface goes to its neighbours
        let side = own.powf(1.0 / dim as f64) * self.grid.elements as f64;
        let surface = dim as f64 * 2.0 * dim as f64 * side.powi(dim as i32 - 1);
        let neighbours = (3_f64.powi(dim as i32) - 1.0).min(ranks as f64 - 1.0);
        let exchange = if ranks == 1 { 0.0 } else { neighbours * latency + 8.0 * surface / bandwidth };
        let copies = 2.0 * dim as f64;
        // solved by each rank
        let coarse = crowd * self.entry * 2.0 * coarse_entries(dim, unknowns);
        let iteration = own * self.iteration
            + 2.0 * exchange
            + 3.0 * gather(domains)
            + gather(copies * unknowns)
            + coarse;
        let elements = gather(domains * (copies * self.coarse_unknowns).powi(2));
        let setup = own * self.setup + elements + crowd * self.entry * coarse_work(dim, unknowns) / 4.0;
        (setup, self.iterations * iteration)
    }
}

/// Numbers of the factor of a coarse problem, and multiply-adds to find it: nested dissection of a grid.
fn coarse_entries(dim: usize, unknowns: f64) -> f64 {
    if dim == 2 { 8.0 * unknowns * unknowns.max(2.0).log2() } else { 10.0 * unknowns.powf(4.0 / 3.0) }
}

fn coarse_work(dim: usize, unknowns: f64) -> f64 {
    if dim == 2 { 200.0 * unknowns.powf(1.5) } else { 60.0 * unknowns * unknowns }
}

pub(super) fn run(args: &Args, ranks: &dyn Communicator) -> io::Result<Exit> {
    let first = ranks.rank() == 0;
    match rows(args, ranks) {
        Ok(_) if !first => Ok(Exit::Good),
        Err(_) if !first => Ok(Exit::Faulty),
        Ok(rows) => {
            let measured_with = if ranks.ranks() > 1 { "processes" } else { "threads" };
            let (latency_s, bandwidth) = (args.latency, args.bandwidth);
            let report = Report { latency_s, bandwidth, cores_here: cores(), measured_with, rows };
            print(&if args.json { text(&report) } else { table(&report) })?;
            Ok(Exit::Good)
        }
        Err(error) => {
            complain(&format!("error: {error}\n"));
            Ok(Exit::Faulty)
        }
    }
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, |n| n.get())
}

fn rows(args: &Args, processes: &dyn Communicator) -> Result<Vec<Row>, DomainError> {
    let usual = if args.dim == 2 { (12, 16) } else { (4, 4) };
    let (s, e) = args.sizes.first().copied().unwrap_or(usual);
    let here = Grid { contrast: args.contrast, ..Grid::new(args.dim.into(), s, e) };
    let costs = Costs::measured(args, here)?;
    let mut rows = Vec::new();
    let numbers = if processes.ranks() > 1 { vec![processes.ranks()] } else { MEASURED.to_vec() };
    for ranks in numbers.into_iter().filter(|&ranks| ranks <= here.domains()) {
        let measure = |_| {
            if processes.ranks() > 1 { together(args, here, processes) } else { measured(args, here, ranks) }
        };
        let best = (0..2).map(measure).collect::<Result<Vec<f64>, _>>()?;
        let best = best.into_iter().fold(f64::INFINITY, f64::min);
        rows.push(Row { measured_s: Some(best), ..row(args, &costs, "here", s, (ranks, cores()), (s, 1)) });
    }
    // as many sub-domains along a side as the most ranks need
    let wide = (MOST as f64).powf(1.0 / here.dim as f64).round() as usize;
    let most = wide.pow(here.dim as u32);
    let powers = || (0..).map(|k| 4_usize.pow(k)).take_while(|&ranks| ranks < most).chain([most]);
    powers().for_each(|ranks| rows.push(row(args, &costs, "strong", wide, (ranks, ranks), (wide, 1))));
    for side in (0..).map(|k| 2_usize.pow(k)).take_while(|&side| side < wide).chain([wide]) {
        let ranks = side.pow(here.dim as u32);
        rows.push(row(args, &costs, "weak", side, (ranks, ranks), (1, 1)));
    }
    Ok(rows)
}

/// A prediction; `ideal` are sub-domains along a side and ranks of what it is compared with.
fn row(
    args: &Args,
    costs: &Costs,
    scaling: &'static str,
    per_side: usize,
    (ranks, cores): (usize, usize),
    ideal: (usize, usize),
) -> Row {
    let messages = [args.latency, args.bandwidth];
    let (setup_s, solve_s) = costs.predicted(per_side, (ranks, cores), messages);
    let (a, b) = costs.predicted(ideal.0, (ideal.1, ideal.1), messages);
    let grid = Grid { per_side, ..costs.grid };
    let fair = (a + b) * grid.domains() as f64 / ideal.0.pow(grid.dim as u32) as f64 / ranks as f64;
    Row {
        scaling,
        ranks,
        domains: grid.domains(),
        freedoms: grid.freedoms(),
        setup_s,
        solve_s,
        efficiency: fair / (setup_s + solve_s),
        measured_s: None,
    }
}

/// Set-up and solution on ranks that are threads here: the slowest of them.
fn measured(args: &Args, grid: Grid, ranks: usize) -> Result<f64, DomainError> {
    let times = crew(ranks, |communicator| {
        solved(args, grid, Method::Bddc, communicator, 1).map(|record| record.setup_s + record.repeat_s)
    });
    times.into_iter().try_fold(0.0_f64, |most, time| Ok(most.max(time?)))
}

/// The same on the processes that there are.
fn together(args: &Args, grid: Grid, processes: &dyn Communicator) -> Result<f64, DomainError> {
    let record = solved(args, grid, Method::Bddc, processes, 1)?;
    let own = [record.setup_s + record.repeat_s];
    let mut all = vec![0.0; processes.ranks()];
    processes.gather(&own, &vec![1; processes.ranks()], &mut all);
    Ok(all.into_iter().fold(0.0, f64::max))
}

fn table(report: &Report) -> String {
    let columns = [
        ("scaling", Align::Left),
        ("ranks", Align::Right),
        ("sub-domains", Align::Right),
        ("freedoms", Align::Right),
        ("set-up s", Align::Right),
        ("solution s", Align::Right),
        ("efficiency", Align::Right),
        ("measured s", Align::Right),
    ];
    let table = Table::new(columns, report.rows.len(), |k| {
        let r = &report.rows[k];
        [
            r.scaling.into(),
            count(r.ranks),
            count(r.domains),
            count(r.freedoms),
            number(r.setup_s, 3),
            number(r.solve_s, 3),
            number(r.efficiency, 3),
            r.measured_s.map_or(String::new(), |time| number(time, 3)),
        ]
    });
    let assumed = format!(
        "messages: {} s and {} bytes/s; measured with ranks as {} on {} cores, which more ranks share\n",
        number(report.latency_s, 3),
        number(report.bandwidth, 3),
        report.measured_with,
        report.cores_here
    );
    format!("{table}{assumed}")
}
