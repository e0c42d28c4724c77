//! Bars: mass that points share and inner forces, from a model file and from the builder, against formulas, a mass
//! matrix put together by hand, and each other, by every solver and every method.

mod folded;
mod models;
use crate::shared;

use kingpin::accel::Solver;
use kingpin::dynamics::{Matrices, Method, Settings, equilibrium, modes};
use kingpin::element::force::{Bar, Spring};
use kingpin::element::joint::Revolute;
use kingpin::model::{Body, Ends, Model, Space, Vec3};
use kingpin::results::Channels;
use kingpin::system::{State, System, Work};
use models::{MASS, STIFFNESS, end, energy, from_file, ring, solved, straight};
use shared::{evaluated, ready};
use std::f64::consts::PI;

/// omega^2 = c (1 - cos a) / (2 + cos a) with c = 6 EA / (m h) for consistent masses, c (1 - cos a) with
/// c = 2 EA / (m h) for lumped ones; a = (2 k - 1) pi / (2 n), h and m of one element.
#[test]
fn frequencies_of_a_fixed_and_free_bar_are_those_of_its_elements() {
    for n in [1, 2, 5, 12] {
        for inertia in ["consistent", "lumped"] {
            let (system, assembly) = ready(&straight(n, inertia, 0.0));
            let found = modes(&system, &assembly.state, &[]).unwrap();
            let mut omegas: Vec<f64> = found.modes.iter().map(|mode| mode.imaginary).collect();
            omegas.sort_by(f64::total_cmp);
            assert_eq!(omegas.len(), n);
            let h = 1.0 / n as f64;
            for (k, omega) in omegas.iter().enumerate() {
                let cos = ((2 * k + 1) as f64 * PI / (2 * n) as f64).cos();
                let square = match inertia {
                    "consistent" => 6.0 * STIFFNESS / (MASS * h * h) * (1.0 - cos) / (2.0 + cos),
                    _ => 2.0 * STIFFNESS / (MASS * h * h) * (1.0 - cos),
                };
                let error = omega / square.sqrt() - 1.0;
                assert!(error.abs() < 1e-10, "{n} {inertia} mode {k}: {error:e}");
            }
        }
    }
}

/// Each element carries its own half and all that comes below, whatever its inertia.
#[test]
fn a_hanging_bar_is_stretched_by_what_is_below() {
    for inertia in ["consistent", "lumped"] {
        let (n, g) = (6, 9.81);
        let mut model = straight(n, inertia, 0.3);
        model.gravity = Vec3::new(g, 0.0, 0.0);
        let (system, assembly) = ready(&model);
        let found = equilibrium(&system, &assembly.state, &[]).unwrap().state;
        let h = 1.0 / n as f64;
        let mass = |k: usize| MASS * h * (1.0 + 0.3 * k as f64);
        let mut x = 0.0;
        for k in 1..=n {
            let load = g * (0.5 * mass(k) + (k + 1..=n).map(mass).sum::<f64>());
            x += h * (1.0 + load / STIFFNESS);
            let there = found.q[system.nodes.q(k - 1).start];
            assert!((there - x).abs() < 1e-10, "{inertia} node {k}: {there} {x}");
        }
    }
}

/// A point on a bar to the ground: m/3 moves with it and m/2 weighs on it, by either measure of strain.
#[test]
fn an_elastic_pendulum_moves_as_a_point_does() {
    for space in [Space::Planar, Space::Spatial] {
        for (strain, inertia, share) in [
            ("linear", "consistent", 1.0 / 3.0),
            ("green", "consistent", 1.0 / 3.0),
            ("green", "lumped", 0.5),
        ] {
            let mut model = Model::new("pendulum", space);
            model.gravity = Vec3::new(0.0, -9.81, 0.0);
            let z = if space == Space::Spatial { 0.3 } else { 0.0 };
            let velocity = Vec3::new(0.4, -0.2, 2.0 * z);
            model.body(Body { velocity, ..Body::point("bob", 0.7).at([0.8, -0.5, z]) });
            let bar = Bar {
                axial_stiffness: 120.0,
                rest_length: Some(0.9),
                strain: strain.into(),
                mass: MASS,
                inertia: inertia.into(),
                ..Bar::default()
            };
            model.force("bar", Ends::points("ground", [0.1, 0.2, 0.0], "bob", [0.0; 3]), bar);
            let (system, assembly) = ready(&model);
            let state = &assembly.state;
            let d = Vec3::new(0.7, -0.7, z);
            let l: f64 = d.norm();
            let tension = match strain {
                "linear" => 120.0 * (l - 0.9) / 0.9,
                _ => 120.0 * (l * l - 0.81) / (2.0 * 0.81) * l / 0.9,
            };
            let force = model.gravity * (0.7 + 0.5 * MASS) - d * (tension / l);
            let expected = force / (0.7 + share * MASS);
            for solver in Solver::ALL {
                let acc = solved(&system, &evaluated(&system, state), solver).acc;
                for (k, a) in acc.iter().enumerate() {
                    assert!((a - expected[k]).abs() < 1e-11, "{} {a} {expected}", solver.name());
                }
            }
            let settings = Settings { method: Method::Dop853, ..Settings::new(1e-12, 2.0) };
            let last = end(&system, state, settings);
            let (before, after) = (energy(&system, state), energy(&system, &last));
            assert!(system.is_conservative());
            assert!((after - before).abs() < 1e-9 * before.abs(), "{space:?} {strain}: {before} {after}");
        }
    }
}

