//! The stiff double pendulum of Negrut's thesis (section 5.1) in its two angles: eigenvalues from -1 to -1e5.

use kingpin::integrate::{
    Control, DenseMatrix, Dopri5, FirstOrder, Norm, Rosenbrock, Sdirk15, Sdirk16, SecondOrder, Solution,
    Statistics, Stepper, Tolerance, Trapezoidal, integrate,
};
use std::convert::Infallible;
use std::f64::consts::PI;
use std::ops::ControlFlow;

/// Half lengths, masses, inertias, springs and dampers of the two links.
const L: [f64; 2] = [1.0, 1.5];
const MASS: [f64; 2] = [3.0, 0.3];
const INERTIA: [f64; 2] = [1.0, 0.225];
const STIFFNESS: [f64; 2] = [400.0, 3e5];
const DAMPING: [f64; 2] = [15.0, 5e4];
const GRAVITY: f64 = 9.81;
const COUPLING: f64 = MASS[1] * 2.0 * L[0] * L[1];

struct DoublePendulum;

fn mass(v: &[f64]) -> [[f64; 2]; 2] {
    let mixed = COUPLING * (v[0] - v[1]).cos();
    let first = INERTIA[0] + MASS[0] * L[0] * L[0] + MASS[1] * 4.0 * L[0] * L[0];
    [[first, mixed], [mixed, INERTIA[1] + MASS[1] * L[1] * L[1]]]
}

impl SecondOrder for DoublePendulum {
    type Error = Infallible;
    type Matrix = DenseMatrix;

    fn dim(&self) -> usize {
        2
    }

    fn acceleration(&mut self, _: f64, v: &[f64], d: &[f64], a: &mut [f64]) -> Result<(), Infallible> {
        let m = mass(v);
        let torque = [
            -STIFFNESS[0] * (v[0] - 1.5 * PI) - DAMPING[0] * d[0],
            -STIFFNESS[1] * (v[1] - v[0]) - DAMPING[1] * (d[1] - d[0]),
        ];
        let swing = COUPLING * (v[0] - v[1]).sin();
        let weight = GRAVITY * (MASS[0] * L[0] + MASS[1] * 2.0 * L[0]);
        let q = [
            -weight * v[0].cos() + torque[0] - torque[1] - swing * d[1] * d[1],
            -GRAVITY * MASS[1] * L[1] * v[1].cos() + torque[1] + swing * d[0] * d[0],
        ];
        let det = m[0][0] * m[1][1] - m[0][1] * m[1][0];
        a[0] = (m[1][1] * q[0] - m[0][1] * q[1]) / det;
        a[1] = (m[0][0] * q[1] - m[1][0] * q[0]) / det;
        Ok(())
    }

    fn linearise(&mut self, _: f64, v: &[f64], d: &[f64], out: &mut DenseMatrix) -> Result<(), Infallible> {
        let out = &mut out.linear;
        let mut a = [0.0; 2];
        self.acceleration(0.0, v, d, &mut a)?;
        let (sin, cos) = (v[0] - v[1]).sin_cos();
        // derivatives of Mhat(v) a - q with respect to the difference of the angles
        let first = COUPLING * (-sin * a[1] + cos * d[1] * d[1]);
        let second = COUPLING * (-sin * a[0] - cos * d[0] * d[0]);
        let m = mass(v);
        let weight = GRAVITY * (MASS[0] * L[0] + MASS[1] * 2.0 * L[0]);
        out.mhat.copy_from_slice(&[m[0][0], m[1][0], m[0][1], m[1][1]]);
        out.m2.copy_from_slice(&[
            first - weight * v[0].sin() + STIFFNESS[0] + STIFFNESS[1],
            second - STIFFNESS[1],
            -first - STIFFNESS[1],
            -second - GRAVITY * MASS[1] * L[1] * v[1].sin() + STIFFNESS[1],
        ]);
        out.m1.copy_from_slice(&[
            DAMPING[0] + DAMPING[1],
            -DAMPING[1] - 2.0 * COUPLING * sin * d[0],
            -DAMPING[1] + 2.0 * COUPLING * sin * d[1],
            DAMPING[1],
        ]);
        Ok(())
    }
}

