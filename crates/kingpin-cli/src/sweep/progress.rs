//! How far a study is, on the terminal; and Ctrl-C, which ends it after the steps under way.

use crate::output::complain_styled;
use crate::run::interrupt;
use crate::run::progress::duration;
use crate::words::count;
use std::io::{self, IsTerminal};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Time between two looks.
const PAUSE: Duration = Duration::from_millis(50);
/// Time between two lines on a terminal, and elsewhere.
const REDRAWN: Duration = Duration::from_millis(200);
const LOGGED: Duration = Duration::from_secs(10);

/// Watches a study from a thread of its own.
pub struct Watch {
    done: Arc<AtomicUsize>,
    over: Arc<AtomicBool>,
    started: Instant,
    thread: Option<JoinHandle<()>>,
}

impl Watch {
    /// Begins to watch a study of so many points, of which some are done; `stop` is set where the user has had enough.
    pub fn new(points: usize, first: usize, quiet: bool, stop: Arc<AtomicBool>) -> Watch {
        interrupt::heed();
        let (done, over) = (Arc::new(AtomicUsize::new(first)), Arc::new(AtomicBool::new(false)));
        let started = Instant::now();
        let (seen, ended) = (done.clone(), over.clone());
        let watch = move || {
            let terminal = io::stderr().is_terminal();
            let every = if terminal { REDRAWN } else { LOGGED };
            let (mut due, mut drawn) = (started + every, false);
            while !ended.load(Ordering::Relaxed) {
                stop.fetch_or(interrupt::wanted(), Ordering::Relaxed);
                if !quiet && Instant::now() >= due {
                    due += every;
                    drawn = true;
                    let line = line(seen.load(Ordering::Relaxed), first, points, started.elapsed());
                    complain_styled(&if terminal { format!("\r{line}\x1b[K") } else { line + "\n" });
                }
                std::thread::park_timeout(PAUSE);
            }
            if terminal && drawn {
                complain_styled("\r\x1b[K");
            }
        };
        // without a thread there is no progress, and Ctrl-C ends the program at its second time
        let thread = std::thread::Builder::new().spawn(watch).ok();
        Watch { done, over, started, thread }
    }

    /// So many points are done.
    pub fn done(&self, points: usize) {
        self.done.store(points, Ordering::Relaxed);
    }

    /// The study is over; how long it took.
    pub fn finish(mut self) -> Duration {
        self.over.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            // it cannot have failed
            let _ = thread.join();
        }
        interrupt::ignore();
        self.started.elapsed()
    }
}

/// Such as `120 of 1,000 points (12 %), 40 points/s, 22 s left`.
fn line(done: usize, first: usize, points: usize, elapsed: Duration) -> String {
    let (now, seconds) = ((done - first) as f64, elapsed.as_secs_f64());
    format!(
        "  {} of {} points ({:.0} %), {:.3} points/s, {} left",
        count(done),
        count(points),
        100.0 * done as f64 / points as f64,
        now / seconds,
        duration(seconds * (points - done) as f64 / now),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_how_far_it_is() {
        let said = line(150, 50, 1000, Duration::from_secs(4));
        assert_eq!(said, "  150 of 1,000 points (15 %), 25.000 points/s, 34 s left");
    }
}
