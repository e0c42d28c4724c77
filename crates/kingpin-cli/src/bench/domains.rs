//! `kingpin bench domains`: sheets and boxes in sub-domains, by every method.

mod predict;

use super::clock::shown;
use crate::check::json::text;
use crate::output::{Exit, complain, print};
use crate::run::options::positive;
use crate::table::{Align, Table};
use crate::words::{count, number};
use kingpin::threads::within;
use kingpin_domains::communicate::{Alone, Communicator, gather_lists, share};
use kingpin_domains::grid::Grid;
use kingpin_domains::solver::{Method, Options, StructureSolver};
use kingpin_domains::{DomainError, Sharing};
use serde::Serialize;
use std::io;
use std::time::Instant;

/// Compare domain decomposition methods on sheets and boxes
#[derive(clap::Args)]
#[command(after_help = crate::output::EXIT_CODES)]
pub struct Args {
    /// Dimension: 2 for sheets, 3 for boxes
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u8).range(2..=3))]
    dim: u8,
    /// Sub-domains per side and elements per side of a sub-domain, as 8x16; several are separated by commas
    #[arg(long, value_name = "SIZES", value_delimiter = ',', value_parser = size)]
    sizes: Vec<(usize, usize)>,
    /// Methods, separated by commas [default: all]
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = method)]
    methods: Vec<Method>,
    /// Stiffness of every other sub-domain, relative to the rest
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0, value_parser = positive)]
    contrast: f64,
    /// Relative residual at which iterations stop
    #[arg(long, value_name = "PART", default_value_t = 1e-8, value_parser = positive)]
    tol: f64,
    /// Number of threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    threads: u16,
    /// Factor every sub-domain, even if several are identical
    #[arg(long)]
    apart: bool,
    /// Predict times on machines with many ranks from the measurements
    #[arg(long)]
    predict: bool,
    /// With --predict: latency of a message, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 2e-6, value_parser = positive)]
    latency: f64,
    /// With --predict: bandwidth between two ranks, in bytes per second
    #[arg(long, value_name = "BYTES", default_value_t = 1e10, value_parser = positive)]
    bandwidth: f64,
    /// Print JSON instead of a table
    #[arg(long)]
    json: bool,
}

fn size(text: &str) -> Result<(usize, usize), String> {
    let numbers = text.split_once('x').and_then(|(s, e)| Some((s.parse().ok()?, e.parse().ok()?)));
    match numbers {
        Some((s, e)) if (1..=1000).contains(&s) && (1..=1000).contains(&e) => Ok((s, e)),
        _ => Err("expected sub-domains and elements per side, from 1 to 1000, such as `8x16`".into()),
    }
}

fn method(text: &str) -> Result<Method, String> {
    let names: Vec<&str> = Method::all().map(Method::name).collect();
    Method::named(text).ok_or_else(|| format!("there are {}", names.join(", ")))
}

#[derive(Clone, Debug, Serialize)]
struct Record {
    dim: usize,
    s: usize,
    e: usize,
    method: &'static str,
    freedoms: usize,
    /// Unknowns of the coarse problem.
    coarse: usize,
    iterations: usize,
    kappa: f64,
    /// Set-up and solution.
    seconds: f64,
    setup_s: f64,
    /// The same solved again.
    repeat_s: f64,
    ranks: usize,
    threads: usize,
    /// Displacements of the corner farthest from the origin.
    corner: Vec<f64>,
}

/// Runs the command.
pub fn run(args: &Args) -> io::Result<Exit> {
    let ranks = match ranks() {
        Ok(ranks) => ranks,
        Err(message) => {
            complain(&message);
            return Ok(Exit::Usage);
        }
    };
    let first = ranks.rank() == 0;
    if args.predict {
        return predict::run(args, &*ranks);
    }
    let mut records = Vec::new();
    for grid in grids(args) {
        for method in methods(args, &*ranks) {
            match within(args.threads.into(), |threads| solved(args, grid, method, &*ranks, threads)) {
                Ok(record) => records.push(record),
                Err(DomainError::OtherRank) => return Ok(Exit::Faulty),
                Err(error) => {
                    let (s, e) = (grid.per_side, grid.elements);
                    complain(&format!("error: {s}x{e} by {}: {error}\n", method.name()));
                    return Ok(Exit::Faulty);
                }
            }
        }
    }
    if first {
        print(&if args.json { text(&records) } else { table(&records).to_string() })?;
    }
    Ok(Exit::Good)
}

