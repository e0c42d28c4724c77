//! Structures of a model: their meshes are read, or made of grids, and taken apart into cells.

use crate::load::Files;
use crate::meshes::{MeshFault, mesh_of, mesh_text, section_of_model};
use kingpin::model::{
    Finding, MeshCell, MeshSet, Model, Space, StructureFields, StructureMesh, Subject, Vec3,
};
use kingpin_flex::FlexError;
use kingpin_flex::cells::{FreeCell, FreeCells, areas, free_cells};
use kingpin_flex::mesh::{Mesh, Space as MeshSpace, box_mesh};
use std::path::Path;
use std::sync::Arc;

/// Most cells of a grid.
const MOST: f64 = 4e6;

/// Makes the cells of all structures of a model.
pub(crate) fn mesh_all(model: &mut Model, files: &Files, folder: &Path) -> Vec<Finding> {
    let mut findings = Vec::new();
    let space = model.space;
    for (k, own) in model.structures.iter_mut().enumerate() {
        match meshed(&mut own.fields, space, files, folder) {
            Ok((mesh, warning)) => {
                own.mesh = Some(Arc::new(mesh));
                findings.extend(
                    warning
                        .map(|text| Finding::warning("mesh-repaired", Subject::Structure(k), "mesh", text)),
                );
            }
            Err(MeshFault { field, message, hint }) => {
                let finding = Finding::error(Subject::Structure(k), field, message);
                findings.push(Finding { hint, ..finding });
            }
        }
    }
    findings
}

/// A mesh with the names of its nodes, places in it being those of the mesh.
struct NamedMesh {
    mesh: Mesh,
    names: Vec<String>,
}

fn meshed(
    fields: &mut StructureFields,
    space: Space,
    files: &Files,
    folder: &Path,
) -> Result<(StructureMesh, Option<String>), MeshFault> {
    check_material(fields)?;
    let NamedMesh { mut mesh, names } = match (&fields.mesh, fields.size, fields.cells) {
        (Some(_), None, None) => from_file(fields, files, folder)?,
        (None, Some(size), Some(cells)) => grid(fields, space, size, cells)?,
        (None, Some(_), None) => return Err(MeshFault::new("size", "`size` needs `cells` along each side")),
        (None, None, Some(_)) => return Err(MeshFault::new("cells", "`cells` needs the `size` of the grid")),
        (None, None, None) => {
            let message = format!("`{}` has neither `mesh` nor `size` and `cells`", fields.name);
            return Err(
                MeshFault::new("name", message).hint("give a mesh file, or `size` and `cells` of a grid")
            );
        }
        (Some(_), ..) => {
            return Err(MeshFault::new("mesh", "a structure is either a mesh or a grid")
                .hint("drop `mesh`, or `size` and `cells`"));
        }
    };
    if space == Space::Planar && mesh.space() != MeshSpace::Plane {
        return Err(MeshFault::new("mesh", "the mesh does not lie in the plane of the model")
            .hint("planar models need meshes of plane elements with z = 0"));
    }
    let numbers = [fields.youngs_modulus, fields.poissons_ratio, fields.density, fields.thickness];
    if let Some(section) = section_of_model(numbers) {
        mesh.give_section(section);
    }
    let told = |error: FlexError| told(fields, &error);
    let free = free_cells(&mesh).map_err(told)?;
    let sets = sets(fields, &mesh, &free)?;
    let warning = free.without_modes.map(|number| {
        format!(
            "cell {number} and others are used without incompatible modes: they are stiffer in bending \
             than C3D8I"
        )
    });
    Ok((plain(&mesh, &names, free, sets), warning))
}

fn check_material(fields: &StructureFields) -> Result<(), MeshFault> {
    if fields.youngs_modulus > 0.0 && fields.density == 0.0 {
        return Err(MeshFault::new("density", format!("`{}` needs a `density`", fields.name)));
    }
    if !(-1.0 < fields.poissons_ratio && fields.poissons_ratio < 0.5) {
        return Err(MeshFault::new("poissons_ratio", "`poissons_ratio` must be between -1 and 0.5"));
    }
    Ok(())
}

fn from_file(fields: &mut StructureFields, files: &Files, folder: &Path) -> Result<NamedMesh, MeshFault> {
    let name = fields.mesh.clone().unwrap_or_default();
    let text = match fields.contents.take() {
        Some(text) => text,
        None => mesh_text(&name, files, folder)?,
    };
    let mesh = mesh_of(&name, &text)?;
    fields.contents = Some(text);
    let names = mesh.nodes.iter().map(|node| node.number.to_string()).collect();
    Ok(NamedMesh { mesh, names })
}

