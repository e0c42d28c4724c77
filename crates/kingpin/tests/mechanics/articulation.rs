//! Joints as tree joints against their own equations: motion subspace, bias, coordinates and placement.

use crate::common;

use common::{Random, random_body, random_ends, random_values};
use kingpin::element::articulation::{Articulation, COORDINATES, MotionKind, transfer, transfer_transposed};
use kingpin::element::joint::JointKind;
use kingpin::model::{Ends, Marker, Model, Space};
use kingpin::spatial::{BodyState, Coords, PlanarCoords, SpatialCoords, euler};
use kingpin::system::{System, Work};

/// Joints that can be tree joints, with their freedoms in the plane and in space; others must fit their equations.
const CARRIERS: &[(&str, usize, usize)] = &[
    ("fixed", 0, 0),
    ("revolute", 1, 1),
    ("translational", 1, 1),
    ("cylindrical", 9, 2),
    ("spherical", 9, 3),
    ("universal", 9, 2),
    ("planar", 9, 3),
    ("pin-in-slot", 2, 9),
    ("screw", 9, 1),
];

/// How the ends of a joint are attached.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Way {
    Bodies,
    Markers,
    FromGround,
    ToGround,
}

fn random_model(kind: &JointKind, space: Space, way: Way, random: &mut Random) -> Option<System> {
    let mut model = Model::new("articulation", space);
    for name in ["a", "b"] {
        model.body(random_body(name, space, random));
    }
    let names = match way {
        Way::FromGround => ["ground", "b"],
        Way::ToGround => ["a", "ground"],
        _ => ["a", "b"],
    };
    let element = kind.element();
    let ends = if way == Way::Markers {
        for (k, body) in names.iter().enumerate() {
            let place = random_body("", space, random);
            let (position, angle, orientation) = (place.centre(), place.angle, place.orientation);
            let orientation = (space == Space::Spatial).then_some(orientation);
            let name = format!("m{k}");
            model.marker(Marker {
                name,
                body: (*body).into(),
                position,
                orientation,
                angle,
                ..Marker::default()
            });
        }
        Ends { marker1: Some("m0".into()), marker2: Some("m1".into()), ..Ends::default() }
    } else {
        random_ends(element.ends(), names, space, random)
    };
    model.joint("j", ends, kind.clone());
    System::compile(&model).ok().map(|(system, _)| system)
}

/// Sets the two bodies of the work and evaluates the joint there.
fn evaluate<C: Coords>(system: &System, work: &mut Work, states: [(usize, BodyState); 2]) {
    let (mut q, mut v) = (system.given.q.clone(), system.given.v.clone());
    for (body, state) in states.iter().filter(|(body, _)| *body < system.bodies()) {
        q[body * C::NQ..][..C::D].copy_from_slice(&state.r[..C::D]);
        q[body * C::NQ + C::D..][..C::K].copy_from_slice(&state.p[..C::K]);
        v[body * C::NV..][..C::D].copy_from_slice(&state.rdot[..C::D]);
        v[body * C::NV + C::D..][..C::M].copy_from_slice(&state.w[..C::M]);
    }
    system.set(work, 0.0, &q, &v);
    system.evaluate_constraints(work);
}

/// Phi_v times a velocity that only the two bodies have.
fn rows<C: Coords>(system: &System, work: &Work, parts: [(usize, &[f64]); 2]) -> Vec<f64> {
    let (mut v, mut out) = (vec![0.0; system.velocities()], vec![0.0; system.joint_equations()]);
    for (body, part) in parts.iter().filter(|(body, _)| *body < system.bodies()) {
        v[body * C::NV..][..C::NV].copy_from_slice(&part[..C::NV]);
    }
    system.jacobian_times(work, &v, &mut out);
    out
}

fn close(a: &[f64], b: &[f64], tolerance: f64, what: &str) {
    assert_eq!(a.len(), b.len(), "{what}");
    for (k, (x, y)) in a.iter().zip(b).enumerate() {
        assert!((x - y).abs() < tolerance, "{what}: entry {k}: {x} against {y}");
    }
}

fn random_state<C: Coords>(random: &mut Random) -> BodyState {
    let mut q = random.vector(C::NQ);
    if C::D == 3 {
        let n = q[3..].iter().map(|x| x * x).sum::<f64>().sqrt();
        q[3..].iter_mut().for_each(|x| *x /= n);
    }
    C::body(&q, &random.vector(C::NV))
}

