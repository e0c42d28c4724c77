//! Reduced bodies in frames that follow them in the mean: the same kinetic energy, the same frequencies.

use kingpin_flex::mesh::{Material, Section, box_mesh};
use kingpin_flex::reduce::{Basis, Choice, Floating, Interface, Recipe, Superelement, reduce};
use kingpin_flex::structure::Structure;
use nalgebra::{DMatrix, DVector, Matrix3, SymmetricEigen, Vector3};

fn body(basis: Basis, interfaces: &[Interface]) -> Superelement {
    let mut mesh = box_mesh([6, 2, 1], [0.6, 0.1, 0.06], [0.1, -0.05, 0.02]);
    mesh.give_section(Section::solid(Material::new("aluminium", 73e9, 0.3, 2700.0)));
    let structure = Structure::assemble(&mesh).expect("sound");
    reduce(&mesh, &structure, &Recipe { interfaces, basis, keep: None }).expect("a reduction")
}

fn ends() -> [Interface; 2] {
    [Interface::rigid("left", "x0"), Interface::mean("right", "x1")]
}

/// Numbers between -1 and 1 that look random.
fn numbers(count: usize, seed: f64) -> DVector<f64> {
    DVector::from_fn(count, |k, _| ((k as f64 + seed) * 12.9898).sin())
}

fn three(of: &DVector<f64>) -> Vector3<f64> {
    Vector3::new(of[0], of[1], of[2])
}

/// Kinetic energy of all but the interfaces, v at the origin of the mesh.
fn kinetic(
    own: &Floating,
    v: &Vector3<f64>,
    w: &Vector3<f64>,
    z: &DVector<f64>,
    rates: &DVector<f64>,
) -> f64 {
    let n = z.len();
    let mut inertia = own.inertia;
    let mut spin = Vector3::zeros();
    for i in 0..n {
        inertia += own.first[i] * z[i];
        for j in 0..n {
            inertia += own.second[i * n + j] * (z[i] * z[j]);
            spin += own.turning[i * n + j] * (z[i] * rates[j]);
        }
    }
    let centre = v + w.cross(&own.centre);
    let each = own.masses.iter().zip(rates.iter());
    0.5 * own.mass * centre.norm_squared()
        + 0.5 * w.dot(&(inertia * w))
        + w.dot(&spin)
        + 0.5 * each.map(|(m, x)| m * x * x).sum::<f64>()
}

/// That of the masses at the interfaces, as displacements of first order have it.
fn of_interfaces(
    own: &Floating,
    v: &Vector3<f64>,
    w: &Vector3<f64>,
    z: &DVector<f64>,
    rates: &DVector<f64>,
) -> f64 {
    let part = |motion: &DMatrix<f64>, x: &DVector<f64>| {
        let moved = motion * x;
        [Vector3::new(moved[0], moved[1], moved[2]), Vector3::new(moved[3], moved[4], moved[5])]
    };
    own.frames
        .iter()
        .map(|frame| {
            let ([u, turn], [du, dturn]) = (part(&frame.motion, z), part(&frame.motion, rates));
            let moves = v + w.cross(&(frame.place + u)) + du;
            let inside =
                w.cross_matrix() * (Matrix3::identity() + turn.cross_matrix()) + dturn.cross_matrix();
            0.5 * frame.mass * moves.norm_squared() + 0.25 * frame.inertia * inside.norm_squared()
        })
        .sum()
}

#[test]
fn kinetic_energy_is_that_of_all_nodes_for_any_deformation() {
    let body = body(Basis::CraigBampton(Choice::Count(5)), &ends());
    let own = body.floating().expect("a floating frame");
    assert_eq!(own.masses.len(), 2 * 6 + 5 - 6);
    let whole = &own.amounts + body.rigid_amplitudes() * &own.rigid;
    let (z, rates) = (numbers(11, 1.0) * 0.05, numbers(11, 2.0));
    let (v, w) = (three(&numbers(3, 3.0)), three(&numbers(3, 4.0)) * 3.0);
    let exact = body.invariants.kinetic_energy(&v, &w, &(&whole * &z), &(&whole * &rates));
    let found = kinetic(&own, &v, &w, &z, &rates) + of_interfaces(&own, &v, &w, &z, &rates);
    assert!((found / exact - 1.0).abs() < 1e-12, "{found} {exact}");
    // interfaces have something, and leave the most
    assert!(own.frames.iter().all(|frame| frame.mass > 1e-4 * own.whole_mass && frame.inertia > 0.0));
    assert!(own.mass > 0.5 * own.whole_mass, "{} of {}", own.mass, own.whole_mass);
}

#[test]
fn frequencies_are_those_of_the_reduced_matrices() {
    let bases = [Basis::CraigBampton(Choice::Count(6)), Basis::FreeFree(Choice::Count(12))];
    for basis in bases {
        let body = body(basis, &ends());
        let own = body.floating().expect("a floating frame");
        // of the reduced matrices, rigid motions taken away by a shift
        let (k, m) = (&body.stiffness, &body.mass);
        let l = m.clone().cholesky().expect("definite").l();
        let inverse = l.clone().try_inverse().expect("regular");
        let mut squares: Vec<f64> =
            SymmetricEigen::new(&inverse * k * inverse.transpose()).eigenvalues.iter().copied().collect();
        squares.sort_by(f64::total_cmp);
        let first = squares.len() - own.hertz.len();
        for (found, square) in own.hertz.iter().zip(&squares[first..]).take(4) {
            let exact = square.sqrt() / std::f64::consts::TAU;
            assert!((found / exact - 1.0).abs() < 1e-7, "{found} {exact}");
        }
    }
}
