//! The names that expressions of a model file may use.

use crate::names::names_in;
use crate::source::Location;
use crate::suggest::suggest;
use crate::write::plain_amount;
use kingpin::expr::{Binding, Dim, Parameters, Quantity, Scope, is_unit};
use kingpin::model::{Event, EventAction, Function, Model};
use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

/// Variables of a function with their units, as described fields declare them.
pub(crate) type Variables = &'static [(&'static str, &'static str)];

/// Parameters, and the measures, states, events and inputs once they have been read.
pub(crate) struct Known {
    parameters: Scope<'static>,
    /// Whether some parameters have no value because of errors reported already.
    pub faulty: bool,
    /// What stands before the names of items of the assembly that this is for; empty for the model itself.
    prefix: String,
    /// Numbers and names of measures, and how many there are. Those of an assembly have a short name in it besides.
    measures: Vec<(usize, String)>,
    measure_count: usize,
    /// States, then outputs of controllers, and how many there are; likewise.
    states: Vec<(usize, String)>,
    state_count: usize,
    /// Names of points.
    points: BTreeSet<String>,
    /// Numbers and names of events. Those that are no switches have no variable, which is said when the model is
    /// compiled, so they are here too unless their name means something else.
    events: Vec<(usize, String)>,
    /// Names of inputs, and how many events come before them.
    inputs: (usize, Vec<(usize, String)>),
    /// Names of measures and events after one, two, … variables; filled when first needed.
    scopes: [OnceCell<Scope<'static>>; 8],
    used: RefCell<BTreeSet<String>>,
    /// Where fields are a parameter, perhaps many times it, and whether its unit fits them.
    unit_uses: RefCell<Vec<UnitUse>>,
    /// Functions of the program that reads the file.
    pub functions: BTreeMap<String, Function>,
}

/// A field that is a parameter, perhaps many times it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct UnitUse {
    pub parameter: String,
    pub field: String,
    pub place: Location,
    /// What the field needs, if that is not what the parameter is.
    pub needed: Option<Dim>,
    /// What the parameter is.
    pub own: Dim,
}

impl Known {
    /// Notes that a field has the unit of the only parameter of an expression, or should have.
    pub fn note_unit(&self, text: &str, (field, place): (&str, Location), own: Dim, needed: Option<Dim>) {
        let names: BTreeSet<&str> = names_in(text).into_iter().map(|(_, name)| name).collect();
        let parameter = |name: &&&str| self.dim_of(name).is_some_and(|dim| dim == own);
        let mut found = names.iter().filter(|name| self.parameters.contains(name));
        let (Some(name), None) = (found.next().filter(|name| parameter(name)), found.next()) else { return };
        let (parameter, field) = (name.to_string(), field.to_string());
        self.unit_uses.borrow_mut().push(UnitUse { parameter, field, place, needed, own });
    }

    /// The dimension of a parameter that has one.
    fn dim_of(&self, name: &str) -> Option<Dim> {
        match self.parameters.lookup(name)? {
            Binding::Constant(quantity) => quantity.unit.dim(),
            _ => None,
        }
    }

    /// All that was noted of units.
    pub fn unit_uses(&self) -> Vec<UnitUse> {
        self.unit_uses.borrow().clone()
    }

    pub fn new(parameters: &Parameters) -> Known {
        Known {
            parameters: parameters.scope(),
            faulty: !parameters.errors.is_empty(),
            prefix: String::new(),
            measures: Vec::new(),
            measure_count: 0,
            states: Vec::new(),
            state_count: 0,
            points: BTreeSet::new(),
            events: Vec::new(),
            inputs: (0, Vec::new()),
            scopes: Default::default(),
            used: RefCell::default(),
            unit_uses: RefCell::default(),
            functions: BTreeMap::new(),
        }
    }

    /// With points, whose components are among the parameters.
    pub fn with_points(self, points: &[String]) -> Known {
        Known { points: points.iter().cloned().collect(), ..self }
    }

    /// Whether a name is that of a point.
    pub fn is_point(&self, name: &str) -> bool {
        self.points.contains(name)
    }

    /// The names of all points.
    pub fn points(&self) -> impl Iterator<Item = &str> {
        self.points.iter().map(String::as_str)
    }

    /// Which point may be meant by a text.
    pub fn point_hint(&self, text: &str) -> Option<String> {
        let names = names_in(text);
        names.into_iter().find_map(|(_, name)| suggest(name, self.points.iter().map(String::as_str)))
    }

    /// Takes over the measures of the model, numbered as they stand there.
    pub fn set_measures(&mut self, model: &Model) {
        self.measures = self.visible(model.measures.iter().map(|measure| measure.name.as_str()).enumerate());
        self.measure_count = model.measures.len();
        self.scopes = Default::default();
    }

