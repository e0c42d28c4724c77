//! What does not depend on where a beam is and how it came there.

use crate::beams::rod::{Rod, composite, twisted};
use kingpin::model::{Model, Space, Vec3};
use kingpin::spatial::{Coords, PlanarCoords, Pose, SpatialCoords, euler};
use kingpin::system::{System, Work};
use kingpin_testing::Random;
use nalgebra::{DMatrix, Matrix3, SymmetricEigen};

fn compiled(model: &Model) -> System {
    System::compile(model).expect("a sound model").0
}

fn unit(random: &mut Random) -> [f64; 4] {
    let p: [f64; 4] = std::array::from_fn(|_| random.signed());
    let n = p.iter().map(|x| x * x).sum::<f64>().sqrt();
    p.map(|x| x / n)
}

/// Forces at coordinates, without velocities.
fn at(system: &System, q: &[f64]) -> Work {
    let mut work = system.work();
    system.set(&mut work, 0.0, q, &vec![0.0; system.velocities()]);
    system.evaluate_forces(&mut work);
    work
}

fn size(x: &[f64]) -> f64 {
    x.iter().fold(0.0_f64, |m, x| m.max(x.abs()))
}

/// Bent and twisted beyond small angles.
fn bent(system: &System, random: &mut Random) -> Vec<f64> {
    let mut q = system.given.q.clone();
    for node in system.nodes.iter() {
        let own = &mut q[node.q()];
        own[..3].iter_mut().for_each(|x| *x += 0.3 * random.signed());
        let turn = [1.0, 0.4 * random.signed(), 0.4 * random.signed(), 0.4 * random.signed()];
        let p = euler::product(&[own[3], own[4], own[5], own[6]], &turn);
        let n = p.iter().map(|x| x * x).sum::<f64>().sqrt();
        (0..4).for_each(|k| own[3 + k] = p[k] / n);
    }
    q
}

#[test]
fn a_rigid_motion_strains_nothing_whatever_the_signs() {
    let mut random = Random::new(3);
    for order in [1, 2, 3, 6] {
        let rod = twisted(2, order);
        let system = compiled(&rod.free());
        // forces of an extension of one part in a thousand
        let scale = 1e-3 * rod.section[0][0];
        for _ in 0..10 {
            let (turn, away) = (unit(&mut random), Vec3::from_fn(|_, _| 5.0 * random.signed()));
            let rotation = euler::rotation(&turn);
            let mut q = system.given.q.clone();
            for node in system.nodes.iter() {
                let own = &mut q[node.q()];
                let r: [f64; 3] = (rotation * Vec3::new(own[0], own[1], own[2]) + away).into();
                let p = euler::product(&turn, &[own[3], own[4], own[5], own[6]]);
                own[..3].copy_from_slice(&r);
                let sign = if random.below(2) == 0 { 1.0 } else { -1.0 };
                (0..4).for_each(|k| own[3 + k] = sign * p[k]);
            }
            let work = at(&system, &q);
            assert!(size(&work.force) < 1e-9 * scale, "{order}: {:e}", size(&work.force) / scale);
            assert!(system.potential_energy(&work) < 1e-18 * scale * rod.length, "{order}");
        }
    }
}

/// The greatest strain beyond those at rest, at the places of Gauss.
fn strain<C: Coords>(system: &System, q: &[f64]) -> f64 {
    let pose = |body: &usize| {
        let own = &q[system.nodes[*body].q()];
        let (mut r, mut p) = ([0.0; 3], [0.0; 4]);
        r[..C::D].copy_from_slice(&own[..C::D]);
        p[..C::K].copy_from_slice(&own[C::D..]);
        Pose { r, p }
    };
    let of = |beam: &kingpin::element::beam::BeamElement| {
        let poses: Vec<Pose<f64>> = beam.bodies.iter().map(pose).collect();
        beam.strains_by_definition::<C, f64>(&poses).iter().fold(0.0, |m: f64, (own, _)| m.max(size(own)))
    };
    system.beams.iter().map(of).fold(0.0, f64::max)
}

