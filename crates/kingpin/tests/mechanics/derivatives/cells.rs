//! The same for cells: membranes and solids of any gradients, with and without damping and held nodes, two of which share
//! nodes.

use super::common::{Random, random_body};
use super::{SPACES, gauntlet_of};
use kingpin::model::{MeshCell, MeshSet, MeshStructure, Model, Space, StructureFields, StructureMesh, Vec3};
use std::sync::Arc;

const STATES: usize = 12;

fn vector(space: Space, random: &mut Random) -> Vec3 {
    let z = if space == Space::Planar { 0.0 } else { random.signed() };
    Vec3::new(random.signed(), random.signed(), z)
}

/// A cell whose gradients add up to nothing, as those of shape functions do.
fn cell(space: Space, nodes: Vec<u32>, places: usize, random: &mut Random) -> MeshCell {
    let mut gradients = Vec::new();
    for _ in 0..places {
        let own: Vec<Vec3> = nodes[1..].iter().map(|_| vector(space, random)).collect();
        gradients.push(-own.iter().sum::<Vec3>());
        gradients.extend(own);
    }
    let volumes = (0..places).map(|_| random.between(0.1, 1.0)).collect();
    let (lambda, mu) = (random.between(0.5, 2.0), random.between(0.5, 2.0));
    MeshCell { number: 1, nodes, lambda, mu, volumes, gradients }
}

fn structure(space: Space, nodes: u32, random: &mut Random) -> Model {
    let mut model = Model::new("cells", space);
    model.body(random_body("rigid", space, random));
    let all = nodes + 2;
    let held: Vec<u32> = (0..all).filter(|_| random.below(4) == 0).collect();
    let sets = vec![MeshSet { name: "wall".into(), areas: vec![0.0; held.len()], nodes: held }];
    let mesh = StructureMesh {
        names: (0..all).map(|k| k.to_string()).collect(),
        places: (0..all).map(|_| vector(space, random)).collect(),
        masses: (0..all).map(|_| random.between(0.5, 2.0)).collect(),
        cells: vec![
            cell(space, (0..nodes).collect(), 2, random),
            cell(space, (2..all).rev().collect(), 3, random),
        ],
        sets,
        triangles: Vec::new(),
    };
    let fields = StructureFields {
        name: "sheet".into(),
        damping: [0.0, random.between(0.1, 1.0)][random.below(2)],
        fixed: vec!["wall".into()],
        position: vector(space, random),
        ..StructureFields::default()
    };
    model.structure(MeshStructure { fields, mesh: Some(Arc::new(mesh)) });
    model
}

#[test]
fn every_number_of_nodes() {
    for space in SPACES {
        for nodes in [2, 4, 8, 10] {
            let mut random = Random::new(91 + u64::from(nodes));
            let what = format!("cells of {nodes} nodes ({space:?})");
            gauntlet_of(STATES, &what, &mut random, |random| structure(space, nodes, random));
        }
    }
}
