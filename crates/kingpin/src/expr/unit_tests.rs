//! Units beside names that are units too: what a text means does not depend on the names around it.

use super::*;

/// Every name is at the same time that of a unit, except `k`, `x` and `t`.
const NAMES: [&str; 12] = ["m", "s", "g", "h", "N", "J", "W", "min", "kg", "k", "x", "t"];

/// A scope in which the k-th name is the number k + 2.
fn crowded() -> Scope<'static> {
    let mut scope = Scope::new();
    for (k, name) in NAMES.into_iter().enumerate() {
        scope.constant(name, Quantity::unknown(k as f64 + 2.0));
    }
    scope
}

/// Value of a text, and its dimension if it is known.
fn read(text: &str, scope: &Scope<'_>) -> Result<(f64, Option<Dim>), String> {
    let expr = parse(text, scope).map_err(|errors| errors[0].message.clone())?;
    let quantity = expr.quantity().ok_or("not a constant")?;
    Ok((quantity.value, quantity.unit.dim()))
}

/// The same with and without names that collide: the unit is meant.
#[test]
fn a_unit_is_a_unit_whatever_names_there_are() {
    let table: &[(&str, f64, Dim)] = &[
        ("100 N/m", 100.0, Dim::STIFFNESS),
        ("100N/m", 100.0, Dim::STIFFNESS),
        ("5 N*m", 5.0, Dim::TORQUE),
        ("5 N*m/rad", 5.0, Dim::TORSIONAL_STIFFNESS),
        ("5 N*m*s/rad", 5.0, Dim::TORSIONAL_DAMPING),
        ("10 m/s", 10.0, Dim::VELOCITY),
        ("10 m/s^2", 10.0, Dim::ACCELERATION),
        ("10 m*s^-2", 10.0, Dim::ACCELERATION),
        ("36 km/h", 10.0, Dim::VELOCITY),
        ("6 rev/min", 6.0 * std::f64::consts::TAU / 60.0, Dim::ANGULAR_VELOCITY),
        ("2 kg*m^2", 2.0, Dim::INERTIA),
        ("3 N*s/m", 3.0, Dim::DAMPING),
        ("2 m*m", 2.0, Dim::new(0, 2, 0)),
        ("-2 mm", -0.002, Dim::LENGTH),
        ("2 m", 2.0, Dim::LENGTH),
        ("2 m^2", 2.0, Dim::new(0, 2, 0)),
        ("(1 + 1) N/m", 2.0, Dim::STIFFNESS),
        ("sqrt(4) m/s", 2.0, Dim::VELOCITY),
        ("(2 m)^2", 4.0, Dim::new(0, 2, 0)),
        ("1 m + 2 m", 3.0, Dim::LENGTH),
        ("7800 kg/m^3", 7800.0, Dim::new(1, -3, 0)),
        ("2 N/mm^2", 2e6, Dim::new(1, -1, -2)),
    ];
    for &(text, value, dim) in table {
        for scope in [Scope::new(), crowded()] {
            let (found, unit) = read(text, &scope).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert!((found / value - 1.0).abs() < 4e-16, "{text} = {found}");
            assert_eq!(unit, Some(dim), "{text}");
        }
    }
}

/// What does not follow a number or `)`, directly or in a unit, is a name.
#[test]
fn a_name_is_a_name_where_no_unit_can_stand() {
    // m = 2, s = 3, g = 4, h = 5, N = 6, k = 11, x = 12
    let table = [
        ("2*m", 4.0),
        ("m*g", 8.0),
        ("m*9.81 m/s^2", 2.0 * 9.81),
        ("k*1 m", 11.0),
        ("1/s", 1.0 / 3.0),
        ("10/s^2", 10.0 / 9.0),
        ("2*m/s", 4.0 / 3.0),
        ("100 N/m*x", 1200.0),
        ("100 N/m*(s)", 300.0),
        ("100 N/(m)", 50.0),
        ("2 m*(g)", 8.0),
        ("(2 m)*g", 8.0),
        ("2 m + g", 6.0),
        ("2 m - s", -1.0),
        ("m^2", 4.0),
        ("2^s", 8.0),
        ("10 m/min(2, 5)", 5.0),
        ("(m)/s", 2.0 / 3.0),
        ("if(m < s, g, h)", 4.0),
        ("10 m/s*t", 130.0),
        ("3 m*k/N", 5.5),
    ];
    for (text, value) in table {
        let (found, _) = read(text, &crowded()).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert!((found / value - 1.0).abs() < 4e-16, "{text} = {found}");
    }
}

/// What could be both is refused if the name is there, and is the unit if it is not.
#[test]
fn what_could_be_both_is_refused() {
    let texts = [
        "2 m*g",
        "2 kg*g",
        "100 N / m",
        "100 N /m",
        "100 N/ m",
        "5 N * s",
        "10 m / s^2",
        "9.81 m/s^2*m",
        "9.81 m/s^2 * m",
        "3 N/s",
        "(x + 1) kg*m",
        "2 m/m",
        "5 N*m * s/rad",
        "abs(x) W * h",
    ];
    for text in texts {
        let message = read(text, &crowded()).expect_err(text);
        assert!(message.contains("is both a unit and a name defined here"), "{text}: {message}");
        let mut scope = Scope::new();
        scope.constant("x", Quantity::unknown(1.0));
        assert!(read(text, &scope).is_ok(), "{text}");
    }
    // a variable collides as a constant does
    let mut scope = Scope::new();
    scope.variable("s", 0, None);
    assert!(parse("5 N * s", &scope).is_err());
    assert!(parse("5 N*s", &scope).is_ok());
}

#[test]
fn both_readings_are_shown() {
    let told = |text: &str| {
        let error = parse(text, &crowded()).unwrap_err().remove(0);
        format!("{}: {error}", &text[error.span.clone()])
    };
    assert_eq!(
        told("2 kg*g"),
        "g: `g` is both a unit and a name defined here, so `2 kg*g` can be a quantity in kg^2, or `2 kg` times `g` \
         (write `2 kg*(g)` for the name; to use the unit, rename `g`)"
    );
    assert_eq!(
        told("x + 10 m / s^2"),
        "s: `s` is both a unit and a name defined here, so `10 m / s^2` can be an acceleration (m/s^2), or `10 m` divided \
         by `s^2` (write `10 m/s^2` without spaces for the unit, or `10 m/(s)^2` for the name)"
    );
    // what does not fit may be due to a name that was read as a unit
    let error = parse_as("100 N/m*s", &crowded(), Dim::FORCE).unwrap_err().remove(0);
    assert_eq!(
        error.to_string(),
        "this is a damping coefficient (N*s/m), but a force (N) is needed (behind a number, `s` is the unit; \
         for the name write `*(s)`)"
    );
}

#[test]
fn names_that_are_units_are_known() {
    for name in ["m", "s", "g", "h", "N", "J", "kg", "mm", "min", "turn", "g0", "µm"] {
        assert!(is_unit(name), "{name}");
    }
    for name in ["k", "L", "mass", "t", "x", "c", "i", "M", "R", "omega", "m1", "m.rate"] {
        assert!(!is_unit(name), "{name}");
    }
}
