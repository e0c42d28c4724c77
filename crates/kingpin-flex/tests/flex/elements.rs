//! Elements alone and in patches: rigid motions, constant stress, mass, what is inverted.

use kingpin_flex::FlexError;
use kingpin_flex::element::{MassKind, matrices, von_mises};
use kingpin_flex::mesh::{Element, Material, Mesh, Node, Section, Shape, box_mesh};
use kingpin_flex::structure::{Structure, nodal_stresses};
use nalgebra::{DMatrix, DVector, Matrix3, Vector3};

const SOLIDS: [Shape; 3] = [Shape::Hexahedron, Shape::BendingHexahedron, Shape::Tetrahedron];

fn steel() -> Material {
    Material::new("steel", 210e9, 0.3, 7850.0)
}

/// Five tetrahedra of each hexahedron, with nodes on their edges.
fn tetrahedra(mesh: &Mesh) -> Mesh {
    let mut out = Mesh { nodes: mesh.nodes.clone(), node_sets: mesh.node_sets.clone(), ..Mesh::default() };
    let mut middles = std::collections::BTreeMap::new();
    let edges = [[0, 1], [1, 2], [0, 2], [0, 3], [1, 3], [2, 3]];
    for element in &mesh.elements {
        // six around the diagonal from corner 0 to corner 6, alike in all hexahedra, so that faces fit
        for [a, b] in [[1, 2], [2, 3], [3, 7], [7, 4], [4, 5], [5, 1]] {
            let corners = [0, a, b, 6].map(|k| element.nodes[k]);
            let mut nodes = corners.to_vec();
            for [i, j] in edges.map(|[i, j]| [corners[i].min(corners[j]), corners[i].max(corners[j])]) {
                let next = out.nodes.len();
                let place = 0.5 * (out.nodes[i].place + out.nodes[j].place);
                let middle = *middles.entry((i, j)).or_insert(next);
                if middle == next {
                    out.nodes.push(Node { number: next as u64 + 1, place });
                    for (_, set) in
                        out.node_sets.iter_mut().filter(|(_, set)| set.contains(&i) && set.contains(&j))
                    {
                        set.push(middle);
                    }
                }
                nodes.push(middle);
            }
            let number = out.elements.len() as u64 + 1;
            out.elements.push(Element { number, shape: Shape::Tetrahedron, nodes, section: None });
        }
    }
    out
}

/// A block of elements whose inner nodes are out of line.
fn patch(shape: Shape) -> Mesh {
    let flat = shape == Shape::Membrane;
    let mut mesh = box_mesh([3, 3, if flat { 0 } else { 3 }], [1.2, 0.9, 0.6], [0.1, 0.2, 0.0]);
    let outer: Vec<usize> = mesh.node_sets.values().flatten().copied().collect();
    for (k, node) in mesh.nodes.iter_mut().enumerate().filter(|(k, _)| !outer.contains(k)) {
        let wave = |x: f64| 0.06 * (7.3 * k as f64 * x).sin();
        node.place += Vector3::new(wave(1.0), wave(1.7), if flat { 0.0 } else { wave(0.6) });
    }
    match shape {
        Shape::Tetrahedron => mesh = tetrahedra(&mesh),
        _ => mesh.elements.iter_mut().for_each(|element| element.shape = shape),
    }
    mesh.give_section(Section::of_extent(steel(), 0.02));
    mesh
}

fn bar() -> Mesh {
    let places = [[0.0; 3], [0.3, 0.4, 1.2]];
    let node = |(k, place): (usize, [f64; 3])| Node { number: k as u64, place: place.into() };
    let nodes = places.into_iter().enumerate().map(node).collect();
    let elements = vec![Element { number: 5, shape: Shape::Bar, nodes: vec![0, 1], section: None }];
    let mut mesh = Mesh { nodes, elements, ..Mesh::default() };
    mesh.give_section(Section::of_extent(steel(), 1e-4));
    mesh
}

