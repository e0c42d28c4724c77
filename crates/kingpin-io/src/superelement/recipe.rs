//! How superelements are reduced, by their fields, and what is wrong with these.

use super::MeshFault;
use kingpin::model::SuperelementFields;
use kingpin_flex::FlexError;
use kingpin_flex::reduce::{Basis, Choice, Hold, Interface, NodeChoice};

/// Modes where nothing is said.
const MODES: usize = 10;

/// The field that says what a superelement is made of.
pub(super) fn source(fields: &SuperelementFields) -> &'static str {
    if !fields.of.is_empty() {
        "of"
    } else if fields.mesh.is_none() && fields.stiffness_matrix.is_some() {
        "stiffness_matrix"
    } else {
        "mesh"
    }
}

/// The interfaces that fields name.
pub(super) fn interfaces(fields: &SuperelementFields) -> Result<Vec<Interface>, MeshFault> {
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
                .hint("names must be unique; `mode1` and similar names are reserved"));
        }
    }
    if all.is_empty() {
        return Err(MeshFault::new("interfaces", format!("`{}` has no interface", fields.name))
            .hint("list node sets of the mesh in `interfaces`, or single nodes in `points`"));
    }
    Ok(all)
}

/// Which modes are taken.
pub(super) fn recipe_basis(fields: &SuperelementFields) -> Result<Basis, MeshFault> {
    let only = (!fields.only_modes.is_empty()).then(|| fields.only_modes.clone());
    let choice = match (only, fields.modes, fields.up_to) {
        (Some(numbers), None, None) => {
            if let Some(twice) = numbers.iter().enumerate().find(|(k, own)| numbers[..*k].contains(own)) {
                let message = format!("superelement `{}`: mode {} is selected twice", fields.name, twice.1);
                return Err(MeshFault::new("only_modes", message));
            }
            Choice::Numbers(numbers)
        }
        (None, None, Some(hertz)) => Choice::UpTo(hertz),
        (None, modes, None) => Choice::Count(modes.unwrap_or(MODES)),
        (only, _, _) => {
            let field = if only.is_some() { "only_modes" } else { "up_to" };
            let message = format!("superelement `{}`: modes are selected in two ways", fields.name);
            return Err(MeshFault::new(field, message).hint("give one of `modes`, `up_to` and `only_modes`"));
        }
    };
    Ok(if fields.basis == "free" { Basis::FreeFree(choice) } else { Basis::CraigBampton(choice) })
}

/// The field that an error is about.
pub(super) fn field_of(fields: &SuperelementFields, error: &FlexError) -> &'static str {
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
        FlexError::BadMass { .. } if fields.mesh.is_none() && fields.of.is_empty() => "mass_matrix",
        FlexError::TooFewModes { .. }
        | FlexError::TooManyAmplitudes { .. }
        | FlexError::NotSoManyModes { .. }
        | FlexError::ModesMissed { .. }
        | FlexError::ModesNotConverged { .. } => {
            if !fields.only_modes.is_empty() {
                "only_modes"
            } else if fields.modes.is_none() && fields.up_to.is_some() {
                "up_to"
            } else {
                "modes"
            }
        }
        _ => source(fields),
    }
}

/// What is wrong, in words of a model.
pub(super) fn told(fields: &SuperelementFields, field: &'static str, error: &FlexError) -> MeshFault {
    let fault = MeshFault::new(field, format!("superelement `{}`: {error}", fields.name));
    match error {
        FlexError::NoSection { .. } => fault.hint("give `youngs_modulus`, `poissons_ratio` and `density`"),
        FlexError::Mechanism { .. } => fault.hint("connect it to the rest, or remove it"),
        FlexError::TooFewModes { .. } => fault.hint("use more `modes`, or `basis = \"held\"`"),
        FlexError::TooManyAmplitudes { .. } => fault.hint(
            "use the lowest modes: those up to five times the highest frequency of interest are \
                 sufficient",
        ),
        FlexError::Inverted { .. } => fault.hint("the order of its nodes may differ from that of its type"),
        FlexError::InterfaceTooSmall { .. } => fault.hint("single nodes are `points`"),
        _ => fault,
    }
}
