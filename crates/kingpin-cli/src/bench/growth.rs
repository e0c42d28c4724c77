//! `kingpin bench growth`: whether the time per joint stays the same while mechanisms grow.

use super::clock::{Budget, shown};
use super::contest::{Contestant, Timing, timings};
use super::standard::{Refusal, generated};
use crate::check::json::text;
use crate::generate::{Shape, Space};
use crate::output::{Exit, complain, print};
use crate::table::{Align, Table};
use crate::words::count;
use kingpin::accel::{Accelerator, Solver};
use serde::Serialize;
use std::io;
use std::time::Duration;

/// Measure elimination and recursion on chains, stars and ladders of growing size
#[derive(clap::Args)]
pub struct Args {
    /// Use a tenth of the sizes
    #[arg(long)]
    quick: bool,
    /// Maximum number of joints of chains; a million needs 10 GB
    #[arg(long, value_name = "JOINTS", default_value_t = 100_000, value_parser = clap::value_parser!(u32).range(1_000..=10_000_000))]
    to: u32,
    /// Print JSON instead of a table
    #[arg(long)]
    json: bool,
}

/// What is measured: shape, sizes, methods. The largest come last: memory that others leave would hide what they take.
const SERIES: [(Shape, &[u32], &[Solver]); 3] = [
    (Shape::Star, &[250, 500, 1_000], &[Solver::Elimination, Solver::EliminationUnsplit, Solver::Recursive]),
    (Shape::Ladder, &[100, 1_000], &[Solver::Elimination]),
    (
        Shape::Chain,
        &[1_000, 10_000, 100_000, 1_000_000, 10_000_000],
        &[Solver::Elimination, Solver::Recursive],
    ),
];

#[derive(Serialize)]
struct Record {
    model: String,
    size: u32,
    joints: usize,
    solver: &'static str,
    ns: f64,
    ns_per_joint: f64,
    whole_ns: f64,
    whole_ns_per_joint: f64,
    only_ns: f64,
    only_ns_per_joint: f64,
    setup_ns: f64,
    bytes_per_joint: Option<f64>,
}

/// Runs the command.
pub fn run(args: &Args) -> io::Result<Exit> {
    let mut records = Vec::new();
    for (shape, sizes, methods) in SERIES {
        for &size in sizes.iter().filter(|size| **size <= args.to) {
            let size = if args.quick { size / 10 } else { size };
            match measured(shape, size, methods) {
                Ok(found) => records.extend(found),
                Err(refusal) => {
                    complain(&refusal.message);
                    return Ok(refusal.exit);
                }
            }
        }
    }
    print(&if args.json { text(&records) } else { table(&records).to_string() })?;
    Ok(Exit::Good)
}

fn measured(shape: Shape, size: u32, methods: &[Solver]) -> Result<Vec<Record>, Refusal> {
    let before = resident();
    let (name, ready) = generated(shape, Space::Spatial, size);
    let ready = ready?;
    let mut contestants = Vec::new();
    for &method in methods {
        let build = || Accelerator::new(ready.system(), ready.redundant(), method);
        let refused = |failure| Refusal::new(format!("{name}: {failure}"));
        contestants.push(Contestant::new(&ready, build).map_err(refused)?);
    }
    let joints = ready.system().layout.groups.len();
    // of the model, the system, and all solvers that are compared
    let held = before.zip(resident()).map(|(before, now)| now.saturating_sub(before) as f64 / joints as f64);
    let times = timings(&ready, &mut contestants, Budget { each: Duration::from_millis(400) });
    let record = |(method, t): (&Solver, Timing)| Record {
        model: name.clone(),
        size,
        joints,
        solver: method.name(),
        ns: t.ns,
        ns_per_joint: t.ns / joints as f64,
        whole_ns: t.whole_ns,
        whole_ns_per_joint: t.whole_ns / joints as f64,
        only_ns: t.only_ns,
        only_ns_per_joint: t.only_ns / joints as f64,
        setup_ns: t.setup_ns,
        bytes_per_joint: held,
    };
    Ok(methods.iter().zip(times).map(record).collect())
}

fn table(records: &[Record]) -> Table {
    let columns = [
        ("mechanism", Align::Left),
        ("joints", Align::Right),
        ("solver", Align::Left),
        ("solve", Align::Right),
        ("per joint", Align::Right),
        ("with evaluation", Align::Right),
        ("per joint", Align::Right),
        ("accelerations only", Align::Right),
        ("per joint", Align::Right),
        ("set-up", Align::Right),
        ("bytes per joint", Align::Right),
    ];
    Table::new(columns, records.len(), |k| {
        let r = &records[k];
        let [a, b, c] =
            [[r.ns, r.ns_per_joint], [r.whole_ns, r.whole_ns_per_joint], [r.only_ns, r.only_ns_per_joint]]
                .map(|pair| pair.map(shown));
        let ([a, b], [c, d], [e, f]) = (a, b, c);
        let bytes = r.bytes_per_joint.map_or("".into(), |bytes| count(bytes as usize));
        [r.model.clone(), count(r.joints), r.solver.into(), a, b, c, d, e, f, shown(r.setup_ns), bytes]
    })
}

/// Bytes of memory that this process holds, where the system tells.
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(1024 * line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?)
}
