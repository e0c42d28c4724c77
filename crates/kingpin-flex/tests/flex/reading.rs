//! Texts of other programs, and what is wrong with them.

use kingpin_flex::mesh::{Material, Section, Shape};
use kingpin_flex::read::{abaqus, gmsh, matrix_market, matrix_market_table, npz_arrays, npz_matrix};
use kingpin_flex::structure::Structure;
use nalgebra::DMatrix;

const CUBE: &str = "\
*HEADING
A cube of steel
** nodes
*NODE, NSET=All
1, 0., 0., 0.
2, 1., 0., 0.
3, 1., 1., 0.
4, 0., 1., 0.
5, 0., 0., 1.
6, 1., 0., 1.
7, 1., 1., 1.
8, 0., 1., 1.
*ELEMENT, TYPE=C3D8I, ELSET=body
7, 1, 2, 3, 4,
5, 6, 7, 8
*NSET, NSET=bottom, GENERATE
1, 4, 1
*NSET, NSET=top
5, 6, 7, 8
*NSET, NSET=both
BOTTOM, 8
*MATERIAL, NAME=Steel
*ELASTIC
2.1D11, 0.3
*DENSITY
7850.
*SOLID SECTION, ELSET=Body, MATERIAL=STEEL
*STEP
*FREQUENCY
3
*END STEP
";

#[test]
fn a_mesh_of_abaqus() {
    let mesh = abaqus(CUBE).unwrap();
    assert_eq!((mesh.nodes.len(), mesh.elements.len(), mesh.elements[0].number), (8, 1, 7));
    assert_eq!(mesh.elements[0].shape, Shape::BendingHexahedron);
    assert_eq!(mesh.node_sets["bottom"], [0, 1, 2, 3]);
    assert_eq!(mesh.node_sets["both"], [0, 1, 2, 3, 7]);
    assert_eq!(mesh.node_sets["All"].len(), 8);
    assert_eq!((mesh.sections[0].material.young, mesh.sections[0].material.density), (2.1e11, 7850.0));
    let mass = Structure::assemble(&mesh).unwrap().node_mass().unwrap();
    assert!((mass.times(&DMatrix::repeat(8, 1, 1.0)).sum() - 7850.0).abs() < 1e-9);
}

#[test]
fn what_is_wrong_with_a_mesh_of_abaqus() {
    let told = |from: &str, to: &str| {
        assert!(CUBE.contains(from), "{from}");
        abaqus(&CUBE.replacen(from, to, 1)).unwrap_err().to_string()
    };
    assert_eq!(told("C3D8I", "C3D20"), "line 13: elements of type C3D20 are not supported");
    assert_eq!(
        told("5, 6, 7, 8\n*NSET", "5, 6, 7, 9\n*NSET"),
        "line 15: element 7 refers to node 9, which does not exist"
    );
    assert_eq!(told("BOTTOM, 8", "BOTTON, 8"), "line 21: there is no `BOTTON`; did you mean `bottom`?");
    assert_eq!(told("ELSET=Body", "ELSET=Boddy"), "line 27: there is no `Boddy`; did you mean `body`?");
    assert_eq!(told("MATERIAL=STEEL", "MATERIAL=IRON"), "line 27: there is no `IRON`");
    assert_eq!(told("7850.", "heavy"), "line 26: `heavy` is not a valid number here");
    assert_eq!(told("2, 1., 0., 0.", "1, 1., 0., 0."), "line 6: 1 is defined twice");
    assert_eq!(
        told("*ELASTIC", "*ELASTIC, TYPE=ORTHO"),
        "line 23: a material of type ORTHO is not supported"
    );
    assert_eq!(told("*HEADING", "*INCLUDE, INPUT=a.inp"), "line 1: *INCLUDE is not supported");
    assert_eq!(
        told("5, 6, 7, 8\n*NSET", "5, 6, 7\n*NSET"),
        "line 16: all nodes of an element is expected here"
    );
    assert_eq!(told("1, 4, 1", "1, 4, 1, 9"), "line 17: first, last and step is expected here");
}

const PAIR: &str = "\
$MeshFormat
4.1 0 8
$EndMeshFormat
$PhysicalNames
2
1 4 \"left\"
2 3 \"whole sheet\"
$EndPhysicalNames
$Entities
0 1 1 0
1 0 0 0 0 1 0 1 4 0
1 0 0 0 2 1 0 1 3 1 1
$EndEntities
$Nodes
2 6 1 6
1 1 0 2
1
2
0 0 0
0 1 0
2 1 0 4
3
4
5
6
1 0 0
1 1 0
2 0 0
2 1 0
$EndNodes
$Elements
2 3 1 3
1 1 1 1
1 1 2
2 1 3 2
2 1 3 4 2
3 3 5 6 4
$EndElements
";

