//! The report of `kingpin modes` for people.

use crate::domains::DomainReport;
use crate::naming::title;
use crate::ready::Ready;
use crate::report::{entry, list};
use crate::table::{Align, Table};
use crate::words::{count, number, quantity};
use kingpin::dynamics::{Axes, Freedom, Mode, Modes, Share};

/// Digits shown.
const DIGITS: usize = 4;
/// Free motions listed.
const LISTED: usize = 10;
/// A force that adds less than this part of the inertia forces does not make the mode.
const MAKES: f64 = 0.3;
/// Accelerations above this are worth a remark, m/s^2.
const SETTLED: f64 = 1e-4;

/// The whole report.
pub fn report(ready: &Ready, at: &str, t: f64, modes: &Modes, shown: usize) -> String {
    let mut text = title(ready.model()) + "\n";
    let place = match at {
        "start" => "the start",
        "steady" => "the steady motion",
        _ => "the equilibrium",
    };
    let axes = if modes.moving { format!(", in {}", axes_of(&modes.axes)) } else { String::new() };
    text += &format!("\n  Linearised at {place}, t = {} s{axes}\n", number(t, 6));
    if shown > 0 {
        text += &format!("\n{}", table(&modes.modes[..shown]));
    }
    text += "\n";
    entry(&mut text, "degrees of freedom", &count(modes.dof), "");
    entry(&mut text, "eigenvalues", &count(2 * modes.dof), &pairs(modes, shown));
    entry(&mut text, "of these zero", &count(modes.zeros), "");
    let growing = modes.modes.iter().filter(|m| m.real > 1e-9 * m.magnitude()).count();
    if growing > 0 {
        entry(&mut text, "growing modes", &count(growing), "");
    }
    if modes.acceleration > SETTLED {
        let what = if modes.moving {
            "m/s^2 beyond those of a steady motion, so the modes are valid at this instant only (see --at steady)"
        } else {
            "m/s^2: not an equilibrium, so the modes are valid at this instant only (see --at equilibrium)"
        };
        entry(&mut text, "acceleration", &number(modes.acceleration, 3), what);
    }
    if !modes.left_out.is_empty() {
        let what = format!(
            "functions of time only, which are not part of a steady motion: {}",
            modes.left_out.join(", ")
        );
        entry(&mut text, "loads left out", &count(modes.left_out.len()), &what);
    }
    if modes.sparse {
        let worst = modes.modes.iter().map(|mode| mode.residual).fold(0.0, f64::max);
        let what = format!("of all coordinates; residuals up to {}", number(worst, 2));
        entry(&mut text, "matrices", "sparse", &what);
    }
    if let Some(domains) = DomainReport::of(ready.system().subdivision.as_ref()) {
        let (count, remark) = domains.words();
        entry(&mut text, "sub-domains", &count, &remark);
    }
    if let Some(fastest) = modes.modes.first().filter(|_| modes.all) {
        text += &format!("\n  Fastest: {}\n", verdict(ready, fastest));
    }
    if !modes.free.is_empty() {
        let lines = modes.free.iter().map(free_motion);
        list(&mut text, "Motions without stiffness", modes.free.len(), LISTED, lines);
    }
    text
}

/// Such as ``axes that turn with body `table`, at 3 rad/s``.
pub fn axes_of(axes: &Axes) -> String {
    let rate = axes.rate.iter().map(|w| w * w).sum::<f64>().sqrt();
    if axes.body.is_some() { format!("{axes}, at {}", quantity(rate, "rad/s")) } else { axes.to_string() }
}

fn pairs(modes: &Modes, shown: usize) -> String {
    let left = modes.modes.len() - shown;
    let what = "a conjugate pair is one line above";
    if !modes.all {
        return format!("{what}; only some are computed, see --near-frequency and --count");
    }
    if left == 0 { what.into() } else { format!("{what}; {} more with a larger --count", count(left)) }
}

fn table(modes: &[Mode]) -> Table {
    let columns = [
        ("real [1/s]", Align::Right),
        ("imaginary", Align::Right),
        ("frequency", Align::Right),
        ("damping", Align::Right),
        ("time constant", Align::Right),
        ("bodies", Align::Left),
        ("force", Align::Left),
    ];
    Table::new(columns, modes.len(), |k| {
        let mode = &modes[k];
        let real = if mode.real.abs() < 1e-9 * mode.magnitude() { 0.0 } else { mode.real };
        let pair = mode.imaginary > 0.0;
        let (imaginary, frequency) = if pair {
            (format!("±{}", number(mode.imaginary, DIGITS)), format!("{} Hz", number(mode.frequency(), 3)))
        } else {
            ("0".into(), String::new())
        };
        let damping = if pair && real != 0.0 { number(mode.damping_ratio(), 3) } else { String::new() };
        let time = if real == 0.0 { String::new() } else { quantity(1.0 / real.abs(), "s") };
        let force = maker(mode).map_or_else(String::new, |share| share.name.clone());
        [number(real, DIGITS), imaginary, frequency, damping, time, bodies(&mode.bodies), force]
    })
}

/// The bodies with most of the energy, such as `chassis 80 %, rack 15 %`.
fn bodies(shares: &[Share]) -> String {
    let chosen = shares.iter().take(2).filter(|s| s.share >= 0.1);
    chosen.map(|s| format!("{} {} %", s.name, (100.0 * s.share).round())).collect::<Vec<_>>().join(", ")
}

/// The force that makes a mode what it is, if one does.
pub fn maker(mode: &Mode) -> Option<&Share> {
    mode.forces.first().filter(|share| share.share >= MAKES)
}

/// What makes the fastest mode fast.
fn verdict(ready: &Ready, mode: &Mode) -> String {
    let time = quantity(1.0 / mode.magnitude(), "s");
    let kind = |name: &str| {
        ready.model().forces.iter().find(|force| force.name == name).map_or("force", |force| force.kind.tag())
    };
    match maker(mode) {
        Some(share) => format!("{time}, caused by {} `{}`", kind(&share.name), share.name),
        None => format!("{time}, caused by gravity and inertia, not by a force element"),
    }
}

/// A motion without stiffness, in words.
pub fn free_motion(freedom: &Freedom) -> String {
    match freedom {
        Freedom::Along(axis) => format!("translation of the whole mechanism along {axis}"),
        Freedom::About(axis) => format!("rotation of the whole mechanism about {axis}"),
        Freedom::Part { body } => format!("a motion mainly of body `{body}`"),
    }
}
