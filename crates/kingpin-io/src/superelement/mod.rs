//! Superelements of a model: their meshes are read and reduced, or taken from a cache.

mod numbers;
mod surface;
mod text;

#[cfg(test)]
pub(crate) use text::example;

use crate::load::Files;
use crate::meshes::{MeshFault, mesh_of, mesh_text, section_of_model};
use kingpin::model::{Finding, Model, ReducedBody, Space, Subject, SuperelementFields};
use kingpin_flex::FlexError;
use kingpin_flex::mesh::{Mesh, Space as MeshSpace};
use kingpin_flex::reduce::{Basis, Choice, Hold, Interface, NodeChoice, Recipe, Superelement};
use kingpin_flex::structure::Structure;
use std::path::Path;
use std::sync::Arc;

/// Modes where nothing is said.
const MODES: usize = 10;

/// Reduces all superelements of a model, those alike once.
pub(crate) fn reduce_all(model: &mut Model, files: &Files, folder: &Path) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut known: Vec<ReducedOnce> = Vec::new();
    let space = model.space;
    for (k, own) in model.superelements.iter_mut().enumerate() {
        let recipe = recipe_alone(&own.fields);
        let found = match known.iter().find(|known| known.recipe == recipe) {
            Some(known) => Ok((known.body.clone(), known.text.clone())),
            None => reduced(&own.fields, space, files, folder).map(|body| {
                let text = text::written(&body);
                (Arc::new(body), text)
            }),
        };
        let checked = found.and_then(|(body, text)| shortens(&own.fields, &body).map(|()| (body, text)));
        match checked {
            Ok((body, text)) => {
                own.fields.reduction = Some(text.clone());
                own.reduced = Some(body.clone());
                known.push(ReducedOnce { recipe, body, text });
            }
            Err(MeshFault { field, message, hint }) => {
                let finding = Finding::error(Subject::Superelement(k), field, message);
                findings.push(Finding { hint, ..finding });
            }
        }
    }
    findings
}

/// A body that was reduced, by what it was made of.
struct ReducedOnce {
    recipe: SuperelementFields,
    body: Arc<ReducedBody>,
    text: String,
}

/// What a reduction depends on.
fn recipe_alone(fields: &SuperelementFields) -> SuperelementFields {
    let other = SuperelementFields::default();
    SuperelementFields {
        name: other.name,
        damping: other.damping,
        foreshortening: other.foreshortening,
        position: other.position,
        orientation: other.orientation,
        angle: other.angle,
        velocity: other.velocity,
        angular_velocity: other.angular_velocity,
        ..fields.clone()
    }
}

/// Whether bending shortens a body of which that is wanted.
fn shortens(fields: &SuperelementFields, body: &ReducedBody) -> Result<(), MeshFault> {
    if fields.foreshortening != Some(true) || body.foreshortening.is_some() {
        return Ok(());
    }
    let (name, interfaces) = (&fields.name, body.interfaces.len());
    let message = if fields.basis == "free" {
        format!("modes of the free body do not say how `{name}` is stretched, so bending cannot shorten it")
    } else if interfaces != 2 {
        format!("bending shortens the line between two interfaces; `{name}` has {interfaces}")
    } else {
        format!(
            "bending cannot shorten `{name}`: it has no material all along the line between its interfaces"
        )
    };
    let hint = if fields.basis == "free" {
        "take `basis = \"held\"`, or drop `foreshortening`"
    } else {
        "drop `foreshortening`; to have it, cut the body into some with two interfaces each"
    };
    Err(MeshFault::new("foreshortening", message).hint(hint))
}

fn reduced(
    fields: &SuperelementFields,
    space: Space,
    files: &Files,
    folder: &Path,
) -> Result<ReducedBody, MeshFault> {
    if let Some(text) = &fields.reduction {
        return text::read(text).ok_or_else(|| {
            MeshFault::new("reduction", "this is not what a superelement was reduced to")
                .hint("drop it, and give `mesh`")
        });
    }
    let Some(name) = &fields.mesh else {
        return Err(MeshFault::new("mesh", format!("`{}` has no `mesh`", fields.name))
            .hint("give the name of a file of Gmsh (`.msh`), Abaqus or CalculiX (`.inp`)"));
    };
    let mesh = mesh(fields, name, files, folder)?;
    if space == Space::Planar && mesh.space() != MeshSpace::Plane {
        return Err(MeshFault::new(
            "mesh",
            format!("the mesh `{name}` does not lie in the plane of the model"),
        )
        .hint("planar models take meshes of plane elements with z = 0"));
    }
    let structure = Structure::assemble(&mesh).map_err(|error| told(fields, "mesh", &error))?;
    let interfaces = interfaces(fields)?;
    let recipe = Recipe { interfaces: &interfaces, basis: basis(fields), keep: None };
    let told = |error: FlexError| told(fields, field_of(fields, &error), &error);
    let body = cached(fields, files, folder, (&mesh, &structure, &recipe)).map_err(told)?;
    let floating = body.floating().map_err(told)?;
    let surface = surface::surface(&mesh, &body, &floating).map_err(told)?;
    Ok(ReducedBody { surface, ..numbers::body(&floating, structure.places.len()) })
}

