//! Natural frequencies against the exact ones of the beam of Timoshenko, which follow from its equations over the length.

use crate::beams::rod::{Rod, diagonal};
use kingpin::element::joint::AbsoluteY;
use kingpin::model::{Ends, Model, Space};
use kingpin::prelude::*;
use nalgebra::{Matrix2, Matrix4};

const AREA: f64 = 1e-2;
const BENDING: f64 = 1e-6;
const YOUNG: f64 = 1e9;
const SHEAR: f64 = 0.4e9;
const DENSITY: f64 = 1e3;

/// L/r = 100.
fn slender(parts: (usize, usize)) -> Rod {
    let c = [YOUNG * AREA, SHEAR * AREA, SHEAR * AREA, 1.0, YOUNG * BENDING, YOUNG * BENDING];
    let inertia = [DENSITY * BENDING; 3];
    Rod { mass: DENSITY * AREA, inertia, ..Rod::new(Space::Planar, parts, 1.0, diagonal(c)) }
}

/// Which of deflection, turn, moment and shear force vanish at both ends.
const CLAMPED: [usize; 2] = [0, 1];
const PINNED: [usize; 2] = [0, 2];
const FREE: [usize; 2] = [2, 3];

/// What is left of the conditions at the end by what is free at the start: zero at a natural frequency.
fn determinant(omega: f64, start: [usize; 2], end: [usize; 2]) -> f64 {
    let (w2, mut a) = (omega * omega, Matrix4::zeros());
    // w' = phi + Q/GA, phi' = M/EI, M' = -Q - rho I w^2 phi, Q' = -rho A w^2 w
    (a[(0, 1)], a[(0, 3)], a[(1, 2)]) = (1.0, 1.0 / (SHEAR * AREA), 1.0 / (YOUNG * BENDING));
    (a[(2, 1)], a[(2, 3)], a[(3, 0)]) = (-DENSITY * BENDING * w2, -1.0, -DENSITY * AREA * w2);
    let over = exponential(a);
    let given: Vec<usize> = (0..4).filter(|k| !start.contains(k)).collect();
    Matrix2::from_fn(|i, j| over[(end[i], given[j])]).determinant()
}

/// By its series, over a small part of the length, squared again and again.
fn exponential(a: Matrix4<f64>) -> Matrix4<f64> {
    let (small, mut sum, mut term) = (a / 1024.0, Matrix4::identity(), Matrix4::identity());
    for k in 1..20 {
        term = term * small / f64::from(k);
        sum += term;
    }
    (0..10).fold(sum, |x, _| x * x)
}

/// The exact frequency next to one.
fn exact(near: f64, start: [usize; 2], end: [usize; 2]) -> f64 {
    let (mut low, mut high) = (0.9 * near, 1.1 * near);
    let sign = determinant(low, start, end).signum();
    assert!(determinant(high, start, end).signum() != sign, "one frequency next to {near}");
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if determinant(middle, start, end).signum() == sign { low = middle } else { high = middle }
    }
    low
}

/// The frequency of that number, slowest first.
fn found(model: Model, number: usize) -> f64 {
    let mechanism = Mechanism::new(model).expect("a mechanism");
    let modes = mechanism.modes(mechanism.state()).unwrap_or_else(|why| panic!("{why}"));
    let mut all: Vec<f64> = modes.modes.iter().map(|mode| mode.magnitude()).collect();
    all.sort_by(f64::total_cmp);
    all[number]
}

fn pinned(rod: &Rod) -> Model {
    let mut model = rod.hinged();
    model.joint("rail", Ends::on(&rod.tip(), [0.0; 3]), AbsoluteY { value: None });
    model
}

/// How a rod is held: its model, and what vanishes at its ends.
type Held = (&'static str, fn(&Rod) -> Model, [usize; 2], [usize; 2]);

const HELD: [Held; 3] = [
    ("clamped", Rod::clamped, CLAMPED, FREE),
    ("free", Rod::free, FREE, FREE),
    ("pinned", pinned, PINNED, PINNED),
];

#[test]
fn frequencies_converge_to_exact_ones_at_twice_the_order() {
    for (name, model, start, end) in HELD {
        for (order, elements) in [(1, [24, 48]), (2, [16, 32]), (3, [8, 16]), (4, [6, 12]), (5, [3, 6])] {
            let errors = elements.map(|n| {
                let omega = found(model(&slender((n, order))), 2);
                (omega / exact(omega, start, end) - 1.0).abs()
            });
            let rate = (errors[0] / errors[1]).log2();
            println!("{name}, third frequency, order {order}: {errors:?}, rate {rate:.2}");
            // what is left of the finest is round-off
            let converged = rate > 2.0 * order as f64 - 0.7 || errors[1] < 2e-9;
            assert!(converged, "{name} {order}: {rate} {errors:?}");
        }
        for number in 0..3 {
            let omega = found(model(&slender((4, 8))), number);
            let off = (omega / exact(omega, start, end) - 1.0).abs();
            println!("{name}, frequency {number}: {omega} rad/s, off by {off:.1e}");
            assert!(off < 1e-8, "{name} {number}: {off:e}");
        }
    }
}
