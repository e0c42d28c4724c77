//! Switches that go to and fro without getting on.

use super::events::FirstCrossing;
use crate::dynamics::instant::Chatter;
use crate::system::System;

/// Crossings in a row, and the part of the run that they must cover on average.
const WINDOWS: [(usize, f64); 2] = [(1_000, 1e-8), (10_000, 1e-6)];
/// Steps in a row that led a switch to the wrong side at once before that is called chatter.
const STUCK: usize = 3;

/// Counts crossings.
#[derive(Clone, Debug)]
pub(in crate::dynamics) struct Counter {
    /// Length of the run.
    span: f64,
    /// Of each window: crossings so far, of each switch, and since when.
    pub(in crate::dynamics) windows: [(usize, Vec<usize>, f64); 2],
    /// Steps in a row that were taken unwatched and led nowhere; crossings since then.
    pub(in crate::dynamics) stuck: usize,
    pub(in crate::dynamics) flips: Vec<usize>,
    pub(in crate::dynamics) since: f64,
}

impl Counter {
    pub fn new(switches: usize, span: f64) -> Self {
        let window = (0, vec![0; switches], f64::NAN);
        let windows = [window.clone(), window];
        Self { span: span.abs(), windows, stuck: 0, flips: vec![0; switches], since: f64::NAN }
    }

    /// Notes a crossing that changes forces.
    pub fn crossed(&mut self, system: &System, crossing: &FirstCrossing) -> Result<(), Chatter> {
        if self.flips.iter().all(|n| *n == 0) {
            self.since = crossing.t;
        }
        for &k in &crossing.switches {
            self.flips[k] += 1;
        }
        for ((count, each, from), (most, pace)) in self.windows.iter_mut().zip(WINDOWS) {
            if *count == 0 {
                *from = crossing.t;
            }
            *count += 1;
            for &k in &crossing.switches {
                each[k] += 1;
            }
            if *count == most {
                if crossing.t - *from < pace * most as f64 * self.span {
                    return Err(chatter(system, each, *from, crossing.t));
                }
                *count = 0;
                each.fill(0);
            }
        }
        Ok(())
    }

    /// Notes a step that ended without a crossing.
    pub fn calm(&mut self) {
        if self.stuck > 0 || !self.since.is_nan() {
            self.stuck = 0;
            self.since = f64::NAN;
            self.flips.fill(0);
        }
    }

    /// Notes a step that was taken unwatched because there was no progress; whether it led to the wrong side.
    pub fn unwatched(&mut self, system: &System, t: f64, wrong: bool) -> Result<(), Chatter> {
        if !wrong {
            self.calm();
            return Ok(());
        }
        self.stuck += 1;
        if self.stuck < STUCK { Ok(()) } else { Err(chatter(system, &self.flips, self.since, t)) }
    }
}

fn chatter(system: &System, each: &[usize], from: f64, to: f64) -> Chatter {
    let (k, times) = each.iter().copied().enumerate().max_by_key(|(_, n)| *n).unwrap_or_default();
    Chatter {
        what: system.switch_name(k),
        name: system.switches[k].name.clone(),
        event: system.switch_action(k).is_some(),
        of: system.switches[k].owner(),
        times,
        from,
        to,
    }
}
