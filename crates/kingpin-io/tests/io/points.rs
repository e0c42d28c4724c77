//! Point masses from a model file: a bead on a rod and two springs, against formulas and by every way there is.

use crate::shared;

use kingpin::accel::{Accelerator, Solver};
use kingpin::dynamics::{Dynamics, End, Method, Settings, Unwatched, equilibrium, modes, simulate_with};
use kingpin::model::{Model, Space, Vec3};
use kingpin::results::Channels;
use kingpin::system::{State, System};
use kingpin_io::Overrides;
use shared::{evaluated, ready};
use std::path::Path;

fn model() -> Model {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/good/point.toml");
    kingpin_io::read_path(&path, &Overrides::none()).model.unwrap()
}

/// The same in the plane y = 0, with y upwards.
fn planar() -> Model {
    let mut model = model();
    model.space = Space::Planar;
    let flat = |v: Vec3| Vec3::new(v.x, v.z, 0.0);
    model.gravity = flat(model.gravity);
    for body in &mut model.bodies {
        (body.position, body.velocity) = (flat(body.position), Vec3::new(0.8, 0.6, 0.0));
    }
    for force in &mut model.forces {
        (force.ends.point1, force.ends.point2) = (force.ends.point1.map(flat), force.ends.point2.map(flat));
    }
    model.measures.retain(|measure| measure.name != "height");
    model
}

/// Forces of weight and springs on the bead at r, by hand.
fn applied(system: &System, r: Vec3) -> Vec3 {
    let flat = system.dimensions() == 2;
    let at = |x: f64, y: f64, z: f64| if flat { Vec3::new(x, z, 0.0) } else { Vec3::new(x, y, z) };
    let spring = |to: Vec3, k: f64, rest: f64| (to - r).normalize() * (k * ((to - r).norm() - rest));
    let weight = Vec3::from(system.gravity) * 0.5;
    weight + spring(at(-1.0, 0.0, -0.5), 30.0, 1.2) + spring(at(1.0, 0.5, -0.7), 20.0, 0.4)
}

fn vector(x: &[f64]) -> Vec3 {
    Vec3::new(x[0], x[1], x.get(2).copied().unwrap_or(0.0))
}

/// On a sphere of radius 1: a = F/m - (u.F/m + v.v) u, and the rod pulls by m (a - F/m).
#[test]
fn accelerations_and_reactions_are_those_of_a_bead_on_a_sphere() {
    for model in [model(), planar()] {
        let (system, assembly) = ready(&model);
        let d = system.dimensions();
        assert_eq!((system.coordinates(), system.velocities(), system.constraints()), (d, d, 1));
        let state = &assembly.state;
        let work = evaluated(&system, state);
        let (r, v) = (vector(&state.q), vector(&state.v));
        assert!((r.norm() - 1.0).abs() < 1e-12 && r.dot(&v).abs() < 1e-12);
        let force = applied(&system, r);
        assert!((vector(&work.force) - force).norm() < 1e-12);
        let a = force / 0.5 - r * (r.dot(&force) / 0.5 + v.dot(&v));
        for solver in Solver::ALL {
            let mut accelerator = Accelerator::new(&system, &[], solver);
            let mut result = accelerator.result();
            accelerator.solve(&system, &work, &mut result).unwrap();
            assert!((vector(&result.acc) - a).norm() < 1e-11, "{}: {:?} {a}", solver.name(), result.acc);
            let reaction = system.reaction(0, &work, &result.lam);
            let pull = a * 0.5 - force;
            assert!((Vec3::from(reaction.force) - pull).norm() < 1e-11, "{}", solver.name());
            assert_eq!(reaction.torque, [0.0; 3]);
        }
    }
}

#[test]
fn every_method_keeps_energy_and_finds_the_same_motion() {
    for model in [model(), planar()] {
        let (system, assembly) = ready(&model);
        let run = |method: Method, tolerance: f64, h: Option<f64>| {
            let settings = Settings { method, h, ..Settings::new(tolerance, 1.0) };
            let dynamics = Dynamics::new(&system, &[], settings.solver);
            let run = simulate_with(dynamics, &assembly.state, &settings, &mut Unwatched);
            assert_eq!(run.end, End::Reached, "{}", method.name());
            run.state
        };
        let energy = |state: &State| {
            let work = evaluated(&system, state);
            system.kinetic_energy(&work) + system.potential_energy(&work)
        };
        let reference = run(Method::Dop853, 1e-12, None);
        let start = energy(&assembly.state);
        assert!(system.is_conservative() && (energy(&reference) - start).abs() < 1e-10 * start.abs());
        let error = |state: &State| {
            let numbers = state.q.iter().zip(&reference.q).chain(state.v.iter().zip(&reference.v));
            numbers.fold(0.0, |most: f64, (a, b)| most.max((a - b).abs()))
        };
        for method in Method::ALL {
            let (state, most) = if method.has_fixed_step() {
                (run(method, 1e-8, Some(1e-3)), 1e-3)
            } else {
                (run(method, 1e-6, None), 1e-4)
            };
            let (error, drift) = (error(&state), (energy(&state) - start).abs());
            assert!(error < most && drift < 10.0 * most, "{}: {error:e} {drift:e}", method.name());
        }
    }
}

