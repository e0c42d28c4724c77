//! Beams at rest under loads, against exact and published values.

use crate::beams::rod::{Rod, composite, diagonal, rollup, twisted};
use kingpin::model::{Model, Space};
use kingpin::prelude::*;

/// How far the tip has moved at rest, and in how many steps it was found.
fn displaced(model: Model, rod: &Rod) -> (Vec<f64>, usize) {
    let mechanism = Mechanism::new(model).expect("a mechanism");
    let found = mechanism.equilibrium().unwrap_or_else(|why| panic!("{why}"));
    let system = mechanism.system();
    let tip = &system.nodes[system.bodies() - 1];
    let place = &found.state.q[tip.q..tip.q + system.dimensions()];
    let mut u = place.to_vec();
    u[0] -= rod.length;
    println!("{} elements of order {}: {u:?} in {}", rod.elements, rod.order, found.iterations);
    (u, found.iterations)
}

fn apart(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
}

#[test]
fn a_composite_beam_bends_and_twists_as_published() {
    let rod = Rod::new(Space::Spatial, (1, 11), 10.0, composite());
    let (u, _) = displaced(rod.loaded([0.0, 0.0, 150.0]), &rod);
    assert!(apart(&u, &[-0.0902726627566, -0.0647488486259, 1.22973648292]) < 1e-10, "{u:?}");
}

#[test]
fn a_planar_cantilever_bends_far() {
    let (h, w, e, nu) = (0.5_f64, 0.1, 2.07e11, 0.3);
    let shear = 10.0 * (1.0 + nu) / (12.0 + 11.0 * nu) * e / (2.0 * (1.0 + nu)) * h * w;
    let section = diagonal([e * h * w, shear, shear, 1.0, 1.0, e * w * h.powi(3) / 12.0]);
    let (mass, inertia) = (7800.0 * h * w, [1.0, 1.0, 7800.0 * w * h.powi(3) / 12.0]);
    let rod = Rod { mass, inertia, ..Rod::new(Space::Planar, (2, 5), 2.0, section) };
    let (u, _) = displaced(rod.loaded([0.0, -6.25e7, 0.0]), &rod);
    assert!(apart(&u, &[-0.1509711442, -0.7105685979]) < 1e-8, "{u:?}");
    let (u, _) = displaced(rod.loaded([0.0, -6.25e4, 0.0]), &rod);
    assert!(apart(&u, &[-1.888492e-7, -8.099033e-4]) < 1e-9, "{u:?}");
}

#[test]
fn ends_have_twice_the_order_of_elements() {
    let exact = [-1.14152599954, -1.71805334646, -3.59321324027];
    let finer = [(4, [4, 8], 1.5e-7), (5, [2, 4], 6.7e-7)];
    for (order, elements, expected) in
        [(1, [8, 16], 5.4e-2), (2, [4, 8], 2.7e-3), (3, [2, 4], 1.1e-3)].into_iter().chain(finer)
    {
        let errors = elements.map(|n| {
            let rod = twisted(n, order);
            apart(&displaced(rod.loaded([0.0, 0.0, -4e6]), &rod).0, &exact)
        });
        let rate = (errors[0] / errors[1]).log2();
        println!("order {order}: {errors:?}, rate {rate:.2}");
        assert!((errors[0] / expected - 1.0).abs() < 0.1, "{order}: {errors:?}");
        assert!((rate - 2.0 * order as f64).abs() < 0.4, "{order}: {rate}");
    }
}

#[test]
fn a_cantilever_rolls_up_into_a_circle() {
    let rod = Rod::new(Space::Spatial, (1, 11), 10.0, rollup());
    let moment = std::f64::consts::TAU * 86.9e3 / 10.0;
    let (u, _) = displaced(rod.turned([0.0, -moment, 0.0]), &rod);
    assert!(apart(&u, &[-10.0, 0.0, 0.0]) < 1e-8, "{u:?}");
}

#[test]
fn what_is_loaded_and_unloaded_is_where_it_was() {
    let rod = Rod::new(Space::Spatial, (2, 3), 10.0, composite());
    let mechanism = Mechanism::new(rod.loaded([0.0, 0.0, 150.0])).expect("a mechanism");
    let bent = mechanism.equilibrium().expect("rest").state;
    let free = Mechanism::new(rod.clamped()).expect("a mechanism");
    let (system, problem) = (free.system(), free.problem());
    let matrices = free.settings().matrices;
    let back = kingpin::dynamics::equilibrium_of(system, problem, &bent, matrices).expect("rest").state;
    assert!(apart(&back.q, &free.state().q) < 1e-9, "{:e}", apart(&back.q, &free.state().q));
}

/// A full circle, whose error falls with the 2 p-th power of the length of elements too.
#[test]
fn circles_have_twice_the_order_of_elements() {
    let moment = std::f64::consts::TAU * 86.9e3 / 10.0;
    for (order, elements) in [(1, [32, 64]), (2, [16, 32]), (3, [8, 16]), (4, [4, 8]), (5, [4, 8])] {
        let errors = elements.map(|n| {
            let rod = Rod::new(Space::Spatial, (n, order), 10.0, rollup());
            apart(&displaced(rod.turned([0.0, -moment, 0.0]), &rod).0, &[-10.0, 0.0, 0.0])
        });
        let rate = (errors[0] / errors[1]).log2();
        println!("order {order}: {errors:?}, rate {rate:.2}");
        assert!((rate - 2.0 * order as f64).abs() < 0.5, "{order}: {rate} {errors:?}");
    }
}
