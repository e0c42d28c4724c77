//! What is written reads back the same.

use super::*;
use crate::{Overrides, read_text};
use kingpin::element::shape::ShapeKind;
use kingpin::element::shape::surface::Triangles;
use kingpin::expr::{Dim, Extrapolate, Scope, parse};
use kingpin::model::describe::Range;
use kingpin::model::{Body, SectionMatrix, Stations};

#[test]
fn numbers_read_back_the_same() {
    for x in [0.0, -0.0, 1.0, -3.0, 0.1, 1e-7, 1e15, 1.5e59, f64::MIN_POSITIVE, std::f64::consts::PI] {
        let text = format!("name = 'a'\ngravity = [{}, 0, 0]\n", number(x));
        let model = read_text("a.toml", &text, ".", &Overrides::none()).model.unwrap();
        assert_eq!(model.gravity.x.to_bits(), x.to_bits(), "{text}");
    }
}

/// Some value for a field.
fn sample(field: &Field, space: Space, turn: usize) -> Value {
    let number = |k: f64| k + field.name.len() as f64 / 7.0;
    let vector = match space {
        Space::Planar => Vec3::new(number(1.0), number(2.0), 0.0),
        Space::Spatial => Vec3::new(number(1.0), number(2.0), number(3.0)),
    };
    let forms = [
        (Join::Monotone, Ends::Natural),
        (Join::Monotone, Ends::Parabola),
        (Join::Monotone, Ends::Given([0.5, -0.1])),
        (Join::Spline, Ends::NotAKnot),
        (Join::Linear, Ends::Parabola),
    ];
    let (join, ends) = forms[field.name.len() % forms.len()];
    let curve =
        |outside| Curve::joined(vec![0.0, 0.1, 3.0], vec![1.0, 2.0, 4.0], outside, join, ends).unwrap();
    match field.kind {
        Kind::Name | Kind::Refer(_) | Kind::Text => Value::Text(format!("{} é\"", field.name)),
        Kind::Flag => Value::Flag(turn == 1),
        Kind::Count => Value::Count(7),
        Kind::Number(_) if field.range == Range::Share => Value::Number(0.5),
        Kind::Number(_) => Value::Number(number(0.0)),
        Kind::Spin(_) if space == Space::Planar => Value::Vector(Vec3::new(0.0, 0.0, number(1.0))),
        Kind::Vector(_) | Kind::Direction | Kind::Spin(_) => Value::Vector(vector),
        Kind::Inertia if space == Space::Planar => Value::Inertia(Mat3::from_diagonal_element(0.1)),
        Kind::Inertia if turn == 0 => Value::Inertia(Mat3::from_diagonal(&Vec3::new(1.0, 2.0, 2.5))),
        Kind::Inertia => Value::Inertia(Mat3::new(3.0, 0.1, 0.2, 0.1, 4.0, 0.3, 0.2, 0.3, 5.0)),
        Kind::Orientation => Value::Orientation(match turn {
            0 => Orientation::EulerParameters([0.1, 0.7, 0.1, 0.7]),
            1 => Orientation::AxisAngle { axis: Vec3::new(1.0, 2.0, 3.0), angle: 0.7 },
            _ => Orientation::Axes { first: (1, Vec3::x()), second: (2, Vec3::y()) },
        }),
        Kind::Choice(words) => Value::Text(words[turn % words.len()].into()),
        Kind::Words => Value::Texts(vec!["left".into(), "right é".into()]),
        Kind::Choices(words) => Value::Texts(words.iter().map(|word| word.to_string()).collect()),
        Kind::Function { variables, .. } => Value::Function(match turn {
            0 => Function::Constant(number(0.0)),
            1 => Function::Table(curve(Extrapolate::Hold)),
            _ => {
                let mut scope = Scope::new();
                for (k, (name, _)) in variables.iter().enumerate() {
                    scope.variable(*name, k as u32, None);
                }
                Function::Expr(parse(&format!("if({} > 0, 3, 2)", variables[0].0), &scope).unwrap())
            }
        }),
        Kind::Functions { .. } => {
            Value::Functions(vec![Function::Constant(number(0.0)), Function::Table(curve(Extrapolate::Hold))])
        }
        Kind::Numbers(_) => Value::Numbers(vec![number(1.0), number(2.0)]),
        Kind::Matrix => Value::Matrix(vec![vec![number(1.0), 0.5], vec![number(2.0), -1.0]]),
        Kind::Curve { .. } => Value::Curve(curve(Extrapolate::Linear)),
        Kind::Path(_) => Value::Path(vec![vector, -vector, vector * 0.5]),
        Kind::Places => Value::Places(vec![("mid é".into(), 0.5), ("far".into(), 0.75)]),
        Kind::Counts => Value::Counts(vec![1, 20]),
        Kind::Sets => Value::Sets(vec![("base é".into(), vec![1, 20]), ("none".into(), vec![])]),
        Kind::Section(_) => {
            let mut rows = [[0.0; 6]; 6];
            for &k in SectionMatrix::used(space) {
                rows[k][k] = number(k as f64);
            }
            (rows[0][5], rows[5][0]) = if turn == 1 { (0.1, 0.2) } else { (0.0, 0.0) };
            let matrix = SectionMatrix(rows);
            Value::Section(if turn == 2 {
                Stations(vec![(0.0, matrix), (1.0, matrix)])
            } else {
                matrix.into()
            })
        }
    }
}

