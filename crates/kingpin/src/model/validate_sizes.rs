//! Numbers that no mechanism has, numbers of frames that no disk holds, and colours that nobody can draw.

use super::finding::{Finding, Subject};
use super::{Body, Model, Shape, Simulation, Space};
use crate::element::shape::{ShapeKind, colour};
use crate::expr::closest;
use crate::words::quantity;

/// Most frames of a run.
pub const MOST_FRAMES: f64 = 1e8;

impl Simulation {
    /// What is wrong with so long a time between the frames of a run of a given duration, if anything is.
    pub fn too_many_frames(duration: f64, frame: f64) -> Option<String> {
        let frames = duration / frame;
        (frames > MOST_FRAMES).then(|| {
            format!(
                "an output interval of {frame:e} s gives {frames:.1e} frames in {duration} s (limit \
                 {MOST_FRAMES:e})"
            )
        })
    }
}

/// Settings that cannot be met.
pub(super) fn errors(model: &Model, findings: &mut Vec<Finding>) {
    let simulation = &model.simulation;
    if let Some(message) = simulation.frame.and_then(|x| Simulation::too_many_frames(simulation.t_end, x)) {
        findings.push(Finding::error(Subject::Simulation, "frame", message));
    }
    findings.extend(model.shapes.iter().enumerate().filter_map(|(k, shape)| no_wall(k, shape)));
}

/// What is wrong with a tube that has no wall.
pub(super) fn no_wall(number: usize, shape: &Shape) -> Option<Finding> {
    let ShapeKind::Tube(own) = &shape.kind else { return None };
    let message = format!(
        "the tube has no wall: its `inner_radius` of {} m is not less than its radius of {} m",
        own.inner_radius, own.radius
    );
    let finding = Finding::error(Subject::Shape(number), "inner_radius", message);
    (own.inner_radius >= own.radius).then_some(finding)
}

/// Numbers that are legal but hardly meant.
pub(super) fn warnings(model: &Model, findings: &mut Vec<Finding>) {
    for (k, body) in model.bodies.iter().enumerate() {
        let hint = "check whether the mass is in kg";
        if body.mass < ELECTRON && body.mass > 0.0 {
            let message =
                format!("body `{}` has a mass of {:e} kg, less than an electron", body.name, body.mass);
            findings.push(Finding::warning("implausible-mass", Subject::Body(k), "mass", message).hint(hint));
        } else if body.mass > SUN {
            let message = format!("body `{}` has a mass of {:e} kg, more than the sun", body.name, body.mass);
            findings.push(Finding::warning("implausible-mass", Subject::Body(k), "mass", message).hint(hint));
        }
    }
    for (k, body) in model.bodies.iter().enumerate() {
        let size = 2.0 * gyration(body, model.space);
        if size > LONG && body.mass < THIN * size && !body.point {
            let message = format!(
                "body `{}` has the inertia of a part with a size of {}, but a mass of {}",
                body.name,
                quantity(size * f64::sqrt(3.0), "m"),
                quantity(body.mass, "kg"),
            );
            let finding = Finding::warning("implausible-size", Subject::Body(k), "inertia", message);
            findings.push(finding.hint(
                "numbers without a unit are in m, kg and s: write other units explicitly, such \
                         as `\"300 mm\"`",
            ));
        }
    }
    let Simulation { t_end, frame, h, .. } = model.simulation;
    let mut longer = |field: &'static str, what: &str, time: Option<f64>| {
        if let Some(time) = time.filter(|&time| time > t_end && t_end > 0.0) {
            let message = format!("{what} of {time} s exceeds the end time of {t_end} s");
            findings.push(Finding::warning("longer-than-the-run", Subject::Simulation, field, message));
        }
    };
    longer("frame", "a time between frames", frame);
    longer("h", "a step", h);
}

/// The largest radius of gyration of a body, m.
fn gyration(body: &Body, space: Space) -> f64 {
    let moment = match space {
        Space::Planar => body.inertia[(2, 2)],
        Space::Spatial => (0..3).map(|k| body.inertia[(k, k)]).fold(0.0, f64::max),
    };
    if body.mass > 0.0 { (moment / body.mass).sqrt() } else { 0.0 }
}

/// Twice the radius of gyration of a part that is rarely so large, m.
const LONG: f64 = 20.0;
/// Mass by length of parts that are rarely so light, kg/m.
const THIN: f64 = 0.02;

/// Mass of an electron, in kg.
const ELECTRON: f64 = 9e-31;
/// Mass of the sun, in kg.
const SUN: f64 = 2e30;

/// Colours that are none.
pub(super) fn colours(model: &Model, findings: &mut Vec<Finding>) {
    let mut check = |subject: Subject, text: Option<&str>, instead: &str| {
        let Some(text) = text.filter(|text| colour::parse(text).is_none()) else { return };
        let message = format!("`{}` is not a colour, so {instead}", text.escape_debug());
        let hint = match closest(text, colour::names()) {
            Some(name) => format!("did you mean `{name}`?"),
            None => "colours are `#rrggbb`, `#rgb`, or common names such as `steelblue`".into(),
        };
        findings.push(Finding::warning("unknown-colour", subject, "colour", message).hint(hint));
    };
    for (k, body) in model.bodies.iter().enumerate() {
        check(Subject::Body(k), body.colour.as_deref(), "the body gets a default colour");
    }
    for (k, shape) in model.shapes.iter().enumerate() {
        let text = shape.kind.element().colour();
        check(Subject::Shape(k), text, "the shape gets the colour of its body");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_counted() {
        assert_eq!(Simulation::too_many_frames(10.0, 1e-3), None);
        assert_eq!(
            Simulation::too_many_frames(10.0, 1e-12).as_deref(),
            Some("an output interval of 1e-12 s gives 1.0e13 frames in 10 s (limit 1e8)")
        );
    }
}
