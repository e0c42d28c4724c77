//! The mechanisms that are measured unless others are named.

use super::bent_chain;
use crate::check::json::text;
use crate::generate::{Shape, Space, model};
use crate::input::is_misuse;
use crate::output::{Exit, complain, print};
use crate::ready::{Ready, prepare};
use crate::table::Table;
use kingpin_io::{Diagnostic, Loaded, Overrides, read_text, read_texts};
use serde::Serialize;
use std::io;

/// Shipped models and what they include.
const SHIPPED: [(&str, &str); 22] = [
    ("andrews.toml", include_str!(concat!(env!("KINGPIN_MODELS"), "/andrews.toml"))),
    ("andrews_spatial.toml", include_str!(concat!(env!("KINGPIN_MODELS"), "/andrews_spatial.toml"))),
    ("chain50.toml", include_str!(concat!(env!("KINGPIN_MODELS"), "/chain50.toml"))),
    ("conical_pendulum.toml", include_str!(concat!(env!("KINGPIN_MODELS"), "/conical_pendulum.toml"))),
    ("door.toml", include_str!(concat!(env!("KINGPIN_MODELS"), "/door.toml"))),
    (
        "double_pendulum_stiff.toml",
        include_str!(concat!(env!("KINGPIN_MODELS"), "/double_pendulum_stiff.toml")),
    ),
    ("four_bar.toml", include_str!(concat!(env!("KINGPIN_MODELS"), "/four_bar.toml"))),
    ("hmmwv14.toml", include_str!(concat!(env!("KINGPIN_MODELS"), "/hmmwv14.toml"))),
    ("hmmwv14_stiff.toml", include_str!(concat!(env!("KINGPIN_MODELS"), "/hmmwv14_stiff.toml"))),
    ("jansen.toml", include_str!(concat!(env!("KINGPIN_MODELS"), "/jansen.toml"))),
    ("pendulum.toml", include_str!(concat!(env!("KINGPIN_MODELS"), "/pendulum.toml"))),
    ("slider_crank.toml", include_str!(concat!(env!("KINGPIN_MODELS"), "/slider_crank.toml"))),
    ("stewart.toml", include_str!(concat!(env!("KINGPIN_MODELS"), "/stewart.toml"))),
    ("revolving_four_bar.toml", include_str!("../../../../tests/models/revolving_four_bar.toml")),
    ("revolving_pendulum.toml", include_str!("../../../../tests/models/revolving_pendulum.toml")),
    ("common/andrews.toml", include_str!(concat!(env!("KINGPIN_MODELS"), "/common/andrews.toml"))),
    ("common/hmmwv14.toml", include_str!(concat!(env!("KINGPIN_MODELS"), "/common/hmmwv14.toml"))),
    (
        "common/hmmwv14_bushings.toml",
        include_str!(concat!(env!("KINGPIN_MODELS"), "/common/hmmwv14_bushings.toml")),
    ),
    (
        "common/hmmwv14_corner.toml",
        include_str!(concat!(env!("KINGPIN_MODELS"), "/common/hmmwv14_corner.toml")),
    ),
    (
        "common/hmmwv14_front.toml",
        include_str!(concat!(env!("KINGPIN_MODELS"), "/common/hmmwv14_front.toml")),
    ),
    (
        "common/hmmwv14_hinge.toml",
        include_str!(concat!(env!("KINGPIN_MODELS"), "/common/hmmwv14_hinge.toml")),
    ),
    ("common/hmmwv14_rear.toml", include_str!(concat!(env!("KINGPIN_MODELS"), "/common/hmmwv14_rear.toml"))),
];

/// All of them but parts of others: the shipped models, and two that turn a hundred times.
pub fn names() -> impl Iterator<Item = &'static str> {
    let names = SHIPPED.iter().filter_map(|(file, _)| file.strip_suffix(".toml"));
    names.filter(|name| !name.contains('/'))
}

