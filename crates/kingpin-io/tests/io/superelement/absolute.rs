//! A flexible body in absolute coordinates of its interfaces, with a frame along the chord between them: the motion is that
//! of the floating frame.

use crate::superelement::mesh::beam;
use crate::superelement::{MATERIAL, model, text};
use kingpin::dynamics::{Method, Settings};
use kingpin::prelude::*;
use kingpin_flex::mesh::{Material, Section};
use kingpin_flex::read::abaqus;
use kingpin_flex::reduce::{Basis, Choice, Interface, Invariants, Recipe, Superelement, reduce};
use kingpin_flex::structure::Structure;
use nalgebra::{DMatrix, DVector, Vector3};

const MODES: usize = 2;
const GRAVITY: f64 = -9.81;
/// Turn of the held end, place and turn of the other, modes.
const N: usize = 4 + MODES;

/// Amplitudes that move in the plane: the turn of the held interface, stretch and turn of the other, modes.
const PLANE: [usize; 3 + MODES] = [5, 6, 11, 12, 13];

/// Integrals of the mass and stiffness of a body by some of its amplitudes.
fn restricted(body: &Superelement) -> (Invariants, DMatrix<f64>) {
    let (from, n) = (&body.invariants, body.mass.nrows());
    let columns = |table: &DMatrix<f64>| table.select_columns(&PLANE);
    let square = |table: &DMatrix<f64>| columns(table).select_rows(&PLANE);
    let pairs = PLANE.iter().flat_map(|i| PLANE.iter().map(move |j| i * n + j));
    let own = Invariants {
        moments: columns(&from.moments),
        turning: columns(&from.turning),
        turnings: PLANE.iter().map(|&j| columns(&from.turnings[j])).collect(),
        amplitudes: square(&from.amplitudes),
        first_inertias: PLANE.iter().map(|&j| from.first_inertias[j]).collect(),
        second_inertias: pairs.map(|k| from.second_inertias[k]).collect(),
        ..from.clone()
    };
    (own, square(&body.stiffness))
}

/// A body that hangs on one interface and swings in the plane.
struct Chord {
    mass: Invariants,
    stiffness: DMatrix<f64>,
    held: Vector3<f64>,
    length: f64,
}

/// A frame along the chord: its angle with the rate, amplitudes of the body with their rates.
struct Placed {
    angle: [f64; 2],
    z: [DVector<f64>; 2],
}

impl Chord {
    /// Amplitudes are motions of interfaces as the chord sees them, and modes.
    fn placed(&self, q: &[f64; N], v: &[f64; N]) -> Placed {
        let (x, y) = (q[1] - self.held.x, q[2] - self.held.y);
        let reach = x.hypot(y);
        let (angle, rate) = (y.atan2(x), (x * v[2] - y * v[1]) / (reach * reach));
        let mut z = [DVector::zeros(PLANE.len()), DVector::zeros(PLANE.len())];
        (z[0][0], z[1][0]) = (q[0] - angle, v[0] - rate);
        (z[0][1], z[1][1]) = (reach - self.length, (x * v[1] + y * v[2]) / reach);
        (z[0][2], z[1][2]) = (q[3] - angle, v[3] - rate);
        for k in 0..MODES {
            (z[0][3 + k], z[1][3 + k]) = (q[4 + k], v[4 + k]);
        }
        Placed { angle: [angle, rate], z }
    }

    fn kinetic(&self, q: &[f64; N], v: &[f64; N]) -> f64 {
        let Placed { angle: [_, rate], z: [z, rates] } = self.placed(q, v);
        let spin = Vector3::new(0.0, 0.0, rate);
        // the held interface stays where it is
        self.mass.kinetic_energy(&-spin.cross(&self.held), &spin, &z, &rates)
    }

    fn potential(&self, q: &[f64; N]) -> f64 {
        let Placed { angle: [angle, _], z: [z, _] } = self.placed(q, &[0.0; N]);
        let mass = self.mass.mass;
        let arm = self.mass.moment_at(&z) - self.held * mass;
        let height = self.held.y * mass + angle.sin() * arm.x + angle.cos() * arm.y;
        0.5 * z.dot(&(&self.stiffness * &z)) - GRAVITY * height
    }

    /// Velocities from momenta, and the rates of these.
    fn rates(&self, q: &[f64; N], p: &[f64; N]) -> ([f64; N], [f64; N]) {
        let unit = |i: usize, j: usize| {
            let mut v = [0.0; N];
            v[i] += 1.0;
            v[j] += 1.0;
            self.kinetic(q, &v)
        };
        // T(2 e_i) = 2 M_ii, T(e_i + e_j) = (M_ii + M_jj) / 2 + M_ij
        let own: Vec<f64> = (0..N).map(|i| 0.5 * unit(i, i)).collect();
        let mass = DMatrix::from_fn(N, N, |i, j| {
            if i == j { own[i] } else { unit(i.min(j), i.max(j)) - 0.5 * (own[i] + own[j]) }
        });
        let solved = mass.cholesky().expect("a mass").solve(&DVector::from_column_slice(p));
        let v: [f64; N] = std::array::from_fn(|k| solved[k]);
        let slope = |k: usize| {
            let h = 1e-5;
            let at = |h: f64| {
                let mut q = *q;
                q[k] += h;
                self.kinetic(&q, &v) - self.potential(&q)
            };
            (at(h) - at(-h)) / (2.0 * h)
        };
        (v, std::array::from_fn(slope))
    }