/// The reduction of a cache where that is of the same input; made and kept if not.
fn cached(
    fields: &SuperelementFields,
    files: &Files,
    folder: &Path,
    (mesh, structure, recipe): (&Mesh, &Structure, &Recipe),
) -> Result<Superelement, FlexError> {
    let path = fields.cache.as_ref().filter(|_| files.is_on_disk()).map(|name| folder.join(name));
    let Some(path) = path else { return kingpin_flex::reduce::reduce(mesh, structure, recipe) };
    let fingerprint = kingpin_flex::reduce::fingerprint(mesh, structure, recipe)?;
    let kept = files.bytes_of(&path).ok().and_then(|bytes| Superelement::from_bytes(&bytes).ok());
    if let Some(kept) = kept.filter(|kept| kept.fingerprint == fingerprint) {
        return Ok(kept);
    }
    let body = kingpin_flex::reduce::reduce(mesh, structure, recipe)?;
    // a cache that cannot be written costs time, nothing else
    let _ = std::fs::write(&path, body.to_bytes());
    Ok(body)
}

fn mesh(fields: &SuperelementFields, name: &str, files: &Files, folder: &Path) -> Result<Mesh, MeshFault> {
    let mut mesh = mesh_of(name, &mesh_text(name, files, folder)?)?;
    let numbers = [fields.youngs_modulus, fields.poissons_ratio, fields.density, fields.thickness];
    if let Some(section) = section_of_model(numbers) {
        mesh.give_section(section);
    }
    Ok(mesh)
}

fn interfaces(fields: &SuperelementFields) -> Result<Vec<Interface>, MeshFault> {
    let rigid = fields.interfaces.iter().map(|set| Interface::rigid(set, set));
    let mean = fields.mean_interfaces.iter().map(|set| Interface::mean(set, set));
    let mut all: Vec<Interface> = rigid.chain(mean).collect();
    for (name, number) in &fields.points {
        if number.fract() != 0.0 || *number < 1.0 {
            return Err(MeshFault::new(
                "points",
                format!("`{name}` must be the number of a node, not {number}"),
            ));
        }
        all.push(Interface::point(name, *number as u64));
    }
    for (k, own) in all.iter().enumerate() {
        let name = &own.name;
        let taken = name.strip_prefix("mode").is_some_and(|rest| rest.parse::<usize>().is_ok());
        if taken || all[..k].iter().any(|other| other.name == *name) {
            let message = format!("`{name}` cannot be the name of another interface");
            let field = match (&own.nodes, own.hold) {
                (NodeChoice::Numbers(_), _) => "points",
                (_, Hold::Mean) => "mean_interfaces",
                _ => "interfaces",
            };
            return Err(MeshFault::new(field, message)
                .hint("each has a name of its own; `mode1` and the like are taken"));
        }
    }
    if all.is_empty() {
        return Err(MeshFault::new("interfaces", format!("`{}` has no interface", fields.name))
            .hint("name sets of nodes of the mesh in `interfaces`, or single nodes in `points`"));
    }
    Ok(all)
}

fn basis(fields: &SuperelementFields) -> Basis {
    let choice = match (fields.modes, fields.up_to) {
        (None, Some(hertz)) => Choice::UpTo(hertz),
        (modes, _) => Choice::Count(modes.unwrap_or(MODES)),
    };
    if fields.basis == "free" { Basis::FreeFree(choice) } else { Basis::CraigBampton(choice) }
}

/// The field that an error is about.
fn field_of(fields: &SuperelementFields, error: &FlexError) -> &'static str {
    let of = |name: &String| {
        if fields.interfaces.contains(name) {
            "interfaces"
        } else if fields.mean_interfaces.contains(name) {
            "mean_interfaces"
        } else {
            "points"
        }
    };
    match error {
        FlexError::SetUnknown { name, .. } => of(name),
        FlexError::InterfaceTooSmall { interface } | FlexError::InterfaceLoose { interface, .. } => {
            of(interface)
        }
        FlexError::InterfacesShare { interfaces: [_, second], .. } => of(second),
        FlexError::NodeUnknown { .. } => "points",
        FlexError::TooFewModes { .. }
        | FlexError::TooManyAmplitudes { .. }
        | FlexError::NotSoManyModes { .. }
        | FlexError::ModesMissed { .. }
        | FlexError::ModesNotConverged { .. } => {
            if fields.modes.is_none() && fields.up_to.is_some() {
                "up_to"
            } else {
                "modes"
            }
        }
        _ => "mesh",
    }
}

fn told(fields: &SuperelementFields, field: &'static str, error: &FlexError) -> MeshFault {
    let fault = MeshFault::new(field, format!("superelement `{}`: {error}", fields.name));
    match error {
        FlexError::NoSection { .. } => fault.hint("give `youngs_modulus`, `poissons_ratio` and `density`"),
        FlexError::Mechanism { .. } => fault.hint("connect it to the rest of the mesh, or leave it out"),
        FlexError::TooFewModes { .. } => fault.hint("take more `modes`, or `basis = \"held\"`"),
        FlexError::TooManyAmplitudes { .. } => fault
            .hint("a body moves by its slowest modes: those up to five times the frequency that matters do"),
        FlexError::Inverted { .. } => {
            fault.hint("the order of its nodes may be another than that of its type")
        }
        FlexError::InterfaceTooSmall { .. } => fault.hint("single nodes are `points`"),
        _ => fault,
    }
}