/// The body after a time at constant r' and w.
fn later<C: Coords>(b: &BodyState, t: f64) -> BodyState {
    let mut q: Vec<f64> = (0..C::D).map(|k| b.r[k] + t * b.rdot[k]).collect();
    if C::D == 2 {
        q.push(b.p[0] + t * b.w[0]);
    } else {
        let n = b.w.iter().map(|x| x * x).sum::<f64>().sqrt().max(1e-300);
        let (sin, cos) = (0.5 * n * t).sin_cos();
        q.extend(euler::product(&b.p, &[cos, sin * b.w[0] / n, sin * b.w[1] / n, sin * b.w[2] / n]));
    }
    C::body(&q, &[&b.rdot[..C::D], &b.w[..C::M]].concat())
}

/// Coordinates near those of the given pose, so that angles keep their turn.
fn random_coordinates(system: &System, work: &Work, joint: &Articulation, random: &mut Random) -> Vec<f64> {
    let mut q = Vec::new();
    for motion in joint.motions() {
        if motion.kind == MotionKind::Ball {
            let p = random.vector(4);
            let n = p.iter().map(|x| x * x).sum::<f64>().sqrt();
            q.extend(p.iter().map(|x| x / n));
        } else {
            let observed = &system.joint_coordinates[0][usize::from(motion.number)];
            q.push(system.basic_value(&observed.probe, work) + 2.5 * random.signed());
        }
    }
    q
}

fn check<C: Coords>(system: &System, joint: &Articulation, random: &mut Random, what: &str) {
    let mut work = system.work();
    system.set_state(&mut work, &system.given);
    let ground = system.bodies();
    let inboard = if joint.inboard == ground { C::ground() } else { random_state::<C>(random) };
    let q = random_coordinates(system, &work, joint, random);
    let (k, s) = (joint.freedoms(), random.vector(joint.freedoms()));
    let outboard = joint.place::<C>(&inboard, &q, &s);
    let (bi, bo) = (joint.inboard, joint.outboard);

    if bo == ground {
        return;
    }
    evaluate::<C>(system, &mut work, [(bi, inboard), (bo, outboard)]);
    let none = vec![0.0; system.joint_equations()];
    close(&work.phi, &none, 1e-12, &format!("{what}: Phi of the placed body"));

    // coordinates and rates come back, and are those that results show
    let mut read = [0.0; COORDINATES];
    joint.read::<C>(&inboard, &outboard, &q, &mut read);
    let flip = if read.iter().zip(&q).map(|(a, b)| a * b).sum::<f64>() < 0.0 { -1.0 } else { 1.0 };
    let ball = joint.motions().iter().any(|m| m.kind == MotionKind::Ball);
    let read: Vec<f64> = read[..q.len()].iter().map(|x| if ball { flip * x } else { *x }).collect();
    close(&read, &q, 1e-12, &format!("{what}: coordinates"));
    let mut rates = [0.0; COORDINATES];
    joint.rates::<C>(&inboard, &outboard, &mut rates);
    close(&rates[..k], &s, 1e-12, &format!("{what}: rates"));
    for ((motion, q), s) in joint.motions().iter().zip(&q).zip(&s).filter(|_| !ball) {
        let probe = &system.joint_coordinates[0][usize::from(motion.number)].probe;
        let (value, rate) = system.basic_value_and_rate(probe, &work);
        close(&[value, rate], &[*q, *s], 1e-11, &format!("{what}: coordinate {} of results", motion.number));
    }

    // Phi_v [1; X] = 0, Phi_v H = 0, Phi_v c = gamma
    for j in 0..C::NV {
        let mut unit = [0.0; 6];
        unit[j] = 1.0;
        let carried = transfer::<C>(&inboard, &outboard, &unit);
        if bi != ground {
            let found = rows::<C>(system, &work, [(bi, &unit), (bo, &carried)]);
            close(&found, &none, 1e-12, &format!("{what}: Phi_v X"));
        }
        for i in 0..C::NV {
            let mut force = [0.0; 6];
            force[i] = 1.0;
            let back = transfer_transposed::<C>(&inboard, &outboard, &force);
            assert!((back[j] - carried[i]).abs() < 1e-15, "{what}: X transposed");
        }
    }
    let mut h = [[0.0; 6]; 6];
    joint.subspace::<C>(&inboard, &outboard, &mut h);
    let still = [0.0; 6];
    for column in &h[..k] {
        assert!(column.iter().any(|x| x.abs() > 0.1), "{what}: empty column");
        let found = rows::<C>(system, &work, [(bi, &still), (bo, column)]);
        close(&found, &none, 1e-12, &format!("{what}: Phi_v H"));
    }
    let c = joint.bias::<C>(&inboard, &outboard);
    let found = rows::<C>(system, &work, [(bi, &still), (bo, &c)]);
    close(&found, &work.gamma, 1e-11, &format!("{what}: Phi_v c = gamma"));

    // H and c against differences of placements
    if ball {
        return;
    }
    let step = 1e-5;
    let at = |t: f64, body: &BodyState| {
        let moved: Vec<f64> = q.iter().zip(&s).map(|(q, s)| q + t * s).collect();
        joint.place::<C>(body, &moved, &s)
    };
    let (before, after) = (at(-step, &later::<C>(&inboard, -step)), at(step, &later::<C>(&inboard, step)));
    let difference =
        |a: &[f64], b: &[f64]| -> Vec<f64> { a.iter().zip(b).map(|(a, b)| (a - b) / (2.0 * step)).collect() };
    close(&difference(&after.r, &before.r), &outboard.rdot, 1e-8, &format!("{what}: r'"));
    close(&difference(&after.p, &before.p), &outboard.pdot, 1e-8, &format!("{what}: p'"));
    close(&difference(&after.rdot[..C::D], &before.rdot[..C::D]), &c[..C::D], 1e-7, &format!("{what}: r''"));
    close(&difference(&after.w[..C::M], &before.w[..C::M]), &c[C::D..C::NV], 1e-7, &format!("{what}: w'"));
}

