//! What the numbers of a results folder are.

use crate::error::Error;
use kingpin::model::Subject;
use kingpin::results::{Channels, Group, Role};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Written into every folder.
const FORMAT: &str = "kingpin-results";
const VERSION: u32 = 2;

/// The content of `channels.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// Always `kingpin-results`.
    pub format: String,
    /// Version of the format.
    pub version: u32,
    /// What wrote it, such as `kingpin 0.3.0`.
    pub generator: String,
    /// Name of the model.
    pub model: String,
    /// Hash of the model as the caller computes it, to tell whether a model has changed since.
    pub hash: String,
    /// Settings of the run, by name.
    pub settings: serde_json::Map<String, serde_json::Value>,
    /// Parameters of the model with the values of the run, in the order of their names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parameters: Vec<Parameter>,
    /// The channels, in the order of the columns after the time.
    pub channels: Vec<ChannelInfo>,
    /// Columns of `steps.f64`, so that other programs need not know them.
    pub steps: Vec<String>,
}

/// A parameter of the model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Its value in the run, in SI units; none if it is no finite number.
    pub value: Option<f64>,
    /// Its unit; empty for pure numbers and for those given without one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub unit: String,
    /// What the user gave it for this run instead of the value in the file, such as `3 kN/m`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub set: Option<String>,
}

/// One channel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChannelInfo {
    /// Its name, such as `crank.wz`.
    pub name: String,
    /// Its unit; empty for pure numbers.
    pub unit: String,
    /// What it is about; written as a heading, such as `Positions`.
    #[serde(with = "heading")]
    pub group: Group,
    /// What it is, in words.
    pub about: String,
    /// What it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<Of>,
    /// What it is to that; written for rates (`rate`) and what forces exert (`strength`).
    #[serde(default, with = "role", skip_serializing_if = "role::is_value")]
    pub role: Role,
}

/// The item of the model that a channel belongs to, by its index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Of {
    /// A body.
    Body(usize),
    /// A joint.
    Joint(usize),
    /// A driver.
    Driver(usize),
    /// A force.
    Force(usize),
    /// A measure.
    Measure(usize),
}

impl Header {
    /// The header for all channels of a system.
    pub fn new(model: &str, channels: &Channels) -> Header {
        let channels = channels.list().iter().map(|channel| ChannelInfo {
            name: channel.name.clone(),
            unit: channel.unit.into(),
            group: channel.group,
            about: channel.about.into(),
            of: match channel.subject {
                Subject::Body(k) => Some(Of::Body(k)),
                Subject::Joint(k) => Some(Of::Joint(k)),
                Subject::Driver(k) => Some(Of::Driver(k)),
                Subject::Force(k) => Some(Of::Force(k)),
                Subject::Measure(k) => Some(Of::Measure(k)),
                _ => None,
            },
            role: channel.role,
        });
        Header {
            format: FORMAT.into(),
            version: VERSION,
            generator: concat!("kingpin ", env!("CARGO_PKG_VERSION")).into(),
            model: model.into(),
            hash: String::new(),
            settings: serde_json::Map::new(),
            parameters: Vec::new(),
            channels: channels.collect(),
            steps: super::STEP_COLUMNS.map(|(name, _)| name.into()).into(),
        }
    }

    /// Numbers in a row: the time and one per channel.
    pub fn width(&self) -> usize {
        1 + self.channels.len()
    }

    /// What mends damaged results.
    pub(super) fn remedy(&self) -> String {
        let analysis = self.settings.get("analysis").and_then(serde_json::Value::as_str);
        match analysis {
            Some(analysis) => {
                format!(
                    "run `kingpin {analysis}` with the same model and options and `--force` to compute \
                     it again"
                )
            }
            None => {
                "run `kingpin run` with the same model and options and `--resume` to compute it again".into()
            }
        }
    }

    /// Understands the text of `channels.json`.
    pub(super) fn parse(path: &Path, text: &str) -> Result<Header, Error> {
        let header: Header = serde_json::from_str(text).map_err(|error| Error::damaged(path, error))?;
        if header.format != FORMAT {
            return Err(Error::damaged(path, format!("its format is `{}`", header.format)));
        }
        if !(1..=VERSION).contains(&header.version) {
            let why =
                format!("it has version {}, but this program reads versions 1 to {VERSION}", header.version);
            return Err(Error::damaged(path, why));
        }
        Ok(header)
    }
}

/// Groups as their headings.
mod heading {
    use super::Group;
    use serde::de::{Deserialize, Deserializer, Error};
    use serde::ser::Serializer;

    pub fn serialize<S: Serializer>(group: &Group, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(group.heading())
    }

    pub fn deserialize<'a, D: Deserializer<'a>>(deserializer: D) -> Result<Group, D::Error> {
        let text = String::deserialize(deserializer)?;
        Group::with_heading(&text)
            .ok_or_else(|| D::Error::custom(format!("`{text}` is not a group of channels")))
    }
}

/// Roles as words.
mod role {
    use super::Role;
    use serde::de::{Deserialize, Deserializer, Error};
    use serde::ser::Serializer;

    const NAMES: [(Role, &str); 3] =
        [(Role::Value, "value"), (Role::Rate, "rate"), (Role::Strength, "strength")];

    pub fn is_value(role: &Role) -> bool {
        *role == Role::Value
    }

    pub fn serialize<S: Serializer>(role: &Role, serializer: S) -> Result<S::Ok, S::Error> {
        let name = NAMES.iter().find(|(own, _)| own == role).map_or("value", |(_, name)| name);
        serializer.serialize_str(name)
    }

    pub fn deserialize<'a, D: Deserializer<'a>>(deserializer: D) -> Result<Role, D::Error> {
        let text = String::deserialize(deserializer)?;
        let found = NAMES.iter().find(|(_, name)| *name == text).map(|(role, _)| *role);
        found.ok_or_else(|| D::Error::custom(format!("`{text}` is not a kind of channel")))
    }
}
