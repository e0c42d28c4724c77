//! Where results go, and what is there already.

use crate::parameters;
use crate::ready::Ready;
use kingpin::dynamics::{Checkpoint, Event, Linearising, Settings};
use kingpin::results::Channels;
use kingpin_results::store::{Header, Outcome, fingerprint};
use kingpin_results::{Error, ErrorKind, Reader, Writer};
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};

/// A folder of results that a run is about to fill.
pub struct Folder {
    pub dir: PathBuf,
    pub header: Header,
    pub writer: Writer,
    /// Where to go on.
    pub from: Option<Resumed>,
}

/// An interrupted run.
pub struct Resumed {
    pub at: Checkpoint,
    /// What those who watched it knew.
    pub carried: Vec<f64>,
}

/// Numbers of all frames at most, if nobody says how many frames there shall be.
const NUMBERS: usize = 8 << 20;
/// Frames, if nobody says how many.
const FRAMES: usize = 1000;
/// Frames at least, however large the mechanism.
const FEW: usize = 60;

/// Time between two frames, if nobody says: a thousand frames, or fewer of a large mechanism.
pub fn frame(duration: f64, channels: &Channels) -> Option<f64> {
    let frames = (NUMBERS / (1 + channels.len())).clamp(FEW, FRAMES);
    (duration > 0.0).then(|| duration / frames as f64)
}

/// Makes the folder ready. Nothing is written if there are results already, unless `force` says so.
pub fn begin(
    dir: &Path,
    ready: &Ready,
    channels: &Channels,
    settings: &Settings,
    force: bool,
) -> Result<Folder, Error> {
    let text = ready.model_text();
    let header = header(&text, ready, channels, settings);
    let writer = Writer::create(dir, &header, &text, force).map_err(|mut error| {
        if error.kind == ErrorKind::Exists {
            error.advice =
                "`--force` replaces them, `--resume` goes on with a run that was interrupted, `-o DIR` leaves \
                 them alone"
                    .into();
        }
        error
    })?;
    Ok(Folder { dir: dir.into(), header, writer, from: None })
}

/// Goes on with an interrupted run; nothing if it has ended already.
pub fn go_on(
    dir: &Path,
    ready: &Ready,
    channels: &Channels,
    settings: &Settings,
) -> Result<Option<Folder>, Error> {
    let reader = Reader::open(dir)?;
    let header = header(&ready.model_text(), ready, channels, settings);
    same(dir, reader.header(), &header)?;
    match reader.summary().map(|summary| (summary.outcome, &summary.message)) {
        Some((Outcome::Done, _)) => return Ok(None),
        Some((Outcome::Failed, message)) => {
            let message = format!("the run in `{}` has failed already: {message}", dir.display());
            let advice = "it would fail again: change the model or the options and start anew with `--force`";
            return Err(Error::new(ErrorKind::Unfit, dir, message, advice));
        }
        _ => {}
    }
    let (writer, header, checkpoint) = Writer::resume(dir)?;
    let mut at = checkpoint.at;
    let events = Reader::open(dir)?.events()?;
    at.run.events = events.into_iter().map(|line| Event { t: line.t, what: line.what }).collect();
    let from = Some(Resumed { at, carried: checkpoint.carried });
    Ok(Some(Folder { dir: dir.into(), header, writer, from }))
}

/// What the numbers are and how they came about.
fn header(text: &str, ready: &Ready, channels: &Channels, settings: &Settings) -> Header {
    Header {
        hash: fingerprint(text.as_bytes()),
        settings: values(ready, settings),
        parameters: parameters::recorded(ready),
        ..Header::new(&ready.model.name, channels)
    }
}

/// All settings that change numbers.
fn values(ready: &Ready, settings: &Settings) -> Map<String, Value> {
    let Settings { position, velocity, h, h_max, frame, t_end, most_steps, .. } = settings;
    let jacobian = if settings.linearising == Linearising::Differences { "differences" } else { "exact" };
    let list: [(&str, Value); 13] = [
        ("method", settings.method.name().into()),
        ("solver", settings.solver.name().into()),
        ("start", ready.model.simulation.start.as_str().into()),
        ("t_end", (*t_end).into()),
        ("rtol", position.rtol.into()),
        ("atol", position.atol.into()),
        ("rtol_velocity", velocity.rtol.into()),
        ("atol_velocity", velocity.atol.into()),
        ("frame", (*frame).into()),
        ("h", (*h).into()),
        ("h_max", (*h_max).into()),
        ("jacobian", jacobian.into()),
        ("max_steps", (*most_steps).into()),
    ];
    list.into_iter().map(|(name, value)| (name.into(), value)).collect()
}

/// A run goes on only as it began.
fn same(dir: &Path, old: &Header, new: &Header) -> Result<(), Error> {
    let differs = |what: String, advice: &str| Err(Error::new(ErrorKind::Unfit, dir, what, advice));
    let shown = dir.display();
    if old.generator != new.generator {
        let what =
            format!("the results in `{shown}` were begun by {}, this is {}", old.generator, new.generator);
        return differs(what, "go on with the same version, or start anew with `--force`");
    }
    if old.hash != new.hash {
        let what = format!("the model has changed since the results in `{shown}` were begun");
        return differs(what, "start anew with `--force`, or keep them and write elsewhere with `-o DIR`");
    }
    let names = new.settings.keys().chain(old.settings.keys());
    let other =
        names.map(|name| (name, old.settings.get(name), new.settings.get(name))).find(|(_, a, b)| a != b);
    let Some((name, was, is)) = other else { return Ok(()) };
    let say = |value: Option<&Value>| match value {
        None | Some(Value::Null) => "none".into(),
        Some(Value::String(text)) => text.clone(),
        Some(value) => value.to_string(),
    };
    let what = format!("the run in `{shown}` began with {name} = {}, not {}", say(was), say(is));
    differs(what, "give `--resume` the same options as before, or start anew with `--force`")
}