#[test]
fn rigid_motions_do_no_work() {
    let mut meshes: Vec<Mesh> = SOLIDS.into_iter().chain([Shape::Membrane]).map(patch).collect();
    meshes.push(bar());
    for mesh in meshes {
        for element in &mesh.elements {
            let own = matrices(&mesh, element, MassKind::Consistent).unwrap();
            let size = own.stiffness.amax();
            assert!((&own.stiffness - own.stiffness.transpose()).amax() <= 1e-14 * size);
            for motion in 0..6 {
                let moved = |&node: &usize| {
                    let place = mesh.nodes[node].place;
                    if motion < 3 {
                        Vector3::ith(motion, 1.0)
                    } else {
                        Vector3::ith(motion - 3, 1.0).cross(&place)
                    }
                };
                let u = DVector::from_iterator(
                    own.stiffness.nrows(),
                    element.nodes.iter().flat_map(|node| moved(node).as_slice().to_vec()),
                );
                let force = (&own.stiffness * u).amax();
                assert!(force < 2e-14 * size, "{:?}: {force:e} of {size:e}", element.shape);
            }
        }
    }
}

/// A bar keeps its rigid motions; nothing but the pull along it has stiffness.
#[test]
fn a_bar_resists_along_its_line() {
    let mesh = bar();
    let own = matrices(&mesh, &mesh.elements[0], MassKind::Consistent).unwrap();
    let along = Vector3::new(0.3, 0.4, 1.2) / 1.3;
    let u = DVector::from_iterator(6, [0.0; 3].into_iter().chain(along.iter().copied()));
    let force = &own.stiffness * &u;
    assert!((force.dot(&u) - 210e9 * 1e-4 / 1.3).abs() < 1e-4);
    let mass = 7850.0 * 1e-4 * 1.3;
    assert!((own.mass[(0, 0)] - mass / 3.0).abs() < 1e-14 && (own.mass[(0, 1)] - mass / 6.0).abs() < 1e-14);
}

#[test]
fn patches_have_constant_stress() {
    for shape in SOLIDS.into_iter().chain([Shape::Membrane]) {
        let mesh = patch(shape);
        let structure = Structure::assemble(&mesh).unwrap();
        let axes = structure.space.axes();
        let mut slope = Matrix3::new(1.0, 0.4, -0.3, 0.2, -0.5, 0.7, 0.1, 0.6, 0.8) * 1e-3;
        if shape == Shape::Membrane {
            slope.fill_row(2, 0.0);
            slope.fill_column(2, 0.0);
        }
        // outer nodes have the field, inner ones must find it
        let field: Vec<Vector3<f64>> = mesh.nodes.iter().map(|node| slope * node.place).collect();
        let mut outer: Vec<usize> = mesh.node_sets.values().flatten().copied().collect();
        outer.sort_unstable();
        outer.dedup();
        assert!(outer.len() < mesh.nodes.len());
        let given =
            |row: usize| if outer.contains(&(row / axes)) { field[row / axes][row % axes] } else { 0.0 };
        let prescribed = DMatrix::from_fn(axes * mesh.nodes.len(), 1, |row, _| given(row));
        let loads = -structure.stiffness.times(&prescribed);
        let moved = structure.displacements(&outer, &loads).unwrap() + prescribed;
        let found: Vec<Vector3<f64>> = (0..mesh.nodes.len())
            .map(|node| Vector3::from_fn(|axis, _| if axis < axes { moved[axes * node + axis] } else { 0.0 }))
            .collect();
        let error = found.iter().zip(&field).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
        assert!(error < 1e-15, "{shape:?}: {error:e}");
        let strain = 0.5 * (slope + slope.transpose());
        let (young, nu) = (210e9, 0.3);
        let mu = young / 2.6;
        let stress = match shape {
            Shape::Membrane => {
                let plane = Matrix3::from_diagonal(&Vector3::new(1.0, 1.0, 0.0));
                plane * (young * nu / 0.91 * strain.trace()) + strain * (2.0 * mu)
            }
            _ => Matrix3::identity() * (young * nu / 1.3 / 0.4 * strain.trace()) + strain * (2.0 * mu),
        };
        for own in nodal_stresses(&mesh, &found).unwrap() {
            assert!(
                (own - stress).amax() < 1e-11 * young * 1e-3 * 10.0,
                "{shape:?}: {:e}",
                (own - stress).amax()
            );
        }
    }
    let pull = Matrix3::from_diagonal(&Vector3::new(5.0, 0.0, 0.0));
    assert!((von_mises(&pull) - 5.0).abs() < 1e-14);
}

