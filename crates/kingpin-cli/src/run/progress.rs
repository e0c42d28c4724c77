//! What is shown while a run is under way: on standard error, so that results can be piped.

use crate::output::complain_styled;
use crate::words::{number, quantity};
use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

/// Time between two lines on a terminal, where each replaces the last.
const REDRAWN: Duration = Duration::from_millis(100);
/// Time between two lines elsewhere.
const LOGGED: Duration = Duration::from_secs(5);
/// Time between two looks of somebody who is told.
const TOLD: Duration = Duration::from_millis(20);

/// Somebody who is told where a run is, and may have had enough of it.
type Listener = Box<dyn FnMut(&Place) -> bool + Send>;

/// The line under way.
#[derive(Default)]
pub struct Progress {
    every: Option<Duration>,
    terminal: bool,
    due: Option<Instant>,
    drawn: bool,
    listener: Option<Listener>,
    enough: bool,
}

/// Where a run is.
pub struct Place {
    pub t: f64,
    pub t_start: f64,
    pub t_end: f64,
    /// The last step.
    pub h: f64,
    /// Since the start.
    pub elapsed: Duration,
}

impl Progress {
    /// Nothing is shown.
    pub fn silent() -> Progress {
        Progress::default()
    }

    /// On a terminal one line that changes, elsewhere a line every few seconds.
    pub fn shown() -> Progress {
        let terminal = io::stderr().is_terminal();
        Progress { every: Some(if terminal { REDRAWN } else { LOGGED }), terminal, ..Progress::default() }
    }

    /// Somebody is told, and says whether that is enough.
    pub fn told(listener: impl FnMut(&Place) -> bool + Send + 'static) -> Progress {
        Progress { every: Some(TOLD), listener: Some(Box::new(listener)), ..Progress::default() }
    }

    /// Whether the one who is told has had enough.
    pub fn is_enough(&self) -> bool {
        self.enough
    }

    /// Shows where a run is, if it is time to.
    pub fn at(&mut self, now: Instant, place: impl FnOnce() -> Place) {
        let Some(every) = self.every else { return };
        let due = *self.due.get_or_insert(now + every);
        if now < due {
            return;
        }
        self.due = Some(now + every);
        if let Some(listener) = &mut self.listener {
            self.enough |= listener(&place());
            return;
        }
        self.drawn = true;
        let line = line(&place());
        complain_styled(&if self.terminal { format!("\r{line}\x1b[K") } else { line + "\n" });
    }

    /// Takes the line away.
    pub fn finish(&mut self) {
        if self.terminal && self.drawn {
            complain_styled("\r\x1b[K");
        }
        self.drawn = false;
    }
}

/// Such as `t = 0.5 s of 2 s (25 %), step 1.2 ms, 3 times real time, 2 s left`.
fn line(place: &Place) -> String {
    let (done, whole) = (place.t - place.t_start, place.t_end - place.t_start);
    let seconds = place.elapsed.as_secs_f64();
    format!(
        "  t = {} s of {} s ({:.0} %), step {}, {}, {} left",
        number(place.t, 4),
        number(place.t_end, 4),
        100.0 * done / whole,
        quantity(place.h, "s"),
        speed(done, seconds),
        duration(seconds * (whole - done) / done),
    )
}

/// Simulated time against the time it took.
pub fn speed(simulated: f64, seconds: f64) -> String {
    let ratio = simulated / seconds;
    if ratio >= 1.0 {
        format!("{} times faster than real time", number(ratio, 2))
    } else {
        format!("{} times slower than real time", number(1.0 / ratio, 2))
    }
}

/// A time as people say it: `0.12 s`, `3 min 20 s`, `2 h 5 min`.
pub fn duration(seconds: f64) -> String {
    if !seconds.is_finite() {
        return "unknown time".into();
    }
    let whole = seconds.round().min(1e15) as u64;
    match whole {
        0..100 => quantity(seconds, "s"),
        100..6000 => format!("{} min {} s", whole / 60, whole % 60),
        _ => format!("{} h {} min", whole / 3600, whole % 3600 / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_where_it_is_and_when_it_ends() {
        let elapsed = Duration::from_secs(100);
        let place = Place { t: 1.0, t_start: 0.0, t_end: 4.0, h: 2e-3, elapsed };
        let expected = "  t = 1 s of 4 s (25 %), step 2 ms, 100 times slower than real time, 5 min 0 s left";
        assert_eq!(line(&place), expected);
    }

    #[test]
    fn durations() {
        let cases = [(0.0123, "12.3 ms"), (99.0, "99 s"), (200.0, "3 min 20 s"), (7500.0, "2 h 5 min")];
        for (seconds, text) in cases {
            assert_eq!(duration(seconds), text);
        }
        assert_eq!(duration(f64::INFINITY), "unknown time");
        assert_eq!(speed(2.0, 0.5), "4 times faster than real time");
    }
}
