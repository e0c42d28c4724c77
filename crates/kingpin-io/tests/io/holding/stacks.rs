//! Stops that are met together.

use super::{mechanism, run};
use kingpin::mechanism::{Method, Settings};

/// Blocks one on the other, each with a stop on the one below.
fn stack(masses: &[f64], restitution: f64) -> String {
    let mut text = String::from("space = 'planar'\ngravity = [0, -9.81]\n");
    for (k, mass) in masses.iter().enumerate() {
        let (y, below) = (0.5 * (k + 1) as f64, if k == 0 { "ground".into() } else { format!("b{}", k - 1) });
        text += &format!(
            "[[body]]\nname = 'b{k}'\nmass = {mass}\ninertia = 0.1\nposition = [0, {y}]\n[[joint]]\ntype = 'translational'\nname = 's{k}'\nbody1 = '{below}'\nbody2 = 'b{k}'\nat = [0, {y}]\naxis = [0, 1]\nstops = {{ min = -0.4, restitution = {restitution} }}\n"
        );
    }
    text
}

/// Stops that are met together, or one on the other: nothing gets through, all comes to rest, and all energy is accounted for.
#[test]
fn stacks_come_to_rest_on_each_other() {
    for (masses, restitution) in [
        (&[1.0, 1.5][..], 0.7),
        (&[1.0, 1.5, 2.0], 0.0),
        (&[1.0, 50.0], 0.0),
        (&[1.0, 50.0], 0.3),
        (&[2.0, 1.0, 30.0], 0.4),
    ] {
        let mechanism = mechanism(&stack(masses, restitution));
        for method in [Method::Dop853, Method::Adams, Method::Radau] {
            let found = run(&mechanism, &Settings { method, ..Settings::new(1e-7, 4.0) });
            let name = format!("{} {masses:?} {restitution}", method.name());
            for k in 0..masses.len() {
                let place = found.series(&format!("s{k}.displacement")).unwrap();
                let deepest = place.iter().fold(0.0_f64, |least, x| least.min(*x));
                assert!(deepest > -0.4 - 1e-9, "{name}: block {k} is at {deepest}");
                assert!((place.last().unwrap() + 0.4).abs() < 1e-8, "{name}: block {k}");
                let load = masses[k..].iter().sum::<f64>() * 9.81;
                let held = found.last(&format!("s{k}.stops.force")).unwrap();
                assert!((held.abs() - load).abs() < 1e-6 * load, "{name}: {held}, not {load}");
            }
            assert!(found.run().unwrap().energy.worst < 1e-5, "{name}");
        }
    }
}
