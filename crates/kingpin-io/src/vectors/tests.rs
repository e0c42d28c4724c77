use super::*;
use kingpin::expr::{Quantity, Scope, parse};

/// A = (1, 2, 3) m, B = (4, 0, -1) m, k = 2, in space or in the plane.
fn read(text: &str, space: Space) -> Result<Vec<f64>, String> {
    let is_point = |name: &str| matches!(name, "A" | "B");
    let vectors = Vectors { space, is_point: &is_point };
    let mut scope = Scope::new();
    for (name, value) in [("A", [1.0, 2.0, 3.0]), ("B", [4.0, 0.0, -1.0])] {
        for (axis, x) in ["x", "y", "z"].into_iter().zip(value) {
            scope.constant(format!("{name}.{axis}"), Quantity::known(x, kingpin::expr::Dim::LENGTH));
        }
    }
    scope.constant("k", Quantity::unknown(2.0));
    let number = |text: &String| {
        let expr = parse(text, &scope).map_err(|errors| format!("{text}: {}", errors[0].message))?;
        expr.constant_value().ok_or(format!("{text} is not constant"))
    };
    match vectors.read(text).map_err(|(_, why)| why)? {
        Term::Scalar(own) => Ok(vec![number(&own)?]),
        Term::Vector(own) => own.iter().map(number).collect(),
    }
}

fn spatial(text: &str) -> Vec<f64> {
    read(text, Space::Spatial).unwrap_or_else(|why| panic!("{text}: {why}"))
}

#[test]
fn vectors_are_added_and_scaled() {
    assert_eq!(spatial("A + 0.5*(B - A)"), [2.5, 1.0, 1.0]);
    assert_eq!(spatial("-A*k/4 - 1e-0*B"), [-4.5, -1.0, -0.5]);
    assert_eq!(spatial("A + 2 m/(1 m)*B - (B - A)*-1"), [12.0, 0.0, -3.0]);
    assert_eq!(spatial("(A - B)"), [-3.0, 2.0, 4.0]);
    assert_eq!(spatial("A.x + k*A.y"), [5.0]);
    assert_eq!(read("A - B", Space::Planar).unwrap(), [-3.0, 2.0]);
}

#[test]
fn functions_of_vectors() {
    assert_eq!(spatial("norm(B - A)"), [29f64.sqrt()]);
    assert_eq!(spatial("2*norm(A)^2 + max(dot(A, B), 3 m^2)"), [31.0]);
    assert_eq!(spatial("cross(A, B)"), [-2.0, 13.0, -8.0]);
    assert_eq!(spatial("dot(cross(A, B), A) + if(norm(A) > 1 m, 1, 0)*1 m^3"), [1.0]);
    let unit = spatial("unit(A) + unit(cross(A, B))*0");
    assert!((unit[0] - 1.0 / 14f64.sqrt()).abs() < 1e-15);
    assert_eq!(read("cross(A, B)", Space::Planar).unwrap(), [-8.0]);
}

#[test]
fn nonsense_is_refused() {
    for (text, said) in [
        ("A*B", "dot(a, b)"),
        ("1/A", "division by a vector"),
        ("A + 1", "cannot be added"),
        ("A + 0.5*(B - Q)", "`Q` is not a point, and a number and a vector cannot be added"),
        ("k + A", "`k` is not a point"),
        ("norm(Q)", "not numbers: `Q` is not a point"),
        ("sin(A)", "`A` is a vector"),
        ("norm(k)", "not numbers"),
        ("dot(A)", "takes two vectors"),
        ("(A + B)^2", "powers of a vector"),
        ("A > B", "is a vector"),
        ("sqrt(cross(A, B))", "a vector is given"),
    ] {
        let why = read(text, Space::Spatial).expect_err(text);
        assert!(why.contains(said), "{text}: {why}");
    }
    // what the parser of numbers complains of is left to it
    for text in ["", "(", "A +", "norm(", "2 +* k", ")("] {
        let is_point = |name: &str| name == "A";
        let _ = Vectors { space: Space::Spatial, is_point: &is_point }.read(text);
    }
}

#[test]
fn only_vectors_are_of_concern() {
    let is_point = |name: &str| name == "A";
    let vectors = Vectors { space: Space::Spatial, is_point: &is_point };
    for (text, concerned) in [("A", true), ("A.x", false), ("2 A", true), ("norm (A)", true), ("norm", false)]
    {
        assert_eq!(vectors.concern(text), concerned, "{text}");
    }
    assert!(!vectors.concern("2e5 m + 3A"));
}
