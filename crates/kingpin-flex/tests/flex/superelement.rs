//! A beam of 12 x 2 x 2 hexahedra as a superelement: frequencies, rigid motions, kinetic energy, bytes.

use kingpin_flex::FlexError;
use kingpin_flex::mesh::{Material, Mesh, Section, box_mesh};
use kingpin_flex::modes::Pencil;
use kingpin_flex::reduce::{
    Basis, Choice, Hold, Interface, NodeChoice, Recipe, Superelement, fingerprint, reduce, reduce_matrices,
};
use kingpin_flex::structure::{Structure, SymmetricMatrix};
use nalgebra::{DMatrix, DVector, SymmetricEigen, Vector3};

/// 600 x 100 x 100 mm of aluminium, the axis along x.
fn beam() -> (Mesh, Structure) {
    let mut mesh = box_mesh([12, 2, 2], [0.6, 0.1, 0.1], [0.0, -0.05, -0.05]);
    mesh.give_section(Section::solid(Material::new("aluminium", 73e9, 0.3, 2700.0)));
    let structure = Structure::assemble(&mesh).unwrap();
    (mesh, structure)
}

fn ends() -> [Interface; 2] {
    [Interface::rigid("left", "x0"), Interface::rigid("right", "x1")]
}

fn reduced(choice: Choice) -> Superelement {
    let (mesh, structure) = beam();
    let recipe = Recipe { interfaces: &ends(), basis: Basis::CraigBampton(choice), keep: None };
    reduce(&mesh, &structure, &recipe).unwrap()
}

/// Frequencies of dense matrices in Hz, without those of the first coordinates where these are held.
fn frequencies(body: &Superelement, held: usize) -> Vec<f64> {
    let rest = body.mass.nrows() - held;
    let own = |a: &DMatrix<f64>| a.view((held, held), (rest, rest)).into_owned();
    let lower = own(&body.mass).cholesky().unwrap().unpack();
    let half = lower.solve_lower_triangular(&own(&body.stiffness)).unwrap();
    let both = lower.solve_lower_triangular(&half.transpose()).unwrap();
    let eigen = SymmetricEigen::new((&both + both.transpose()) * 0.5);
    let mut found: Vec<f64> =
        eigen.eigenvalues.iter().map(|x| x.max(0.0).sqrt() / std::f64::consts::TAU).collect();
    found.sort_by(f64::total_cmp);
    found
}

fn random(count: usize, seed: u64) -> Vec<f64> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    };
    (0..count).map(|_| next()).collect()
}

/// The structure with both ends tied, unreduced: all modes of the inside are kept.
#[test]
fn frequencies_come_near_those_of_the_mesh_with_the_number_of_modes() {
    let (_, structure) = beam();
    let inside = structure.stiffness.order() - 2 * 27;
    let full = reduced(Choice::Count(inside));
    let (free, clamped) = (frequencies(&full, 0)[6], frequencies(&full, 6)[0]);
    assert!((free - 1465.33).abs() < 5e-3, "{free}");
    assert!((clamped - 246.979).abs() < 5e-4, "{clamped}");
    let table = [
        (0, 0.21, 6.4e-3),
        (2, 0.0096, 6.9e-4),
        (6, 0.0096, 1.5e-4),
        (10, 0.0014, 4.8e-5),
        (20, 2.6e-4, 2.7e-6),
    ];
    for (count, free_error, clamped_error) in table {
        let body = reduced(Choice::Count(count));
        let found = (frequencies(&body, 0)[6] / free - 1.0, frequencies(&body, 6)[0] / clamped - 1.0);
        // two digits are known
        assert!((found.0 / free_error - 1.0).abs() < 0.03, "{count}: {found:?}");
        assert!((found.1 / clamped_error - 1.0).abs() < 0.03, "{count}: {found:?}");
    }
}

#[test]
fn modes_up_to_a_frequency_are_all_of_them() {
    let many = reduced(Choice::Count(20));
    let limit = 0.5 * (many.hertz[11] + many.hertz[12]);
    let some = reduced(Choice::UpTo(limit));
    assert_eq!(some.hertz.len(), 12);
    assert!(some.hertz.iter().zip(&many.hertz).all(|(a, b)| (a / b - 1.0).abs() < 1e-9));
    let chosen = reduced(Choice::Numbers(vec![3, 1, 12]));
    assert!((chosen.hertz[2] / many.hertz[11] - 1.0).abs() < 1e-9 && chosen.hertz[0] > chosen.hertz[1]);
}

