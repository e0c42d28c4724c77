//! Points of a study shared among ranks, in rounds: each runs its own, and the first takes all of them in their order.

use crate::domains::Parted;
use kingpin_study::{Row, Study};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

/// Points of a thread in a round: enough that those who are done early seldom wait.
const ROUND: usize = 4;

/// The first point that is to be run, as the first rank knows it; none where it has nothing to do.
pub fn first_of_all(parted: &Parted, first: Option<usize>) -> Option<usize> {
    let own = first.map_or(Vec::new(), |first| (first as u64).to_le_bytes().to_vec());
    let told = parted.told(&own);
    Some(u64::from_le_bytes(told.try_into().ok()?) as usize)
}

/// As [`Study::run_while`], by all ranks; rows are taken by the first.
pub fn run(
    (study, parted): (&Study, &Parted),
    threads: usize,
    first: usize,
    stop: &AtomicBool,
    take: &mut dyn FnMut(Row) -> ControlFlow<()>,
) {
    let (count, ranks, rank) = (study.points().len(), parted.ranks.ranks(), parted.ranks.rank());
    let mut start = first;
    while start < count {
        let end = count.min(start.saturating_add(ROUND * threads * ranks));
        let own: Vec<usize> = (start + rank..end).step_by(ranks).collect();
        let mut said = Vec::new();
        study.run_some(threads, &own, stop, &mut |row| {
            row.pack(&mut said);
            ControlFlow::Continue(())
        });
        let rows = heard(study, parted, &said);
        let go_on = !parted.speaks() || take_all(start..end, rows, take) && !stop.load(Ordering::Relaxed);
        if parted.told(&[u8::from(go_on)]) != [1] {
            return;
        }
        start = end;
    }
}

/// Rows of all ranks by their points.
fn heard(study: &Study, parted: &Parted, said: &[f64]) -> BTreeMap<usize, Row> {
    let ranks = parted.ranks.ranks();
    let mut lengths = vec![0.0; ranks];
    parted.ranks.gather(&[said.len() as f64], &vec![1; ranks], &mut lengths);
    let counts: Vec<usize> = lengths.iter().map(|length| *length as usize).collect();
    let mut all = vec![0.0; counts.iter().sum()];
    parted.ranks.gather(said, &counts, &mut all);
    let mut rest = if parted.speaks() { &all[..] } else { &[] };
    std::iter::from_fn(|| Row::unpack(study.points(), &mut rest)).map(|row| (row.point, row)).collect()
}

/// Whether all rows were there and taken.
fn take_all(
    points: std::ops::Range<usize>,
    mut rows: BTreeMap<usize, Row>,
    take: &mut dyn FnMut(Row) -> ControlFlow<()>,
) -> bool {
    for point in points {
        let Some(row) = rows.remove(&point) else { return false };
        if take(row).is_break() {
            return false;
        }
    }
    true
}