/// Measures mechanisms and prints what was found, as a table or as JSON; or says which cannot be measured.
pub fn tell<R: Serialize>(
    entrants: impl Iterator<Item = Entrant>,
    json: bool,
    measured: impl Fn(&str, &Ready) -> Vec<R>,
    table: fn(&[R]) -> Table,
) -> io::Result<Exit> {
    let mut records = Vec::new();
    for (name, ready) in entrants {
        match ready {
            Ok(ready) => records.extend(measured(&name, &ready)),
            Err(refusal) => {
                complain(&refusal.message);
                return Ok(refusal.exit);
            }
        }
    }
    print(&if json { text(&records) } else { table(&records).to_string() })?;
    Ok(Exit::Good)
}

/// A mechanism to be measured, by name; or why it cannot be.
pub type Entrant = (String, Result<Ready, Refusal>);

/// Why a mechanism cannot be measured.
#[derive(Debug)]
pub struct Refusal {
    /// The messages.
    pub message: String,
    /// Whose fault it is.
    pub exit: Exit,
}

impl Refusal {
    /// The model is at fault.
    pub fn new(message: impl std::fmt::Display) -> Refusal {
        Refusal { message: format!("error: {message}\n"), exit: Exit::Faulty }
    }
}

/// Andrews' mechanism, the car twice, a planar chain of 50 links, and spatial chains of the given sizes.
pub fn set(sizes: &[u32]) -> impl Iterator<Item = Entrant> {
    let shipped = ["andrews", "hmmwv14", "hmmwv14_stiff"].into_iter().map(shipped);
    let planar = std::iter::once_with(|| chain(Space::Planar, 50));
    let spatial = sizes.iter().map(|&size| chain(Space::Spatial, size));
    shipped.chain(planar).chain(spatial)
}

/// The car.
pub fn car() -> Entrant {
    shipped("hmmwv14")
}

/// A shipped model by its name.
pub fn shipped(name: &str) -> Entrant {
    (name.into(), ready(read_texts(&format!("{name}.toml"), &SHIPPED, &Overrides::none())))
}

/// A chain in motion, called such as `chain50` or `chain50_planar`.
pub fn chain(space: Space, size: u32) -> Entrant {
    named("chain", space, size, &bent_chain::model(space, size))
}

/// A mechanism as `kingpin generate` prints it, called such as `star250`.
pub fn generated(shape: Shape, space: Space, size: u32) -> Entrant {
    named(&format!("{shape:?}").to_lowercase(), space, size, &model(shape, space, size))
}

/// A mechanism of one's own, called such as `tree250`.
pub fn written(shape: &str, size: u32, text: &str) -> Entrant {
    named(shape, Space::Spatial, size, text)
}

fn named(shape: &str, space: Space, size: u32, text: &str) -> Entrant {
    let suffix = if space == Space::Planar { "_planar" } else { "" };
    let name = format!("{shape}{size}{suffix}");
    let loaded = read_text(&format!("{name}.toml"), text, "", &Overrides::none());
    (name, ready(loaded))
}

/// The mechanism, or the messages that say why there is none.
pub fn ready(loaded: Loaded) -> Result<Ready, Refusal> {
    let (ready, diagnostics) = prepare(loaded);
    ready.map_err(|sources| {
        let exit = if is_misuse(&diagnostics, &sources) { Exit::Usage } else { Exit::Faulty };
        let errors: Vec<Diagnostic> = diagnostics.into_iter().filter(Diagnostic::is_error).collect();
        Refusal { message: kingpin_io::render(&errors, &sources, false), exit }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_standard_set_can_be_simulated() {
        let names: Vec<String> = set(&[3, 5])
            .map(|(name, ready)| ready.map(|_| name.clone()).unwrap_or_else(|why| panic!("{name}: {why:?}")))
            .collect();
        let expected = ["andrews", "hmmwv14", "hmmwv14_stiff", "chain50_planar", "chain3", "chain5"];
        assert_eq!(names, expected);
    }
}