const START: [f64; 4] = [2.0 * PI, 23.0 * PI / 12.0, 0.0, 0.0];

/// Reference solution (Radau IIA, relative tolerance 1e-11).
const REFERENCE: [(f64, [f64; 4]); 5] = [
    (0.25, [4.540953409, 4.482643401, -8.75655264, -8.40751543]),
    (0.5, [3.833374509, 3.820139342, 3.66828077, 3.74627715]),
    (1.0, [5.055276118, 5.054750944, -3.93845912, -3.93492062]),
    (1.5, [4.691026933, 4.690939731, 2.76190462, 2.76257571]),
    (2.0, [4.601880532, 4.601889040, -1.39515652, -1.39551459]),
];

/// Largest error at the times of the reference.
fn worst<P, S: Stepper<P>>(mut stepper: S, problem: &mut P) -> (f64, Statistics)
where
    S::Error: std::fmt::Debug,
{
    let mut worst = 0.0f64;
    for (t, y) in REFERENCE {
        stepper.reach(t);
        integrate(&mut stepper, problem, 1_000_000, |_, _| ControlFlow::Continue(())).unwrap();
        assert_eq!(stepper.t(), t);
        worst = stepper.state().iter().zip(y).fold(worst, |worst, (a, b)| worst.max((a - b).abs()));
    }
    (worst, stepper.statistics())
}

fn norm(tolerance: f64) -> Norm {
    Norm::second_order(2, Tolerance::both(tolerance), Tolerance::both(tolerance))
}

/// Velocities reach 9 rad/s, so a relative tolerance allows about ten times itself.
#[test]
fn implicit_methods_meet_the_reference_in_few_steps() {
    let control = Control::default();
    for (tolerance, most) in [(1e-3, 60), (1e-5, 170), (1e-7, 500)] {
        let norm = || norm(tolerance);
        let rosenbrock = || Rosenbrock::new(norm(), control, 0.0, &START, 2.0);
        let results = [
            worst(Sdirk16::new(norm(), control, 0.0, &START, 2.0), &mut DoublePendulum),
            worst(Sdirk15::new(norm(), control, 0.0, &START, 2.0), &mut DoublePendulum),
            worst(rosenbrock(), &mut DoublePendulum),
            worst(rosenbrock().with_filter(true), &mut DoublePendulum),
        ];
        for (error, statistics) in results {
            assert!(error < 50.0 * tolerance, "{tolerance:e}: {error:e} {statistics:?}");
            assert!(statistics.steps < most, "{tolerance:e}: {statistics:?}");
        }
        // the iterative methods keep their linearisation over many steps
        assert!(results[0].1.jacobians * 4 < results[0].1.steps);
    }
    let (error, statistics) =
        worst(Trapezoidal::new(norm(1e-5), control, 0.0, &START, 2.0), &mut DoublePendulum);
    assert!(error < 1e-4 && statistics.jacobians < 20, "{error:e} {statistics:?}");
}

#[test]
fn an_explicit_method_gets_there_too_but_notices_the_stiffness() {
    let mut pendulum = DoublePendulum;
    let mut problem = FirstOrder(&mut pendulum);
    let mut stiff_at = None;
    let mut s = Dopri5::new(norm(1e-5), None, 0.0, &START, 2.0);
    integrate(&mut s, &mut problem, 1_000_000, |s, step| {
        stiff_at = stiff_at.or(step.stiff.then(|| s.t()));
        ControlFlow::Continue(())
    })
    .unwrap();
    assert!(stiff_at.is_some_and(|t| t < 0.01), "{stiff_at:?}");
    assert!(s.statistics().steps > 10_000);
    let error = s.state().iter().zip(REFERENCE[4].1).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(error < 1e-4, "{error}");
}
