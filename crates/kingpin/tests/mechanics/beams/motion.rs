//! Beams in motion: frequencies, energies, and motions known from other programs.

use crate::beams::rod::{Rod, diagonal};
use kingpin::dynamics::Matrices;
use kingpin::element::driver::DrivenAngle;
use kingpin::expr::{Scope, parse};
use kingpin::model::{Ends, Function, Model, Space, Vec3};
use kingpin::prelude::*;
use kingpin::spatial::{PlanarCoords, Pose};

/// A round rod with L/r = 100.
fn slender(space: Space, parts: (usize, usize)) -> Rod {
    let (area, bending): (f64, f64) = (1e-2, 1e-6);
    let (e, shear) = (1e9, 0.4e9);
    let c = [e * area, shear * area, shear * area, 0.8 * e * bending, e * bending, e * bending];
    let inertia = [2.0 * bending, bending, bending].map(|x| 1e3 * x);
    Rod { mass: 1e3 * area, inertia, ..Rod::new(space, parts, 1.0, diagonal(c)) }
}

/// Angular frequencies, slowest first.
fn frequencies(model: Model) -> Vec<f64> {
    let mechanism = Mechanism::new(model).expect("a mechanism");
    let modes = mechanism.modes(mechanism.state()).unwrap_or_else(|why| panic!("{why}"));
    let mut all: Vec<f64> = modes.modes.iter().map(|mode| mode.magnitude()).collect();
    all.sort_by(f64::total_cmp);
    all
}

#[test]
fn frequencies_are_those_of_long_and_thin_beams() {
    // shear and rotary inertia take some thousandths of the first, by (beta r/L)^2 each
    let rod = slender(Space::Planar, (2, 6));
    let found = frequencies(rod.clamped());
    for (found, beta) in found.iter().zip([1.8751040687f64, 4.6940911330, 7.8547574382]) {
        let thin = beta.powi(2) * (1e9 * 1e-6 / (1e3 * 1e-2_f64)).sqrt();
        let off = 1.0 - found / thin;
        assert!(off > 0.0 && off < 4.0 * beta.powi(2) * 1e-4, "{beta}: {off:e}");
    }
    // finer ones agree with them
    let finer = frequencies(slender(Space::Planar, (4, 6)).clamped());
    assert!((found[0] / finer[0] - 1.0).abs() < 1e-9, "{} {}", found[0], finer[0]);
    // in space there are two of each
    let both = frequencies(slender(Space::Spatial, (2, 6)).clamped());
    assert!((both[0] / found[0] - 1.0).abs() < 1e-8 && (both[1] / found[0] - 1.0).abs() < 1e-8);
}

#[test]
fn a_free_beam_has_six_motions_without_stiffness() {
    let mechanism = Mechanism::new(slender(Space::Spatial, (2, 3)).free()).expect("a mechanism");
    let modes = mechanism.modes(mechanism.state()).expect("modes");
    assert_eq!(modes.zeros, 12, "{:?}", modes.free);
    assert_eq!(modes.modes.len() + 6, modes.dof);
}

#[test]
fn a_spinning_beam_keeps_its_energy_and_shape() {
    // a hundred turns
    let mut rod = slender(Space::Spatial, (1, 2));
    rod.section = rod.section.map(|row| row.map(|c| 1e-2 * c));
    let mut model = rod.free();
    let spin = 20.0;
    for body in &mut model.bodies {
        body.angular_velocity = Vec3::z() * spin;
        body.velocity = Vec3::y() * spin * (body.position.x - 0.5);
    }
    let mechanism = Mechanism::new(model).expect("a mechanism");
    let t_end = 100.0 * std::f64::consts::TAU / spin;
    let settings = Settings { method: Method::Dop853, rtol: 1e-7, t_end, ..mechanism.settings() };
    let results = mechanism.simulate_with(&settings).unwrap_or_else(|why| panic!("{why}"));
    let total = results.series("energy.total").expect("energy");
    let stored = results.series("energy.potential").expect("energy");
    assert!((total[0] / total[total.len() - 1] - 1.0).abs() < 1e-4, "{total:?}");
    // stretched by its own spin, N = m w^2 (L^2/4 - x^2)/2, and ringing about that
    let (axial, mass) = (rod.section[0][0], rod.mass);
    let spun = (mass * spin * spin).powi(2) / (8.0 * axial) * (8.0 / 15.0) / 16.0;
    let most = stored.iter().fold(0.0_f64, |m, x| m.max(*x));
    assert!(most < 4.5 * spun, "{most:e} {spun:e}");
}