/// M x per axis with the mass matrix of the points of a ring, put together by hand.
fn mass_times(d: usize, x: &[f64]) -> Vec<f64> {
    let n = 5;
    let mut mass = [[0.0; 5]; 5];
    for k in 0..n {
        let (next, m) = ((k + 1) % n, (0.5 + 0.2 * k as f64) / 6.0);
        mass[k][k] += 0.1 * k as f64 + 2.0 * m;
        mass[next][next] += 2.0 * m;
        mass[k][next] += m;
        mass[next][k] += m;
    }
    (0..n * d).map(|i| (0..n).map(|k| mass[i / d][k] * x[k * d + i % d]).sum()).collect()
}

#[test]
fn accelerations_are_those_of_the_mass_matrix_and_momentum_is_kept() {
    for space in [Space::Planar, Space::Spatial] {
        let (system, assembly) = ready(&ring(space));
        let d = system.dimensions();
        let work = evaluated(&system, &assembly.state);
        for solver in Solver::ALL {
            let needed = mass_times(d, &solved(&system, &work, solver).acc);
            let left = needed.iter().zip(&work.force).fold(0.0, |m: f64, (a, b)| m.max((a - b).abs()));
            assert!(left < 1e-10, "{space:?} {}: {left:e}", solver.name());
        }
        // momentum, moment of momentum and energy, by the same matrix
        let momenta = |state: &State| {
            let (q, v) = (&state.q, &state.v);
            let p = mass_times(d, v);
            let kinetic: f64 = 0.5 * v.iter().zip(&p).map(|(v, p)| v * p).sum::<f64>();
            assert!((kinetic - system.kinetic_energy(&evaluated(&system, state))).abs() < 1e-12 * kinetic);
            let spin = (0..5).map(|k| q[k * d] * p[k * d + 1] - q[k * d + 1] * p[k * d]).sum();
            let mut all: Vec<f64> = (0..d).map(|axis| (0..5).map(|k| p[k * d + axis]).sum()).collect();
            all.extend([spin, energy(&system, state)]);
            all
        };
        let before = momenta(&assembly.state);
        for method in [Method::Dop853, Method::ForSdirk, Method::ForRosen] {
            let (tolerance, most) = if method == Method::Dop853 { (1e-11, 1e-9) } else { (1e-7, 1e-4) };
            let settings = Settings { method, ..Settings::new(tolerance, 1.0) };
            let after = momenta(&end(&system, &assembly.state, settings));
            for (a, b) in after.iter().zip(&before) {
                assert!((a - b).abs() < most * (1.0 + b.abs()), "{space:?} {}: {a} {b}", method.name());
            }
        }
    }
}

