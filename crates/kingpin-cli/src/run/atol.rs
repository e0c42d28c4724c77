//! Errors that do not matter, by kind, as the command line gives them.

use kingpin::dynamics::Four;
use kingpin::expr::{Dim, Scope, parse_as};
use kingpin::model::Simulation;

/// What `--atol` says of each kind of error.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Atol {
    position: Option<f64>,
    angle: Option<f64>,
    velocity: Option<f64>,
    angular_velocity: Option<f64>,
}

impl Atol {
    /// All kinds together: the command line before the model, a kind of its own before the number for all.
    pub fn before(self, given: &Simulation) -> Four {
        let one = |first: Option<f64>, own: Option<f64>| first.or(own).or(given.atol).unwrap_or(0.0);
        Four {
            position: one(self.position, given.atol_position),
            angle: one(self.angle, given.atol_angle),
            velocity: one(self.velocity, given.atol_velocity),
            angular_velocity: one(self.angular_velocity, given.atol_angular_velocity),
        }
    }
}

const KINDS: &str = "position, angle, velocity and angular_velocity";

const HELP: &str = "give a number in SI units such as `1e-9`, or kinds such as `position=1nm,angle=1e-9`: they are \
                    position, angle, velocity and angular_velocity";

/// One number for all kinds, or `kind=value` with commas between.
pub fn parse(text: &str) -> Result<Atol, String> {
    if let Ok(x) = text.trim().parse::<f64>() {
        let all = Some(x).filter(|x| *x > 0.0 && x.is_finite()).ok_or(HELP)?;
        return Ok(Atol {
            position: Some(all),
            angle: Some(all),
            velocity: Some(all),
            angular_velocity: Some(all),
        });
    }
    let mut atol = Atol::default();
    for part in text.split(',') {
        let (kind, value) = part.split_once('=').ok_or(HELP)?;
        let (place, unit) = match kind.trim() {
            "position" => (&mut atol.position, "m"),
            "angle" => (&mut atol.angle, "rad"),
            "velocity" => (&mut atol.velocity, "m/s"),
            "angular_velocity" => (&mut atol.angular_velocity, "rad/s"),
            other => return Err(format!("there is no kind of error `{other}`; the kinds are {KINDS}")),
        };
        let dim = Dim::parse(unit).map_err(|_| HELP)?;
        let expr = parse_as(value, &Scope::new(), dim)
            .map_err(|errors| errors.first().map_or_else(|| HELP.into(), |error| error.message.clone()))?;
        let value = expr.constant_value().filter(|x| *x > 0.0 && x.is_finite());
        let value = value.ok_or_else(|| format!("`{}` must be greater than zero", kind.trim()))?;
        if place.replace(value).is_some() {
            return Err(format!("`{}` is given twice", kind.trim()));
        }
    }
    Ok(atol)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_have_units_and_go_before_the_model() {
        let given = Simulation { atol: Some(1e-3), atol_angle: Some(1e-5), ..Simulation::default() };
        let atol = parse("position=2um, angular_velocity = 1e-4").expect("kinds");
        let all = Four { position: 2e-6, angle: 1e-5, velocity: 1e-3, angular_velocity: 1e-4 };
        let close = |a: f64, b: f64| (a - b).abs() < 1e-12 * b;
        let got = atol.before(&given);
        assert!(close(got.position, all.position) && got.angle == all.angle && got.velocity == all.velocity);
        assert_eq!(got.angular_velocity, all.angular_velocity);
        assert_eq!(parse("1e-9").expect("all").before(&given).velocity, 1e-9);
        for text in [
            "",
            "0",
            "-1",
            "position",
            "position=1s",
            "weight=1",
            "position=0",
            "position=1nm,",
            "angle=1,angle=2",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
