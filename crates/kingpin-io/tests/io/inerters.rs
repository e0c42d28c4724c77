//! Mass that couples bodies: inerters from a model file and from the builder, against formulas, Lagrange's equations
//! in one angle, and each other, by every solver and every method.

use crate::shared;

use kingpin::accel::{Accelerations, Accelerator, Solver};
use kingpin::analysis::{Assembly, assemble};
use kingpin::dynamics::{Dynamics, End, Method, Settings, Unwatched, equilibrium, modes, simulate_with};
use kingpin::element::force::{Inerter, Spring};
use kingpin::element::joint::{Revolute, Translational};
use kingpin::model::{Body, Ends, Model, Space, Vec3};
use kingpin::results::Channels;
use kingpin::system::{State, System, Work};
use kingpin_io::Overrides;
use shared::{evaluated, ready};
use std::path::Path;

fn from_file() -> Model {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/good/inerter.toml");
    kingpin_io::read_path(&path, &Overrides::none()).model.unwrap()
}

fn solved(system: &System, redundant: &[bool], work: &Work, solver: Solver) -> Accelerations {
    let mut accelerator = Accelerator::new(system, redundant, solver);
    let mut out = accelerator.result();
    accelerator.solve(system, work, &mut out).unwrap_or_else(|e| panic!("{}: {e}", solver.name()));
    out
}

fn energy(system: &System, state: &State) -> f64 {
    let work = evaluated(system, state);
    system.kinetic_energy(&work) + system.potential_energy(&work)
}

fn end(system: &System, start: &State, settings: Settings, redundant: &[bool]) -> State {
    let dynamics = Dynamics::new(system, redundant, settings.solver);
    let run = simulate_with(dynamics, start, &settings, &mut Unwatched);
    assert_eq!(run.end, End::Reached, "{} {}", settings.method.name(), settings.solver.name());
    run.state
}

/// Masses that slide along x, each on a spring and an inerter to what comes before.
fn carriages(masses: &[f64], fixed: bool, k: f64, b: f64) -> Model {
    let mut model = Model::new("carriages", Space::Planar);
    for (n, &mass) in masses.iter().enumerate() {
        let (name, x) = (format!("c{n}"), 1.0 + 1.5 * n as f64);
        model.body(Body::planar(&name, mass, 1.0).at([x, 0.0, 0.0]));
        let ends = Ends::at("ground", &name, [x, 0.0, 0.0]).axis([1.0, 0.0, 0.0]);
        model.joint(&format!("rail{n}"), ends, Translational {});
        let before = match n {
            0 if fixed => "ground".to_string(),
            0 => continue,
            _ => format!("c{}", n - 1),
        };
        let ends = || Ends::points(&before, [0.0; 3], &name, [0.0; 3]);
        let rest_length = Some(if n == 0 { 1.0 } else { 1.5 });
        model.force(&format!("spring{n}"), ends(), Spring { stiffness: k, rest_length, ..Spring::default() });
        model.force(&format!("inerter{n}"), ends(), Inerter { inertance: b });
    }
    model
}

/// omega^2 = k / (m + b), and k / (m1 m2 / (m1 + m2) + b) of two that are free.
#[test]
fn oscillators_are_slower_by_the_inertance() {
    let (k, b) = (50.0, 3.0);
    for (masses, fixed, reduced) in [(&[2.0][..], true, 2.0), (&[2.0, 6.0], false, 1.5)] {
        let omega = f64::sqrt(k / (reduced + b));
        let (system, assembly) = ready(&carriages(masses, fixed, k, b));
        let found = modes(&system, &assembly.state, &[]).unwrap();
        let highest = found.modes.iter().map(|mode| mode.imaginary.abs()).fold(0.0, f64::max);
        assert!((highest / omega - 1.0).abs() < 1e-9, "{highest} {omega}");
        // stretched by 0.1: a quarter of a period later it is at rest length, as fast as can be
        let mut start = assembly.state.clone();
        let last = system.nodes.v(system.bodies() - 1).start;
        start.q[last] += 0.1;
        let quarter = std::f64::consts::FRAC_PI_2 / omega;
        let settings = Settings { method: Method::Dop853, ..Settings::new(1e-11, quarter) };
        let state = end(&system, &start, settings, &[]);
        let relative = |x: &[f64]| if fixed { x[0] } else { x[last] - x[0] };
        let rest = relative(&assembly.state.q);
        assert!((relative(&state.q) - rest).abs() < 1e-9, "{:?}", state.q);
        assert!((relative(&state.v) + 0.1 * omega).abs() < 1e-8, "{:?}", state.v);
        let (before, after) = (energy(&system, &start), energy(&system, &state));
        assert!((before - 0.5 * k * 0.01).abs() < 1e-12 && (after - before).abs() < 1e-10, "{after}");
    }
}

