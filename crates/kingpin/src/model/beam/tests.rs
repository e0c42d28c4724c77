//! What becomes of beams.

use super::*;
use crate::model::value::Mat3;
use crate::model::{Ends, Model, Space};

fn plain(beam: Beam) -> Beam {
    beam.stiff([1e6, 4e5, 3e5, 2e3, 1e3, 5e2]).heavy(2.0, [3e-3, 1e-3, 2e-3])
}

fn expanded(space: Space, beam: Beam) -> Model {
    let mut model = Model::new("m", space);
    model.body(super::super::Body::spatial("own", 1.0, [1.0; 3])).beam(beam);
    let (model, findings) = model.expand();
    assert!(findings.is_empty(), "{findings:?}");
    model
}

fn faults(beam: Beam) -> Vec<(&'static str, String)> {
    let mut model = Model::new("m", Space::Spatial);
    model.beam(beam);
    model.expand().1.into_iter().map(|finding| (finding.field, finding.message)).collect()
}

#[test]
fn a_straight_beam_becomes_nodes_and_elements() {
    let beam = Beam {
        points: vec![("mid".into(), 0.5)],
        velocity: Vec3::new(0.0, 0.0, 1.0),
        angular_velocity: Vec3::new(0.0, 3.0, 0.0),
        ..plain(Beam::straight("arm", [1.0, 0.0, 0.0], [1.0, 4.0, 0.0])).divided(2, 2)
    };
    let model = expanded(Space::Spatial, beam);
    let names: Vec<&str> = model.bodies.iter().map(|body| body.name.as_str()).collect();
    assert_eq!(names, ["own", "arm.start", "arm.2", "arm.mid", "arm.4", "arm.end"]);
    let masses: Vec<f64> = model.bodies[1..].iter().map(|body| body.mass).collect();
    for (mass, wanted) in masses.iter().zip([1.0, 4.0, 2.0, 4.0, 1.0].map(|share| share * 8.0 / 12.0)) {
        assert!((mass - wanted).abs() < 1e-14, "{masses:?}");
    }
    let mid = &model.bodies[3];
    assert_eq!(mid.position, Vec3::new(1.0, 2.0, 0.0));
    assert!((mid.inertia - Mat3::from_diagonal(&Vec3::new(3e-3, 1e-3, 2e-3)) * (8.0 / 12.0)).amax() < 1e-16);
    // x along the beam, z as that of the world, and the velocities of one body
    let axes = mid.orientation.matrix().unwrap();
    assert!((axes.column(0) - Vec3::y()).norm() < 1e-15 && (axes.column(2) - Vec3::z()).norm() < 1e-15);
    assert!((mid.velocity - Vec3::new(0.0, 0.0, 1.0)).norm() < 1e-15);
    assert!((axes * mid.angular_velocity - Vec3::new(0.0, 3.0, 0.0)).norm() < 1e-14);
    assert_eq!(model.spans.len(), 2);
    assert_eq!(model.spans[1].bodies, ["arm.mid", "arm.4", "arm.end"]);
    assert_eq!((model.spans[1].name.as_str(), model.spans[1].length), ("arm.2", 2.0));
    assert_eq!((model.own_bodies(), model.own_forces()), (1, 0));
    let part = &model.parts()[0];
    assert_eq!((part.bodies.clone(), part.named.clone(), part.length), (1..6, vec![1, 3, 5], 4.0));
    assert!((part.mass - 8.0).abs() < 1e-14);
    // once is enough
    assert_eq!(model.clone().expand().0, model);
}