#[test]
fn all_solvers_agree_on_bars_among_bodies_joints_and_springs() {
    let (system, assembly) = ready(&from_file());
    let work = evaluated(&system, &assembly.state);
    let reference = solved(&system, &work, Solver::AugmentedDense);
    // M v' + inertances + Phi_v^T lam = Q
    let n = system.velocities();
    let (mut inertia, mut held) = (vec![0.0; n], vec![0.0; n]);
    system.mass_times(&reference.acc, &mut inertia);
    system.add_shared_inertia(&work, &reference.acc, &mut inertia);
    system.transpose_times(&work, &reference.lam, &mut held);
    for k in 0..n {
        let left = inertia[k] + held[k] - work.force[k];
        assert!(left.abs() < 1e-9, "velocity {k}: {left:e}");
    }
    for solver in Solver::ALL {
        let own = solved(&system, &work, solver);
        let apart = |a: &[f64], b: &[f64]| {
            let size = b.iter().fold(1.0, |m: f64, x| m.max(x.abs()));
            a.iter().zip(b).fold(0.0, |m: f64, (a, b)| m.max((a - b).abs())) / size
        };
        let (acc, lam) = (apart(&own.acc, &reference.acc), apart(&own.lam, &reference.lam));
        assert!(acc < 1e-10 && lam < 1e-9, "{}: {acc:e} {lam:e}", solver.name());
    }
}

#[test]
fn every_method_finds_the_same_motion() {
    let (system, assembly) = ready(&from_file());
    let t_end = 0.3;
    let reference =
        end(&system, &assembly.state, Settings { method: Method::Dop853, ..Settings::new(1e-11, t_end) });
    let (before, after) = (energy(&system, &assembly.state), energy(&system, &reference));
    assert!((after - before).abs() < 1e-9 * before.abs(), "{before} {after}");
    let ways = [Matrices::Dense, Matrices::Sparse];
    for (method, matrices) in Method::ALL.into_iter().flat_map(|method| ways.map(|way| (method, way))) {
        let (settings, most) = match method.has_fixed_step() {
            true => (Settings { method, matrices, h: Some(2e-4), ..Settings::new(1e-8, t_end) }, 1e-2),
            false => (Settings { method, matrices, ..Settings::new(1e-6, t_end) }, 2e-3),
        };
        let state = end(&system, &assembly.state, settings);
        let numbers = state.q.iter().zip(&reference.q).chain(state.v.iter().zip(&reference.v));
        let error = numbers.fold(0.0, |most: f64, (a, b)| most.max((a - b).abs()));
        assert!(error < most, "{} {}: {error:e}", method.name(), matrices.name());
    }
}

#[test]
fn channels_show_strain_and_energy_and_damping_is_accounted_for() {
    let mut model = ring(Space::Spatial);
    for force in &mut model.forces {
        force.kind = Bar {
            axial_stiffness: 300.0,
            axial_damping: 5.0,
            rest_length: Some(1.1),
            mass: 1.0,
            strain: "green".into(),
            ..Bar::default()
        }
        .into();
    }
    let (system, assembly) = ready(&model);
    let work = evaluated(&system, &assembly.state);
    let result = solved(&system, &work, Solver::Auto);
    let channels = Channels::new(&system);
    assert_eq!(Channels::count(&system), Channels::of_run(&system).len());
    let mut values = vec![0.0; channels.len()];
    channels.fill(&system, &work, &result, &mut values);
    let value = |name: &str| values[channels.find(name).unwrap()];
    let (l, rate) = (value("bar0.length"), value("bar0.rate"));
    let (strain, strain_rate) = ((l * l - 1.21) / 2.42, l * rate / 1.21);
    assert!((value("bar0.strain") - strain).abs() < 1e-14);
    assert!((value("bar0.energy") - 0.5 * 300.0 * 1.1 * strain * strain).abs() < 1e-12);
    let force = (300.0 * strain + 5.0 * strain_rate) * l / 1.1;
    assert!((value("bar0.force") - force).abs() < 1e-12 * force.abs());
    let names: Vec<&str> = channels.list().iter().map(|c| c.name.as_str()).collect();
    let own: Vec<&str> = names.iter().copied().filter(|name| name.starts_with("bar0.")).collect();
    assert_eq!(own, ["bar0.length", "bar0.rate", "bar0.force", "bar0.strain", "bar0.energy"]);
    // what goes is what dampers take
    let total = |work: &Work| system.kinetic_energy(work) + system.potential_energy(work);
    let h = 1e-5;
    let after = |h: f64| {
        let mut state = assembly.state.clone();
        let (q, v) = (state.v.clone(), result.acc.clone());
        for k in 0..state.q.len() {
            state.q[k] += h * q[k] + 0.5 * h * h * v[k];
            state.v[k] += h * v[k];
        }
        total(&evaluated(&system, &state))
    };
    let lost = (after(-h) - after(h)) / (2.0 * h);
    let dissipated = system.powers(&work, None).dissipated;
    assert!((lost - dissipated).abs() < 1e-6 * dissipated, "{lost} {dissipated}");
}