#[test]
fn rigid_motions_are_exact() {
    for hold in [Hold::Rigid, Hold::Mean] {
        let (mesh, structure) = beam();
        let interfaces = ends().map(|own| Interface { hold, ..own });
        let basis = Basis::CraigBampton(Choice::Count(8));
        let body = reduce(&mesh, &structure, &Recipe { interfaces: &interfaces, basis, keep: None }).unwrap();
        let rigid = body.rigid_amplitudes();
        let left = (&body.stiffness * &rigid).amax() / body.stiffness.amax();
        assert!(left < 1e-12, "{hold:?}: {left:e}");
        let moved = &body.displacements * &rigid - structure.rigid_motions();
        assert!(moved.amax() < 1e-12, "{hold:?}: {:e}", moved.amax());
        let whole = structure.rigid_motions();
        let mass = whole.tr_mul(&structure.mass.times(&whole));
        let error = (rigid.tr_mul(&body.mass) * &rigid - &mass).amax();
        assert!(error < 1e-11 && (mass[(0, 0)] - 16.2).abs() < 1e-12, "{hold:?}: {error:e}");
    }
}

/// Psi^T K Psi and Psi^T M Psi, with Psi of all nodes, whatever the interfaces are.
#[test]
fn reduced_matrices_are_those_of_the_fields() {
    let (mesh, structure) = beam();
    let point = Interface::point("corner", mesh.nodes[40].number);
    let held = [Interface::mean("left", "x0"), Interface::rigid("right", "x1"), point];
    let basis = Basis::CraigBampton(Choice::Count(5));
    let body = reduce(&mesh, &structure, &Recipe { interfaces: &held, basis, keep: None }).unwrap();
    let psi = &body.displacements;
    for (own, matrix) in [(&body.stiffness, &structure.stiffness), (&body.mass, &structure.mass)] {
        let error = (psi.tr_mul(&matrix.times(psi)) - own).amax() / own.amax();
        assert!(error < 1e-12, "{error:e}");
    }
    // the frame of a mean interface is the mean of its nodes
    let z = random(body.mass.nrows(), 5);
    let moved = body.recover(&z);
    let set = mesh.node_set("x0").unwrap();
    let mean = set.iter().map(|&node| moved[node]).sum::<Vector3<f64>>() / set.len() as f64;
    assert!((mean - Vector3::new(z[0], z[1], z[2])).norm() < 1e-12);
    assert!((moved[40] - Vector3::new(z[12], z[13], z[14])).norm() < 1e-12);
}

/// A force on a frame that nodes follow in the mean is spread over them, and static fields are exact.
#[test]
fn a_force_on_a_mean_frame_is_spread_over_its_nodes() {
    let (mesh, structure) = beam();
    let held = [Interface::rigid("left", "x0"), Interface::mean("right", "x1")];
    let basis = Basis::CraigBampton(Choice::Count(0));
    let body = reduce(&mesh, &structure, &Recipe { interfaces: &held, basis, keep: None }).unwrap();
    let tip = mesh.node_set("x1").unwrap();
    let mut loads = DMatrix::zeros(structure.stiffness.order(), 1);
    tip.iter().for_each(|&node| loads[3 * node + 2] = 900.0 / tip.len() as f64);
    let moved = structure.displacements(mesh.node_set("x0").unwrap(), &loads).unwrap();
    let mean = tip.iter().map(|&node| moved[3 * node + 2]).sum::<f64>() / tip.len() as f64;
    let mut force = DVector::zeros(6);
    force[2] = 900.0;
    let own = body.stiffness.view((6, 6), (6, 6)).into_owned().cholesky().unwrap().solve(&force);
    assert!((own[2] / mean - 1.0).abs() < 1e-9, "{} {mean}", own[2]);
    let mut z = vec![0.0; 12];
    z[6..].copy_from_slice(own.as_slice());
    let error = body
        .recover(&z)
        .into_iter()
        .enumerate()
        .map(|(node, u)| (u - moved.fixed_rows::<3>(3 * node)).norm());
    assert!(error.fold(0.0, f64::max) < 1e-9 * moved.amax());
}

