//! Where cables start.

use super::catenary::Links;
use super::*;

fn links(length: f64, count: usize) -> Links {
    Links { length, count, weight: 1.0, stiffness: 1e9 }
}

fn lengths(places: &[Vec3]) -> f64 {
    places.windows(2).map(|pair| (pair[1] - pair[0]).norm()).sum()
}

#[test]
fn cables_start_in_a_catenary() {
    let down = -Vec3::z();
    for (to, length) in [
        (Vec3::new(3.0, 0.0, 0.0), 3.001),
        (Vec3::new(3.0, 0.0, 0.0), 5.0),
        (Vec3::new(1.0, 2.0, -1.5), 4.0),
        (Vec3::new(1e-3, 0.0, 2.0), 4.0),
    ] {
        let places = links(length, 4000).hanging([Vec3::zeros(), to], &down);
        assert!((places[0].norm() + (places[4000] - to).norm()) < 1e-15);
        assert!((lengths(&places) / length - 1.0).abs() < 1e-5, "{to} {length}");
        // nothing jumps to the ends
        assert!((places[1] - places[0]).norm() < 1.01 * length / 4000.0);
        assert!((places[4000] - places[3999]).norm() < 1.01 * length / 4000.0, "{to} {length}");
        // weight is carried by a tension whose level part is the same everywhere: slopes change evenly along the arc
        let level = to - Vec3::z() * to.z;
        let slope = |k: usize| {
            let way = places[k + 1] - places[k];
            way.z / way.dot(&level.normalize())
        };
        let [a, b, c] = [500, 2000, 3500].map(slope);
        assert!((a + c - 2.0 * b).abs() < 1e-5 * (c - a).abs().max(1.0), "{to} {length}: {a} {b} {c}");
    }
}

/// A few links that give way: each is as long as its tension says, and every node is in balance.
#[test]
fn chains_start_at_rest() {
    let (chain, down) = (Links { length: 4.0, count: 7, weight: 5.0, stiffness: 200.0 }, -Vec3::z());
    let places = chain.hanging([Vec3::zeros(), Vec3::new(3.0, 0.0, 1.0)], &down);
    let each = 4.0 / 7.0;
    let pulls: Vec<Vec3> = (places.windows(2))
        .map(|pair| {
            let way = pair[1] - pair[0];
            way.normalize() * (200.0 * (way.norm() / each - 1.0))
        })
        .collect();
    for pair in pulls.windows(2) {
        assert!((pair[1] - pair[0] + down * (5.0 * each)).norm() < 1e-9, "{pulls:?}");
    }
    assert!(pulls[0].norm() > 5.0);
}

#[test]
fn short_cables_and_upright_ones_have_places_too() {
    let down = -Vec3::z();
    let straight = links(0.9, 4).hanging([Vec3::zeros(), Vec3::x()], &down);
    assert_eq!(straight[1], Vec3::x() * 0.25);
    let upright = links(2.0, 4).hanging([Vec3::zeros(), Vec3::zeros()], &down);
    assert_eq!(upright[2], down);
    assert!((lengths(&upright) - 2.0).abs() < 1e-14);
}

#[test]
fn a_cable_becomes_points_and_elements() {
    let cable = LongCable {
        name: "rope".into(),
        from: Vec3::zeros(),
        to: Vec3::new(1.0, 0.0, 0.0),
        length: Some(2.0),
        elements: 4,
        axial_stiffness: 1e5,
        mass_per_length: 0.5,
        ..LongCable::default()
    };
    let mut model = Model::new("m", Space::Spatial);
    model.body(Body::point("own", 1.0));
    model.cables.push(cable.clone());
    let (model, findings) = model.expand();
    assert!(findings.is_empty());
    let names: Vec<&str> = model.bodies.iter().map(|body| body.name.as_str()).collect();
    assert_eq!(names, ["own", "rope.start", "rope.2", "rope.3", "rope.4", "rope.end"]);
    assert_eq!((model.own_bodies(), model.own_forces(), model.forces.len()), (1, 0, 4));
    let part = &model.cable_parts()[0];
    assert_eq!((part.bodies.clone(), part.length, part.mass), (1..6, 2.0, 1.0));
    assert_eq!(model.clone().expand().0, model);
    for faulty in
        [LongCable { to: Vec3::zeros(), length: None, ..cable.clone() }, LongCable { elements: 0, ..cable }]
    {
        let mut model = Model::new("m", Space::Spatial);
        model.cables.push(faulty);
        let (model, findings) = model.expand();
        assert_eq!(findings.len(), 1, "{findings:?}");
        assert_eq!(model.bodies[1].name, "rope.end");
    }
}
