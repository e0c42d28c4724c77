//! Where results go, and what is there already.

use crate::output::{complain, warn};
use crate::parameters;
use crate::ready::Ready;
use crate::words::number;
use kingpin::dynamics::{Checkpoint, Happening, Linearising, Settings};
use kingpin::results::Channels;
use kingpin_results::store::{self, Header, Lock, Outcome, Summary, fingerprint};
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
                "use `--force` to replace them, `--resume` to continue an interrupted run, or `-o \
                     DIR` for another folder"
                    .into();
        }
        error
    })?;
    say_aside(writer.put_aside());
    Ok(Folder { dir: dir.into(), header, writer, from: None })
}

/// Says which files stood in the way and have another name now.
pub fn say_aside(aside: &[PathBuf]) {
    for path in aside {
        let shown = path.display();
        complain(&format!("note: a file that was not written by a run was renamed to `{shown}`\n\n"));
    }
}

/// What `--resume` finds.
pub enum Found {
    /// A run to go on with.
    Run(Box<Folder>),
    /// A run that is over, and nobody else makes tables of it; with an error if it has failed.
    Ended(Lock, Option<Error>),
}

/// Goes on with a run that was interrupted, is damaged, or has reached an earlier end. Where none has begun, one begins.
pub fn go_on(dir: &Path, ready: &Ready, channels: &Channels, settings: &Settings) -> Result<Found, Error> {
    let Some(begun) = store::Begun::open(dir)? else {
        return begin(dir, ready, channels, settings, false).map(|folder| Found::Run(Box::new(folder)));
    };
    let text = ready.model_text();
    let header = header(&text, ready, channels, settings);
    let longer = match begun.header() {
        Some(old) => {
            let longer = extends(dir, old, begun.summary(), settings)?;
            same(dir, old, &header, longer)?;
            longer
        }
        // the header is damaged, but its checksum says that it was this one
        None if begun.began_with(&header)? => false,
        None => return Err(store::Damage::unknown_run(dir)),
    };
    let ended = begun.summary().map(|summary| (summary.outcome, summary.message.clone()));
    match ended.filter(|_| begun.is_whole() && !longer) {
        Some((Outcome::Done, _)) => return tidy(begun, None),
        Some((Outcome::Failed, message)) => {
            let message = format!("the run in `{}` failed: {message}", dir.display());
            let advice =
                "it would fail again: change the model or the options, and start again with `--force`";
            return tidy(begun, Some(Error::new(ErrorKind::Unfit, dir, message, advice)));
        }
        _ => {}
    }
    let store::Resumed { writer, checkpoint, damages } = begun.resume(&header, &text)?;
    say_aside(writer.put_aside());
    let t = checkpoint.as_ref().map_or(ready.start.t, |checkpoint| checkpoint.at.run.state.t);
    for damage in damages {
        let text = format!("{damage}\n\n  help: the run continues from t = {} s\n\n", number(t, 6));
        warn("damaged-checkpoint", &text);
    }
    let events = Reader::open(dir)?.events()?;
    let from = checkpoint.map(|checkpoint| {
        let mut at = checkpoint.at;
        at.run.events = events.into_iter().map(|line| Happening { t: line.t, what: line.what }).collect();
        Resumed { at, carried: checkpoint.carried }
    });
    Ok(Found::Run(Box::new(Folder { dir: dir.into(), header, writer, from })))
}

/// A run that is over.
fn tidy(begun: store::Begun, failed: Option<Error>) -> Result<Found, Error> {
    let (lock, damages) = begun.tidy()?;
    for damage in damages {
        warn("damaged-results", &format!("{damage}\n\n"));
    }
    Ok(Found::Ended(lock, failed))
}

/// Whether a run is to go on beyond the end that it was given.
fn extends(dir: &Path, old: &Header, summary: Option<&Summary>, settings: &Settings) -> Result<bool, Error> {
    let end = old.settings.get("t_end").and_then(Value::as_f64);
    let longer = end.is_some_and(|end| settings.t_end > end);
    let reached = summary.filter(|summary| summary.outcome == Outcome::Done).and_then(Summary::reached);
    match (reached, end) {
        (Some(reached), Some(end)) if longer && reached < end => {
            let shown = (dir.display(), number(reached, 6));
            let message = format!("an event ended the run in `{}` at t = {} s", shown.0, shown.1);
            let advice = "a later end time has no effect: change the event, and start again with `--force`";
            Err(Error::new(ErrorKind::Unfit, dir, message, advice))
        }
        _ => Ok(longer),
    }
}

