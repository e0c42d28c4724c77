//! Meshes beside a model: their texts, and what is wrong with them.

use crate::load::Files;
use kingpin_flex::mesh::{Material, Mesh, Section};
use kingpin_flex::read::{abaqus, gmsh};
use std::path::Path;

/// What is wrong with a part of a mesh: the field, the message, what to do.
pub(crate) struct MeshFault {
    pub field: &'static str,
    pub message: String,
    pub hint: Option<String>,
}

impl MeshFault {
    pub fn new(field: &'static str, message: impl Into<String>) -> MeshFault {
        MeshFault { field, message: message.into(), hint: None }
    }

    pub fn hint(self, hint: impl Into<String>) -> MeshFault {
        MeshFault { hint: Some(hint.into()), ..self }
    }
}

/// The text of the file of a mesh.
pub(crate) fn mesh_text(name: &str, files: &Files, folder: &Path) -> Result<String, MeshFault> {
    let shown = name.escape_debug();
    let bytes = (files.bytes_of(&folder.join(name)))
        .map_err(|why| MeshFault::new("mesh", format!("cannot read `{shown}`: {why}")))?;
    String::from_utf8(bytes)
        .map_err(|_| MeshFault::new("mesh", format!("`{shown}` is not text")).hint("save the mesh as ASCII"))
}

/// The mesh that a text says, by the end of the name of its file.
pub(crate) fn mesh_of(name: &str, text: &str) -> Result<Mesh, MeshFault> {
    let shown = name.escape_debug();
    let read = match Path::new(name).extension().and_then(|end| end.to_str()) {
        Some("msh") => gmsh(text),
        Some("inp") => abaqus(text),
        _ => {
            let message = format!("`{shown}` is neither a `.msh` nor an `.inp` file");
            return Err(
                MeshFault::new("mesh", message).hint("meshes must be files of Gmsh, Abaqus or CalculiX")
            );
        }
    };
    read.map_err(|error| MeshFault::new("mesh", format!("`{shown}`: {error}")))
}

/// The section that a model gives all elements; none without Young's modulus.
pub(crate) fn section_of_model(
    [youngs_modulus, poissons_ratio, density, thickness]: [f64; 4],
) -> Option<Section> {
    let material = Material::new("of the model", youngs_modulus, poissons_ratio, density);
    (youngs_modulus > 0.0).then(|| Section::of_extent(material, thickness))
}