fn grids(args: &Args) -> Vec<Grid> {
    let usual: &[(usize, usize)] =
        if args.dim == 2 { &[(2, 4), (4, 4), (4, 8), (8, 8)] } else { &[(2, 4), (3, 4)] };
    let sizes = if args.sizes.is_empty() { usual } else { &args.sizes };
    let grid =
        |&(s, e): &(usize, usize)| Grid { contrast: args.contrast, ..Grid::new(args.dim.into(), s, e) };
    sizes.iter().map(grid).collect()
}

/// Those asked for, else all that work on so many ranks.
fn methods(args: &Args, ranks: &dyn Communicator) -> Vec<Method> {
    if !args.methods.is_empty() {
        return args.methods.clone();
    }
    let whole = |method: &Method| matches!(method, Method::Direct | Method::Local | Method::Interface);
    Method::all().filter(|method| ranks.ranks() == 1 || !whole(method)).collect()
}

fn options(args: &Args, method: Method) -> Options {
    let mut options = Options::with(method);
    options.tolerance.residual = args.tol;
    options.sharing = if args.apart { Sharing::Patterns } else { Sharing::Numbers };
    options
}

/// The ranks that `mpirun` has started, or this process alone.
#[cfg(feature = "mpi")]
fn ranks() -> Result<Box<dyn Communicator>, String> {
    if std::env::var_os("OMPI_COMM_WORLD_SIZE").is_none() {
        return Ok(Box::new(Alone));
    }
    match kingpin_domains::communicate::Processes::start() {
        Some(processes) => Ok(Box::new(processes)),
        None => Err("error: MPI could not be started\n".into()),
    }
}

#[cfg(not(feature = "mpi"))]
fn ranks() -> Result<Box<dyn Communicator>, String> {
    match std::env::var("OMPI_COMM_WORLD_SIZE") {
        Ok(ranks) if ranks != "1" => Err(format!(
            "error: {ranks} ranks were started, but this build of kingpin has no MPI: build it with \
                 `--features mpi`, or run it without mpirun and with --threads\n"
        )),
        _ => Ok(Box::new(Alone)),
    }
}

fn solved(
    args: &Args,
    grid: Grid,
    method: Method,
    ranks: &dyn Communicator,
    threads: usize,
) -> Result<Record, DomainError> {
    let own = share(grid.domains(), ranks.rank(), ranks.ranks());
    let (pieces, loads) = grid.pieces(own)?;
    let mut to: Vec<Vec<f64>> = loads.iter().map(|load| vec![0.0; load.len()]).collect();
    let start = Instant::now();
    let mut solver = StructureSolver::new(&pieces, ranks, &options(args, method))?;
    let setup_s = start.elapsed().as_secs_f64();
    let outcome = solver.solve(&loads, &mut to)?;
    let seconds = start.elapsed().as_secs_f64();
    let mut repeat_s = f64::INFINITY;
    for _ in 0..3 {
        let start = Instant::now();
        solver.solve(&loads, &mut to)?;
        repeat_s = repeat_s.min(start.elapsed().as_secs_f64());
    }
    // the last node of the last sub-domain
    let last = to.last().map_or(&[][..], |to| &to[to.len() - grid.dim..]);
    let (all, _) = gather_lists(ranks, last);
    Ok(Record {
        dim: grid.dim,
        s: grid.per_side,
        e: grid.elements,
        method: method.name(),
        freedoms: grid.freedoms(),
        coarse: solver.coarse(),
        iterations: outcome.iterations,
        kappa: outcome.kappa,
        seconds,
        setup_s,
        repeat_s,
        ranks: ranks.ranks(),
        threads,
        corner: all[all.len() - grid.dim..].to_vec(),
    })
}

fn table(records: &[Record]) -> Table {
    let columns = [
        ("s", Align::Right),
        ("e", Align::Right),
        ("method", Align::Left),
        ("freedoms", Align::Right),
        ("coarse", Align::Right),
        ("iterations", Align::Right),
        ("condition", Align::Right),
        ("set-up", Align::Right),
        ("in all", Align::Right),
        ("again", Align::Right),
        ("corner", Align::Right),
    ];
    Table::new(columns, records.len(), |k| {
        let r = &records[k];
        [
            count(r.s),
            count(r.e),
            r.method.into(),
            count(r.freedoms),
            count(r.coarse),
            count(r.iterations),
            number(r.kappa, 4),
            shown(1e9 * r.setup_s),
            shown(1e9 * r.seconds),
            shown(1e9 * r.repeat_s),
            format!("{:.9e}", r.corner.last().copied().unwrap_or(f64::NAN)),
        ]
    })
}