/// The time between two frames of a run that is to go on.
pub fn recorded_frame(dir: &Path) -> Option<f64> {
    Reader::open(dir).ok()?.header().settings.get("frame")?.as_f64()
}

/// What the numbers are and how they came about.
fn header(text: &str, ready: &Ready, channels: &Channels, settings: &Settings) -> Header {
    Header {
        hash: fingerprint(text.as_bytes()),
        settings: values(ready, settings),
        parameters: parameters::recorded(ready),
        ..Header::new(&ready.model().name, channels)
    }
}

/// All settings that change numbers.
fn values(ready: &Ready, settings: &Settings) -> Map<String, Value> {
    let Settings { rtol, atol, h, h_max, frame, t_end, most_steps, .. } = settings;
    let jacobian = if settings.linearising == Linearising::Differences { "differences" } else { "exact" };
    let list: [(&str, Value); 20] = [
        ("method", settings.method.name().into()),
        ("solver", settings.solver.name().into()),
        ("matrices", settings.matrices.name().into()),
        ("coordinates", settings.coordinates.name().into()),
        ("arithmetic", ready.system().arithmetic.name().into()),
        ("start", ready.model().simulation.start.as_str().into()),
        ("t_end", (*t_end).into()),
        ("rtol", (*rtol).into()),
        ("atol_position", atol.position.into()),
        ("atol_angle", atol.angle.into()),
        ("atol_velocity", atol.velocity.into()),
        ("atol_angular_velocity", atol.angular_velocity.into()),
        ("frame", (*frame).into()),
        ("h", (*h).into()),
        ("h_max", (*h_max).into()),
        ("spectral_radius", settings.spectral_radius.into()),
        ("jacobian", jacobian.into()),
        ("stabilisation", settings.stabilisation.name().into()),
        ("stabilisation_weights", settings.stabilisation_weights.name().into()),
        ("max_steps", (*most_steps).into()),
    ];
    let mut all: Map<String, Value> = list.into_iter().map(|(name, value)| (name.into(), value)).collect();
    // by how many ranks changes nothing
    if let Some(cut) = &ready.system().subdivision {
        all.insert("domains".into(), cut.domains.into());
        all.insert("structure_solver".into(), cut.way.name().into());
    }
    all
}

/// A run goes on only as it began.
fn same(dir: &Path, old: &Header, new: &Header, longer: bool) -> Result<(), Error> {
    let differs = |what: String, advice: &str| Err(Error::new(ErrorKind::Unfit, dir, what, advice));
    let shown = dir.display();
    if old.generator != new.generator {
        let what = format!(
            "the results in `{shown}` were started by {}, but this is {}",
            old.generator, new.generator
        );
        return differs(what, "resume with the same version, or start again with `--force`");
    }
    if old.hash != new.hash {
        let what = format!("the model has changed since the run in `{shown}` was started");
        return differs(what, "start again with `--force`, or choose another folder with `-o DIR`");
    }
    if old.channels != new.channels {
        let counts = (old.channels.len(), new.channels.len());
        let what = format!(
            "the run in `{shown}` records {} channels, which are not the selected {}",
            counts.0, counts.1
        );
        return differs(what, "use the same `--channels` as before, or start again with `--force`");
    }
    let names = new.settings.keys().chain(old.settings.keys()).filter(|name| !(longer && *name == "t_end"));
    let other =
        names.map(|name| (name, old.settings.get(name), new.settings.get(name))).find(|(_, a, b)| a != b);
    let Some((name, was, is)) = other else { return Ok(()) };
    let say = |value: Option<&Value>| match value {
        None | Some(Value::Null) => "none".into(),
        Some(Value::String(text)) => text.clone(),
        Some(value) => value.to_string(),
    };
    let what = format!("the run in `{shown}` was started with {name} = {}, not {}", say(was), say(is));
    if name == "arithmetic" {
        let advice = match (was.and_then(Value::as_str), is.and_then(Value::as_str)) {
            (Some("portable"), _) => "use `--reproducible` as before, or start again with `--force`",
            (_, Some("portable")) => "omit `--reproducible` as before, or start again with `--force`",
            _ => {
                "this is another processor: resume on the original one, or start again with `--force --reproducible`, \
                  which gives the same bits on all processors"
            }
        };
        return differs(what, advice);
    }
    differs(what, "use the same options as before, or start again with `--force`")
}
