//! Options of integration: the command line overrides the model.

use super::atol::{self, Atol};
use crate::naming::option;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use kingpin::accel;
use kingpin::dynamics::{ChangeWeights, Coordinates, Linearising, Matrices, Method, Settings, Stabilisation};
use kingpin::expr::{Dim, Scope, parse_as};
use kingpin::model::Model;

/// Options of a run.
#[derive(clap::Args, Clone, Default)]
pub struct Options {
    /// Integration method
    #[arg(long, value_name = "NAME", value_parser = method())]
    pub method: Option<Method>,
    /// Error tolerance per step, relative to the natural scales of the motion
    #[arg(long, value_name = "NUMBER", value_parser = accuracy)]
    pub tol: Option<f64>,
    /// Same as `--tol`
    #[arg(long, value_name = "NUMBER", value_parser = accuracy, conflicts_with = "tol")]
    pub rtol: Option<f64>,
    /// Absolute tolerance per step: `1e-9` in SI units, or `position=1nm,angle=1e-9,velocity=…,angular_velocity=…`
    #[arg(long, value_name = "ERRORS", value_parser = atol::parse)]
    pub atol: Option<Atol>,
    /// End time, in seconds or with a unit, such as `50ms`
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub t_end: Option<f64>,
    /// Initial step size; the fixed step size of `newmark` and `hht`
    #[arg(long, value_name = "TIME", value_parser = positive_time)]
    pub h: Option<f64>,
    /// Maximum step size
    #[arg(long, value_name = "TIME", value_parser = positive_time)]
    pub h_max: Option<f64>,
    /// High-frequency spectral radius rho_inf of `gen-alpha`, 0 to 1
    #[arg(long, value_name = "NUMBER")]
    pub spectral_radius: Option<f64>,
    /// Solver for accelerations and multipliers
    #[arg(long, value_name = "NAME", value_parser = solver())]
    pub solver: Option<accel::Solver>,
    /// Constraint stabilisation of explicit methods
    #[arg(long, value_name = "NAME", value_parser = stabilisation())]
    pub stabilisation: Option<Stabilisation>,
    /// Weights of `--stabilisation optimisation`
    #[arg(long, value_name = "WEIGHTS", value_parser = PossibleValuesParser::new(ChangeWeights::NAMES))]
    pub stabilisation_weights: Option<String>,
    /// Jacobians of implicit methods
    #[arg(long, value_name = "NAME", value_enum)]
    pub jacobian: Option<Jacobian>,
    /// Matrices of implicit methods
    #[arg(long, value_name = "NAME", value_parser = matrices())]
    pub matrices: Option<Matrices>,
    /// Coordinates integrated by implicit methods
    #[arg(long, value_name = "NAME", value_parser = coordinates())]
    pub coordinates: Option<Coordinates>,
    /// Number of threads [default: predicted fastest]; results do not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub threads: Option<u64>,
    /// Maximum number of steps
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_steps: Option<u64>,
}

/// How Jacobians are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Jacobian {
    /// Exact derivatives
    Exact,
    /// Finite differences of accelerations
    Differences,
}

impl Options {
    /// The settings of a run, or an error message.
    pub fn settings(&self, model: &Model) -> Result<Settings, String> {
        let given = &model.simulation;
        let mut settings = Settings { frame: None, ..Settings::of(given) };
        settings.t_end = self.t_end.unwrap_or(given.t_end);
        settings.method = self.method.unwrap_or(settings.method);
        settings.solver = self.solver.unwrap_or(settings.solver);
        settings.stabilisation = self.stabilisation.unwrap_or(settings.stabilisation);
        if let Some(weights) = self.stabilisation_weights.as_deref().and_then(ChangeWeights::named) {
            settings.stabilisation_weights = weights;
        }
        settings.rtol = self.rtol.or(self.tol).unwrap_or(settings.rtol);
        settings.atol = self.atol.unwrap_or_default().before(given);
        settings.h_max = self.h_max.or(given.h_max);
        settings.h = self.h.or(given.h);
        settings.spectral_radius = self.spectral_radius.unwrap_or(given.spectral_radius);
        settings.matrices = self.matrices.unwrap_or(settings.matrices);
        settings.coordinates = self.coordinates.unwrap_or(settings.coordinates);
        if self.jacobian == Some(Jacobian::Differences) {
            settings.linearising = Linearising::Differences;
        }
        if let Some(threads) = self.threads {
            settings.threads = Some(usize::try_from(threads).unwrap_or(usize::MAX));
        }
        if let Some(most) = self.max_steps {
            settings.most_steps = usize::try_from(most).unwrap_or(usize::MAX);
        }
        if let Some((what, advice)) = settings.refused(option) {
            return Err(format!("{what}\n\n  help: {advice}"));
        }
        Ok(settings)
    }
}

