//! Solvers on one mechanism, timed side by side.

use super::clock::{Budget, medians};
use crate::ready::Ready;
use crate::words::count;
use kingpin::accel::{AccelFailure, Accelerations, Accelerator, Problem, Solver};
use kingpin::system::Work;
use std::time::Instant;

/// Numbers in a matrix up to which a solver takes part: 3,000 dense equations.
const MOST_NUMBERS: u64 = 10_000_000;

/// A solver with its own copy of everything.
pub struct Contestant {
    accelerator: Accelerator,
    work: Work,
    out: Accelerations,
    /// Set-up time, in nanoseconds.
    pub setup_ns: f64,
}

/// How long one solver takes on a mechanism.
#[derive(Clone, Copy, Debug)]
pub struct Timing {
    /// Set-up: order, schedule, memory.
    pub setup_ns: f64,
    /// From evaluated constraints and forces to accelerations and multipliers.
    pub ns: f64,
    /// From positions and velocities to accelerations and multipliers.
    pub whole_ns: f64,
    /// From positions and velocities to accelerations alone.
    pub only_ns: f64,
}

impl Contestant {
    /// Sets a solver up and lets it solve once, so that failures come before times.
    pub fn new(ready: &Ready, build: impl FnOnce() -> Accelerator) -> Result<Contestant, AccelFailure> {
        let start = Instant::now();
        let mut accelerator = build();
        let setup_ns = start.elapsed().as_nanos() as f64;
        let (work, mut out) = (ready.work(), accelerator.result());
        accelerator.solve(ready.system(), &work, &mut out)?;
        Ok(Contestant { accelerator, work, out, setup_ns })
    }
}

/// Why a method does not take part, if it does not.
pub fn too_large(problem: &Problem, method: Solver) -> Option<String> {
    let numbers = method.storage(problem);
    (numbers > MOST_NUMBERS).then(|| {
        format!("skipped: its matrix would have {} million entries", count((numbers / 1_000_000) as usize))
    })
}

/// Times all of them, in turn.
pub fn timings(ready: &Ready, contestants: &mut [Contestant], budget: Budget) -> Vec<Timing> {
    let (system, state) = (ready.system(), &ready.start);
    let times = medians::<_, 3>(contestants, budget, |c, task| {
        if task > 0 {
            system.set(&mut c.work, state.t, &state.q, &state.v);
        }
        // it has solved this very problem before
        let _ = match task {
            0 => c.accelerator.solve(system, &c.work, &mut c.out),
            1 => c.accelerator.evaluate(system, &mut c.work, &mut c.out),
            _ => c.accelerator.accelerate(system, &mut c.work, &mut c.out.acc),
        };
        std::hint::black_box(&c.out);
    });
    let timing = |(contestant, [ns, whole_ns, only_ns]): (&Contestant, [f64; 3])| Timing {
        setup_ns: contestant.setup_ns,
        ns,
        whole_ns,
        only_ns,
    };
    contestants.iter().zip(times).map(timing).collect()
}