#[test]
fn kinetic_energy_is_the_sum_over_nodes() {
    let (_, structure) = beam();
    let body = reduced(Choice::Count(8));
    let columns = body.mass.nrows();
    let numbers = random(6 + 2 * columns, 11);
    let v = Vector3::from_column_slice(&numbers[..3]);
    let w = Vector3::from_column_slice(&numbers[3..6]) * 5.0;
    let z = DVector::from_column_slice(&numbers[6..6 + columns]) * 0.03;
    let rates = DVector::from_column_slice(&numbers[6 + columns..]);
    let (places, speeds) = (&body.displacements * &z, &body.displacements * &rates);
    let velocity = DMatrix::from_fn(3 * structure.places.len(), 1, |row, _| {
        let node = row / 3;
        let place = structure.places[node] + places.fixed_rows::<3>(3 * node);
        (v + w.cross(&place) + speeds.fixed_rows::<3>(3 * node))[row % 3]
    });
    let exact = 0.5 * velocity.dot(&structure.mass.times(&velocity));
    let found = body.invariants.kinetic_energy(&v, &w, &z, &rates);
    assert!((found / exact - 1.0).abs() < 2e-15, "{:e}", found / exact - 1.0);
    // none of the parts can be left out
    let mut less = body.invariants.clone();
    less.second_inertias.iter_mut().for_each(|own| own.fill(0.0));
    assert!((less.kinetic_energy(&v, &w, &z, &rates) / exact - 1.0).abs() > 1e-7);
}

/// The chord of a beam whose right end turns is known from the cubic of its axis.
#[test]
fn bending_shortens_the_chord() {
    let mut mesh = box_mesh([60, 1, 1], [1.2, 0.02, 0.02], [0.0, -0.01, -0.01]);
    mesh.elements.iter_mut().for_each(|e| e.shape = kingpin_flex::mesh::Shape::BendingHexahedron);
    mesh.give_section(Section::solid(Material::new("aluminium", 73e9, 0.3, 2700.0)));
    let structure = Structure::assemble(&mesh).unwrap();
    let recipe = Recipe { interfaces: &ends(), basis: Basis::CraigBampton(Choice::Count(2)), keep: None };
    let body = reduce(&mesh, &structure, &recipe).unwrap();
    let g = body.foreshortening.clone().unwrap();
    // w = l (s^3 - s^2): int w'^2 ds = 2 l / 15; a rigid turn about the left end: l
    let (turn, length) = (11, 1.2);
    assert!((g[(turn, turn)] / (2.0 * length / 15.0) - 1.0).abs() < 0.01, "{}", g[(turn, turn)]);
    let rigid = body.rigid_amplitudes();
    let whole = (rigid.tr_mul(&g) * &rigid)[(5, 5)];
    assert!((whole / length - 1.0).abs() < 1e-9, "{whole}");
    assert!(reduced(Choice::Count(2)).foreshortening.is_some());
}

#[test]
fn bytes_come_back_as_they_were() {
    let (mesh, structure) = beam();
    let keep = Some(NodeChoice::Numbers(vec![5, 17, 100]));
    let own = ends();
    let recipe = Recipe { interfaces: &own, basis: Basis::CraigBampton(Choice::Count(3)), keep };
    let body = reduce(&mesh, &structure, &recipe).unwrap();
    assert_eq!((body.displacements.nrows(), body.nodes.as_slice()), (9, [5, 17, 100].as_slice()));
    assert_eq!(fingerprint(&mesh, &structure, &recipe), Ok(body.fingerprint));
    let bytes = body.to_bytes();
    assert_eq!(Superelement::from_bytes(&bytes), Ok(body.clone()));
    // the same input gives the same bits
    assert_eq!(reduce(&mesh, &structure, &recipe).unwrap().to_bytes(), bytes);
    for cut in [0, 7, 8, 100, bytes.len() - 1] {
        assert!(matches!(Superelement::from_bytes(&bytes[..cut]), Err(FlexError::BadBytes { .. })), "{cut}");
    }
    for k in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[k] ^= 1 << (k % 8);
        assert!(Superelement::from_bytes(&changed).is_err(), "{k}");
    }
    // any number that is another gives another fingerprint
    let mut other = structure.clone();
    *other.mass.values.last_mut().unwrap() *= 1.0 + 1e-15;
    assert_ne!(fingerprint(&mesh, &other, &recipe), Ok(body.fingerprint));
    let recipe = Recipe { basis: Basis::CraigBampton(Choice::Count(4)), ..recipe };
    assert_ne!(fingerprint(&mesh, &structure, &recipe), Ok(body.fingerprint));
}

