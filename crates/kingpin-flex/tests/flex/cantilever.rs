//! A cantilever of tetrahedra against the theory of beams.

use kingpin_flex::mesh::{Element, Material, Mesh, Node, Section, Shape, box_mesh};
use kingpin_flex::modes::Pencil;
use kingpin_flex::reduce::{Basis, Choice, Interface, Recipe, reduce};
use kingpin_flex::structure::{Structure, nodal_stresses};
use nalgebra::{DMatrix, Vector3};
use std::collections::BTreeMap;

const LENGTH: f64 = 1.0;
const HEIGHT: f64 = 0.05;
const YOUNG: f64 = 200e9;
const DENSITY: f64 = 7800.0;

/// Hexahedra of a box cut in six tetrahedra each, with nodes on their edges; no contraction across.
fn beam(counts: [usize; 3]) -> Mesh {
    let bricks = box_mesh(counts, [LENGTH, HEIGHT, HEIGHT], [0.0, -HEIGHT / 2.0, -HEIGHT / 2.0]);
    let mut mesh = Mesh { nodes: bricks.nodes.clone(), ..Mesh::default() };
    let mut middles = BTreeMap::new();
    for brick in &bricks.elements {
        for [a, b] in [[1, 2], [2, 3], [3, 7], [7, 4], [4, 5], [5, 1]] {
            let corners = [0, a, b, 6].map(|k| brick.nodes[k]);
            let mut nodes = corners.to_vec();
            for [i, j] in [[0, 1], [1, 2], [0, 2], [0, 3], [1, 3], [2, 3]] {
                let (i, j) = (corners[i].min(corners[j]), corners[i].max(corners[j]));
                let (next, place) = (mesh.nodes.len(), 0.5 * (mesh.nodes[i].place + mesh.nodes[j].place));
                let middle = *middles.entry((i, j)).or_insert(next);
                if middle == next {
                    mesh.nodes.push(Node { number: next as u64 + 1, place });
                }
                nodes.push(middle);
            }
            let number = mesh.elements.len() as u64 + 1;
            mesh.elements.push(Element { number, shape: Shape::Tetrahedron, nodes, section: None });
        }
    }
    for (name, x) in [("root", 0.0), ("tip", LENGTH)] {
        let at = (0..mesh.nodes.len()).filter(|&k| (mesh.nodes[k].place.x - x).abs() < 1e-9).collect();
        mesh.node_sets.insert(name.into(), at);
    }
    mesh.give_section(Section::solid(Material::new("steel", YOUNG, 0.0, DENSITY)));
    mesh
}

/// Deflection and stress under a force at the tip: F l^3 / 3 E I with the part of shear, F l / G A_s, A_s = 5/6 A.
#[test]
fn it_bends_and_shears_as_a_beam() {
    let mesh = beam([20, 1, 1]);
    let structure = Structure::assemble(&mesh).unwrap();
    let basis = Basis::CraigBampton(Choice::Count(0));
    let interfaces = [Interface::rigid("root", "root"), Interface::rigid("tip", "tip")];
    let body = reduce(&mesh, &structure, &Recipe { interfaces: &interfaces, basis, keep: None }).unwrap();
    let (force, moment) = (1000.0, HEIGHT.powi(4) / 12.0);
    let exact = force * LENGTH.powi(3) / (3.0 * YOUNG * moment)
        + force * LENGTH / (5.0 / 6.0 * HEIGHT * HEIGHT * YOUNG / 2.0);
    let tip = body.stiffness.view((6, 6), (6, 6)).into_owned();
    let mut load = DMatrix::zeros(6, 1);
    load[2] = force;
    let moved = tip.cholesky().unwrap().solve(&load);
    assert!((moved[2] / exact - 1.0).abs() < 2e-3, "{} {exact}", moved[2]);
    // stress on top in the middle: M h / 2 I
    let mut z = vec![0.0; 12];
    z[6..].copy_from_slice(moved.as_slice());
    let stresses = nodal_stresses(&mesh, &body.recover(&z)).unwrap();
    let wanted = Vector3::new(LENGTH / 2.0, 0.0, HEIGHT / 2.0);
    let near = (0..mesh.nodes.len()).min_by(|&a, &b| {
        let far = |k: usize| (mesh.nodes[k].place - wanted).norm();
        far(a).total_cmp(&far(b))
    });
    let node = near.unwrap();
    let arm = LENGTH - mesh.nodes[node].place.x;
    let bending = -force * arm * HEIGHT / 2.0 / moment;
    let found = stresses[node][(0, 0)];
    assert!((found / bending - 1.0).abs() < 0.02, "{found} {bending}");
}

/// Frequencies of a clamped beam: (1.8751, 4.6941)^2 / l^2 sqrt(EI / rho A), less by shear and the inertia of turns.
#[test]
fn it_swings_as_a_beam() {
    let mesh = beam([20, 1, 1]);
    let structure = Structure::assemble(&mesh).unwrap();
    let root = mesh.node_set("root").unwrap();
    let mut place = vec![Some(0); structure.stiffness.order()];
    root.iter().for_each(|&node| place[3 * node..3 * node + 3].fill(None));
    // hold the root by a stiffness that is as good as rigid
    let mut held = structure.clone();
    for (k, _) in place.iter().enumerate().filter(|(_, place)| place.is_none()) {
        let diagonal = held.stiffness.columns[k + 1] - 1;
        held.stiffness.values[diagonal] += 1e15;
    }
    let found = Pencil::held(&held.stiffness, &held.mass).unwrap().slowest(4).unwrap().hertz();
    let radius = HEIGHT / 12.0_f64.sqrt();
    for (pair, root) in [(0, 1.875_104_07), (2, 4.694_091_13)] {
        let bernoulli =
            root * root / (LENGTH * LENGTH) * radius * (YOUNG / DENSITY).sqrt() / std::f64::consts::TAU;
        // Timoshenko: about 1 - (k r)^2 (1 + E / (5/6 G)) / 2
        let slower = 1.0 - 0.5 * (root * radius / LENGTH).powi(2) * (1.0 + 2.0 * 1.2);
        for hertz in &found[pair..pair + 2] {
            assert!((hertz / bernoulli / slower - 1.0).abs() < 4e-3, "{hertz} {}", bernoulli * slower);
        }
    }
}