/// One of the methods of integration.
pub fn method() -> impl TypedValueParser<Value = Method> {
    let about = |method: Method| match method.is_for_comparison() {
        true => format!("{} (for comparison)", method.about()),
        false => method.about().into(),
    };
    let names = Method::ALL.map(|method| PossibleValue::new(method.name()).help(about(method)));
    PossibleValuesParser::new(names).map(|name| Method::named(&name).unwrap_or_default())
}

/// One of the kinds of matrices.
pub fn matrices() -> impl TypedValueParser<Value = Matrices> {
    let names = Matrices::ALL.map(|which| PossibleValue::new(which.name()).help(which.about()));
    PossibleValuesParser::new(names).map(|name| Matrices::named(&name).unwrap_or_default())
}

/// One of the kinds of coordinates.
fn coordinates() -> impl TypedValueParser<Value = Coordinates> {
    let names = Coordinates::ALL.map(|which| PossibleValue::new(which.name()).help(which.about()));
    PossibleValuesParser::new(names).map(|name| Coordinates::named(&name).unwrap_or_default())
}

/// One of the solvers of the acceleration problem.
fn solver() -> impl TypedValueParser<Value = accel::Solver> {
    let names = accel::Solver::choices().map(|method| PossibleValue::new(method.name()).help(method.about()));
    PossibleValuesParser::new(names).map(|name| accel::Solver::named(&name).unwrap_or(accel::Solver::Auto))
}

/// One of the ways to keep states on the constraints.
fn stabilisation() -> impl TypedValueParser<Value = Stabilisation> {
    let names = Stabilisation::ALL.map(|kind| PossibleValue::new(kind.name()).help(kind.about()));
    PossibleValuesParser::new(names).map(|name| Stabilisation::named(&name).unwrap_or_default())
}

/// A time in seconds, or with a unit.
pub fn time(text: &str) -> Result<f64, String> {
    let expr = parse_as(text, &Scope::new(), Dim::TIME).map_err(|errors| {
        errors.first().map_or_else(|| "not a time".into(), |error| error.message.clone())
    })?;
    match expr.constant_value() {
        Some(t) if t >= 0.0 && t.is_finite() => Ok(t),
        _ => Err("expected a time of zero or more, such as `2` or `50ms`".into()),
    }
}

/// A time greater than zero.
pub fn positive_time(text: &str) -> Result<f64, String> {
    time(text).and_then(|t| if t > 0.0 { Ok(t) } else { Err("expected a time greater than zero".into()) })
}

/// A tolerance: greater than zero, at most a tenth.
pub fn accuracy(text: &str) -> Result<f64, String> {
    match positive(text)? {
        x if x > 0.1 => Err("the tolerance is at most 0.1; 1e-4 is a fast choice".into()),
        x => Ok(x),
    }
}

/// A number greater than zero.
pub fn positive(text: &str) -> Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(x) if x > 0.0 && x.is_finite() => Ok(x),
        _ => Err("expected a number greater than zero, such as `1e-6`".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kingpin::dynamics::Four;

    #[test]
    fn times_may_have_units() {
        assert_eq!(time("2"), Ok(2.0));
        assert_eq!(time("50ms"), Ok(0.05));
        assert_eq!(time("(1/4) s"), Ok(0.25));
        for text in ["", "2 m", "-1", "soon", "1/0"] {
            assert!(time(text).is_err(), "{text}");
        }
        assert!(positive_time("0").is_err() && positive("0").is_err() && positive("inf").is_err());
    }

    #[test]
    fn the_command_line_goes_first() {
        let mut model = Model::new("m", kingpin::model::Space::Planar);
        model.simulation.tol = 1e-3;
        model.simulation.h_max = Some(0.5);
        let none = Options::default();
        let plain = none.settings(&model).expect("settings");
        assert_eq!((plain.rtol, plain.atol, plain.h_max), (1e-3, Four::default(), Some(0.5)));
        model.simulation.atol_position = Some(1e-5);
        model.simulation.method = "adams".into();
        let own = none.settings(&model).expect("settings");
        let atol = Four { position: 1e-5, ..Four::default() };
        assert_eq!((own.method, own.rtol, own.atol), (Method::Adams, 1e-3, atol));
        let more = Options { rtol: Some(1e-9), t_end: Some(7.0), h_max: Some(0.1), ..none };
        let changed = more.settings(&model).expect("settings");
        assert_eq!((changed.rtol, changed.atol), (1e-9, atol));
        assert_eq!((changed.t_end, changed.h_max), (7.0, Some(0.1)));
        assert_eq!(changed.method, Method::Adams);
        let both = Options { rtol: None, tol: Some(1e-2), ..more };
        assert_eq!(both.settings(&model).expect("settings").rtol, 1e-2);
        let fixed = Options { method: Some(Method::Newmark), ..both };
        assert!(fixed.settings(&model).is_err_and(|why| why.contains("--h")));
    }
}
