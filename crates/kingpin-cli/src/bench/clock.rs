//! Times of several tasks, taken in turn so that the noise of the machine hits all alike.

use std::time::{Duration, Instant};

/// Shortest stretch that is timed: what takes less is repeated within it.
const STRETCH: Duration = Duration::from_micros(200);
/// Most stretches per task.
const MOST: usize = 501;

/// How long to measure.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Time for each task.
    pub each: Duration,
}

/// A task and the times of its stretches, per call.
struct Taken {
    calls: u32,
    /// Whether a call more does not matter.
    short: bool,
    spent: Duration,
    times: Vec<f64>,
}

/// The median times of one call of each of `K` tasks on each of the contestants, in nanoseconds.
///
/// In every round each contestant runs each task for one stretch, until the time for it is used up; what takes
/// longer than its time runs once.
pub fn medians<T, const K: usize>(
    contestants: &mut [T],
    budget: Budget,
    mut task: impl FnMut(&mut T, usize),
) -> Vec<[f64; K]> {
    let mut taken: Vec<[Taken; K]> = Vec::with_capacity(contestants.len());
    for contestant in contestants.iter_mut() {
        taken.push(std::array::from_fn(|k| Taken::first(contestant, budget, |c| task(c, k))));
    }
    for _ in 0..MOST {
        let mut running = false;
        for (contestant, taken) in contestants.iter_mut().zip(&mut taken) {
            for (k, taken) in taken.iter_mut().enumerate().filter(|(_, taken)| taken.spent < budget.each) {
                running = true;
                // what ran before has filled the caches with something else
                if taken.short {
                    task(contestant, k);
                }
                let spent = time(contestant, taken.calls, &mut |c| task(c, k));
                taken.spent += spent;
                taken.times.push(spent.as_nanos() as f64 / f64::from(taken.calls));
            }
        }
        if !running {
            break;
        }
    }
    taken.into_iter().map(|taken| taken.map(|taken| median(taken.times))).collect()
}

impl Taken {
    /// One call to warm up, and unless that was long, one to tell the length of a call.
    fn first<T>(contestant: &mut T, budget: Budget, mut task: impl FnMut(&mut T)) -> Taken {
        let warm_up = time(contestant, 1, &mut task);
        let single = if warm_up > budget.each { warm_up } else { time(contestant, 1, &mut task) };
        let fit = STRETCH.as_nanos() / single.as_nanos().max(1);
        let times = if single > budget.each { vec![single.as_nanos() as f64] } else { Vec::new() };
        let short = single < 10 * STRETCH;
        Taken { calls: fit.clamp(1, 100_000) as u32, short, spent: single, times }
    }
}

fn time<T>(contestant: &mut T, calls: u32, task: &mut impl FnMut(&mut T)) -> Duration {
    let start = Instant::now();
    for _ in 0..calls {
        task(contestant);
    }
    start.elapsed()
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(f64::NAN)
}

/// A time as people read it: `1.23 µs`.
pub fn shown(ns: f64) -> String {
    let (scale, unit) = match ns {
        ns if ns < 999.5 => (1.0, "ns"),
        ns if ns < 999.5e3 => (1e3, "µs"),
        ns if ns < 999.5e6 => (1e6, "ms"),
        _ => (1e9, "s"),
    };
    format!("{} {unit}", crate::words::number(ns / scale, 3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_and_units() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), 2.0);
        assert!(median(Vec::new()).is_nan());
        let texts = [0.5, 12.3, 999.6, 45_600.0, 1.5e6, 2e9].map(shown);
        assert_eq!(texts, ["0.5 ns", "12.3 ns", "1 µs", "45.6 µs", "1.5 ms", "2 s"]);
    }

    #[test]
    fn everyone_gets_a_turn() {
        let mut calls = [0_u32, 0];
        let budget = Budget { each: Duration::from_millis(2) };
        let times = medians::<_, 2>(&mut calls, budget, |calls, _| {
            *calls += 1;
            std::hint::black_box(&calls);
        });
        assert!(calls.iter().all(|calls| *calls > 100), "{calls:?}");
        assert!(times.as_flattened().iter().all(|time| *time > 0.0 && *time < 2e6), "{times:?}");
    }

    #[test]
    fn what_takes_long_runs_once() {
        let mut calls = [0];
        let budget = Budget { each: Duration::from_millis(1) };
        let times = medians::<_, 1>(&mut calls, budget, |calls, _| {
            *calls += 1;
            std::thread::sleep(Duration::from_millis(3));
        });
        assert!(calls[0] <= 2 && times[0][0] >= 3e6, "{calls:?} {times:?}");
    }
}