#[test]
fn mass_is_that_of_the_volume() {
    for shape in SOLIDS {
        let mesh = patch(shape);
        let exact = 7850.0 * 1.2 * 0.9 * 0.6;
        for kind in [MassKind::Consistent, MassKind::Lumped] {
            let structure = Structure::assemble_with(&mesh, kind).unwrap();
            let rigid = structure.rigid_motions();
            let found = rigid.tr_mul(&structure.mass.times(&rigid));
            assert!((0..3).all(|k| (found[(k, k)] / exact - 1.0).abs() < 1e-13), "{shape:?} {kind:?}");
            let centre = found[(0, 5)] / exact;
            assert!(kind == MassKind::Lumped || (centre + 0.2 + 0.45).abs() < 1e-13, "{shape:?}: {centre}");
            assert!(structure.mass.diagonal().iter().all(|&m| m > 0.0));
        }
    }
}

#[test]
fn inverted_and_flat_elements_are_named() {
    for shape in SOLIDS.into_iter().chain([Shape::Membrane]) {
        let mut mesh = patch(shape);
        let element = &mut mesh.elements[4];
        element.number = 77;
        if shape == Shape::Membrane {
            element.nodes.swap(0, 1)
        } else {
            element.nodes.swap(1, 2)
        }
        let error = Structure::assemble(&mesh).unwrap_err();
        assert_eq!(error, FlexError::Inverted { element: 77 }, "{shape:?}");
        let node = mesh.elements[4].nodes[0];
        mesh.elements[4].nodes.fill(node);
        assert_eq!(Structure::assemble(&mesh).unwrap_err(), FlexError::Degenerate { element: 77 });
    }
    let mut mesh = bar();
    mesh.elements[0].section = None;
    assert_eq!(Structure::assemble(&mesh).unwrap_err(), FlexError::NoSection { element: 5 });
    mesh.give_section(Section::solid(Material::new("jelly", 1e3, 0.5, 1e3)));
    let words = Structure::assemble(&mesh).unwrap_err().to_string();
    assert_eq!(words, "material `jelly`: Poisson's ratio must lie between -1 and 0.5");
    assert_eq!(Structure::assemble(&Mesh::default()).unwrap_err(), FlexError::NoElements);
}

/// A strip in bending, one element high: trilinear hexahedra lock, bending ones do not.
#[test]
fn bending_hexahedra_bend() {
    let (length, height, width, force) = (10.0_f64, 0.5_f64, 0.2, 100.0);
    let exact = force * length.powi(3) / (3.0 * 210e9 * width * height.powi(3) / 12.0);
    let tip = |shape: Shape| {
        let mut mesh = box_mesh([20, 1, 1], [length, width, height], [0.0; 3]);
        mesh.elements.iter_mut().for_each(|element| element.shape = shape);
        mesh.give_section(Section::solid(Material::new("m", 210e9, 0.0, 1.0)));
        let structure = Structure::assemble(&mesh).unwrap();
        let mut loads = DMatrix::zeros(3 * mesh.nodes.len(), 1);
        let end = mesh.node_set("x1").unwrap();
        end.iter().for_each(|&node| loads[3 * node + 2] = force / 4.0);
        let moved = structure.displacements(mesh.node_set("x0").unwrap(), &loads).unwrap();
        moved[3 * end[0] + 2] / exact
    };
    assert!((tip(Shape::BendingHexahedron) - 1.0).abs() < 5e-3, "{}", tip(Shape::BendingHexahedron));
    assert!(tip(Shape::Hexahedron) < 0.7);
}
