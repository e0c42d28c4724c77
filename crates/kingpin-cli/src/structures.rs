//! Structures: what reports say of them, a line each.

use crate::table::{Align, Table};
use crate::words::{count, number};
use kingpin::model::{Model, StructureMesh, StructurePart};
use serde::Serialize;

fn all(model: &Model) -> Vec<(&StructureMesh, &StructurePart)> {
    let own = model.structures.iter().zip(model.structure_parts());
    own.filter_map(|(own, part)| Some((own.mesh.as_deref()?, part))).collect()
}

/// Nodes that never move.
fn held((mesh, part): (&StructureMesh, &StructurePart)) -> usize {
    mesh.places.len() - part.bodies.len()
}

/// One line per structure.
pub fn table(model: &Model) -> Table {
    let columns = [
        ("structure", Align::Left),
        ("cells", Align::Right),
        ("nodes", Align::Right),
        ("held", Align::Right),
        ("mass [kg]", Align::Right),
    ];
    let all = all(model);
    Table::new(columns, all.len(), |k| {
        let (mesh, part) = all[k];
        let [cells, nodes, held] = [mesh.cells.len(), mesh.places.len(), held(all[k])].map(count);
        [part.name.clone(), cells, nodes, held, number(mesh.mass(), 4)]
    })
}

/// A structure as JSON.
#[derive(Serialize)]
pub struct StructureSize<'a> {
    name: &'a str,
    cells: usize,
    nodes: usize,
    held: usize,
    mass: f64,
}

/// All structures of a model.
pub fn json(model: &Model) -> Vec<StructureSize<'_>> {
    fn size<'a>((mesh, part): (&'a StructureMesh, &'a StructurePart)) -> StructureSize<'a> {
        StructureSize {
            name: &part.name,
            cells: mesh.cells.len(),
            nodes: mesh.places.len(),
            held: held((mesh, part)),
            mass: mesh.mass(),
        }
    }
    all(model).into_iter().map(size).collect()
}