    /// Names of an assembly with this prefix: parameters of what is around it are in `parameters`.
    pub fn within(parameters: &Parameters, outer: &Known, prefix: &str) -> Known {
        let own = Known::new(parameters);
        let faulty = own.faulty || outer.faulty;
        Known { faulty, prefix: prefix.into(), functions: outer.functions.clone(), ..own }
    }

    /// Names as they may be used here: in full, and without what all here have in common. The last one counts.
    fn visible<'n>(&self, names: impl Iterator<Item = (usize, &'n str)> + Clone) -> Vec<(usize, String)> {
        let inner = self.prefix.match_indices('.').map(|(at, _)| &self.prefix[..=at]);
        let levels = std::iter::once("").chain(inner);
        let short = |level: &str| -> Vec<(usize, String)> {
            names.clone().filter_map(|(k, name)| Some((k, name.strip_prefix(level)?.to_string()))).collect()
        };
        levels.flat_map(short).collect()
    }

    /// Takes over the names of states and of outputs of controllers, numbered in that order.
    pub fn set_states(&mut self, [states, outputs]: [Vec<String>; 2]) {
        let all: Vec<String> = states.into_iter().chain(outputs).collect();
        self.states = self.visible(all.iter().map(String::as_str).enumerate());
        self.state_count = all.len();
        self.scopes = Default::default();
    }

    /// Takes over measures, states and outputs of controllers from what is known in the model itself.
    pub fn set_names_of(&mut self, root: &Known) {
        self.measures = self.visible(root.measures.iter().map(|(k, name)| (*k, name.as_str())));
        self.states = self.visible(root.states.iter().map(|(k, name)| (*k, name.as_str())));
        (self.measure_count, self.state_count) = (root.measure_count, root.state_count);
        self.scopes = Default::default();
    }

    /// Takes over the events of the model, numbered as they stand there.
    pub fn set_events(&mut self, model: &Model) {
        let means =
            |event: &Event| event.action() == EventAction::Switch || !self.parameters.contains(&event.name);
        let events = model.events.iter().enumerate().filter(|(_, event)| means(event));
        self.events = self.visible(events.map(|(k, event)| (k, event.name.as_str())));
        let inputs = model.inputs.iter().map(|input| input.name.as_str()).enumerate();
        self.inputs = (model.events.len(), self.visible(inputs));
        self.scopes = Default::default();
    }

    /// Remembers which parameters a text uses, and which names in it are those of units.
    pub fn note_uses(&self, text: &str) {
        let mut used = self.used.borrow_mut();
        for (_, name) in names_in(text) {
            if !used.contains(name) && (self.parameters.contains(name) || is_unit(name)) {
                used.insert(name.into());
            }
        }
    }

    /// Remembers what an assembly used of the parameters around it, those that are not its own.
    pub fn note_uses_of(&self, inner: &Known, is_own: impl Fn(&str) -> bool) {
        let used = inner.used.borrow();
        self.used.borrow_mut().extend(used.iter().filter(|name| !is_own(name)).cloned());
    }

    /// Whether a parameter, or a name that is also that of a unit, was used anywhere.
    pub fn is_used(&self, name: &str) -> bool {
        self.used.borrow().contains(name)
    }

    /// What else has the name of a variable.
    pub fn hidden_by_variable(&self, name: &str) -> Option<&'static str> {
        let measured = self.measures.iter().any(|(_, measure)| measure == name);
        let happens = self.events.iter().any(|(_, event)| event == name);
        match self.parameters.contains(name) {
            true => Some("parameter"),
            false if measured => Some("measure"),
            false if happens => Some("event"),
            false if self.states.iter().any(|(_, state)| state == name) => Some("state"),
            false if self.inputs.1.iter().any(|(_, input)| input == name) => Some("input"),
            false => None,
        }
    }

    /// The parameters.
    pub fn parameters(&self) -> &Scope<'static> {
        &self.parameters
    }

    /// Parameters, the variables of a function and, if wanted, all measures and events. Variables are plain SI numbers, so
    /// that `sin(2*pi*t)` and `1000*gap` can be written; only units that are written out are checked.
    pub fn function_scope(&self, variables: Variables, measures: bool) -> Scope<'_> {
        let base = match self.scopes.get(variables.len()) {
            Some(cell) if measures && self.has_names() => {
                cell.get_or_init(|| self.measure_scope(variables.len()))
            }
            _ => &self.parameters,
        };
        let mut scope = base.child();
        for (k, (name, _)) in variables.iter().enumerate() {
            scope.variable(*name, k as u32, None);
        }
        scope
    }

    /// An expression as it may stand in the model itself: parameters that are known here alone are replaced by their
    /// values, and short names of measures, events and inputs by those that the model knows them by. `None` if nothing
    /// changes.
    pub fn portable(&self, text: &str, variables: Variables, root: &Known) -> Option<String> {
        let mut out = String::with_capacity(text.len());
        let mut done = 0;
        for (range, name) in names_in(text) {
            if variables.iter().any(|(variable, _)| *variable == name) {
                continue;
            }
            let Some(other) = self.meaning(name, root) else { continue };
            out.push_str(&text[done..range.start]);
            out.push_str(&other);
            done = range.end;
        }
        out.push_str(&text[done..]);
        (done > 0).then_some(out)
    }

    /// What stands for a name in the model itself, if it is something else.
    fn meaning(&self, name: &str, root: &Known) -> Option<String> {
        let (stem, rate) = match name.strip_suffix(".rate") {
            Some(stem) => (stem, ".rate"),
            None => (name, ""),
        };
        for (own, known, word) in [
            (&self.inputs.1, &root.inputs.1, name),
            (&self.states, &root.states, name),
            (&self.events, &root.events, name),
            (&self.measures, &root.measures, stem),
            (&self.measures, &root.measures, name),
        ] {
            // the last one counts
            let Some((k, _)) = own.iter().rev().find(|(_, own)| own == word) else { continue };
            let full = &known.iter().find(|(other, _)| other == k)?.1;
            let behind = if word == name { "" } else { rate };
            return (full != word).then(|| format!("{full}{behind}"));
        }
        let Some(Binding::Constant(quantity)) = self.parameters.lookup(name) else { return None };
        let same = root.parameters.lookup(name) == Some(Binding::Constant(quantity));
        (!same || name.contains('.')).then(|| format!("({})", plain_amount(&quantity)))
    }

    /// Whether there is anything that functions read besides their own variables.
    fn has_names(&self) -> bool {
        self.measures.len() + self.states.len() + self.events.len() + self.inputs.1.len() > 0
    }

    /// Parameters, measures, states and events, the measures numbered from `first` on.
    fn measure_scope(&self, first: usize) -> Scope<'static> {
        let mut scope = self.parameters.clone();
        for (k, measure) in &self.measures {
            let index = (first + 2 * k) as u32;
            scope.variable(measure.as_str(), index, None);
            scope.variable(format!("{measure}.rate"), index + 1, None);
        }
        let first = first + 2 * self.measure_count;
        for (k, state) in &self.states {
            scope.variable(state.as_str(), (first + k) as u32, None);
        }
        let first = first + self.state_count;
        for (k, event) in &self.events {
            scope.variable(event.as_str(), (first + k) as u32, None);
        }
        let first = first + self.inputs.0;
        for (k, input) in &self.inputs.1 {
            scope.variable(input.as_str(), (first + k) as u32, None);
        }
        scope
    }
}

