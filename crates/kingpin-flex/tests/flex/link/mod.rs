//! A link of a robot in tetrahedra of ten nodes: frequencies against CalculiX.
//!
//! Known frequencies are those of CalculiX 2.20: `cargo nextest run --workspace --test flex --run-ignored only link::decks`
//! writes
//! `target/link/*.inp`, `ccx -i target/link/fine_held` prints them to `target/link/fine_held.dat`. Its mass is summed over
//! four places of an element, ours exactly, which the coarse mesh shows in the fourth digit.

mod mesh;

use kingpin_flex::mesh::Mesh;
use kingpin_flex::modes::Pencil;
use kingpin_flex::read::abaqus;
use kingpin_flex::reduce::{Basis, Choice, Interface, Recipe, Superelement, reduce};
use kingpin_flex::structure::Structure;
use mesh::{COARSE, FINE, deck, link};
use nalgebra::{DMatrix, SymmetricEigen};

/// Hz, with both bores held, free, and free with rigid bores.
struct Known {
    held: [f64; 8],
    free: [f64; 8],
    rigid: [f64; 8],
}

const COARSE_KNOWN: Known = Known {
    held: [1198.881, 2138.245, 3145.619, 3176.112, 5085.551, 5935.736, 6413.449, 6949.944],
    free: [729.0228, 1528.619, 1858.932, 2140.861, 3361.719, 3361.795, 4183.085, 5193.957],
    rigid: [735.2014, 1580.541, 1945.971, 2224.528, 3768.740, 3814.621, 4728.129, 5775.231],
};

const FINE_KNOWN: Known = Known {
    held: [1172.634, 2153.510, 3057.097, 3059.090, 5096.745, 5620.856, 6167.685, 6967.918],
    free: [705.0429, 1473.228, 1780.764, 1993.022, 3166.213, 3205.694, 3923.232, 4808.244],
    rigid: [712.4347, 1533.573, 1881.626, 2078.752, 3617.405, 3711.448, 4461.159, 5684.115],
};

fn assert_near(found: &[f64], known: &[f64], tolerance: f64) {
    assert!(found.len() >= known.len());
    for (found, known) in found.iter().zip(known) {
        assert!((found / known - 1.0).abs() < tolerance, "{found} {known}");
    }
}

/// Elastic frequencies of a reduced body that nothing holds.
fn free(body: &Superelement) -> Vec<f64> {
    let lower = body.mass.clone().cholesky().unwrap().unpack();
    let half = lower.solve_lower_triangular(&body.stiffness).unwrap();
    let both: DMatrix<f64> = lower.solve_lower_triangular(&half.transpose()).unwrap();
    let mut squares: Vec<f64> =
        SymmetricEigen::new((&both + both.transpose()) * 0.5).eigenvalues.iter().copied().collect();
    squares.sort_by(f64::total_cmp);
    squares[6..].iter().map(|x| x.sqrt() / std::f64::consts::TAU).collect()
}

fn reduced(mesh: &Mesh, structure: &Structure) -> Superelement {
    let interfaces = [Interface::rigid("shoulder", "bore a"), Interface::rigid("elbow", "bore b")];
    let basis = Basis::CraigBampton(Choice::UpTo(40e3));
    reduce(mesh, structure, &Recipe { interfaces: &interfaces, basis, keep: None }).unwrap()
}

fn compare(mesh: &Mesh, known: &Known, tolerance: f64) {
    let structure = Structure::assemble(mesh).unwrap();
    let body = reduced(mesh, &structure);
    assert_near(&body.hertz, &known.held, tolerance);
    assert_near(&free(&body), &known.rigid, 1e-3);
    let rigid = body.rigid_amplitudes();
    assert!((&body.stiffness * &rigid).amax() < 1e-9 * body.stiffness.amax());
    let whole = structure.rigid_motions();
    let mass = whole.tr_mul(&structure.mass.times(&whole));
    assert!((rigid.tr_mul(&body.mass) * &rigid - &mass).amax() < 1e-9 * mass.amax());
    assert!((body.invariants.mass / mass[(0, 0)] - 1.0).abs() < 1e-12);
    assert!(body.foreshortening.is_some());
    let pencil = Pencil::free(&structure.stiffness, &structure.mass).unwrap();
    assert_near(&pencil.slowest(14).unwrap().hertz()[6..], &known.free, tolerance);
}

#[test]
fn a_coarse_link_has_the_frequencies_of_calculix() {
    let mesh = link(&COARSE);
    assert_eq!((mesh.nodes.len(), mesh.elements.len()), (1005, 432));
    compare(&mesh, &COARSE_KNOWN, 1e-3);
}

/// 26,663 nodes; optimised, a reduction to 20 modes takes about 35 s of one core and 1.1 GB, all of this test two minutes:
/// `cargo nextest run --release --workspace --test flex --run-ignored only link::a_fine_link`
#[test]
#[ignore = "takes minutes where it is not optimised"]
fn a_fine_link_has_the_frequencies_of_calculix() {
    let mesh = link(&FINE);
    assert_eq!((mesh.nodes.len(), mesh.elements.len()), (26_663, 16_200));
    compare(&mesh, &FINE_KNOWN, 1e-5);
}

/// What is written for CalculiX is read as the same mesh.
#[test]
fn decks_are_read_back() {
    let mesh = link(&COARSE);
    let read = abaqus(&deck(&mesh, "", 8)).unwrap();
    assert_eq!(read.elements, mesh.elements);
    assert_eq!(read.node_sets["BORE_A"], mesh.node_sets["bore a"]);
    let far = read.nodes.iter().zip(&mesh.nodes).map(|(a, b)| (a.place - b.place).norm());
    assert!(far.fold(0.0, f64::max) < 1e-12);
}

#[test]
#[ignore = "writes decks for CalculiX"]
fn decks() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/link");
    std::fs::create_dir_all(&folder).unwrap();
    for (name, fine) in [("coarse", COARSE), ("fine", FINE)] {
        let mesh = link(&fine);
        let write = |kind: &str, more: &str, modes: usize| {
            std::fs::write(folder.join(format!("{name}_{kind}.inp")), deck(&mesh, more, modes)).unwrap();
        };
        write("held", "*BOUNDARY\nBORE_A, 1, 3\nBORE_B, 1, 3\n", 8);
        write("free", "", 14);
        let [a, b, c, d] = [1, 2, 3, 4].map(|k| mesh.nodes.len() + k);
        let frames = format!(
            "*NODE\n{a}, 0., 0., 0.\n{b}, 0., 0., 0.\n{c}, .4, 0., 0.\n{d}, .4, 0., 0.\n\
             *RIGID BODY, NSET=BORE_A, REF NODE={a}, ROT NODE={b}\n*RIGID BODY, NSET=BORE_B, REF NODE={c}, ROT NODE={d}\n"
        );
        write("rigid", &frames, 14);
    }
}
