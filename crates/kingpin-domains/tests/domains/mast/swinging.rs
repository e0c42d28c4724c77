//! Trusses that turn as far as they like.

use kingpin::integrate::{Begin, Control, Dopri5, Norm, Solution, Tolerance, integrate};
use kingpin_domains::range::Method;
use kingpin_domains::truss::{Bar, Builder, DENSITY, Module, Motion, STIFFNESS, Swing, Truss, UPRIGHT};
use std::ops::ControlFlow;

/// A mast that hangs from a hinge along x: its first module has two pins on the axis, and a third that holds nothing.
fn pendulum(modules: usize) -> Truss {
    let mut first = Module::mast();
    let pins = [[-0.5, 0.0, -0.5], [0.5, 0.0, -0.5], [0.0, 0.0, -0.5]];
    first.places.extend(pins);
    let bar = |a: usize, b: usize| Bar { ends: [a, b], stiffness: STIFFNESS, density: DENSITY };
    first.bars.extend([21, 22].into_iter().flat_map(|pin| (0..3).map(move |node| bar(node, pin))));
    first.bars.extend([bar(21, 23), bar(22, 23)]);
    first.ports[0] = [21, 22, 23];
    let mut builder = Builder::default();
    builder.place("top", &first, [0.0; 3], UPRIGHT);
    builder.join("hinge", (0, 0), None);
    for k in 1..modules {
        builder.place(format!("module{k}"), &Module::mast(), [0.0, 0.0, 6.0 * k as f64], UPRIGHT);
        builder.join(format!("frame{k}"), (k - 1, 1), Some((k, 0)));
    }
    builder.build().unwrap()
}

/// Let go from straight out, under a gravity that is across: after a quarter of a swing all energy is that of motion.
/// Explicit steps of order five and implicit ones end in the same place.
#[test]
fn a_mast_swings_down_from_its_hinge() {
    let truss = pendulum(2);
    let gravity = [0.0, 200.0, 0.0];
    let (rest, t_end) = (truss.rest(), 0.35);
    let motion = Motion::new(&truss, gravity).unwrap();
    let tip = truss.structure.place(1, 18);
    let n = rest.len();
    let y: Vec<f64> = rest.iter().copied().chain(vec![0.0; n]).collect();
    let tolerance = |size: f64| Tolerance { atol: size, rtol: 0.0 };
    let norm = Norm::second_order(n, tolerance(1e-8), tolerance(1e-5));
    let mut stepper = Dopri5::begin(norm, Control::default(), 0.0, &y, t_end);
    let mut explicit = motion.clone();
    integrate(&mut stepper, &mut explicit, 100_000, |_, _| ControlFlow::Continue(())).unwrap();
    let (x, v) = stepper.state().split_at(n);
    let before: f64 = motion.energies(&rest, &vec![0.0; n]).iter().sum();
    let [kinetic, potential] = motion.energies(x, v);
    assert!(
        kinetic > 1000.0 && (kinetic + potential - before).abs() < 1e-5 * kinetic,
        "{kinetic} {potential} {before}"
    );
    // it has turned by more than half a right angle
    assert!(x[tip[1]] > 8.0, "{}", x[tip[1]]);
    for method in [Method::Direct, Method::BlockJacobi] {
        let start = (rest.clone(), vec![0.0; n]);
        let mut swing = Swing::new(motion.clone(), method, start, 2e-5).unwrap();
        swing.advance_to(t_end).unwrap();
        let far = tip.map(|k| (swing.x[k] - x[k]).abs()).into_iter().fold(0.0, f64::max);
        let effort = swing.effort();
        assert!(far < 5e-3, "{}: {far} {effort:?}", method.name());
        assert!(effort.steps > 20 && effort.iterations < 6 * (effort.steps + effort.rejected), "{effort:?}");
    }
}

/// Thrown with a spin, a free mast turns over and over; momentum stays, and so do copies of joined nodes.
#[test]
fn a_free_mast_tumbles() {
    let truss = Truss::mast(3, false).unwrap();
    let motion = Motion::new(&truss, [0.0; 3]).unwrap();
    let rest = truss.rest();
    let mut v = vec![0.0; rest.len()];
    let spin = 3.0;
    for part in 0..3 {
        for node in 0..21 {
            let at = truss.structure.place(part, node);
            // about x, through the middle
            (v[at[1]], v[at[2]]) = (-spin * (rest[at[2]] - 9.0), spin * rest[at[1]]);
        }
    }
    let momentum = |x: &[f64], v: &[f64]| -> f64 {
        let of = |k: [usize; 3]| (x[k[1]] - 0.0) * v[k[2]] - (x[k[2]] - 9.0) * v[k[1]];
        (0..3)
            .flat_map(|part| (0..21).map(move |node| (part, node)))
            .map(|(p, n)| of(truss.structure.place(p, n)))
            .sum()
    };
    let before: f64 = motion.energies(&rest, &v).iter().sum();
    let started = momentum(&rest, &v);
    let mut swing = Swing::new(motion, Method::Mixed, (rest, v), 1e-5).unwrap();
    // nearly half a turn
    swing.advance_to(1.0).unwrap();
    let after: f64 = swing.motion().energies(&swing.x, &swing.v).iter().sum();
    assert!((after / before - 1.0).abs() < 1e-3, "{before} {after}");
    assert!((momentum(&swing.x, &swing.v) / started - 1.0).abs() < 1e-2);
    let end = truss.structure.place(2, 18).map(|k| swing.x[k]);
    assert!((end[2] - (9.0 + 9.0 * 3_f64.cos())).abs() < 0.2, "{end:?}");
    for c in 0..3 {
        let [a, b] = [truss.structure.place(0, 18 + c), truss.structure.place(1, c)];
        assert!(a.into_iter().zip(b).all(|(a, b)| (swing.x[a] - swing.x[b]).abs() < 1e-12));
    }
}