/// A free beam that spins is stretched by its spin, x + u = sin(a s) / (a cos(a L / 2)) with a^2 = m w^2 / EA. With damping
/// nothing else is left after some turns, and after a hundred of them strains are those of the formula: what is not is
/// what a run at this tolerance adds.
#[test]
fn a_hundred_turns_of_a_free_beam_strain_it_as_its_spin_does_and_no_more() {
    let mut rod = Rod { damping: 1e-2, ..slender(Space::Planar, (1, 6)) };
    rod.section = rod.section.map(|row| row.map(|c| 1e-2 * c));
    let mut model = rod.free();
    let spin = 20.0;
    for body in &mut model.bodies {
        body.angular_velocity = Vec3::z() * spin;
        body.velocity = Vec3::y() * spin * (body.position.x - 0.5);
    }
    let mechanism = Mechanism::new(model).expect("a mechanism");
    let (system, t_end) = (mechanism.system(), 100.0 * std::f64::consts::TAU / spin);
    for (rtol, most) in [(1e-6, 1e-7), (1e-9, 1e-10)] {
        let settings = Settings { method: Method::Radau, rtol, t_end, ..mechanism.settings() };
        let mut motion = mechanism.motion_with(&settings).unwrap_or_else(|why| panic!("{why}"));
        motion.advance_to(t_end).unwrap_or_else(|why| panic!("{why}"));
        let state = motion.state();
        let pose = |body: &usize| {
            let own = &state.q[system.nodes[*body].q()];
            Pose { r: [own[0], own[1], 0.0], p: [own[2], 0.0, 0.0, 0.0] }
        };
        let (beam, w) = (&system.beams[0], state.v[2]);
        let poses: Vec<Pose<f64>> = beam.bodies.iter().map(pose).collect();
        let a = w * (rod.mass / rod.section[0][0]).sqrt();
        let mut off = 0.0_f64;
        for ((strain, _), xi) in
            beam.strains_by_definition::<PlanarCoords, f64>(&poses).iter().zip(&beam.rule.places)
        {
            let exact = (0.5 * a * xi).cos() / (0.5 * a).cos() - 1.0;
            off = off.max((strain[0] - exact).abs()).max(strain[1].abs()).max(strain[2].abs());
        }
        println!("at {rtol:e}: {:.1} turns, strains off by {off:e}", state.q[2] / std::f64::consts::TAU);
        assert!(off < most, "{rtol:e}: {off:e}");
    }
}

#[test]
fn free_vibration_keeps_its_energy_with_every_kind_of_method() {
    let rod = slender(Space::Planar, (1, 3));
    let mut model = rod.clamped();
    model.gravity = Vec3::new(0.0, -9.81, 0.0);
    let mechanism = Mechanism::new(model).expect("a mechanism");
    for (method, rtol) in [Method::Radau, Method::Esdirk, Method::Dop853]
        .into_iter()
        .flat_map(|method| [1e-6, 1e-8].map(|rtol| (method, rtol)))
    {
        let settings = Settings { method, rtol, t_end: 0.3, ..mechanism.settings() };
        let results = mechanism.simulate_with(&settings).unwrap_or_else(|why| panic!("{why}"));
        let total = results.series("energy.total").expect("energy");
        let stored = results.series("energy.kinetic").expect("energy");
        let size = stored.iter().fold(0.0_f64, |m, x| m.max(*x));
        let worst = total.iter().fold(0.0_f64, |m, x| m.max((x - total[0]).abs()));
        println!("{method:?} at {rtol:e}: {:e} of the greatest kinetic energy", worst / size);
        assert!(worst < 100.0 * rtol * size, "{method:?} at {rtol:e}: {worst:e} of {size:e}");
    }
}

