//! `kingpin bench numbering`: what a good numbering of joints is worth to an envelope solver.

use super::clock::{Budget, shown};
use super::contest::{Contestant, timings};
use super::standard::{Refusal, generated};
use crate::check::json::text;
use crate::generate::{Shape, Space};
use crate::output::{Exit, complain, print};
use crate::ready::Ready;
use crate::table::{Align, Table};
use crate::words::{count, number};
use kingpin::accel::Accelerator;
use kingpin::topology::{EnvelopeSize, Permutation};
use serde::Serialize;
use std::io;
use std::time::Duration;

/// Measure the envelope solver on a planar chain with good and bad numbering
#[derive(clap::Args)]
pub struct Args {
    /// Number of links
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(2..=2_000))]
    size: u32,
    /// Print JSON instead of a table
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Record {
    numbering: &'static str,
    bandwidth: u64,
    envelope: u64,
    envelope_work: u64,
    ns: f64,
    ratio: f64,
}

/// Runs the command.
pub fn run(args: &Args) -> io::Result<Exit> {
    let (_, ready) = generated(Shape::Chain, Space::Planar, args.size);
    match ready.and_then(|ready| measured(&ready, args.size as usize)) {
        Ok(records) => {
            print(&if args.json { text(&records) } else { report(&records) })?;
            Ok(Exit::Good)
        }
        Err(refusal) => {
            complain(&refusal.message);
            Ok(refusal.exit)
        }
    }
}

/// Numbers given along the chain: 1, 2, 3, …; and 1, N, 2, N - 1, … The second is the worst case; as orders.
fn orders(joints: usize) -> [(&'static str, Vec<usize>); 2] {
    let mut bad = vec![0; joints];
    for joint in 0..joints {
        let number = if joint % 2 == 0 { joint / 2 } else { joints - 1 - joint / 2 };
        bad[number] = joint;
    }
    [("1, 2, 3, 4, ...", (0..joints).collect()), ("1, N, 2, N-1, ...", bad)]
}

fn measured(ready: &Ready, joints: usize) -> Result<Vec<Record>, Refusal> {
    let graph = kingpin::accel::Problem::new(ready.system(), ready.redundant()).graph();
    let (mut contestants, mut known) = (Vec::new(), Vec::new());
    for (name, order) in orders(joints) {
        let order = Permutation::new(order).map_err(Refusal::new)?;
        let accelerator =
            Accelerator::envelope_along(ready.system(), ready.redundant(), &order).map_err(Refusal::new)?;
        contestants.push(Contestant::new(ready, || accelerator).map_err(Refusal::new)?);
        known.push((name, EnvelopeSize::new(&graph, &order)));
    }
    let times = timings(ready, &mut contestants, Budget { each: Duration::from_millis(400) });
    let first = times.first().map_or(f64::NAN, |t| t.ns);
    let record = |((name, envelope), ns): ((&'static str, EnvelopeSize), f64)| Record {
        numbering: name,
        bandwidth: envelope.bandwidth,
        envelope: envelope.envelope,
        envelope_work: envelope.work,
        ns,
        ratio: ns / first,
    };
    Ok(known.into_iter().zip(times.iter().map(|t| t.ns)).map(record).collect())
}

fn report(records: &[Record]) -> String {
    let columns = [
        ("numbers along the chain", Align::Left),
        ("bandwidth", Align::Right),
        ("envelope", Align::Right),
        ("envelope work", Align::Right),
        ("solve", Align::Right),
        ("ratio", Align::Right),
    ];
    let table = Table::new(columns, records.len(), |k| {
        let r = &records[k];
        let [a, b, c] = [r.bandwidth, r.envelope, r.envelope_work].map(|n| count(n as usize));
        [r.numbering.into(), a, b, c, shown(r.ns), number(r.ratio, 3)]
    });
    table.to_string()
}

#[cfg(test)]
mod tests {
    use super::orders;

    #[test]
    fn the_bad_order_jumps_between_the_ends() {
        let [(_, good), (_, bad)] = orders(5);
        assert_eq!((good, bad), (vec![0, 1, 2, 3, 4], vec![0, 2, 4, 3, 1]));
    }
}
