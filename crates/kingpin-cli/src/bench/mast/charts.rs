//! The figures of [Kurdila 1990] with today's numbers: iterations and time over the size, of the mast and of the station.

use super::Record;
use crate::output::write_beside;
use kingpin_results::plot::{Axis, Curve, curves};
use std::io;
use std::path::Path;

const SIZE: (f64, f64) = (720.0, 440.0);

/// File, title, whether of the station, what is over what.
const FIGURES: [(&str, &str, bool, Over); 4] = [
    ("figure2.svg", "Iterations versus degrees of freedom, mast", false, Over::IterationsOfFreedoms),
    ("figure3.svg", "Time per step versus degrees of freedom, mast", false, Over::TimeOfFreedoms),
    ("figure5.svg", "Time per step versus degrees of freedom, station", true, Over::TimeOfFreedoms),
    ("figure6.svg", "Iterations versus substructures, station", true, Over::IterationsOfParts),
];

#[derive(Clone, Copy)]
enum Over {
    IterationsOfFreedoms,
    TimeOfFreedoms,
    IterationsOfParts,
}

/// Writes all figures.
pub fn write(folder: &Path, records: &[Record]) -> io::Result<()> {
    for (file, title, station, over) in FIGURES {
        let text = figure(records, title, station, over);
        write_beside(&folder.join(file), &text).map_err(io::Error::other)?;
    }
    Ok(())
}

fn figure(records: &[Record], title: &str, station: bool, over: Over) -> String {
    let own = || records.iter().filter(|record| (record.structure == "station") == station);
    let mut tasks: Vec<&str> = Vec::new();
    own().for_each(|record| {
        if !tasks.contains(&record.task) {
            tasks.push(record.task);
        }
    });
    let timed = matches!(over, Over::TimeOfFreedoms);
    let point = |record: &Record| {
        let (freedoms, parts) = (record.freedoms as f64, record.modules as f64);
        match over {
            Over::IterationsOfFreedoms => (freedoms, record.iterations as f64),
            Over::IterationsOfParts => (parts, record.iterations as f64),
            Over::TimeOfFreedoms => (freedoms, record.seconds_per_step),
        }
    };
    // new factors change times, not iterations
    let shown = tasks.into_iter().filter(|task| timed || !task.contains("new factors"));
    let all: Vec<Curve> = shown
        .map(|task| Curve {
            name: task.into(),
            points: own().filter(|record| record.task == task).map(point).collect(),
        })
        .collect();
    let x = if matches!(over, Over::IterationsOfParts) { "substructures" } else { "degrees of freedom" };
    let y = if timed { "time per step [s]" } else { "iterations" };
    let axes = [Axis { label: x, logarithmic: true }, Axis { label: y, logarithmic: timed }];
    curves(title, axes, &all, SIZE)
}