#[test]
fn free_modes_are_those_of_the_free_beam() {
    let (mesh, structure) = beam();
    let own = ends();
    let recipe = Recipe { interfaces: &own, basis: Basis::FreeFree(Choice::Count(12)), keep: None };
    let body = reduce(&mesh, &structure, &recipe).unwrap();
    let all = dense_frequencies(&structure.stiffness, &structure.mass);
    for (k, hertz) in body.hertz.iter().enumerate() {
        assert!((hertz / all[6 + k] - 1.0).abs() < 1e-8, "{k}: {hertz} {}", all[6 + k]);
    }
    // fields of a caller: the same ones again
    let basis = Basis::Given(body.displacements.clone());
    let given = reduce(&mesh, &structure, &Recipe { basis, ..recipe.clone() }).unwrap();
    assert!((&given.stiffness - &body.stiffness).amax() < 1e-9 * body.stiffness.amax());
    let twice = DMatrix::from_fn(structure.stiffness.order(), 2, |row, _| body.displacements[(row, 0)]);
    let recipe = Recipe { basis: Basis::Given(twice), ..recipe };
    assert_eq!(reduce(&mesh, &structure, &recipe).unwrap_err(), FlexError::ModesDepend { mode: 2 });
}

fn dense_frequencies(stiffness: &SymmetricMatrix, mass: &SymmetricMatrix) -> Vec<f64> {
    let lower = mass.dense().cholesky().unwrap().unpack();
    let half = lower.solve_lower_triangular(&stiffness.dense()).unwrap();
    let both = lower.solve_lower_triangular(&half.transpose()).unwrap();
    let mut found: Vec<f64> =
        ((&both + both.transpose()) * 0.5).symmetric_eigenvalues().iter().copied().collect();
    found.sort_by(f64::total_cmp);
    found.iter().map(|x| x.max(0.0).sqrt() / std::f64::consts::TAU).collect()
}

#[test]
fn lanczos_finds_what_dense_matrices_have() {
    let (_, structure) = beam();
    let all = dense_frequencies(&structure.stiffness, &structure.mass);
    let pencil = Pencil::free(&structure.stiffness, &structure.mass).unwrap();
    let found = pencil.slowest(40).unwrap();
    let hertz = found.hertz();
    assert!(hertz[..6].iter().all(|x| *x < 1e-3 * hertz[6]), "{hertz:?}");
    for k in 6..40 {
        assert!((hertz[k] / all[k] - 1.0).abs() < 1e-8, "{k}: {} {}", hertz[k], all[k]);
    }
    let unit = found.shapes.tr_mul(&structure.mass.times(&found.shapes));
    assert!((unit - DMatrix::identity(40, 40)).amax() < 1e-8);
    let wide = (10..40).max_by(|&a, &b| (all[a] - all[a - 1]).total_cmp(&(all[b] - all[b - 1]))).unwrap();
    assert_eq!(pencil.count_below(0.5 * (all[wide - 1] + all[wide])), Ok(wide));
}

#[test]
fn matrices_from_outside_are_reduced_alike() {
    let (mesh, structure) = beam();
    let given =
        Structure::from_matrices(&structure.stiffness, &structure.mass, structure.places.clone()).unwrap();
    let numbers = |set: &str| {
        NodeChoice::Numbers(mesh.node_set(set).unwrap().iter().map(|&k| mesh.nodes[k].number).collect())
    };
    let interfaces = [("left", "x0"), ("right", "x1")]
        .map(|(name, set)| Interface { nodes: numbers(set), ..Interface::rigid(name, set) });
    let basis = Basis::CraigBampton(Choice::Count(8));
    let body = reduce_matrices(&given, &Recipe { interfaces: &interfaces, basis, keep: None }).unwrap();
    let own = reduced(Choice::Count(8));
    assert_eq!((body.stiffness, body.mass), (own.stiffness, own.mass));
    assert_eq!(body.fingerprint, own.fingerprint);
}