#[test]
fn arcs_paths_and_curves_keep_their_lengths() {
    let arc = Beam {
        through: Some(Vec3::new(0.0, 2.0, 0.0)),
        ..plain(Beam::straight("a", [2.0, 0.0, 0.0], [-2.0, 0.0, 0.0])).divided(3, 4)
    };
    let model = expanded(Space::Planar, arc.clone());
    assert!((model.parts()[0].length - 2.0 * std::f64::consts::PI).abs() < 1e-14);
    let end = model.bodies.last().unwrap();
    // along the arc the angle goes on from a quarter to three quarters of a turn
    assert!((end.angle - 1.5 * std::f64::consts::PI).abs() < 1e-12);
    assert!((end.position - Vec3::new(-2.0, 0.0, 0.0)).norm() < 1e-14);
    assert!(model.bodies[1..].iter().all(|body| (body.position.norm() - 2.0).abs() < 1e-14));
    let corner = Beam {
        path: vec![
            Vec3::zeros(),
            Vec3::new(1.0, 0.0, 0.0),
            Vec3::new(2.0, 0.0, 0.0),
            Vec3::new(2.0, 1.0, 0.0),
        ],
        ..plain(Beam { name: "l".into(), ..Beam::default() }).divided(1, 1)
    };
    let model = expanded(Space::Spatial, corner);
    // a point on the way is no corner; two bodies at a corner, each with x along its side
    assert_eq!((model.spans.len(), model.joints.len(), model.bodies.len()), (2, 1, 5));
    assert_eq!(model.joints[0].ends, Ends::bodies("l.2", "l.3"));
    let x = |k: usize| Vec3::from(model.bodies[k].orientation.matrix().unwrap().column(0));
    assert!((x(2) - Vec3::x()).norm() < 1e-15 && (x(3) - Vec3::y()).norm() < 1e-15);
    let mass: f64 = model.bodies[1..].iter().map(|body| body.mass).sum();
    assert!((mass - 6.0).abs() < 1e-14);
}

#[test]
fn sections_twist_and_follow() {
    let twist = Function::Expr(crate::expr::parse("x*pi/2", &scope()).unwrap());
    let beam = Beam { twist, ..plain(Beam::straight("b", [0.0; 3], [0.0, 0.0, 2.0])) };
    let model = expanded(Space::Spatial, beam);
    let first = model.bodies[1].orientation.matrix().unwrap();
    let last = model.bodies.last().unwrap().orientation.matrix().unwrap();
    assert!((first.column(1) - Vec3::y()).norm() < 1e-15);
    // turned by a quarter about z
    assert!((last.column(1) + Vec3::x()).norm() < 1e-15);
}

fn scope() -> crate::expr::Scope<'static> {
    let mut scope = crate::expr::Scope::new();
    scope.variable("x", 0, None);
    scope
}

#[test]
fn tapered_shapes_weigh_what_they_fill() {
    let height = Function::Expr(crate::expr::parse("0.2 - 0.1*x", &scope()).unwrap());
    let beam = Beam {
        section: Some("rectangle".into()),
        height: Some(height),
        width: Some(0.1.into()),
        youngs_modulus: Some(2e11),
        poissons_ratio: Some(0.3),
        density: Some(7800.0),
        ..Beam::straight("b", [0.0; 3], [3.0, 0.0, 0.0])
    };
    let model = expanded(Space::Spatial, beam);
    assert!((model.parts()[0].mass - 7800.0 * 0.15 * 0.1 * 3.0).abs() < 1e-10);
    assert_eq!(model.spans[0].stiffness.len(), 3);
    assert!(model.spans[0].stiffness[2][5][5] > model.spans[3].stiffness[0][5][5]);
    assert!((model.spans[0].stiffness[1][0][0] - 2e11 * 0.1 * (0.2 - 0.1 / 8.0)).abs() < 1e-3);
}

