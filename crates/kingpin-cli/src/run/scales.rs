//! What the errors of a run were measured against.

use super::journey::Journey;
use crate::report::entry;
use crate::words::{many, number, quantity};
use kingpin::dynamics::{Four, Scale};
use serde::Serialize;

/// Parts of a mechanism that the summary shows.
const SHOWN: usize = 3;
/// Parts of a mechanism that JSON holds.
const LISTED: usize = 1000;

/// Lines of the summary: the tolerance, and the natural scales of the first parts.
pub fn entries(journey: &Journey, text: &mut String) {
    let Four { position, angle, velocity, angular_velocity } = journey.settings.atol;
    let kinds = [(position, "m"), (angle, "rad"), (velocity, "m/s"), (angular_velocity, "rad/s")];
    let small: Vec<String> = kinds.iter().filter(|(x, _)| *x > 0.0).map(|(x, u)| quantity(*x, u)).collect();
    let mut remark = "of the natural scales of the motion".to_string();
    if !small.is_empty() {
        remark += &format!(", but at least {}", small.join(", "));
    }
    entry(text, "tolerance", &number(journey.settings.rtol, 3), &remark);
    let masses = journey.ready.system().masses();
    let parts: Vec<&Scale> = journey.run.scales.parts.iter().filter(|part| part.body < masses).collect();
    for (k, part) in parts.iter().take(SHOWN).enumerate() {
        let Four { position, angle, velocity, angular_velocity } = part.natural();
        let rest = [
            format!("{} rad", number(angle, 2)),
            format!("{} m/s", number(velocity, 2)),
            format!("{} rad/s: {}", number(angular_velocity, 2), who(journey, part)),
        ];
        let title = if k == 0 { "scales" } else { "" };
        entry(text, title, &format!("{} m", number(position, 2)), &rest.join(", "));
    }
    if parts.len() > SHOWN {
        entry(text, "", "…", &many(parts.len() - SHOWN, "further part"));
    }
}

fn who(journey: &Journey, part: &Scale) -> String {
    let name = &journey.ready.system().body_names[part.body];
    match part.bodies {
        1 => format!("`{name}`"),
        n => format!("`{name}` and {}", many(n - 1, "further body")),
    }
}

/// Natural scales of a part of the mechanism.
#[derive(Serialize)]
pub struct Part<'a> {
    /// Its first body, and how many it has.
    body: &'a str,
    bodies: usize,
    /// Its extent at the start, in metres.
    size: f64,
    /// What errors of positions, attitudes, velocities and angular velocities were relative to at the end.
    position: f64,
    angle: f64,
    velocity: f64,
    angular_velocity: f64,
}

/// The parts of a mechanism.
pub fn parts<'a>(journey: &'a Journey) -> Vec<Part<'a>> {
    let part = |part: &Scale| {
        let Four { position, angle, velocity, angular_velocity } = part.natural();
        let body = journey.ready.system().body_names[part.body].as_str();
        Part { body, bodies: part.bodies, size: part.size, position, angle, velocity, angular_velocity }
    };
    let masses = journey.ready.system().masses();
    let bodies = journey.run.scales.parts.iter().filter(|part| part.body < masses);
    bodies.take(LISTED).map(part).collect()
}