#[test]
fn every_kind_reads_back_the_same() {
    for (space, turn) in [Space::Planar, Space::Spatial].into_iter().flat_map(|s| [(s, 0), (s, 1), (s, 2)]) {
        let mut model = Model::new("all", space);
        for section in Section::ALL {
            let kinds = section.kinds().iter().enumerate();
            for (k, kind) in kinds.filter(|(_, kind)| kind.spaces.contain(space)) {
                let mut parts = catalog::Parts { name: kind.tag.into(), ..Default::default() };
                for (part, field) in kind.fields.iter().filter(|(_, field)| field.spaces.contain(space)) {
                    let value = sample(field, space, turn);
                    match part {
                        Part::Name => {}
                        Part::Ends => parts.ends.push((field.name, value)),
                        Part::Start => parts.start.push((field.name, value)),
                        Part::Fitting => parts.fitting.push((field.name, value)),
                        Part::Own => parts.own.push((field.name, value)),
                    }
                }
                catalog::add_item(&mut model, section, k, &mut parts).unwrap();
            }
        }
        // what a superelement was reduced to is there as text, whatever mesh it names
        for own in &mut model.superelements {
            let (text, body) = crate::superelement::example();
            (own.fields.reduction, own.reduced) = (Some(text), Some(body.into()));
        }
        // the triangles of a mesh are there as text, whatever file it names
        for own in &mut model.shapes {
            if let ShapeKind::Mesh(mesh) = &mut own.kind {
                mesh.surface = Triangles::new([[Vec3::x(), Vec3::y(), Vec3::z()]]).into();
            }
        }
        // weighed bodies have what they weigh
        for own in &mut model.bodies {
            (own.density, own.material) = (None, None);
        }
        for own in &mut model.structures {
            crate::structure::make_sound(own, space);
            assert!(own.mesh.is_some());
        }
        let text = to_toml(&model);
        let read = read_text("all.toml", &text, ".", &Overrides::none());
        assert_eq!(read.model.as_ref(), Some(&model), "{text}\n{}", read.render(false));
    }
}

#[test]
fn axes_in_any_order_keep_their_meaning() {
    let given = Orientation::Axes { first: (2, Vec3::new(1.0, 1.0, 0.0)), second: (0, Vec3::z()) };
    let mut model = Model::new("a", Space::Spatial);
    model.body(Body { orientation: given, ..Body::spatial("b", 1.0, [1.0; 3]) });
    let read = read_text("a.toml", &to_toml(&model), ".", &Overrides::none()).model.unwrap();
    let difference = read.bodies[0].orientation.matrix().unwrap() - given.matrix().unwrap();
    assert!(difference.amax() < 1e-15);
}

#[test]
fn strings_read_back_the_same() {
    let name = "a \"quoted\" \\ tab\t newline\n é";
    let mut model = Model::new(name, Space::Planar);
    model.description = "x\r\ny".into();
    let read = read_text("a.toml", &to_toml(&model), ".", &Overrides::none());
    assert_eq!(read.model.unwrap(), model);
}

#[test]
fn parameters_keep_their_units() {
    let mut parameters = BTreeMap::new();
    for (name, dim) in [("k", Dim::STIFFNESS), ("w", Dim::ANGULAR_VELOCITY), ("q", Dim::new(0, -2, -4))] {
        parameters.insert(name.to_string(), Quantity::known(2.5, dim));
    }
    parameters.insert("f".into(), Quantity::known(3.0, Dim::new(0, 0, -1)));
    parameters.insert("n".into(), Quantity::unknown(-1e-3));
    let text = to_toml_with(&Model::new("a", Space::Spatial), &parameters);
    let read = read_text("a.toml", &text, ".", &Overrides::none());
    assert_eq!(read.parameters, parameters, "{}", read.render(false));
}
