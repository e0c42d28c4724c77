//! How readings of reactions change, against dual numbers: reactions of every joint, at states away from its constraints.

use crate::derivatives::checks::{instant, work_at};
use crate::derivatives::common::{Random, base_model, random_ends, random_values};
use crate::derivatives::{SPACES, bodies};
use kingpin::element::joint::JointKind;
use kingpin::element::place::Place;
use kingpin::element::reading::{Reading, ReadingPart};
use kingpin::model::{EndsKind, Space};
use kingpin::scalar::{Dual, Scalar};
use kingpin::spatial::{Coords, PlanarCoords, SpatialCoords, V3};
use kingpin::system::System;

const STATES: usize = 20;

/// The coordinates of a body that a velocity moves.
fn moved<T: Scalar>(system: &System, body: usize, k: usize, q: &[T]) -> Vec<T> {
    let node = &system.nodes[body];
    let mut out = vec![T::zero(); q.len()];
    if system.dimensions() == 2 || k < 3 {
        out[node.q + k] = T::one();
        return out;
    }
    let p = &q[node.q + 3..node.q + 7];
    let g = [[-p[1], p[0], p[3], -p[2]], [-p[2], -p[3], p[0], p[1]], [-p[3], p[2], -p[1], p[0]]];
    (0..4).for_each(|l| out[node.q + 3 + l] = g[k - 3][l].scale(0.5));
    out
}

fn rotation<T: Scalar>(system: &System, body: usize, q: &[T]) -> [[T; 3]; 3] {
    let mut p = [T::zero(); 4];
    let column = |k: usize, p: &[T; 4]| -> [T; 3] {
        let unit: V3 = std::array::from_fn(|l| f64::from(u8::from(k == l)));
        if system.dimensions() == 2 {
            PlanarCoords::rotate(p, &unit)
        } else {
            SpatialCoords::rotate(p, &unit)
        }
    };
    if body < system.bodies() {
        let turns = &q[system.nodes.q(body)][system.dimensions()..];
        p[..turns.len()].copy_from_slice(turns);
    } else if system.dimensions() == 3 {
        p[0] = T::one();
    }
    std::array::from_fn(|k| column(k, &p))
}

fn combined<T: Scalar>(columns: &[[T; 3]; 3], x: [T; 3]) -> [T; 3] {
    std::array::from_fn(|row| (0..3).fold(T::zero(), |sum, k| sum + columns[k][row] * x[k]))
}

/// A reading by the virtual power of multipliers.
fn by_definition<T: Scalar>(system: &System, places: &[Place; 2], part: ReadingPart, at: Given<T>) -> T {
    let Given { t, q, lam, turns } = at;
    let second = places[1].body < system.bodies();
    let (end, sign) = if second { (&places[1], 1.0) } else { (&places[0], -1.0) };
    let d = system.dimensions();
    let wrench: Vec<T> = (0..if d == 2 { 3 } else { 6 })
        .map(|k| {
            let by = moved(system, end.body, k, q);
            let lifted: Vec<Dual<T>> = q.iter().zip(&by).map(|(q, u)| Dual::new(*q, *u)).collect();
            let phi = system.phi(Dual::from_f64(t), &lifted, turns);
            lam.iter().zip(&phi).fold(T::zero(), |sum, (lam, phi)| sum - *lam * phi.d).scale(sign)
        })
        .collect();
    let axes = rotation(system, end.body, q);
    let force: [T; 3] = std::array::from_fn(|k| if k < d { wrench[k] } else { T::zero() });
    let moment = if d == 2 {
        [T::zero(), T::zero(), wrench[2]]
    } else {
        combined(&axes, [wrench[3], wrench[4], wrench[5]])
    };
    let arm = combined(&axes, end.s.map(T::from_f64));
    let cross = |a: &[T; 3], b: &[T; 3]| {
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    };
    let lever = cross(&arm, &force);
    let torque: [T; 3] = std::array::from_fn(|k| moment[k] - lever[k]);
    let dot = |a: [T; 3], b: [T; 3]| (0..3).fold(T::zero(), |sum, k| sum + a[k] * b[k]);
    let component = |x: [T; 3], frame: usize, axis: V3| {
        let axis = axis.map(T::from_f64);
        if d == 2 && !axis[2].is_zero() { x[2] } else { dot(combined(&rotation(system, frame, q), axis), x) }
    };
    match part {
        ReadingPart::ForceSize => dot(force, force).sqrt(),
        ReadingPart::TorqueSize => dot(torque, torque).sqrt(),
        ReadingPart::Force { along, frame } => component(force, frame, along),
        ReadingPart::Torque { along, frame } => component(torque, frame, along),
        ReadingPart::Drive => -lam[0],
    }
}