#[test]
fn every_tree_joint_agrees_with_its_equations() {
    let mut random = Random::new(7);
    for space in [Space::Planar, Space::Spatial] {
        for entry in JointKind::LIST {
            let kind = (entry.build)(&mut random_values((entry.fields)(), space, &mut random));
            let Some(kind) = kind else { panic!("{}", entry.tag) };
            if !kind.element().spaces().contain(space) {
                continue;
            }
            let known = CARRIERS.iter().find(|c| c.0 == entry.tag);
            for way in [Way::Bodies, Way::Markers, Way::FromGround, Way::ToGround] {
                for round in 0..25 {
                    let Some(system) = random_model(&kind, space, way, &mut random) else {
                        assert!(known.is_none(), "{} {way:?}", entry.tag);
                        continue;
                    };
                    let Some(joint) = system.articulations[0] else {
                        assert!(known.is_none(), "{} cannot be a tree joint", entry.tag);
                        continue;
                    };
                    if let Some((_, planar, spatial)) = known {
                        let freedoms = if space == Space::Planar { planar } else { spatial };
                        assert_eq!(joint.freedoms(), *freedoms, "{}", entry.tag);
                    }
                    assert_eq!(
                        joint.freedoms() + system.joint_equations(),
                        system.nodes.widest(),
                        "{}",
                        entry.tag
                    );
                    let turned = joint.reverse();
                    assert_eq!((turned.inboard, turned.outboard), (joint.outboard, joint.inboard));
                    for (joint, word) in [(&joint, "forward"), (&turned, "reversed")] {
                        let what = format!("{} {space:?} {way:?} {word} {round}", entry.tag);
                        match space {
                            Space::Planar => check::<PlanarCoords>(&system, joint, &mut random, &what),
                            Space::Spatial => check::<SpatialCoords>(&system, joint, &mut random, &what),
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn angles_go_on_over_turns() {
    let mut random = Random::new(3);
    let entry = JointKind::LIST.iter().find(|e| e.tag == "revolute").unwrap();
    let system = random_model(&(entry.blank)(), Space::Spatial, Way::Bodies, &mut random).unwrap();
    let joint = system.articulations[0].unwrap();
    let (inboard, mut last) = (random_state::<SpatialCoords>(&mut random), [0.0]);
    for k in 0..100 {
        let angle = 0.3 * f64::from(k);
        let outboard = joint.place::<SpatialCoords>(&inboard, &[angle], &[0.0]);
        let near = last;
        joint.read::<SpatialCoords>(&inboard, &outboard, &near, &mut last);
        assert!((last[0] - angle).abs() < 1e-12);
    }
}
