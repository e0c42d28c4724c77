//! The folder of results of a kinematic analysis: the same files as those of a run, and the tables of its actuators.

use super::record::{Record, movers};
use crate::page;
use crate::parameters;
use crate::ready::Ready;
use crate::run::folder::say_aside;
use crate::run::results::Place;
use crate::words::{many, number};
use kingpin::dynamics::{Kinematics, Production};
use kingpin::results::Channels;
use kingpin_results::format::{Export, Output, Writing};
use kingpin_results::store::{Choice, Fact, Header, Outcome, Summary, fingerprint};
use kingpin_results::{Error, ErrorKind, Reader, Writer};
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};

/// The table of actuators.
const ACTUATORS: &str = "actuators.csv";
/// What it holds of each.
const OF_EACH: [&str; 5] = ["stroke", "speed", "force", "torque", "power"];

/// What was computed, and how.
pub struct Computed<'a> {
    pub ready: &'a Ready,
    pub record: &'a Record,
    pub done: &'a Kinematics,
    pub production: &'a Production,
    pub t_end: f64,
}

impl Computed<'_> {
    /// Writes all that was recorded, tables and the page; the files to look at, with what they are. Results that are
    /// there already are kept unless the user says otherwise.
    pub fn write(&self, place: &Place, dir: &Path) -> Result<Vec<(PathBuf, String)>, Error> {
        place.check()?;
        let Computed { ready, record, done, .. } = self;
        let (text, header) = (ready.model_text(), self.header());
        let mut writer = Writer::create(dir, &header, &text, place.force).map_err(|mut error| {
            if error.kind == ErrorKind::Exists {
                error.advice = "use `--force` to replace them, or `-o DIR` for another folder".into();
            }
            error
        })?;
        say_aside(writer.put_aside());
        let mut row = vec![0.0; 1 + record.all.channels().len()];
        for (k, t) in record.all.times().iter().enumerate() {
            row[0] = *t;
            row[1..].copy_from_slice(record.all.row(k).unwrap_or_default());
            writer.frame(&row)?;
        }
        let _held = writer.finish(&self.summary(&header))?;
        let mut made = Vec::new();
        if let Some(page) = page::write(dir, ready)? {
            made.push((page, "open it in a browser".into()));
        }
        let frames = many(done.frames, "frame");
        for table in place.tables(dir, true, false)? {
            made.push((table, format!("{frames} of {}", many(record.all.channels().len(), "channel"))));
        }
        if let Some(table) = actuators(dir, ready.still_channels(), self.production)? {
            made.push((table, "strokes, speeds, forces and powers, as tables for models".into()));
        }
        Ok(made)
    }

    fn header(&self) -> Header {
        let names = |list: &[(usize, String)]| -> Value {
            list.iter().map(|(_, name)| Value::from(name.as_str())).collect::<Vec<_>>().into()
        };
        let mut settings = Map::new();
        settings.insert("analysis".into(), "kinematics".into());
        settings.insert("t_end".into(), self.t_end.into());
        if !self.production.motions.is_empty() {
            settings.insert("motions".into(), names(&self.production.motions));
            settings.insert("actuators".into(), names(&self.production.inputs));
        }
        Header {
            hash: fingerprint(self.ready.model_text().as_bytes()),
            settings,
            parameters: parameters::recorded(self.ready),
            ..Header::new(&self.ready.model().name, self.ready.still_channels())
        }
    }

    fn summary(&self, header: &Header) -> Summary {
        let done = self.done;
        let t = number(done.state.t, 6);
        let (outcome, message) = match &done.failure {
            Some(_) => (Outcome::Failed, format!("failed at t = {t} s")),
            None => (Outcome::Done, format!("t = {t} s reached")),
        };
        let facts = vec![
            Fact::reached(done.state.t),
            Fact::new("steps", done.steps, ""),
            Fact::new("largest position residual", done.position_residual, ""),
            Fact::new("largest velocity residual", done.velocity_residual, ""),
        ];
        Summary::new(header, outcome, message, facts)
    }
}

/// The table of what moves the mechanism; nothing if nothing does.
fn actuators(dir: &Path, channels: &Channels, production: &Production) -> Result<Option<PathBuf>, Error> {
    let of = |item: &str| -> Vec<usize> {
        OF_EACH.iter().filter_map(|own| channels.find(&format!("{item}.{own}"))).collect()
    };
    let places: Vec<usize> = movers(channels, production).into_iter().flat_map(of).collect();
    let Some(export) = Export::named("csv").filter(|_| !places.is_empty()) else { return Ok(None) };
    let (reader, choice, path) = (Reader::open(dir)?, Choice::channels(&places), dir.join(ACTUATORS));
    match export.write {
        Writing::Table(write) => write(&reader, &choice, &path)?,
        Writing::Stream(write) => write(&reader, &choice, Output::file(&path)?)?,
        Writing::Motion(_) => return Ok(None),
    }
    Ok(Some(path))
}
