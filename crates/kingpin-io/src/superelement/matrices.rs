//! Structures given by their matrices.

use super::recipe::{field_of, interfaces, recipe_basis, told};
use super::{MeshFault, numbers};
use crate::load::Files;
use kingpin::model::{ReducedBody, Space, SuperelementFields, Vec3};
use kingpin_flex::FlexError;
use kingpin_flex::mesh::Space as MeshSpace;
use kingpin_flex::read::{matrix_market, matrix_market_table, npz_arrays, npz_matrix};
use kingpin_flex::reduce::{Interface, NodeChoice, Recipe, reduce_matrices};
use kingpin_flex::structure::{Structure, SymmetricMatrix};
use std::path::Path;

/// Kinds of files that hold matrices.
const KINDS: &str = "matrices must be files of Matrix Market (`.mtx`) or SciPy (`.npz`)";

/// The name of a file as messages show it.
fn shown(name: &str) -> String {
    format!("`{}`", name.escape_debug())
}

/// The bytes of the file that a field names, and its ending.
fn opened<'a>(
    field: &'static str,
    name: &'a Option<String>,
    (files, folder): (&Files, &Path),
) -> Result<(&'a str, Vec<u8>, Ending), MeshFault> {
    let Some(name) = name else {
        let message = format!("a superelement of matrices needs `{field}`");
        return Err(MeshFault::new(field, message)
            .hint("give `stiffness_matrix`, `mass_matrix` and `node_places`, or a `mesh`"));
    };
    let ending = match Path::new(name).extension().and_then(|end| end.to_str()) {
        Some("mtx") => Ending::Market,
        Some("npz") => Ending::Archive,
        _ => {
            let message = format!("{} is neither an `.mtx` nor an `.npz` file", shown(name));
            return Err(MeshFault::new(field, message).hint(KINDS));
        }
    };
    let bytes = (files.bytes_of(&folder.join(name)))
        .map_err(|why| MeshFault::new(field, format!("cannot read {}: {why}", shown(name))))?;
    Ok((name, bytes, ending))
}

/// What a file holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ending {
    Market,
    Archive,
}

fn text_of(field: &'static str, name: &str, bytes: Vec<u8>) -> Result<String, MeshFault> {
    String::from_utf8(bytes).map_err(|_| MeshFault::new(field, format!("{} is not text", shown(name))))
}

fn matrix(
    field: &'static str,
    name: &Option<String>,
    at: (&Files, &Path),
) -> Result<SymmetricMatrix, MeshFault> {
    let (name, bytes, ending) = opened(field, name, at)?;
    let read = match ending {
        Ending::Market => matrix_market(&text_of(field, name, bytes)?),
        Ending::Archive => npz_matrix(&bytes),
    };
    read.map_err(|error| MeshFault::new(field, format!("{}: {error}", shown(name))))
}

/// Places of nodes, a row of two or three numbers for each.
fn places(name: &Option<String>, at: (&Files, &Path)) -> Result<Vec<Vec3>, MeshFault> {
    const FIELD: &str = "node_places";
    let (name, bytes, ending) = opened(FIELD, name, at)?;
    let fault = |what: String| MeshFault::new(FIELD, format!("{}: {what}", shown(name)));
    let (rows, columns, values) = match ending {
        Ending::Market => {
            let table = matrix_market_table(&text_of(FIELD, name, bytes)?);
            let table = table.map_err(|error| fault(error.to_string()))?;
            (table.nrows(), table.ncols(), table.transpose().as_slice().to_vec())
        }
        Ending::Archive => {
            let mut arrays = npz_arrays(&bytes).map_err(|error| fault(error.to_string()))?;
            let named = arrays.remove("places").or_else(|| arrays.pop_first().map(|(_, only)| only));
            let array = named.filter(|array| array.shape.len() == 2);
            let array =
                array.ok_or_else(|| fault("there is no array `places` of rows and columns".into()))?;
            (array.shape[0], array.shape[1], array.values)
        }
    };
    if !(2..=3).contains(&columns) || values.len() != rows * columns {
        return Err(fault(format!(
            "{columns} columns are not positions: give x, y and z of one node per row"
        )));
    }
    if let Some(k) = values.iter().position(|x| !x.is_finite()) {
        return Err(fault(format!("the position of node {} is not finite", k / columns + 1)));
    }
    let place = |row: &[f64]| Vec3::new(row[0], row[1], row.get(2).copied().unwrap_or(0.0));
    Ok(values.chunks_exact(columns).map(place).collect())
}

/// The body of matrices of files.
pub(super) fn reduced(
    fields: &SuperelementFields,
    space: Space,
    (files, folder): (&Files, &Path),
) -> Result<ReducedBody, MeshFault> {
    let structure = structure(fields, files, folder)?;
    if space == Space::Planar && structure.space != MeshSpace::Plane {
        let message = format!("the matrices of `{}` have three rows for each node", fields.name);
        return Err(MeshFault::new("stiffness_matrix", message).hint("planar models need matrices with two"));
    }
    let interfaces = (interfaces(fields)?.into_iter().map(|own| numbered(fields, own)))
        .collect::<Result<Vec<_>, MeshFault>>()?;
    let recipe = Recipe { interfaces: &interfaces, basis: recipe_basis(fields)?, keep: None };
    let told = |error: FlexError| told(fields, field_of(fields, &error), &error);
    let body = reduce_matrices(&structure, &recipe).map_err(told)?;
    Ok(numbers::body(&body.floating().map_err(told)?, structure.places.len()))
}

/// An interface by the numbers of its nodes: matrices have no sets but those of the model.
fn numbered(fields: &SuperelementFields, own: Interface) -> Result<Interface, MeshFault> {
    let NodeChoice::Set(name) = &own.nodes else { return Ok(own) };
    let set = fields.node_sets.iter().find(|(known, _)| known == name);
    let (_, numbers) = set.ok_or_else(|| {
        let error = FlexError::SetUnknown { name: name.clone(), near: Vec::new() };
        told(fields, field_of(fields, &error), &error)
            .hint("give it in `node_sets`, such as `node_sets = { base = [1, 2, 3] }`")
    })?;
    let nodes = NodeChoice::Numbers(numbers.iter().map(|&number| number as u64).collect());
    Ok(Interface { nodes, ..own })
}

/// The structure that matrices of files describe.
fn structure(fields: &SuperelementFields, files: &Files, folder: &Path) -> Result<Structure, MeshFault> {
    let at = (files, folder);
    let stiffness = matrix("stiffness_matrix", &fields.stiffness_matrix, at)?;
    let mass = matrix("mass_matrix", &fields.mass_matrix, at)?;
    let places = places(&fields.node_places, at)?;
    let sizes = [stiffness.order(), mass.order(), places.len()];
    Structure::from_matrices(&stiffness, &mass, places).map_err(|_| {
        let [rows, of_mass, nodes] = sizes;
        let field = if rows == of_mass { "node_places" } else { "mass_matrix" };
        let message = format!(
            "superelement `{}`: the stiffness matrix has {rows} rows, the mass matrix {of_mass}, \
                 and there are {nodes} node positions",
            fields.name
        );
        MeshFault::new(field, message).hint("both matrices need three rows per node, or two in planar models")
    })
}
