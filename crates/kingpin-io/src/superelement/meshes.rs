//! Superelements of meshes.

use super::cache::Cache;
use super::recipe::{field_of, interfaces, recipe_basis, told};
use super::{MeshFault, numbers, surface};
use crate::load::Files;
use crate::meshes::{mesh_of, mesh_text, section_of_model};
use kingpin::model::{ReducedBody, Space, SuperelementFields};
use kingpin_flex::FlexError;
use kingpin_flex::mesh::{Mesh, Space as MeshSpace};
use kingpin_flex::reduce::Recipe;
use kingpin_flex::structure::Structure;
use std::path::Path;

/// The body of a mesh, and remarks about it.
pub(super) fn reduced(
    fields: &SuperelementFields,
    name: &str,
    space: Space,
    (files, folder): (&Files, &Path),
) -> Result<(ReducedBody, Vec<MeshFault>), MeshFault> {
    let mut mesh = mesh(fields, name, files, folder)?;
    if space == Space::Planar && mesh.space() != MeshSpace::Plane {
        return Err(MeshFault::new(
            "mesh",
            format!("the mesh `{name}` does not lie in the plane of the model"),
        )
        .hint("planar models need meshes of plane elements with z = 0"));
    }
    add_sets(fields, &mut mesh)?;
    let structure = Structure::assemble(&mesh).map_err(|error| told(fields, "mesh", &error))?;
    let interfaces = interfaces(fields)?;
    let recipe = Recipe { interfaces: &interfaces, basis: recipe_basis(fields)?, keep: None };
    let told = |error: FlexError| told(fields, field_of(fields, &error), &error);
    let cache = fields.cache.as_deref().filter(|_| files.is_on_disk());
    let cache = cache.map(|name| Cache::new(name, folder)).transpose()?;
    let reduce = || kingpin_flex::reduce::reduce(&mesh, &structure, &recipe);
    let (body, remark) = match cache {
        None => (reduce().map_err(told)?, None),
        Some(cache) => {
            let fingerprint = kingpin_flex::reduce::fingerprint(&mesh, &structure, &recipe).map_err(told)?;
            cache.get(fingerprint, reduce).map_err(told)?
        }
    };
    let floating = body.floating().map_err(told)?;
    let surface = surface::surface(&mesh, &body, &floating).map_err(told)?;
    let doubt = surface.as_ref().err().map(|numbers| {
        let message = format!(
            "superelement `{}` is drawn without its surface: that would need {numbers} numbers, \
                 more than {}",
            fields.name,
            surface::MOST
        );
        MeshFault::new("mesh", message).hint("use fewer modes or a coarser mesh to see it")
    });
    let body = numbers::body(&floating, structure.places.len());
    let remarks = doubt.into_iter().chain(remark).collect();
    Ok((ReducedBody { surface: surface.ok().flatten(), ..body }, remarks))
}

/// Adds the sets that the model gives by numbers to those of the mesh.
fn add_sets(fields: &SuperelementFields, mesh: &mut Mesh) -> Result<(), MeshFault> {
    for (name, numbers) in &fields.node_sets {
        let node =
            |&number: &usize| mesh.node(number as u64).map_err(|error| told(fields, "node_sets", &error));
        let mut nodes: Vec<usize> = numbers.iter().map(node).collect::<Result<_, _>>()?;
        nodes.sort_unstable();
        nodes.dedup();
        if mesh.node_sets.insert(name.clone(), nodes).is_some() {
            let message = format!("the mesh already has a set `{}`", name.escape_debug());
            return Err(MeshFault::new("node_sets", message).hint("give it another name"));
        }
    }
    Ok(())
}

fn mesh(fields: &SuperelementFields, name: &str, files: &Files, folder: &Path) -> Result<Mesh, MeshFault> {
    let mut mesh = mesh_of(name, &mesh_text(name, files, folder)?)?;
    let numbers = [fields.youngs_modulus, fields.poissons_ratio, fields.density, fields.thickness];
    if let Some(section) = section_of_model(numbers) {
        mesh.give_section(section);
    }
    Ok(mesh)
}