#[test]
fn bars_join_points_to_bodies() {
    let mut model = from_file();
    model.body(Body::point("alone", 1.0).at([3.0, 0.0, 0.0]));
    model.force("tie", Ends::points("alone", [0.0; 3], "bead", [0.0; 3]), Spring::default());
    let (system, _) = System::compile(&model).unwrap();
    let bodies = system.joined_bodies();
    let [one] = &bodies[..] else { panic!("{bodies:?}") };
    let names: Vec<&str> = one.nodes.iter().map(|&k| system.body_names[k].as_str()).collect();
    assert_eq!(names, ["arm", "left", "right", "bead"]);
    let elements: Vec<&str> = one.elements.iter().map(|&k| system.forces[k].name.as_str()).collect();
    assert_eq!(elements, ["upper", "cross", "lower", "heavy"]);
}

#[test]
fn points_without_any_mass_are_told() {
    let mut model = straight(2, "consistent", 0.0);
    let Some(last) = model.forces.last_mut() else { unreachable!() };
    last.kind = Bar { axial_stiffness: 1.0, ..Bar::default() }.into();
    let findings = System::compile(&model).expect_err("nothing moves with p2");
    let [one] = &findings[..] else { panic!("{findings:#?}") };
    assert_eq!(one.message, "point `p2` has no mass");
    assert_eq!(one.hint.as_deref(), Some("give it a `mass`, or attach it to a bar with mass"));
}

/// Two hinged links with a bar between them and one to the ground: what carries both ends moves the bar too.
#[test]
fn bars_between_links_of_a_chain_move_with_what_carries_them() {
    for space in [Space::Planar, Space::Spatial] {
        let mut model = Model::new("chain", space);
        model.gravity = Vec3::new(0.0, -9.81, 0.0);
        for k in 0..3 {
            let body = match space {
                Space::Planar => Body::planar(&format!("link{k}"), 1.0, 0.1),
                Space::Spatial => Body::spatial(&format!("link{k}"), 1.0, [0.05, 0.1, 0.12]),
            };
            model.body(body.at([0.5 + k as f64, 0.0, 0.0]));
            let before = if k == 0 { "ground".to_string() } else { format!("link{}", k - 1) };
            let ends = Ends::at(&before, &format!("link{k}"), [k as f64, 0.0, 0.0]);
            let ends = if space == Space::Spatial { ends.axis([0.0, 0.0, 1.0]) } else { ends };
            model.joint(&format!("pin{k}"), ends, Revolute {});
        }
        model.bodies[0].angular_velocity.z = 1.0;
        let bar = |mass| Bar { axial_stiffness: 40.0, mass, ..Bar::default() };
        model.force("upper", Ends::points("link1", [0.1, 0.4, 0.0], "link2", [-0.1, 0.5, 0.0]), bar(3.0));
        model.force("lower", Ends::points("link2", [0.2, -0.4, 0.0], "link0", [0.0, -0.6, 0.0]), bar(2.0));
        model.force("tie", Ends::points("link2", [0.4, 0.1, 0.0], "ground", [3.0, 2.0, 0.0]), bar(1.5));
        let (system, assembly) = ready(&model);
        let work = evaluated(&system, &assembly.state);
        let reference = solved(&system, &work, Solver::AugmentedDense);
        for solver in Solver::ALL {
            let own = solved(&system, &work, solver);
            let numbers = own.acc.iter().zip(&reference.acc).chain(own.lam.iter().zip(&reference.lam));
            let apart = numbers.fold(0.0, |m: f64, (a, b)| m.max((a - b).abs()));
            assert!(apart < 1e-9, "{space:?} {}: {apart:e}", solver.name());
        }
        let settings = Settings { method: Method::Dop853, ..Settings::new(1e-11, 0.5) };
        let last = end(&system, &assembly.state, settings);
        let (before, after) = (energy(&system, &assembly.state), energy(&system, &last));
        assert!((after - before).abs() < 1e-9 * before.abs().max(1.0), "{before} {after}");
        let settings = Settings { method: Method::ForSdirk, ..Settings::new(1e-8, 0.5) };
        let other = end(&system, &assembly.state, settings);
        let apart = other.q.iter().zip(&last.q).fold(0.0, |m: f64, (a, b)| m.max((a - b).abs()));
        assert!(apart < 1e-6, "{apart:e}");
    }
}