    /// Where the other interface is after some steps of the classical method of fourth order from rest, and how far it was
    /// bent at most: the turn between both times the length.
    fn swing(&self, h: f64, steps: usize) -> ([f64; 2], f64) {
        let mut q = [0.0; N];
        (q[1], q[2]) = (self.held.x + self.length, self.held.y);
        let (mut p, mut bent) = ([0.0; N], 0.0_f64);
        let add =
            |a: &[f64; N], b: &[f64; N], h: f64| -> [f64; N] { std::array::from_fn(|k| a[k] + h * b[k]) };
        for _ in 0..steps {
            let a = self.rates(&q, &p);
            let b = self.rates(&add(&q, &a.0, 0.5 * h), &add(&p, &a.1, 0.5 * h));
            let c = self.rates(&add(&q, &b.0, 0.5 * h), &add(&p, &b.1, 0.5 * h));
            let d = self.rates(&add(&q, &c.0, h), &add(&p, &c.1, h));
            for k in 0..N {
                q[k] += h / 6.0 * (a.0[k] + 2.0 * b.0[k] + 2.0 * c.0[k] + d.0[k]);
                p[k] += h / 6.0 * (a.1[k] + 2.0 * b.1[k] + 2.0 * c.1[k] + d.1[k]);
            }
            bent = bent.max((q[3] - q[0]).abs() * self.length);
        }
        ([q[1], q[2]], bent)
    }
}

/// How far the ends of both motions are from each other, and how far the body was bent.
fn apart(youngs: f64) -> [f64; 2] {
    let mesh_text = beam([4, 1, 1], [0.4, 0.05, 0.05], 0.0);
    let mut mesh = abaqus(&mesh_text).expect("a mesh");
    mesh.give_section(Section::solid(Material::new("rubber", youngs, 0.3, 2700.0)));
    let structure = Structure::assemble(&mesh).expect("a structure");
    let interfaces = [Interface::rigid("x0", "x0"), Interface::rigid("x1", "x1")];
    let recipe =
        Recipe { interfaces: &interfaces, basis: Basis::CraigBampton(Choice::Count(MODES)), keep: None };
    let body = reduce(&mesh, &structure, &recipe).expect("a body");
    let [held, other] = [body.frames[0].place, body.frames[1].place];
    let (mass, stiffness) = restricted(&body);
    let chord = Chord { length: (other - held).norm(), held, mass, stiffness };
    let (h, steps) = (2.5e-4, 800);
    let (absolute, bent) = chord.swing(h, steps);
    let floating = |material: &str| {
        let own = format!("interfaces = ['x0', 'x1']\nmodes = {MODES}\nforeshortening = false\n");
        let at = format!("[{:?}, {:?}, {:?}]", held.x, held.y, held.z);
        let hinge = format!(
            "gravity = [0, {GRAVITY}, 0]\n[[joint]]\ntype = 'revolute'\nname = 'hinge'\nbody1 = 'ground'\nbody2 = 'arm.x0'\nat = {at}\naxis = [0, 0, 1]\n"
        );
        let (gravity, joint) = hinge.split_once('\n').expect("two lines");
        let text = format!("{gravity}\n{}", text(&own, joint).replace(MATERIAL, material));
        let mechanism = Mechanism::new(model(&mesh_text, &text)).unwrap_or_else(|why| panic!("{why}"));
        let settings = Settings { method: Method::Radau, ..Settings::new(1e-7, h * steps as f64) };
        let results = mechanism.simulate_with(&settings).unwrap_or_else(|why| panic!("{why}"));
        ["arm.x1.x", "arm.x1.y"].map(|name| results.last(name).expect("a channel"))
    };
    let of = |youngs: f64| format!("youngs_modulus = {youngs:e}\npoissons_ratio = 0.3\ndensity = 2700\n");
    let found = floating(&of(youngs));
    println!("E {youngs:e}: {absolute:?} absolute, {found:?} floating");
    [(absolute[0] - found[0]).hypot(absolute[1] - found[1]), bent]
}

/// Both are linear in what the body does beside its frame, so they differ by the square of its turns and no more.
#[test]
fn absolute_coordinates_of_interfaces_give_the_motion_of_the_floating_frame() {
    let [far, bent] = apart(2e6);
    println!("{far:e} m apart, bent by {bent:e} m");
    assert!(bent > 5e-3 && far < 0.01 * bent, "{far:e} {bent:e}");
}
