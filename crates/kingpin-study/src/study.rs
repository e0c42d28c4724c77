//! A study: many points of one model, run side by side.

use crate::point::{Outcome, Prepared, Row, Trouble, own_settings};
use crate::points::Points;
use crate::refusal::Refusal;
use crate::scalar::Scalar;
use kingpin::dynamics::Settings;
use kingpin::expr::{ExprError, Unit, Unitness, closest};
use kingpin::model::Model;
use kingpin_io::{Diagnostic, Draft, Loaded, Overrides, Sources, to_toml_with};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError, mpsc};

/// Settings of a run, made of a model; or what is wrong with them.
pub type Configure = dyn Fn(&Model) -> Result<Settings, String> + Send + Sync;

/// A model, the points at which it is run, and what is computed there.
pub struct Study {
    draft: Draft,
    overrides: Overrides,
    points: Points,
    pub(crate) scalars: Vec<Scalar>,
    pub(crate) curves: Vec<String>,
    pub(crate) configure: Box<Configure>,
    columns: Vec<Column>,
    identity: String,
    /// What is suspicious in the model as it is.
    warnings: (Vec<Diagnostic>, Sources),
}

/// A column of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// The unit of its numbers; empty for pure numbers.
    pub unit: String,
}

/// Finished points that may wait for one before them, for each thread: what bounds the memory.
const AHEAD: usize = 64;
/// Bytes of the stack of a thread, as the main thread has them.
const STACK: usize = 8 << 20;

impl Study {
    /// A study of a model as it is, with settings of its own. Everything is read and compiled once here, so that what
    /// is wrong with it is known before the first run.
    pub fn new(
        draft: Draft,
        overrides: Overrides,
        points: Points,
        scalars: Vec<Scalar>,
    ) -> Result<Study, Box<Refusal>> {
        Study::with(draft, overrides, points, scalars, Vec::new(), Box::new(own_settings))
    }

    /// The same with channels to keep of every run, by patterns, and other settings.
    pub fn with(
        draft: Draft,
        overrides: Overrides,
        points: Points,
        scalars: Vec<Scalar>,
        curves: Vec<String>,
        configure: Box<Configure>,
    ) -> Result<Study, Box<Refusal>> {
        let (columns, identity, warnings) = (Vec::new(), String::new(), Default::default());
        let mut study =
            Study { draft, overrides, points, scalars, curves, configure, columns, identity, warnings };
        study.check().map_err(Box::new)?;
        Ok(study)
    }

    /// Looks for all names, in the model as it is or, if that cannot be simulated, at the first point.
    fn check(&mut self) -> Result<(), Refusal> {
        let own = self.draft.load(&self.overrides);
        self.check_parameters(&own)?;
        self.identity =
            own.model.as_ref().map_or_else(String::new, |model| to_toml_with(model, &own.parameters));
        let (mut warnings, sources) = (own.diagnostics.clone(), own.sources.clone());
        let prepared = Prepared::new(self, own).or_else(|trouble| match trouble {
            Trouble::Model(_) => Prepared::new(self, self.loaded(0)).map_err(|_| trouble),
            other => Err(other),
        });
        let prepared = prepared.map_err(|trouble| match trouble {
            Trouble::Model(said) => Refusal::Model(said),
            Trouble::Settings(why) | Trouble::Channel(why) => Refusal::Settings(why),
            Trouble::Scalar(k, error) => Refusal::Scalar(self.scalars[k].text.clone(), error),
        })?;
        warnings.extend(Diagnostic::from_findings(prepared.mechanism.warnings(), &sources));
        warnings.retain(|told| !told.is_error());
        self.warnings = (warnings, sources);
        let mut settings = prepared.settings;
        settings.threads = None;
        self.identity += &format!("{settings:?}");
        let varied = self.points.variations().iter();
        let varied =
            varied.map(|variation| Column { name: variation.name.clone(), unit: variation.unit.clone() });
        let units = prepared.bound.outer.iter().map(|(_, unit)| unit.clone());
        let scalars = self.scalars.iter().zip(units);
        let scalars = scalars.map(|(scalar, unit)| Column { name: scalar.name.clone(), unit });
        self.columns = varied.chain(scalars).collect();
        Ok(())
    }

    /// Parameters that are varied must be there, and be what the units of their values say.
    fn check_parameters(&self, own: &Loaded) -> Result<(), Refusal> {
        let parameters: &BTreeMap<_, _> = &own.parameters;
        // a file that cannot be read says so itself
        if own.sources.files().is_empty() {
            return Ok(());
        }
        for variation in self.points.variations() {
            let refused = |error| Err(Refusal::Variation(variation.text.clone(), error));
            let (name, text) = (&variation.name, &variation.text);
            let at = text.find(name.as_str()).unwrap_or(0);
            let Some(quantity) = parameters.get(name) else {
                let names: Vec<&str> = parameters.keys().map(String::as_str).collect();
                let hint = match closest(name, names.iter().copied()) {
                    Some(other) => format!("did you mean `{other}`?"),
                    None if names.is_empty() => "the model has no parameters".into(),
                    None => format!("its parameters are {}", names.join(", ")),
                };
                let error =
                    ExprError::new(at..at + name.len(), format!("the model has no parameter `{name}`"));
                return refused(error.with_hint(hint));
            };
            let given = Unit::parse(&variation.unit).ok().filter(|_| !variation.unit.is_empty());
            if let (Unitness::Known(dim), Some(unit)) = (quantity.unit, given)
                && dim != unit.dim()
            {
                let place = text.rfind(&variation.unit).unwrap_or(0);
                let message = format!("`{name}` is {} in the model, not {}", dim.noun(), unit.dim().noun());
                return refused(ExprError::new(place..place + variation.unit.len(), message));
            }
        }
        Ok(())
    }

