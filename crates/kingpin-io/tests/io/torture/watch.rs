//! Ends the program when a trial takes too long or too much.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// Most processor time of a trial, in seconds.
const MOST: f64 = 10.0;

/// The trial under way; zero if there is none.
static TRIAL: AtomicU64 = AtomicU64::new(0);

pub fn begin(trial: u64) {
    TRIAL.store(trial, Relaxed);
}

pub fn end() {
    TRIAL.store(0, Relaxed);
}

/// Names the trial and ends the program.
pub fn give_up(why: &str) -> ! {
    let trial = TRIAL.swap(0, Relaxed);
    eprintln!("trial {trial} {why}: repeat with KINGPIN_FIRST={trial} KINGPIN_TRIALS=1");
    std::process::abort()
}

/// Looks at the processor time of the program from a thread of its own.
pub fn start() {
    std::thread::spawn(|| {
        let (mut known, mut since) = (0, seconds());
        loop {
            std::thread::sleep(Duration::from_millis(500));
            let (trial, now) = (TRIAL.load(Relaxed), seconds());
            if trial != known {
                (known, since) = (trial, now);
            } else if trial > 0 && now - since > MOST {
                give_up("takes more than ten seconds");
            }
        }
    });
}

/// Processor time of this program so far, as Linux tells it.
fn seconds() -> f64 {
    const TICKS: f64 = 100.0;
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // the name of the program, in parentheses, may hold spaces
    let fields = text.rsplit(')').next().unwrap_or("").split_whitespace();
    fields.skip(11).take(2).filter_map(|field| field.parse::<f64>().ok()).sum::<f64>() / TICKS
}