/// Frames and points in one mechanism: a rod with a bead at its end, which is a longer rod with more inertia.
#[test]
fn a_bead_welded_by_a_ball_to_a_rod_is_part_of_it() {
    use kingpin::element::joint::{Revolute, Spherical};
    use kingpin::model::{Body, Ends};
    let with = |bead: bool| {
        let mut model = Model::new("rod", Space::Spatial);
        model.gravity = Vec3::new(0.0, 0.0, -9.81);
        let mut rod = Body::spatial("rod", 2.0, [0.01, 0.2, 0.2]).at([0.5, 0.0, 0.0]);
        if !bead {
            // about the new centre of mass, at 0.6 of the rod
            (rod.mass, rod.com) = (2.5, Some(Vec3::new(0.1, 0.0, 0.0)));
            for k in 1..3 {
                rod.inertia[(k, k)] = 0.2 + 2.0 * 0.1 * 0.1 + 0.5 * 0.4 * 0.4;
            }
        }
        model.body(rod);
        model.joint("pin", Ends::at("ground", "rod", [0.0; 3]).axis([0.0, 1.0, 0.3]), Revolute {});
        if bead {
            model.body(Body::point("bead", 0.5).at([1.0, 0.0, 0.0]));
            model.joint("eye", Ends::at("rod", "bead", [1.0, 0.0, 0.0]), Spherical {});
        }
        ready(&model)
    };
    let ((split, a), (whole, b)) = (with(true), with(false));
    let end = |system: &System, start: &State, solver: Solver, method: Method| {
        let settings = Settings { method, solver, ..Settings::new(1e-9, 0.7) };
        let run = simulate_with(Dynamics::new(system, &[], solver), start, &settings, &mut Unwatched);
        assert_eq!(run.end, End::Reached, "{} {}", solver.name(), method.name());
        run.state
    };
    let reference = end(&whole, &b.state, Solver::Auto, Method::Dop853);
    for solver in Solver::ALL {
        let state = end(&split, &a.state, solver, Method::Dop853);
        // the same attitude, and the bead at the end of the rod
        let apart =
            state.q[3..7].iter().zip(&reference.q[3..7]).fold(0.0, |m: f64, (a, b)| m.max((a - b).abs()));
        assert!(apart < 1e-7, "{}: {apart:e}", solver.name());
    }
    for method in [Method::ForSdirk, Method::ForRosen, Method::InflTrap, Method::SspTrap] {
        let state = end(&split, &a.state, Solver::Auto, method);
        let apart =
            state.q[3..7].iter().zip(&reference.q[3..7]).fold(0.0, |m: f64, (a, b)| m.max((a - b).abs()));
        assert!(apart < 1e-5, "{}: {apart:e}", method.name());
    }
}

#[test]
fn statics_and_modes_know_points() {
    let (system, assembly) = ready(&model());
    let mut work = system.work();
    let found = equilibrium(&system, &assembly.state, &[]).unwrap();
    system.set_state(&mut work, &found.state);
    let r = vector(&found.state.q);
    // what is left of the applied forces is along the rod
    let force = applied(&system, r);
    assert!((force - r * r.dot(&force)).norm() < 1e-8 && (r.norm() - 1.0).abs() < 1e-12, "{r}");
    let modes = modes(&system, &found.state, &[]).unwrap();
    assert_eq!((modes.dof, modes.modes.len()), (2, 2));
}

#[test]
fn channels_of_a_point_have_no_attitude() {
    let (system, assembly) = ready(&model());
    let channels = Channels::new(&system);
    let names: Vec<&str> = channels.list().iter().map(|c| c.name.as_str()).collect();
    let own: Vec<&str> = names.iter().copied().filter(|name| name.starts_with("bead.")).collect();
    let all = ["x", "y", "z", "vx", "vy", "vz", "ax", "ay", "az"].map(|name| format!("bead.{name}"));
    assert_eq!(own, all);
    assert_eq!(Channels::count(&system), Channels::of_run(&system).len());
    let work = evaluated(&system, &assembly.state);
    let mut accelerator = Accelerator::new(&system, &[], Solver::Auto);
    let mut result = accelerator.result();
    accelerator.solve(&system, &work, &mut result).unwrap();
    let mut values = vec![0.0; channels.len()];
    channels.fill(&system, &work, &result, &mut values);
    let value = |name: &str| values[channels.find(name).unwrap()];
    assert_eq!(value("bead.z"), assembly.state.q[2]);
    assert_eq!(value("bead.ay"), result.acc[1]);
    assert_eq!(value("height"), value("bead.z"));
    assert!((value("reach") - 1.0).abs() < 1e-12);
}