#[test]
fn damping_takes_what_the_balance_says() {
    let rod = Rod { damping: 1e-3, ..slender(Space::Spatial, (1, 2)) };
    let mut model = rod.clamped();
    model.gravity = Vec3::new(0.0, -9.81, 3.0);
    let mechanism = Mechanism::new(model).expect("a mechanism");
    let settings = Settings { method: Method::Radau, rtol: 1e-8, t_end: 0.5, ..mechanism.settings() };
    let results = mechanism.simulate_with(&settings).unwrap_or_else(|why| panic!("{why}"));
    let dissipated = results.last("energy.dissipated").expect("energy");
    let balance = results.last("energy.balance").expect("energy");
    assert!(dissipated > 1e-3 && balance.abs() < 1e-5 * dissipated, "{dissipated:e} {balance:e}");
}

fn rubber(parts: (usize, usize)) -> Rod {
    let (d, e, nu) = (5e-3_f64, 5e6, 0.49);
    let area = std::f64::consts::PI * d * d / 4.0;
    let bending = area * d * d / 16.0;
    let shear = 6.0 * (1.0 + nu) / (7.0 + 6.0 * nu) * e / (2.0 * (1.0 + nu)) * area;
    let c = [e * area, shear, shear, e * bending, e * bending, e * bending];
    let inertia = [1.0, 1.0, 1.0].map(|x| x * 1100.0 * bending);
    Rod { mass: 1100.0 * area, inertia, ..Rod::new(Space::Planar, parts, 1.0, diagonal(c)) }
}

#[test]
fn a_rubber_cable_falls_as_another_program_has_it() {
    let rod = rubber((5, 4));
    let mut model = rod.hinged();
    model.gravity = Vec3::new(0.0, -9.81, 0.0);
    let mechanism = Mechanism::new(model).expect("a mechanism");
    let settings = Settings { method: Method::Radau, rtol: 1e-6, t_end: 0.5, ..mechanism.settings() };
    let results = mechanism.simulate_with(&settings).unwrap_or_else(|why| panic!("{why}"));
    let tip = ["x", "y"].map(|axis| results.last(&format!("{}.{axis}", rod.tip())).expect("a channel"));
    let error = (tip[0] + 0.24948203).hypot(tip[1] + 0.89171082);
    assert!(error < 6e-4, "{tip:?}: {error:e}");
}

#[test]
fn a_spun_up_beam_lags_and_stiffens_as_published() {
    let c = diagonal([2.8e7, 1e7, 1e7, 1e4, 1.4e4, 1.4e4]);
    let rod = Rod { mass: 1.2, inertia: [6e-4; 3], ..Rod::new(Space::Planar, (2, 4), 10.0, c) };
    let mut model = rod.hinged();
    let mut scope = Scope::new();
    scope.variable("t", 0, None);
    let text = "6/15*(t^2/2 + (15/(2*pi))^2*(cos(2*pi*t/15) - 1))";
    let motion = Function::Expr(parse(text, &scope).expect("an expression"));
    model.driver("drive", Ends::default(), DrivenAngle { joint: "hinge".into(), motion });
    let mechanism = Mechanism::new(model).expect("a mechanism");
    let settings = Settings {
        method: Method::Radau,
        rtol: 1e-7,
        t_end: 7.0,
        frame: Some(1.0),
        matrices: Matrices::Auto,
        ..mechanism.settings()
    };
    let results = mechanism.simulate_with(&settings).unwrap_or_else(|why| panic!("{why}"));
    let tip = rod.tip();
    let [x, y] = ["x", "y"].map(|axis| results.series(&format!("{tip}.{axis}")).expect("a channel"));
    for (t, expected) in [(3, -0.2172673588), (5, -0.4684761834), (7, -0.5713118065)] {
        let turned = |t: f64| {
            0.4 * (t * t / 2.0
                + (7.5 / std::f64::consts::PI).powi(2) * ((t * std::f64::consts::TAU / 15.0).cos() - 1.0))
        };
        let frame = results.times().iter().position(|at| (at - f64::from(t)).abs() < 1e-9).expect("a frame");
        let (sin, cos) = turned(f64::from(t)).sin_cos();
        let lag = cos * y[frame] - sin * x[frame];
        assert!((lag - expected).abs() < 1e-5, "{t}: {lag} {expected}");
    }
}