/// A hundred turns degree by degree, each node on its own: nothing remembers how it came where it is.
#[test]
fn a_hundred_turns_strain_nothing() {
    let system = compiled(&twisted(2, 4).free());
    let half = 0.5_f64.to_radians();
    let axis = Vec3::new(0.3, -0.5, 0.8).normalize() * half.sin();
    let step = [half.cos(), axis.x, axis.y, axis.z];
    let (rotation, mut q) = (euler::rotation(&step), system.given.q.clone());
    for _ in 0..100 * 360 {
        for node in system.nodes.iter() {
            let own = &mut q[node.q()];
            let r: [f64; 3] = (rotation * Vec3::new(own[0], own[1], own[2])).into();
            let p = euler::product(&step, &[own[3], own[4], own[5], own[6]]);
            let n = p.iter().map(|x| x * x).sum::<f64>().sqrt();
            own[..3].copy_from_slice(&r);
            (0..4).for_each(|k| own[3 + k] = p[k] / n);
        }
    }
    let most = strain::<SpatialCoords>(&system, &q);
    println!("in space {most:e}");
    assert!(most < 1e-10, "{most:e}");
    // in the plane angles grow to 628 rad
    let system = compiled(&Rod::new(Space::Planar, (2, 4), 10.0, composite()).free());
    let mut q = system.given.q.clone();
    for node in system.nodes.iter() {
        let own = &mut q[node.q()];
        (0..100 * 360).for_each(|_| own[2] += 1.0_f64.to_radians());
        let (s, c) = own[2].sin_cos();
        (own[0], own[1]) = (c * own[0] - s * own[1], s * own[0] + c * own[1]);
    }
    let most = strain::<PlanarCoords>(&system, &q);
    println!("in the plane {most:e}");
    assert!(most < 1e-10, "{most:e}");
}

#[test]
fn inner_forces_balance_and_do_not_depend_on_signs() {
    let mut random = Random::new(5);
    for order in [1, 2, 5] {
        let system = compiled(&Rod::new(Space::Spatial, (2, order), 10.0, composite()).free());
        let mut q = bent(&system, &mut random);
        let work = at(&system, &q);
        let scale = size(&work.force);
        let (mut sum, mut moment) = (Vec3::zeros(), Vec3::zeros());
        for (node, body) in system.nodes.iter().zip(&work.bodies) {
            let f = &work.force[node.v()];
            let (force, torque) = (Vec3::new(f[0], f[1], f[2]), Vec3::new(f[3], f[4], f[5]));
            sum += force;
            moment += Vec3::from(body.r).cross(&force) + Matrix3::from_fn(|i, k| body.a[i][k]) * torque;
        }
        assert!(sum.norm() < 1e-12 * scale && moment.norm() < 1e-11 * scale, "{order}: {sum} {moment}");
        for node in system.nodes.iter().skip(1).step_by(2) {
            q[node.q()][3..].iter_mut().for_each(|p| *p = -*p);
        }
        let other = at(&system, &q);
        let apart = work.force.iter().zip(&other.force).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(apart < 1e-14 * scale, "{order}: {apart:e} of {scale:e}");
    }
}

#[test]
fn exactly_the_rigid_motions_have_no_stiffness() {
    for order in [1, 2, 4] {
        let system = compiled(&Rod::new(Space::Spatial, (1, order), 1.0, composite()).free());
        let work = at(&system, &system.given.q);
        let mut slopes = system.derivatives();
        let none = vec![0.0; system.coordinates()];
        system.evaluate_derivatives(&work, &none, &vec![0.0; system.constraints()], &mut slopes);
        let n = system.velocities();
        let mut k = DMatrix::<f64>::zeros(n, n);
        for pair in &system.layout.pairs {
            let block = DMatrix::from_fn(7, 7, |i, j| -slopes.force_q[pair.at_q + 7 * i + j]);
            let [left, right] = pair.bodies.map(|body| turning(&work.bodies[body].p));
            let own = left.transpose() * block * right;
            k.view_mut((pair.v[0], pair.v[1]), (6, 6)).copy_from(&own);
        }
        assert!((&k - k.transpose()).amax() < 1e-12 * k.amax());
        let values = SymmetricEigen::new(k).eigenvalues;
        let zeros = values.iter().filter(|x| x.abs() < 1e-11 * values.amax()).count();
        assert!(zeros == 6 && values.iter().all(|x| *x > -1e-11 * values.amax()), "{order}: {values}");
    }
}

/// Rates of (r, p) for velocities (r', w).
fn turning(p: &[f64; 4]) -> DMatrix<f64> {
    let g = euler::g_matrix(p);
    DMatrix::from_fn(7, 6, |i, j| match (i, j) {
        (0..3, _) => f64::from(u8::from(i == j)),
        (_, 3..) => 0.5 * g[j - 3][i - 3],
        _ => 0.0,
    })
}