/// A rod on a pin at the origin with an inerter from P to a point of it at a distance s.
const ROD: [f64; 5] = [2.0, 0.3, 0.5, 0.8, 4.0];
const POINT: [f64; 2] = [0.7, 1.1];
const GRAVITY: f64 = 9.81;

fn strut(space: Space) -> Model {
    let [mass, inertia, centre, s, b] = ROD;
    let mut model = Model::new("strut", space);
    model.gravity = Vec3::new(0.0, -GRAVITY, 0.0);
    let body = match space {
        Space::Planar => Body::planar("rod", mass, inertia),
        Space::Spatial => Body::spatial("rod", mass, [0.05, inertia, inertia]),
    };
    model.body(body.at([centre, 0.0, 0.0]));
    let ends = Ends::at("ground", "rod", [0.0; 3]);
    let ends = if space == Space::Spatial { ends.axis([0.0, 0.0, 1.0]) } else { ends };
    model.joint("pin", ends, Revolute {});
    let from = [POINT[0], POINT[1], 0.0];
    model.force(
        "strut",
        Ends::points("ground", from, "rod", [s - centre, 0.0, 0.0]),
        Inerter { inertance: b },
    );
    model
}

/// (I + b l'^2) theta'' + b l' l'' theta'^2 + m g c cos theta = 0, with l(theta) and its derivatives.
fn by_lagrange(t_end: f64) -> [f64; 2] {
    let [mass, inertia, centre, s, b] = ROD;
    let [px, py] = POINT;
    let slope = |[theta, rate]: [f64; 2]| {
        let (sin, cos) = theta.sin_cos();
        let l = (px * px + py * py + s * s - 2.0 * s * (px * cos + py * sin)).sqrt();
        let first = s * (px * sin - py * cos) / l;
        let second = (s * (px * cos + py * sin) - first * first) / l;
        let force = -mass * GRAVITY * centre * cos - b * first * second * rate * rate;
        [rate, force / (inertia + mass * centre * centre + b * first * first)]
    };
    let (mut y, steps) = ([0.0, 0.0], 20_000);
    let h = t_end / f64::from(steps);
    for _ in 0..steps {
        let ahead = |y: [f64; 2], k: [f64; 2], h: f64| [y[0] + h * k[0], y[1] + h * k[1]];
        let k1 = slope(y);
        let k2 = slope(ahead(y, k1, 0.5 * h));
        let k3 = slope(ahead(y, k2, 0.5 * h));
        let k4 = slope(ahead(y, k3, h));
        y = std::array::from_fn(|i| y[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]));
    }
    y
}

#[test]
fn a_pendulum_on_a_strut_moves_as_its_angle_says() {
    let t_end = 1.3;
    let [theta, rate] = by_lagrange(t_end);
    for space in [Space::Planar, Space::Spatial] {
        let (system, assembly) = ready(&strut(space));
        let check = |settings: Settings, most: f64| {
            let what = format!("{space:?} {} {}", settings.method.name(), settings.solver.name());
            let state = end(&system, &assembly.state, settings, &[]);
            let spin = state.v[system.velocities() - 1];
            let (x, y) = (state.q[0] - ROD[2] * theta.cos(), state.q[1] - ROD[2] * theta.sin());
            let error = x.abs().max(y.abs()).max((spin - rate).abs());
            assert!(error < most, "{what}: {error:e}");
            let drift = (energy(&system, &state) - energy(&system, &assembly.state)).abs();
            assert!(drift < 100.0 * most, "{what}: energy {drift:e}");
        };
        for solver in Solver::ALL {
            check(Settings { method: Method::Dop853, solver, ..Settings::new(1e-10, t_end) }, 1e-7);
        }
        for method in Method::ALL {
            if method.has_fixed_step() {
                check(Settings { method, h: Some(1e-3), ..Settings::new(1e-8, t_end) }, 2e-3);
            } else {
                check(Settings { method, ..Settings::new(1e-6, t_end) }, 1e-4);
            }
        }
    }
}

