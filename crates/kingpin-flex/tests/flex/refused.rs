//! What cannot be reduced, by name.

use kingpin_flex::FlexError;
use kingpin_flex::mesh::{Material, Mesh, Section, box_mesh};
use kingpin_flex::reduce::{Basis, Choice, Interface, Recipe, reduce};
use kingpin_flex::structure::Structure;
use nalgebra::Vector3;

fn beam(counts: [usize; 3]) -> Mesh {
    let mut mesh = box_mesh(counts, [0.6, 0.1, 0.1], [0.0; 3]);
    mesh.give_section(Section::solid(Material::new("aluminium", 73e9, 0.3, 2700.0)));
    mesh
}

fn refusal(mesh: &Mesh, interfaces: &[Interface], basis: Basis) -> FlexError {
    let structure = Structure::assemble(mesh).unwrap();
    reduce(mesh, &structure, &Recipe { interfaces, basis, keep: None }).unwrap_err()
}

fn fixed(count: usize) -> Basis {
    Basis::CraigBampton(Choice::Count(count))
}

/// A second mesh behind the first.
fn joined(mut mesh: Mesh, other: &Mesh, shift: Vector3<f64>) -> Mesh {
    let (nodes, elements) = (mesh.nodes.len(), mesh.elements.len());
    for node in &other.nodes {
        let mut own = node.clone();
        own.number += nodes as u64;
        own.place += shift;
        mesh.nodes.push(own);
    }
    for element in &other.elements {
        let mut own = element.clone();
        own.number += elements as u64;
        own.nodes.iter_mut().for_each(|node| *node += nodes);
        mesh.elements.push(own);
    }
    for (name, set) in &other.node_sets {
        mesh.node_sets.insert(format!("{name} of other"), set.iter().map(|node| node + nodes).collect());
    }
    mesh
}

#[test]
fn sets_that_are_not_there() {
    let error = refusal(&beam([3, 1, 1]), &[Interface::rigid("left", "x2")], fixed(1));
    assert_eq!(error.to_string(), "there is no set `x2`; did you mean `x0` or `x1`?");
}

#[test]
fn parts_that_nothing_connects() {
    let apart = joined(beam([3, 1, 1]), &beam([2, 1, 1]), Vector3::new(1.0, 0.0, 0.0));
    let error = refusal(&apart, &[Interface::rigid("left", "x0")], fixed(1));
    assert_eq!(error, FlexError::Unconnected { parts: vec![(1, 16), (4, 12)] });
    assert_eq!(
        error.to_string(),
        "the mesh consists of 2 unconnected parts: that of element 1 with 16 nodes, that of element 4 with 12 nodes"
    );
    // a frame that holds both connects them
    let mut held = apart;
    let both = [held.node_sets["x1"].clone(), held.node_sets["x0 of other"].clone()].concat();
    held.node_sets.insert("both".into(), both);
    let structure = Structure::assemble(&held).unwrap();
    let interfaces = [Interface::rigid("middle", "both")];
    let body =
        reduce(&held, &structure, &Recipe { interfaces: &interfaces, basis: fixed(2), keep: None }).unwrap();
    assert_eq!(body.hertz.len(), 2);
}

#[test]
fn a_hinge_inside_is_a_mechanism() {
    // two beams that share a line of two nodes
    let mut mesh = joined(beam([3, 1, 1]), &beam([3, 1, 1]), Vector3::new(0.6, 0.0, 0.1));
    let place = |mesh: &Mesh, wanted: [f64; 3], from: usize| {
        let wanted = Vector3::from(wanted);
        (from..mesh.nodes.len()).find(|&k| (mesh.nodes[k].place - wanted).norm() < 1e-9).unwrap()
    };
    for y in [0.0, 0.1] {
        let (first, second) = (place(&mesh, [0.6, y, 0.1], 0), place(&mesh, [0.6, y, 0.1], 16));
        for element in &mut mesh.elements {
            element.nodes.iter_mut().filter(|node| **node == second).for_each(|node| *node = first);
        }
    }
    let error = refusal(&mesh, &[Interface::rigid("left", "x0")], fixed(2));
    assert!(matches!(error, FlexError::Mechanism { node } if node > 16), "{error}");
    // held at both ends it is none
    let held = [Interface::rigid("left", "x0"), Interface::rigid("right", "x1 of other")];
    let structure = Structure::assemble(&mesh).unwrap();
    assert!(reduce(&mesh, &structure, &Recipe { interfaces: &held, basis: fixed(2), keep: None }).is_ok());
    assert!(matches!(refusal(&mesh, &held, Basis::FreeFree(Choice::Count(9))), FlexError::Mechanism { .. }));
}

#[test]
fn interfaces_that_do_not_hold() {
    let mut mesh = beam([3, 1, 1]);
    mesh.node_sets.insert("edge".into(), vec![0, 1]);
    mesh.node_sets.insert("none".into(), vec![]);
    for name in ["edge", "none"] {
        for interface in [Interface::rigid("left", name), Interface::mean("left", name)] {
            let error = refusal(&mesh, &[interface], fixed(1));
            assert_eq!(error, FlexError::InterfaceTooSmall { interface: "left".into() });
        }
    }
    let shared = [Interface::rigid("left", "x0"), Interface::rigid("bottom", "z0")];
    let interfaces = ["left".to_string(), "bottom".to_string()];
    assert_eq!(refusal(&mesh, &shared, fixed(1)), FlexError::InterfacesShare { interfaces, node: 1 });
    let mut loose = mesh.nodes[0].clone();
    loose.number = 900;
    mesh.nodes.push(loose);
    let error = refusal(&mesh, &[Interface::point("far", 900)], fixed(1));
    assert_eq!(error, FlexError::InterfaceLoose { interface: "far".into(), node: 900 });
    assert_eq!(
        refusal(&mesh, &[Interface::point("far", 901)], fixed(1)),
        FlexError::NodeUnknown { node: 901 }
    );
    // three turns of a single point are free
    let error = refusal(&mesh, &[Interface::point("corner", 1)], fixed(1));
    assert!(matches!(error, FlexError::Mechanism { .. }), "{error}");
}

#[test]
fn modes_that_do_not_suffice() {
    let mesh = beam([6, 1, 1]);
    let held = [Interface::rigid("left", "x0"), Interface::rigid("right", "x1")];
    let error = refusal(&mesh, &held, Basis::FreeFree(Choice::Count(4)));
    assert_eq!(error, FlexError::TooFewModes { interface: "right".into(), given: 4, needed: 6 });
    assert_eq!(
        error.to_string(),
        "4 modes do not determine the motion of interface `right`; at least 6 are needed"
    );
    let error = refusal(&mesh, &held, fixed(61));
    assert_eq!(error, FlexError::NotSoManyModes { wanted: 61, there: 60 });
}
