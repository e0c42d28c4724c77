//! The report of `kingpin kinematics --json`. Keys are added, never renamed.

use super::record::Record;
use crate::check::json::text;
use crate::figures::Figures;
use crate::ready::Ready;
use kingpin::dynamics::Kinematics;
use serde::Serialize;
use serde_json::{Map, Value};

#[derive(Serialize)]
struct Report<'a> {
    model: &'a str,
    t_end: f64,
    frames: usize,
    steps: usize,
    position_residual: f64,
    velocity_residual: f64,
    times: &'a [f64],
    series: Map<String, Value>,
    #[serde(rename = "final")]
    last: Figures<'a>,
}

/// The report as text.
pub fn report(ready: &Ready, record: &Record, kinematics: &Kinematics, t_end: f64) -> String {
    let series = record.channels().enumerate().map(|(column, channel)| {
        (channel.name.clone(), record.column(column).map(Value::from).collect::<Vec<_>>().into())
    });
    text(&Report {
        model: &ready.model().name,
        t_end,
        frames: kinematics.frames,
        steps: kinematics.steps,
        position_residual: kinematics.position_residual,
        velocity_residual: kinematics.velocity_residual,
        times: record.all.times(),
        series: series.collect(),
        last: Figures { channels: ready.still_channels(), values: record.last() },
    })
}