fn grid(fields: &StructureFields, space: Space, size: Vec3, cells: Vec3) -> Result<NamedMesh, MeshFault> {
    let fault = |field, message: &str| Err(MeshFault::new(field, message));
    if cells.iter().any(|n| n.fract() != 0.0 || *n < 0.0) || cells.x < 1.0 || cells.y < 1.0 {
        return fault("cells", "`cells` must be integers of 1 or more; 0 along z defines a sheet");
    }
    if cells.product() > MOST || cells.x * cells.y > MOST {
        return fault("cells", "a grid can have at most 4 million cells");
    }
    let solid = space == Space::Spatial && cells.z > 0.0;
    let positive = |x: f64| x > 0.0 && x.is_finite();
    if !positive(size.x) || !positive(size.y) || (solid && !positive(size.z)) {
        return fault("size", "sides of a grid must be greater than zero");
    }
    if space == Space::Spatial && !solid && size.z != 0.0 {
        return fault("size", "a sheet, with 0 cells along z, has no `size` along z; give its `thickness`");
    }
    if fields.youngs_modulus <= 0.0 {
        return fault("name", "a grid needs `youngs_modulus`, `poissons_ratio` and `density`");
    }
    let counts = [cells.x as usize, cells.y as usize, if solid { cells.z as usize } else { 0 }];
    let mesh = box_mesh(counts, size.into(), [0.0; 3]);
    let [_, ny, nz] = counts;
    let name = |index: usize| {
        let (i, j, k) = (index / (nz + 1) / (ny + 1), index / (nz + 1) % (ny + 1), index % (nz + 1));
        if solid { format!("{i}.{j}.{k}") } else { format!("{i}.{j}") }
    };
    let names = (0..mesh.nodes.len()).map(name).collect();
    Ok(NamedMesh { mesh, names })
}

/// The sets that a structure names, with the areas of those that are loaded.
fn sets(fields: &StructureFields, mesh: &Mesh, free: &FreeCells) -> Result<Vec<MeshSet>, MeshFault> {
    let mut place_of = vec![None; mesh.nodes.len()];
    free.nodes.iter().enumerate().for_each(|(place, &node)| place_of[node] = Some(place as u32));
    let mut all: Vec<MeshSet> = Vec::new();
    let named = (fields.fixed.iter().map(|name| ("fixed", name)))
        .chain(fields.load_on.iter().map(|name| ("load_on", name)));
    for (field, name) in named {
        let set = mesh.node_set(name).map_err(|error| {
            let known: Vec<String> = mesh.node_sets.keys().map(|name| format!("`{name}`")).collect();
            let fault = MeshFault::new(field, format!("structure `{}`: {error}", fields.name));
            if known.is_empty() { fault } else { fault.hint(format!("its sets are {}", known.join(", "))) }
        })?;
        let areas = match field {
            "load_on" => areas(mesh, set).map_err(|error| told(fields, &error))?,
            _ => vec![0.0; mesh.nodes.len()],
        };
        let (nodes, areas): (Vec<u32>, Vec<f64>) =
            set.iter().filter_map(|&node| Some((place_of[node]?, areas[node]))).unzip();
        match all.iter_mut().find(|known| known.name == *name) {
            Some(known) if field == "load_on" => known.areas = areas,
            Some(_) => {}
            None => all.push(MeshSet { name: name.clone(), nodes, areas }),
        }
    }
    Ok(all)
}

/// The numbers that a model has of a mesh.
fn plain(mesh: &Mesh, names: &[String], free: FreeCells, sets: Vec<MeshSet>) -> StructureMesh {
    let mut place_of = vec![0; mesh.nodes.len()];
    free.nodes.iter().enumerate().for_each(|(place, &node)| place_of[node] = place as u32);
    let cell = |own: FreeCell| MeshCell {
        number: own.number,
        nodes: own.nodes.iter().map(|&node| node as u32).collect(),
        lambda: own.lambda,
        mu: own.mu,
        volumes: own.volumes,
        gradients: own.gradients,
    };
    StructureMesh {
        names: free.nodes.iter().map(|&node| names[node].clone()).collect(),
        places: free.nodes.iter().map(|&node| mesh.nodes[node].place).collect(),
        masses: free.masses,
        cells: free.cells.into_iter().map(cell).collect(),
        sets,
        triangles: mesh.surface().into_iter().map(|three| three.map(|node| place_of[node])).collect(),
    }
}

/// Makes a structure one that can be read, whatever its other fields; for tests.
#[cfg(test)]
pub(crate) fn make_sound(own: &mut kingpin::model::MeshStructure, space: Space) {
    let fields = &mut own.fields;
    (fields.size, fields.cells, fields.mesh) = (None, None, Some("sheet.inp".into()));
    (fields.fixed, fields.load_on) = (vec!["left".into()], vec!["left".into()]);
    fields.poissons_ratio = 0.3;
    let text = "*NODE\n1, 0, 0, 0\n2, 1, 0, 0\n3, 1, 1, 0\n4, 0, 1, 0\n*ELEMENT, TYPE=CPS4, ELSET=all\n1, 1, 2, 3, 4\n*NSET, NSET=left\n1, 4\n";
    fields.contents = Some(text.into());
    own.mesh = meshed(fields, space, &Files::default(), Path::new("")).ok().map(|(mesh, _)| Arc::new(mesh));
}

fn told(fields: &StructureFields, error: &FlexError) -> MeshFault {
    let fault = MeshFault::new("mesh", format!("structure `{}`: {error}", fields.name));
    match error {
        FlexError::NoSection { .. } => fault.hint("give `youngs_modulus`, `poissons_ratio` and `density`"),
        FlexError::Inverted { .. } => fault.hint("the order of its nodes may differ from that of its type"),
        _ => fault,
    }
}
