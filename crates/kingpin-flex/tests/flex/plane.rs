//! Sheets that stay in their plane, and trusses in space, reduced.

use kingpin_flex::element::MassKind;
use kingpin_flex::mesh::{Element, Material, Mesh, Node, Section, Shape, Space, box_mesh};
use kingpin_flex::reduce::{Basis, Choice, Interface, Recipe, Superelement, reduce};
use kingpin_flex::structure::Structure;
use nalgebra::{DMatrix, DVector, Vector3};

/// Rigid motions do no work, have the mass of the mesh, and energy is that of the nodes; `motions` of the six exist.
fn check(body: &Superelement, structure: &Structure, motions: &[usize]) {
    let rigid = body.rigid_amplitudes().select_columns(motions);
    assert!((&body.stiffness * &rigid).amax() < 1e-11 * body.stiffness.amax());
    let whole = structure.rigid_motions();
    let mass = whole.tr_mul(&structure.mass.times(&whole));
    assert!((rigid.tr_mul(&body.mass) * &rigid - &mass).amax() < 1e-11 * mass.amax());
    let node_mass = structure.node_mass().unwrap();
    let count = body.mass.nrows();
    let z = DVector::from_fn(count, |k, _| 0.02 * (3.0 * k as f64).sin());
    let rates = DVector::from_fn(count, |k, _| (5.0 * k as f64).cos());
    let (v, w) = (Vector3::new(0.3, -0.8, 0.1), Vector3::new(0.7, 1.1, -2.0));
    let (places, speeds) = (&body.displacements * &z, &body.displacements * &rates);
    let velocity = DMatrix::from_fn(structure.places.len(), 3, |node, axis| {
        let place = structure.places[node] + places.fixed_rows::<3>(3 * node);
        (v + w.cross(&place) + speeds.fixed_rows::<3>(3 * node))[axis]
    });
    let exact = 0.5 * velocity.dot(&node_mass.times(&velocity));
    let found = body.invariants.kinetic_energy(&v, &w, &z, &rates);
    assert!((found / exact - 1.0).abs() < 1e-13, "{found} {exact}");
}

#[test]
fn a_sheet_has_three_rigid_motions() {
    let mut mesh = box_mesh([16, 3, 0], [0.8, 0.1, 0.0], [0.0, -0.05, 0.0]);
    mesh.give_section(Section::of_extent(Material::new("aluminium", 73e9, 0.3, 2700.0), 0.01));
    for kind in [MassKind::Consistent, MassKind::Lumped] {
        let structure = Structure::assemble_with(&mesh, kind).unwrap();
        assert_eq!(structure.space, Space::Plane);
        for ends in [
            [Interface::rigid("left", "x0"), Interface::rigid("right", "x1")],
            [Interface::mean("left", "x0"), Interface::rigid("right", "x1")],
        ] {
            let basis = Basis::CraigBampton(Choice::Count(4));
            let body = reduce(&mesh, &structure, &Recipe { interfaces: &ends, basis, keep: None }).unwrap();
            assert_eq!(body.stiffness.nrows(), 2 * 3 + 4);
            check(&body, &structure, &[0, 1, 5]);
            assert!((body.invariants.mass - 2700.0 * 8e-4).abs() < 1e-12);
            let g = body.foreshortening.unwrap();
            // the whole turns: its chord of 0.8 m is as much shorter as half the square of the turn says
            let turn = DVector::from_vec(vec![0.0, 0.0, 1.0, 0.0, 0.8, 1.0, 0.0, 0.0, 0.0, 0.0]);
            assert!((turn.dot(&(&g * &turn)) / 0.8 - 1.0).abs() < 1e-9);
        }
    }
}

/// A mast of bars: triangles of three nodes, longerons and two diagonals in each bay, held by points.
#[test]
fn a_truss_is_held_by_single_nodes() {
    let mut mesh = Mesh::default();
    for frame in 0..5 {
        for corner in 0..3 {
            let angle = std::f64::consts::TAU * f64::from(corner) / 3.0;
            let place = Vector3::new(f64::from(frame), 0.6 * angle.cos(), 0.6 * angle.sin());
            mesh.nodes.push(Node { number: mesh.nodes.len() as u64 + 1, place });
        }
    }
    let mut ends = Vec::new();
    for frame in 0..5 {
        let at = |corner: usize| 3 * frame + corner % 3;
        ends.extend((0..3).map(|corner| [at(corner), at(corner + 1)]));
        if frame < 4 {
            ends.extend(
                (0..3).flat_map(|corner| [[at(corner), at(corner) + 3], [at(corner), at(corner + 1) + 3]]),
            );
        }
    }
    for nodes in ends {
        let number = mesh.elements.len() as u64 + 1;
        mesh.elements.push(Element { number, shape: Shape::Bar, nodes: nodes.to_vec(), section: None });
    }
    mesh.give_section(Section::of_extent(Material::new("aluminium", 73e9, 0.3, 2700.0), 1e-4));
    let structure = Structure::assemble(&mesh).unwrap();
    let points: Vec<Interface> =
        [1, 2, 3, 13, 14, 15].map(|number| Interface::point(&format!("node {number}"), number)).to_vec();
    let basis = Basis::CraigBampton(Choice::Count(6));
    let body = reduce(&mesh, &structure, &Recipe { interfaces: &points, basis, keep: None }).unwrap();
    assert_eq!(body.stiffness.nrows(), 18 + 6);
    assert!(body.foreshortening.is_none());
    check(&body, &structure, &[0, 1, 2, 3, 4, 5]);
}