/// A scope with indices of patterns laid over it as numbers.
pub(crate) fn with_indices<'a>(scope: &'a Scope<'a>, indices: &[(&str, i64)]) -> Scope<'a> {
    let mut inner = scope.child();
    for (name, value) in indices {
        inner.constant(*name, Quantity::bare(*value as f64));
    }
    inner
}

#[cfg(test)]
mod tests {
    use super::*;
    use kingpin::element::measure::MeasuredDistance;
    use kingpin::expr::{Binding, ParamDef, Unitness, resolve_parameters};
    use kingpin::model::{Ends, Space};

    #[test]
    fn measures_are_numbered_after_the_variables() {
        let mut model = Model::new("m", Space::Spatial);
        for name in ["gap", "reach"] {
            model.measure(name, Ends::bodies("ground", "a"), MeasuredDistance {});
        }
        let parameters =
            resolve_parameters(&[("k".into(), ParamDef::Number(1.0)), ("t".into(), ParamDef::Number(2.0))]);
        let mut known = Known::new(&parameters);
        known.set_measures(&model);
        let scope = known.function_scope(&[("t", "s"), ("length", "m"), ("rate", "m/s")], true);
        let variable = |name: &str| match scope.lookup(name) {
            Some(Binding::Variable { index, unit }) => (index, unit),
            other => panic!("{name}: {other:?}"),
        };
        assert_eq!(variable("t"), (0, Unitness::Unknown));
        assert_eq!(variable("gap"), (3, Unitness::Unknown));
        assert_eq!(variable("gap.rate"), (4, Unitness::Unknown));
        assert_eq!(variable("reach.rate"), (6, Unitness::Unknown));
        assert!(scope.contains("k"));
        assert!(!known.function_scope(&[("t", "s")], false).contains("gap"));
    }

    #[test]
    fn uses_are_noted() {
        let defs = [("k".to_string(), ParamDef::Number(1.0)), ("m".to_string(), ParamDef::Number(2.0))];
        let known = Known::new(&resolve_parameters(&defs));
        known.note_uses("2 m * k");
        assert!(known.is_used("k") && !known.is_used("m"));
    }
}
