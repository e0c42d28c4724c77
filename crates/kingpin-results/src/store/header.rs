//! What the numbers of a results folder are.

use crate::error::Error;
use kingpin::model::Subject;
use kingpin::results::{Channels, Group};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Written into every folder.
const FORMAT: &str = "kingpin-results";
const VERSION: u32 = 1;

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
    /// Its heading, such as `Positions`.
    pub group: String,
    /// What it is, in words.
    pub about: String,
    /// What it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<Of>,
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
            group: group_name(channel.group).into(),
            about: channel.about.into(),
            of: match channel.subject {
                Subject::Body(k) => Some(Of::Body(k)),
                Subject::Joint(k) => Some(Of::Joint(k)),
                Subject::Driver(k) => Some(Of::Driver(k)),
                Subject::Force(k) => Some(Of::Force(k)),
                Subject::Measure(k) => Some(Of::Measure(k)),
                _ => None,
            },
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

    /// Understands the text of `channels.json`.
    pub(super) fn parse(path: &Path, text: &str) -> Result<Header, Error> {
        let header: Header = serde_json::from_str(text).map_err(|error| Error::damaged(path, error))?;
        if header.format != FORMAT {
            return Err(Error::damaged(path, format!("its format is `{}`", header.format)));
        }
        if header.version != VERSION {
            let why = format!("it has version {}, this program reads {VERSION}", header.version);
            return Err(Error::damaged(path, why));
        }
        Ok(header)
    }
}

/// The heading of a group of channels.
pub fn group_name(group: Group) -> &'static str {
    match group {
        Group::Position => "Positions",
        Group::Orientation => "Orientations",
        Group::Velocity => "Velocities",
        Group::Acceleration => "Accelerations",
        Group::JointCoordinate => "Joint coordinates",
        Group::Reaction => "Reactions",
        Group::Force => "Forces",
        Group::Measure => "Measures",
        Group::Energy => "Energy",
    }
}