#[test]
fn loads_are_shared_out() {
    let mut scope = crate::expr::Scope::new();
    scope.variable("t", 0, None);
    scope.variable("x", 1, None);
    let load = Function::Expr(crate::expr::parse("12*x*t", &scope).unwrap());
    let beam = Beam {
        load,
        load_direction: Some(Vec3::y()),
        follower_load: Function::Constant(5.0),
        follower_direction: Some(Vec3::z()),
        ..plain(Beam::straight("b", [0.0; 3], [2.0, 0.0, 0.0]))
    };
    let model = expanded(Space::Spatial, beam);
    let mut sums = [0.0; 2];
    for force in &model.forces {
        let crate::element::force::ForceKind::AppliedForce(own) = &force.kind else { panic!() };
        sums[usize::from(own.body_fixed)] += own.magnitude.eval(&[3.0]);
    }
    assert!((sums[0] - 36.0).abs() < 1e-13 && (sums[1] - 10.0).abs() < 1e-13, "{sums:?}");
}

#[test]
fn a_mass_matrix_tells_the_centre() {
    // 2 kg/m at y = 0.1, z = -0.2
    let c = Vec3::new(0.0, 0.1, -0.2);
    let (m, j) = (2.0, Mat3::from_diagonal(&Vec3::new(3e-3, 1e-3, 2e-3)));
    let cross = c.cross_matrix();
    let about = j + (Mat3::identity() * c.norm_squared() - c * c.transpose()) * m;
    let rows = std::array::from_fn(|i| {
        std::array::from_fn(|k| match (i < 3, k < 3) {
            (true, true) => f64::from(u8::from(i == k)) * m,
            (true, false) => -m * cross[(i, k - 3)],
            (false, true) => m * cross[(i - 3, k)],
            (false, false) => about[(i - 3, k - 3)],
        })
    });
    let straight = Beam::straight("b", [0.0; 3], [2.0, 0.0, 0.0]).stiff([1e6, 4e5, 3e5, 2e3, 1e3, 5e2]);
    let model = expanded(Space::Spatial, Beam { mass_matrix: Some(SectionMatrix(rows).into()), ..straight });
    let body = &model.bodies[1];
    assert!((body.centre() - c).norm() < 1e-15);
    assert!((body.inertia / body.mass * m - j).amax() < 1e-15);
}

#[test]
fn what_is_wrong_is_said() {
    let good = || plain(Beam::straight("b", [0.0; 3], [1.0, 0.0, 0.0]));
    let said = |beam: Beam, field: &str, words: &str| {
        let found = faults(beam);
        assert!(matches!(&found[..], [(f, m)] if *f == field && m.contains(words)), "{field}: {found:?}");
    };
    assert!(faults(good()).is_empty());
    said(Beam { to: Some(Vec3::zeros()), ..good() }, "to", "same point");
    said(Beam { elements: 0, ..good() }, "elements", "one element");
    said(Beam { order: 0, ..good() }, "order", "is 1 to 14");
    said(Beam { order: 15, ..good() }, "order", "is 1 to 14");
    said(Beam { elements: usize::MAX, ..good() }, "elements", "nodes");
    said(Beam { up: Some(Vec3::x()), ..good() }, "up", "parallel to the beam");
    said(Beam { points: vec![("a".into(), 1.5)], ..good() }, "points", "between 0 and 1");
    said(Beam { points: vec![("a".into(), f64::NAN)], ..good() }, "points", "between 0 and 1");
    said(Beam { points: vec![("a".into(), 0.5), ("b".into(), 0.5)], ..good() }, "points", "same position");
    said(Beam { points: vec![("end".into(), 0.5)], ..good() }, "points", "name");
    said(Beam { stiffness: None, ..good() }, "", "stiffness");
    said(good().stiff([1.0, 1.0, 1.0, 1.0, -1.0, 1.0]), "stiffness", "definite");
    said(Beam { mass_per_length: None, ..good() }, "", "mass");
    said(Beam { load: Function::Constant(1.0), ..good() }, "load", "load_direction");
    said(Beam { through: Some(Vec3::new(0.5, 0.0, 0.0)), ..good() }, "through", "collinear");
    said(Beam { to: Some(Vec3::new(f64::NAN, 0.0, 0.0)), ..good() }, "to", "length");
}
