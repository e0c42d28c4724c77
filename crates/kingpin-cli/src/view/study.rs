//! A study: its table, curves of points, and points as runs that are opened beside it.

use super::access::Access;
use super::moving::Moving;
use super::serve::{Served, serve};
use super::source::{Follow, Message, News, Source};
use crate::sweep::again::RunSettings;
use axum::body::Bytes;
use kingpin::model::Model;
use kingpin_io::{Draft, Overrides};
use kingpin_results::Error;
use kingpin_study::{
    CURVES, Definition, Points, Row, Sampling, Scalar, Study, TABLE, Variation, curve_file, rows, verify,
};
use serde_json::{Value, json};
use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Rows of the page at most.
const ROWS: usize = 20_000;
/// Points that may be open at a time.
const OPEN: usize = 32;
/// Curves in one answer.
const MOST_CURVES: usize = 200;

/// A folder with a study.
pub struct StudyView {
    dir: PathBuf,
    template: &'static str,
    open: AtomicUsize,
    access: Arc<Access>,
}

impl StudyView {
    /// Looks whether there is something to show.
    pub fn open(dir: &Path, template: &'static str, access: Arc<Access>) -> Result<StudyView, Error> {
        verify(dir, &Definition::open(dir)?)?;
        Ok(StudyView { dir: dir.into(), template, open: AtomicUsize::new(0), access })
    }

    fn shown(&self) -> Result<Value, Error> {
        let definition = Definition::open(&self.dir)?;
        let mut all: Vec<Row> = Vec::new();
        rows(&self.dir, &definition, &mut |row| {
            all.push(row);
            all.len() < ROWS
        })?;
        let varied = definition.columns.len().saturating_sub(definition.of.len());
        let column = |k: usize| {
            let (name, unit) = &definition.columns[k];
            let value = |row: &Row| match k.checked_sub(varied) {
                None => row.values.get(k).copied(),
                Some(k) => row.scalars.get(k).copied().flatten(),
            };
            json!({ "name": name, "unit": unit, "values": all.iter().map(value).collect::<Vec<_>>() })
        };
        let name = Path::new(&definition.model).file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let mut shown = json!({
            "format": "kingpin-study",
            "version": 1,
            "name": format!("Study of {}", name.unwrap_or_default()),
            "points": definition.points,
            "parameters": (0..varied).map(column).collect::<Vec<_>>(),
            "scalars": (varied..definition.columns.len()).map(column).collect::<Vec<_>>(),
            "outcomes": all.iter().map(|row| row.outcome.words()).collect::<Vec<_>>(),
            "curves": self.dir.join(CURVES).is_dir(),
        });
        if all.len() == ROWS && definition.points > ROWS {
            shown["note"] = json!(format!("the first {ROWS} of {} points are shown", definition.points));
        }
        Ok(shown)
    }

    /// Curves of some points.
    fn curves(&self, points: &[Value]) -> Value {
        let read = |point: u64| {
            let file = curve_file(usize::try_from(point).ok()?);
            let text = fs::read_to_string(self.dir.join(CURVES).join(file)).ok()?;
            let mut lines = text.lines();
            let names: Vec<&str> = lines.next()?.split(',').collect();
            let mut columns = vec![Vec::new(); names.len()];
            for line in lines {
                let numbers = line.split(',').map(|cell| cell.parse::<f64>().unwrap_or(f64::NAN));
                columns.iter_mut().zip(numbers).for_each(|(column, number)| column.push(number));
            }
            Some(json!({ "point": point, "names": names, "columns": columns }))
        };
        let some = points.iter().take(MOST_CURVES).filter_map(Value::as_u64);
        Value::Array(some.filter_map(read).collect())
    }

