//! Cells from the structures of a model.

use crate::element::cell::{CellElement, CellPlace, MOST_NODES, at_rest};
use crate::model::{MeshCell, MeshStructure, Model, StructureMesh, StructurePart, Vec3};
use crate::spatial::V3;

/// Cells of a model that is known to be sound; those whose nodes are all held do nothing, and are none.
pub(super) fn compiled(model: &Model) -> Vec<CellElement> {
    let parts = model.made.iter().flat_map(|made| &made.structures);
    let mut all = Vec::new();
    for (k, (own, part)) in model.structures.iter().zip(parts).enumerate() {
        let Some(mesh) = own.mesh.as_ref().filter(|_| !part.faulty) else { continue };
        let axes = own.axes(model.space);
        let placed = |node: usize| own.fields.position + axes * mesh.places[node];
        let cells = mesh.cells.iter().filter_map(|cell| compiled_cell((own, mesh, part), k, cell, &placed));
        all.extend(cells);
    }
    all
}

fn compiled_cell(
    (own, mesh, part): (&MeshStructure, &StructureMesh, &StructurePart),
    structure: usize,
    cell: &MeshCell,
    placed: &impl Fn(usize) -> Vec3,
) -> Option<CellElement> {
    let count = cell.nodes.len();
    if count > MOST_NODES {
        return None;
    }
    // nodes that move first
    let mut order: Vec<usize> = (0..count).collect();
    let body = |k: usize| part.nodes[cell.nodes[k] as usize];
    order.sort_by_key(|&k| body(k).is_none());
    let bodies: Vec<usize> = order.iter().filter_map(|&k| body(k)).collect();
    let held: Vec<V3> =
        order[bodies.len()..].iter().map(|&k| placed(cell.nodes[k] as usize).into()).collect();
    let at_first: Vec<V3> = order.iter().map(|&k| mesh.places[cell.nodes[k] as usize].into()).collect();
    let place = |(volume, gradients): (&f64, &[Vec3])| {
        let gradients: Vec<V3> = order.iter().map(|&k| gradients[k].into()).collect();
        CellPlace { volume: *volume, rest: at_rest(&at_first, &gradients), gradients }
    };
    let places = cell.volumes.iter().zip(cell.gradients.chunks_exact(count)).map(place).collect();
    let (number, lambda, mu, damping) = (cell.number, cell.lambda, cell.mu, own.fields.damping);
    (!bodies.is_empty()).then_some(CellElement {
        structure,
        number,
        bodies,
        held,
        lambda,
        mu,
        damping,
        places,
    })
}