struct Given<'a, T> {
    t: f64,
    q: &'a [T],
    lam: &'a [T],
    turns: &'a [f64],
}

fn parts(space: Space, ground: usize) -> Vec<ReadingPart> {
    let mut all = vec![ReadingPart::ForceSize, ReadingPart::TorqueSize];
    for frame in [0, 1, ground] {
        let unit = |axis: usize| std::array::from_fn(|k| f64::from(u8::from(k == axis)));
        let flat = space == Space::Planar;
        let slanted = if flat { [0.6, -0.8, 0.0] } else { [0.36, 0.48, -0.8] };
        let forces = (0..if flat { 2 } else { 3 }).map(unit).chain([slanted]);
        let torques = (if flat { 2..3 } else { 0..3 }).map(unit).chain((!flat).then_some(slanted));
        all.extend(forces.map(|along| ReadingPart::Force { along, frame }));
        all.extend(torques.map(|along| ReadingPart::Torque { along, frame }));
    }
    all
}

fn check(system: &System, what: &str, random: &mut Random) {
    let mut x = instant(system, random);
    for node in system.nodes.iter().filter(|node| node.nq == 7) {
        let p = &mut x.q[node.q + 3..node.q + 7];
        let length = p.iter().map(|x| x * x).sum::<f64>().sqrt();
        p.iter_mut().for_each(|x| *x /= length);
    }
    let mut work = work_at(system, &x);
    system.evaluate_constraints(&mut work);
    let Some(places) = system.group_places(0) else { return };
    let rows = system.layout.rows;
    let lam = &x.lam[..rows];
    let (mut by_lam, mut by_x) = (vec![0.0; rows], vec![0.0; system.velocities()]);
    for part in parts(system.space, system.bodies()) {
        let own = Reading { group: 0, part };
        system.reading_slopes(&own, &work, lam, &mut by_lam, &mut by_x);
        let of = |q: &[Dual<f64>], lam: &[Dual<f64>]| {
            by_definition(system, &places, part, Given { t: x.t, q, lam, turns: &work.turns })
        };
        let fixed = |x: &[f64]| -> Vec<Dual<f64>> { x.iter().map(|x| Dual::from_f64(*x)).collect() };
        let value = of(&fixed(&x.q), &fixed(lam)).re;
        assert!(
            (system.reading(&own, &work, lam) - value).abs() < 1e-11 * (1.0 + value.abs()),
            "{what}: {part:?}"
        );
        let agree = |found: f64, wanted: f64, by: String| {
            let off = (found - wanted).abs();
            assert!(off < 1e-9 * (1.0 + wanted.abs()), "{what}: {part:?} by {by}: {found} {wanted}");
        };
        for (row, found) in by_lam.iter().enumerate() {
            let mut lam = fixed(lam);
            lam[row].d = 1.0;
            agree(*found, of(&fixed(&x.q), &lam).d, format!("multiplier {row}"));
        }
        for body in 0..system.bodies() {
            for (k, at) in system.nodes.v(body).enumerate() {
                let by = moved(system, body, k, &x.q);
                let q: Vec<Dual<f64>> = x.q.iter().zip(&by).map(|(q, u)| Dual::new(*q, *u)).collect();
                agree(by_x[at], of(&q, &fixed(lam)).d, format!("body {body}, {k}"));
            }
        }
    }
}

#[test]
fn readings_of_every_joint() {
    for space in SPACES {
        for entry in JointKind::LIST {
            let blank = (entry.blank)();
            if !blank.element().spaces().contain(space) || blank.element().ends() == EndsKind::None {
                continue;
            }
            let mut random = Random::new(41);
            for _ in 0..STATES {
                let mut model = base_model(space, &mut random);
                // the element is the first group of equations, and nothing else has any
                model.joints.clear();
                model.measures.clear();
                let mut values = random_values((entry.fields)(), space, &mut random);
                let kind = (entry.build)(&mut values).expect("all fields");
                let on =
                    if blank.element().ends() == EndsKind::One { ["a", "b"] } else { bodies(&mut random) };
                let ends = random_ends(kind.element().ends(), on, space, &mut random);
                model.joint("element", ends, kind);
                let (system, _) = System::compile(&model).unwrap_or_else(|e| panic!("{}: {e:#?}", entry.tag));
                check(&system, &format!("{} ({space:?})", entry.tag), &mut random);
            }
        }
    }
}
