//! Superelements of a model: what they are made of is read and reduced, or taken from a cache.

mod cache;
mod frames;
mod matrices;
mod meshes;
mod numbers;
mod of;
mod recipe;
mod surface;
mod taken;
mod text;

#[cfg(test)]
pub(crate) use text::example;

use crate::load::Files;
use crate::meshes::MeshFault;
use crate::source::SourceMap;
use kingpin::model::{Finding, Model, ReducedBody, Subject, SuperelementFields};
use of::PartFault;
use std::path::Path;
use std::sync::Arc;
use taken::Taken;

/// Reduces all superelements of a model, those alike once. What they are made of is taken out of it.
pub(crate) fn reduce_all(
    model: &mut Model,
    map: &mut SourceMap,
    (files, folder): (&Files, &Path),
) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut known: Vec<ReducedOnce> = Vec::new();
    let (mut all_taken, mut made, mut warnings) = (Taken::default(), Vec::new(), Vec::new());
    for (k, own) in model.superelements.iter().enumerate() {
        let recipe = recipe_alone(&own.fields);
        let found = match known.iter().find(|known| known.recipe == recipe && recipe.of.is_empty()) {
            Some(known) => Ok((known.body.clone(), known.text.clone())),
            None => reduced(&own.fields, model, &mut all_taken, (files, folder)).map(|(body, remarks)| {
                warnings.extend(remarks.into_iter().map(|remark| (k, remark)));
                let text = text::written(&body);
                (Arc::new(body), text)
            }),
        };
        let checked = found.and_then(|(body, text)| Ok(shortens(&own.fields, &body).map(|()| (body, text))?));
        match checked {
            Ok((body, text)) => {
                known.push(ReducedOnce { recipe, body: body.clone(), text: text.clone() });
                made.push((k, body, text));
            }
            Err(PartFault::Own(MeshFault { field, message, hint })) => {
                let finding = Finding::error(Subject::Superelement(k), field, message);
                findings.push(Finding { hint, ..finding });
            }
            Err(PartFault::Parts(all)) => findings.extend(all),
        }
    }
    for (k, body, text) in made {
        let own = &mut model.superelements[k];
        (own.fields.reduction, own.reduced) = (Some(text), Some(body));
    }
    // numbers of items stay as they are while something is wrong with them
    if findings.is_empty() {
        all_taken.remove(model, map);
    }
    let warning = |(k, MeshFault { field, message, hint })| Finding {
        hint,
        ..Finding::warning("doubtful-superelement", Subject::Superelement(k), field, message)
    };
    findings.extend(warnings.into_iter().map(warning));
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
        format!(
            "modes of the free body do not determine the stretching of `{name}`, so foreshortening is \
             not available"
        )
    } else if interfaces != 2 {
        format!("foreshortening applies to two interfaces; `{name}` has {interfaces}")
    } else {
        format!(
            "foreshortening of `{name}` is not available: the line between its interfaces is partly \
                 outside the material"
        )
    };
    let hint = if fields.basis == "free" {
        "use `basis = \"held\"`, or remove `foreshortening`"
    } else {
        "remove `foreshortening`, or divide the body into several with two interfaces each"
    };
    Err(MeshFault::new("foreshortening", message).hint(hint))
}

/// The body that a superelement is, with remarks about it, and what it takes out of its model.
fn reduced(
    fields: &SuperelementFields,
    model: &Model,
    all_taken: &mut Taken,
    at: (&Files, &Path),
) -> Result<(ReducedBody, Vec<MeshFault>), PartFault> {
    if let Some(text) = &fields.reduction {
        let body = text::read(text).ok_or_else(|| {
            MeshFault::new("reduction", "this file does not contain a reduced superelement")
                .hint("remove it, and give `mesh`")
        });
        return Ok((body?, Vec::new()));
    }
    only_one_source(fields)?;
    if !fields.of.is_empty() {
        let taken = Taken::of(model, fields)?;
        if let Some(name) = taken.shared(all_taken, model) {
            let message = format!("`{name}` already belongs to another superelement");
            return Err(MeshFault::new("of", message).into());
        }
        let body = of::reduced(fields, model, &taken)?;
        all_taken.join(taken);
        return Ok((body, Vec::new()));
    }
    if fields.stiffness_matrix.is_some() || fields.mass_matrix.is_some() || fields.node_places.is_some() {
        return Ok((matrices::reduced(fields, model.space, at)?, Vec::new()));
    }
    let Some(name) = &fields.mesh else {
        return Err(MeshFault::new("mesh", format!("`{}` has no `mesh`", fields.name))
            .hint("give the name of a file of Gmsh (`.msh`), Abaqus or CalculiX (`.inp`)")
            .into());
    };
    Ok(meshes::reduced(fields, name, model.space, at)?)
}

/// Refuses what is made of two things.
fn only_one_source(fields: &SuperelementFields) -> Result<(), MeshFault> {
    let given = [
        ("mesh", fields.mesh.is_some()),
        ("stiffness_matrix", fields.stiffness_matrix.is_some()),
        ("of", !fields.of.is_empty()),
    ];
    let names: Vec<&'static str> =
        given.into_iter().filter(|(_, given)| *given).map(|(name, _)| name).collect();
    match names[..] {
        [first, second, ..] => {
            let message =
                format!("`{}` can have only one source, but has `{first}` and `{second}`", fields.name);
            Err(MeshFault::new(second, message).hint("remove one of them"))
        }
        _ => Ok(()),
    }
}