    fn loaded(&self, point: usize) -> Loaded {
        let values = self.points.values(point);
        let mut overrides = self.overrides.clone();
        overrides.assignments.extend(self.assignments_of(&values));
        self.draft.load(&overrides)
    }

    fn assignments_of(&self, values: &[f64]) -> Vec<String> {
        let pairs = self.points.variations().iter().zip(values);
        pairs.map(|(variation, value)| variation.assignment(*value)).collect()
    }

    /// The assignments, such as `k=(12.5) N/m`, that make the model that of a point.
    pub fn assignments(&self, point: usize) -> Vec<String> {
        self.assignments_of(&self.points.values(point))
    }

    /// The points.
    pub fn points(&self) -> &Points {
        &self.points
    }

    /// The scalars.
    pub fn scalars(&self) -> &[Scalar] {
        &self.scalars
    }

    /// Patterns of the channels that are kept.
    pub fn curves(&self) -> &[String] {
        &self.curves
    }

    /// Columns of numbers: the parameters that are varied, then the scalars.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// What is suspicious in the model as it is, with its files.
    pub fn warnings(&self) -> (&[Diagnostic], &Sources) {
        (&self.warnings.0, &self.warnings.1)
    }

    /// The model as it is and the settings of its runs, as text: different studies of the same points differ in it.
    pub fn identity(&self) -> &str {
        &self.identity
    }

    /// One point; none if it was stopped on the way.
    pub fn run_point(&self, point: usize, stop: &AtomicBool) -> Option<Row> {
        let values = self.points.values(point);
        let nothing = vec![None; self.scalars.len()];
        let (scalars, outcome, curves) = match Prepared::new(self, self.loaded(point)) {
            Ok(prepared) => prepared.run(stop)?,
            Err(trouble) => (Vec::new(), Outcome::Failed(trouble.line(&self.scalars)), None),
        };
        let scalars = if scalars.is_empty() { nothing } else { scalars };
        Some(Row { point, values, scalars, outcome, curves })
    }

    /// Runs points from `first` on, side by side on so many threads. Rows come to `take` in the order of the points,
    /// whoever is done first, until it breaks off. The same rows come with any number of threads. Memory does not grow
    /// with the number of points.
    pub fn run(&self, threads: usize, first: usize, take: &mut dyn FnMut(Row) -> ControlFlow<()>) {
        self.run_while(threads, first, &AtomicBool::new(false), take);
    }

    /// The same, until `stop` is set, too: points under way are given up at their next step.
    pub fn run_while(
        &self,
        threads: usize,
        first: usize,
        stop: &AtomicBool,
        take: &mut dyn FnMut(Row) -> ControlFlow<()>,
    ) {
        let points: Vec<usize> = (first..self.points.len()).collect();
        self.run_some(threads, &points, stop, take);
    }

    /// The same for points of a list, in its order.
    pub fn run_some(
        &self,
        threads: usize,
        points: &[usize],
        stop: &AtomicBool,
        take: &mut dyn FnMut(Row) -> ControlFlow<()>,
    ) {
        let count = points.len();
        let threads = threads.clamp(1, count.max(1));
        let queue = Queue { next: AtomicUsize::new(0), taken: Mutex::new(0), moved: Condvar::new() };
        let ahead = AHEAD * threads;
        std::thread::scope(|scope| {
            let (send, receive) = mpsc::channel();
            for _ in 0..threads {
                let (send, queue) = (send.clone(), &queue);
                let work = move || {
                    while let Some(place) = queue.next(count, ahead, stop) {
                        let Some(row) = self.run_point(points[place], stop) else { break };
                        if send.send((place, row)).is_err() {
                            break;
                        }
                    }
                };
                // a system without room for a thread leaves the work to the others
                let started = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
                drop(started);
            }
            drop(send);
            let mut waiting = BTreeMap::new();
            let mut next = 0;
            for (place, row) in receive {
                waiting.insert(place, row);
                while let Some(row) = waiting.remove(&next) {
                    next += 1;
                    queue.took(next);
                    if take(row).is_break() {
                        stop.store(true, Ordering::Relaxed);
                        break;
                    }
                }
                if stop.load(Ordering::Relaxed) {
                    queue.moved.notify_all();
                    break;
                }
            }
        });
    }
}

/// Which point comes next.
struct Queue {
    next: AtomicUsize,
    /// Points that were taken, in order.
    taken: Mutex<usize>,
    moved: Condvar,
}

impl Queue {
    /// The next point; not too far ahead of those that were taken.
    fn next(&self, count: usize, ahead: usize, stop: &AtomicBool) -> Option<usize> {
        let point = self.next.fetch_add(1, Ordering::Relaxed);
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        while point < count && point >= *taken + ahead && !stop.load(Ordering::Relaxed) {
            let waited = self.moved.wait_timeout(taken, std::time::Duration::from_millis(100));
            taken = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        (point < count && !stop.load(Ordering::Relaxed)).then_some(point)
    }

    fn took(&self, next: usize) {
        *self.taken.lock().unwrap_or_else(PoisonError::into_inner) = next;
        self.moved.notify_all();
    }
}