const PAIR_OF_VERSION_2: &str = "\
$MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
2
1 4 \"left\"
2 3 \"whole sheet\"
$EndPhysicalNames
$Nodes
6
1 0 0 0
2 0 1 0
3 1 0 0
4 1 1 0
5 2 0 0
6 2 1 0
$EndNodes
$Elements
3
1 1 2 4 1 1 2
2 3 2 3 1 1 3 4 2
3 3 2 3 1 3 5 6 4
$EndElements
";

#[test]
fn a_mesh_of_gmsh_of_both_versions() {
    let mesh = gmsh(PAIR).unwrap();
    assert_eq!(mesh, gmsh(PAIR_OF_VERSION_2).unwrap());
    assert_eq!(mesh.elements.len(), 2);
    assert_eq!(mesh.elements[1].nodes, [2, 4, 5, 3]);
    assert_eq!(mesh.node_sets["left"], [0, 1]);
    assert_eq!(mesh.element_sets["whole sheet"], [0, 1]);
    assert!(!mesh.element_sets.contains_key("left"));
}

#[test]
fn what_is_wrong_with_a_mesh_of_gmsh() {
    let told = |from: &str, to: &str| {
        assert!(PAIR.contains(from), "{from}");
        gmsh(&PAIR.replacen(from, to, 1)).unwrap_err().to_string()
    };
    assert_eq!(told("3 3 5 6 4", "3 3 5 8 4"), "line 37: element 3 refers to node 8, which does not exist");
    assert_eq!(
        told("2 1 3 2\n2 1", "2 1 99 2\n2 1"),
        "line 36: elements of type 99 of Gmsh are not supported"
    );
    assert_eq!(told("4.1 0 8", "4.1 1 8"), "line 2: a binary file of Gmsh is not supported");
    assert_eq!(told("4.1 0 8", "3 0 8"), "line 2: version 3 of Gmsh is not supported");
    assert_eq!(told("1 1 0\n2 0 0", "1 one 0\n2 0 0"), "line 27: `one` is not a valid number here");
    assert_eq!(
        told("3 3 5 6 4\n$EndElements\n", "3 3 5 6 4\n"),
        "line 37: the end of a section is expected here"
    );
    // triangles with three nodes have no stiffness here
    assert_eq!(
        told("2 1 3 2\n2 1 3 4 2\n3 3 5 6 4", "2 1 2 2\n2 1 3 4\n3 3 5 6"),
        "line 36: elements of type 2 of Gmsh are not supported"
    );
}

fn known() -> DMatrix<f64> {
    DMatrix::from_row_slice(3, 3, &[4.0, -1.0, 0.0, -1.0, 3.0, 0.5, 0.0, 0.5, 2.0])
}

#[test]
fn matrices_of_matrix_market() {
    let symmetric = "%%MatrixMarket matrix coordinate real symmetric\n% a comment\n3 3 5\n1 1 4\n2 1 -1\n2 2 3\n3 2 .5\n3 3 2\n";
    assert_eq!(matrix_market(symmetric).unwrap().dense(), known());
    let general = "%%MatrixMarket matrix coordinate real general\n2 2 4\n1 1 4\n2 1 -1\n1 2 -1\n2 2 3\n";
    assert_eq!(matrix_market(general).unwrap().dense(), known().view((0, 0), (2, 2)));
    let told = matrix_market(&general.replace("1 2 -1", "1 2 -2")).unwrap_err().to_string();
    assert_eq!(told, "line 1: the matrix is not symmetric: entry 1, 2 differs from 2, 1");
    let told = matrix_market(&general.replace("2 2 3", "2 3 3")).unwrap_err().to_string();
    assert_eq!(told, "line 6: a row and a column of the matrix is expected here");
    let table = matrix_market_table("%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n4\n").unwrap();
    assert_eq!(table, DMatrix::from_row_slice(2, 2, &[1.0, 3.0, 2.0, 4.0]));
    let huge = "%%MatrixMarket matrix coordinate real symmetric\n99999999999 99999999999 1\n1 1 1\n";
    assert!(matrix_market(huge).is_err());
    assert!(
        matrix_market_table("%%MatrixMarket matrix array real general\n99999999999 99999999\n1\n").is_err()
    );
    assert!(matrix_market_table("%%MatrixMarket matrix array complex general\n1 1\n1 0\n").is_err());
}