/// A four-bar of revolute joints in space, whose equations are redundant, with inerters across it.
fn four_bar() -> Model {
    let mut model = Model::new("four-bar", Space::Spatial);
    model.gravity = Vec3::new(0.0, -9.81, 0.0);
    let corners = [[0.0, 0.0, 0.0], [0.3, 0.8, 0.0], [1.6, 1.0, 0.0], [1.5, 0.0, 0.0]];
    let axis = [0.0, 0.0, 1.0];
    for k in 0..3 {
        let (a, b): ([f64; 3], [f64; 3]) = (corners[k], corners[k + 1]);
        let at = [0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1]), 0.0];
        model.body(Body::spatial(&format!("link{k}"), 1.0 + k as f64, [0.1, 0.2, 0.25]).at(at));
    }
    let name = |k: usize| if k == 0 { "ground".to_string() } else { format!("link{}", k - 1) };
    for (k, corner) in corners.into_iter().enumerate() {
        let ends = Ends::at(&name(k), &name((k + 1) % 4), corner).axis(axis);
        model.joint(&format!("pin{k}"), ends, Revolute {});
    }
    let inerter = |inertance: f64| Inerter { inertance };
    model.force("across", Ends::points("link0", [0.1, 0.0, 0.2], "link2", [0.0, 0.3, -0.1]), inerter(2.0));
    model.force("down", Ends::points("ground", [0.5, -1.0, 0.3], "link1", [0.2, 0.0, 0.1]), inerter(50.0));
    model.bodies[0].angular_velocity.z = 2.0;
    model
}

#[test]
fn all_solvers_agree_and_forces_balance() {
    let mut stretched = carriages(&[1.0, 2.0, 3.0], false, 9.0, 4.0);
    stretched.bodies[1].position.x += 0.2;
    for model in [from_file(), four_bar(), strut(Space::Planar), stretched] {
        let (system, assembly) = ready_with_redundancy(&model);
        let redundant = &assembly.diagnosis.redundant_rows;
        let work = evaluated(&system, &assembly.state);
        let reference = solved(&system, redundant, &work, Solver::AugmentedDense);
        // M v' + inertances + Phi_v^T lam = Q, Phi_v v' = gamma
        let n = system.velocities();
        let (mut inertia, mut held) = (vec![0.0; n], vec![0.0; n]);
        system.mass_times(&reference.acc, &mut inertia);
        let plain = inertia.clone();
        system.add_shared_inertia(&work, &reference.acc, &mut inertia);
        assert!(inertia.iter().zip(&plain).any(|(a, b)| (a - b).abs() > 1e-3), "inerters act");
        system.transpose_times(&work, &reference.lam, &mut held);
        for k in 0..n {
            let left = inertia[k] + held[k] - work.force[k];
            assert!(left.abs() < 1e-9, "{}: {left:e}", model.name);
        }
        for solver in Solver::ALL {
            let own = solved(&system, redundant, &work, solver);
            let apart = |a: &[f64], b: &[f64]| {
                let size = b.iter().fold(1.0, |m: f64, x| m.max(x.abs()));
                a.iter().zip(b).fold(0.0, |m: f64, (a, b)| m.max((a - b).abs())) / size
            };
            let (acc, lam) = (apart(&own.acc, &reference.acc), apart(&own.lam, &reference.lam));
            assert!(acc < 1e-10 && lam < 1e-9, "{} {}: {acc:e} {lam:e}", model.name, solver.name());
            let mut only = vec![0.0; n];
            let mut accelerator = Accelerator::new(&system, redundant, solver);
            let mut work = system.work();
            system.set_state(&mut work, &assembly.state);
            accelerator.accelerate(&system, &mut work, &mut only).unwrap();
            assert!(apart(&only, &reference.acc) < 1e-10, "{}: accelerations alone", solver.name());
        }
    }
}