    /// Serves the run of a point at a port of its own; its address.
    fn run(&self, point: u64) -> Result<Value, String> {
        let definition = Definition::open(&self.dir).map_err(|error| error.to_string())?;
        let mut found = None;
        rows(&self.dir, &definition, &mut |row| {
            let here = row.point as u64 == point;
            found = here.then_some(row);
            !here
        })
        .map_err(|error| error.to_string())?;
        let row = found.ok_or_else(|| format!("point {point} does not exist yet"))?;
        if self.open.fetch_add(1, Ordering::Relaxed) >= OPEN {
            return Err(format!("{OPEN} points are already open: restart `kingpin view`"));
        }
        let model = Path::new(&definition.model);
        if !model.is_file() {
            let shown = model.display();
            return Err(format!(
                "`{shown}` does not exist here: start `kingpin view` in the folder in which the \
                     study was run"
            ));
        }
        let settings = RunSettings::of(&definition.settings)?;
        let mut assignments = definition.set.clone();
        for (text, value) in definition.vary.iter().zip(&row.values) {
            let variation = Variation::parse(text).map_err(|error| error.to_string())?;
            assignments.push(variation.assignment(*value));
        }
        let notice = changed(&definition, &settings).then(|| {
            format!(
                "`{}` or an included file has changed since the study, so this run may differ from \
                     point {point}.",
                definition.model
            )
        });
        let moving = Moving::again(model, &assignments, settings, notice.clone());
        let listener = TcpListener::bind(("127.0.0.1", 0)).map_err(|error| error.to_string())?;
        let port = listener.local_addr().map_err(|error| error.to_string())?.port();
        let served = Served::new(Box::new(moving), self.access.clone());
        let template = self.template;
        let started = std::thread::Builder::new().spawn(move || serve(&listener, port, template, &served));
        started.map_err(|error| error.to_string())?;
        Ok(json!({ "url": self.access.further_address(port), "notice": notice }))
    }
}

/// Whether the model, as it is now, gives another study.
fn changed(definition: &Definition, settings: &RunSettings) -> bool {
    study_of(definition, settings.clone()).is_none_or(|study| {
        Definition::new(&study, &definition.model, &definition.set).hash != definition.hash
    })
}

/// The study of a folder, with its model as it is now; none if that can no longer be studied.
fn study_of(definition: &Definition, settings: RunSettings) -> Option<Study> {
    let variations =
        definition.vary.iter().map(|text| Variation::parse(text)).collect::<Result<_, _>>().ok()?;
    let sampling = definition.samples.map(|count| Sampling {
        count,
        seed: definition.seed.unwrap_or_default(),
        latin: definition.latin_hypercube,
    });
    let points = Points::new(variations, sampling).ok()?;
    let draft = Draft::of_path(&definition.model).ok()?;
    let overrides = Overrides::new(definition.set.iter().cloned());
    let scalars = definition.of.iter().map(|text| Scalar::new(text)).collect();
    let configure = Box::new(move |model: &Model| settings.settings(model));
    Study::with(draft, overrides, points, scalars, definition.channels.clone(), configure).ok()
}

impl Source for StudyView {
    fn data(&self) -> Result<Bytes, String> {
        let shown = self.shown().map_err(|error| error.to_string())?;
        serde_json::to_vec(&shown).map(Bytes::from).map_err(|error| error.to_string())
    }

    fn change(&self, wish: &Value) -> Result<Value, String> {
        if let Some(points) = wish.get("curves").and_then(Value::as_array) {
            return Ok(self.curves(points));
        }
        if let Some(point) = wish.get("open").and_then(Value::as_u64) {
            return self.run(point);
        }
        Err("unknown request".into())
    }

    fn follow(&self, _: u64) -> Box<dyn Follow> {
        let table = self.dir.join(TABLE);
        Box::new(Growing { length: length(&table), table })
    }
}

/// Waits for the table to grow.
struct Growing {
    table: PathBuf,
    length: u64,
}

impl Follow for Growing {
    fn look(&mut self) -> News {
        if length(&self.table) == self.length { News::Nothing } else { News::Last(vec![Message::reload()]) }
    }

    fn pause(&mut self) {
        // a page that loads all the time cannot be read
        std::thread::sleep(std::time::Duration::from_secs(2));
    }
}

fn length(path: &Path) -> u64 {
    fs::metadata(path).map_or(0, |found| found.len())
}