/// Written by SciPy 1.17.1 and NumPy 2.4.6:
/// `K = csc_matrix([[4., -1, 0], [-1, 3, .5], [0, .5, 2]])`, `save_npz('k_compressed.npz', K)`,
/// `save_npz('k_plain.npz', K.tocoo(), compressed=False)`,
/// `savez('places.npz', x=asfortranarray(arange(6.).reshape(3, 2)), n=array([3, -1], int16), f=float32([.5]))`
#[test]
fn matrices_of_scipy() {
    for bytes in
        [&include_bytes!("../fixtures/k_compressed.npz")[..], include_bytes!("../fixtures/k_plain.npz")]
    {
        assert_eq!(npz_matrix(bytes).unwrap().dense(), known());
        for cut in [0, 10, bytes.len() / 2, bytes.len() - 1] {
            assert!(npz_matrix(&bytes[..cut]).is_err());
        }
    }
    let arrays = npz_arrays(include_bytes!("../fixtures/places.npz")).unwrap();
    assert_eq!(
        (arrays["x"].shape.as_slice(), arrays["x"].values.as_slice()),
        (&[3, 2][..], &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0][..])
    );
    assert_eq!(arrays["n"].values, [3.0, -1.0]);
    assert_eq!(arrays["f"].values, [0.5]);
    let told = npz_matrix(include_bytes!("../fixtures/places.npz")).unwrap_err().to_string();
    assert_eq!(told, "shape of a matrix is expected here");
}

/// Bytes and digits changed at random, lines left out: whatever comes of it, it is a mesh or an error.
#[test]
fn broken_texts_are_read_or_refused() {
    let mut state = 9_u64;
    let mut random = |most: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % most
    };
    let market =
        "%%MatrixMarket matrix coordinate real symmetric\n3 3 5\n1 1 4\n2 1 -1\n2 2 3\n3 2 .5\n3 3 2\n";
    let packed: &[u8] = include_bytes!("../fixtures/k_compressed.npz");
    let plain: &[u8] = include_bytes!("../fixtures/k_plain.npz");
    let (mut good, trials) = (0, 3000);
    for trial in 0..trials {
        let sources = [
            CUBE.as_bytes(),
            PAIR.as_bytes(),
            PAIR_OF_VERSION_2.as_bytes(),
            market.as_bytes(),
            packed,
            plain,
        ];
        let mut bytes = sources[trial % 6].to_vec();
        for _ in 0..=random(3) {
            let at = random(bytes.len());
            match random(4) {
                0 => bytes[at] = b"0123456789-,* e\n$"[random(17)],
                1 => bytes[at] = random(256) as u8,
                2 => drop(bytes.drain(at..(at + random(20)).min(bytes.len()))),
                _ => bytes.splice(at..at, *b"99999999999999999999").for_each(drop),
            }
            bytes.push(b'\n');
        }
        let text = String::from_utf8_lossy(&bytes);
        let read = match trial % 6 {
            0 => abaqus(&text).map(|mesh| drop(Structure::assemble(&mesh))),
            1 | 2 => gmsh(&text).map(drop),
            3 => matrix_market(&text).map(drop),
            _ => npz_matrix(&bytes).map(drop),
        };
        good += usize::from(read.is_ok());
    }
    assert!(good > trials / 20 && good < trials / 2, "{good}");
}

/// Written by Gmsh 4.15.2: a plate of 0.4 x 0.2 x 0.05 with a bore of radius 0.05 at (0.1, 0.1), sizes of
/// at most 0.15, order 2, with groups of surfaces `bore` and `end` and of the volume, `plate`.
#[test]
fn a_mesh_that_gmsh_wrote() {
    let mut mesh = gmsh(include_str!("../fixtures/plate.msh")).unwrap();
    assert!(mesh.elements.iter().all(|element| element.shape == Shape::Tetrahedron));
    assert_eq!(mesh.element_sets["plate"].len(), mesh.elements.len());
    assert!(mesh.node_sets["end"].iter().all(|&k| mesh.nodes[k].place.x == 0.4));
    let from_axis = |k: &usize| (mesh.nodes[*k].place.x - 0.1).hypot(mesh.nodes[*k].place.y - 0.1);
    assert!(mesh.node_sets["bore"].iter().all(|k| (from_axis(k) - 0.05).abs() < 1e-9));
    mesh.give_section_to("plate", Section::solid(Material::new("unit", 1.0, 0.3, 1.0))).unwrap();
    let structure = Structure::assemble(&mesh).unwrap();
    let rigid = structure.rigid_motions();
    let volume = rigid.column(0).dot(&structure.mass.times(&rigid).column(0));
    let exact = 0.05 * (0.08 - std::f64::consts::PI * 0.0025);
    assert!((volume / exact - 1.0).abs() < 1e-3, "{volume} {exact}");
    let work = rigid.tr_mul(&structure.stiffness.times(&rigid));
    assert!(work.amax() < 1e-15);
}