fn ready_with_redundancy(model: &Model) -> (System, Assembly) {
    let (system, _) = System::compile(model).unwrap_or_else(|e| panic!("{e:#?}"));
    let assembly = assemble(&system).unwrap();
    (system, assembly)
}

#[test]
fn every_method_finds_the_same_motion_of_a_spatial_mechanism() {
    for (model, t_end) in [(from_file(), 0.5), (four_bar(), 0.4)] {
        let (system, assembly) = ready_with_redundancy(&model);
        let redundant = &assembly.diagnosis.redundant_rows;
        let run = |settings: Settings| end(&system, &assembly.state, settings, redundant);
        let reference = run(Settings { method: Method::Dop853, ..Settings::new(1e-11, t_end) });
        for method in Method::ALL {
            let (state, most) = match method.has_fixed_step() {
                true => (run(Settings { method, h: Some(5e-4), ..Settings::new(1e-8, t_end) }), 5e-3),
                false => (run(Settings { method, ..Settings::new(1e-6, t_end) }), 3e-4),
            };
            let numbers = state.q.iter().zip(&reference.q).chain(state.v.iter().zip(&reference.v));
            let error = numbers.fold(0.0, |most: f64, (a, b)| most.max((a - b).abs()));
            assert!(error < most, "{} {}: {error:e}", model.name, method.name());
        }
    }
}

#[test]
fn statics_know_nothing_of_inerters() {
    let model = from_file();
    let mut without = model.clone();
    without.forces.retain(|force| force.kind.tag() != "inerter");
    let at = |model: &Model| {
        let (system, assembly) = ready(model);
        equilibrium(&system, &assembly.state, &[]).unwrap().state.q
    };
    let (a, b) = (at(&model), at(&without));
    assert!(a.iter().zip(&b).all(|(a, b)| (a - b).abs() < 1e-7), "{a:?} {b:?}");
}

#[test]
fn channels_show_length_rate_and_force() {
    let (system, assembly) = ready(&from_file());
    let work = evaluated(&system, &assembly.state);
    let result = solved(&system, &[], &work, Solver::Auto);
    let channels = Channels::new(&system);
    let mut values = vec![0.0; channels.len()];
    channels.fill(&system, &work, &result, &mut values);
    let value = |name: &str| values[channels.find(name).unwrap()];
    assert_eq!(Channels::count(&system), Channels::of_run(&system).len());
    // the second difference of the length along the motion
    let h = 1e-4;
    let length = |t: f64| {
        let mut state = assembly.state.clone();
        let change: Vec<f64> =
            state.v.iter().zip(&result.acc).map(|(v, a)| t * v + 0.5 * t * t * a).collect();
        system.displace(&mut state.q, &change);
        system.basic_value(&system.inertances[0].basic, &evaluated(&system, &state))
    };
    let [before, here, after] = [-h, 0.0, h].map(length);
    assert!((value("strut.length") - here).abs() < 1e-12);
    assert!((value("strut.rate") - (after - before) / (2.0 * h)).abs() < 1e-6);
    let force = 1.5 * (after - 2.0 * here + before) / (h * h);
    assert!((value("strut.force") - force).abs() < 1e-4 * (1.0 + force.abs()), "{force}");
    let units = |name: &str| channels.list()[channels.find(name).unwrap()].unit;
    assert_eq!([units("strut.length"), units("strut.rate"), units("strut.force")], ["m", "m/s", "N"]);
}

#[test]
fn what_makes_no_inerter_is_told() {
    let told = |change: &dyn Fn(&mut Model)| {
        let mut model = strut(Space::Planar);
        change(&mut model);
        let findings = System::compile(&model).expect_err("wrong");
        let [one] = &findings[..] else { panic!("{findings:#?}") };
        one.message.clone()
    };
    // the point of the rod where the strut begins
    let met = told(&|model: &mut Model| {
        model.forces[0].ends.point1 = Some(Vec3::new(ROD[3], 0.0, 0.0));
    });
    assert_eq!(met, "the two points coincide, so the line between them has no direction");
    let nothing = told(&|model: &mut Model| model.forces[0].kind = Inerter { inertance: 0.0 }.into());
    assert_eq!(nothing, "`inertance` must be greater than zero");
}
