//! Every quick case of every family: right, or said, or known to be wrong.

use kingpin::dynamics::Method;
use kingpin_trust::known::surprises;
use kingpin_trust::motions::{FAMILIES, family};
use kingpin_trust::table::table;
use kingpin_trust::trial::run;

fn hold(name: &str) {
    let mut outcomes = Vec::new();
    for motion in family(name) {
        for method in motion.methods() {
            let tols = motion.tolerances(method).iter().filter(|&&tol| motion.is_quick(method, tol));
            outcomes.extend(tols.map(|&tol| run(&motion, method, tol)));
        }
    }
    assert!(!outcomes.is_empty(), "no family {name}");
    let surprises = surprises(&outcomes);
    assert!(surprises.is_empty(), "{}\n{}", table(&outcomes), surprises.join("\n"));
}

macro_rules! hold {
    ($($name:ident)*) => {
        $(#[test] fn $name() { hold(stringify!($name)); })*

        #[test]
        fn every_family_is_tested() {
            let tested = [$(stringify!($name)),*];
            assert_eq!(FAMILIES.iter().map(|(name, ..)| *name).collect::<Vec<_>>(), tested);
        }
    };
}

hold! {
    free_body tumbling tops rotor hinge_turns oscillators idle pulses places roads jumps parallelogram stiff_spin
}

/// Of the cases that take long, those that lose their spin if errors of the same sign are not counted by the turn.
#[test]
fn stiff_blades_keep_their_spin() {
    let all = family("stiff_spin");
    let blade = all.iter().find(|motion| motion.name == "stiff_blade_fast").expect("a motion");
    let outcomes: Vec<_> =
        [Method::ForRosen, Method::ForSdirk, Method::InflSdirk, Method::Esdirk, Method::Radau]
            .map(|method| run(blade, method, 1e-3))
            .into();
    assert!(surprises(&outcomes).is_empty(), "{}", table(&outcomes));
    // in longer steps, if the rate of one iteration is believed of the next
    let blade = all.iter().find(|motion| motion.name == "stiff_blade").expect("a motion");
    let outcomes = [Method::Esdirk, Method::Radau].map(|method| run(blade, method, 1e-3));
    assert!(surprises(&outcomes).is_empty(), "{}", table(&outcomes));
}
