//! The names that expressions of a model file may use.

use crate::names::names_in;
use kingpin::expr::{Parameters, Quantity, Scope, is_unit};
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
    measures: Vec<String>,
    /// States, then outputs of controllers.
    states: Vec<String>,
    /// Numbers and names of events. Those that are no switches have no variable, which is said when the model is
    /// compiled, so they are here too unless their name means something else.
    events: Vec<(usize, String)>,
    /// Names of inputs, and how many events come before them.
    inputs: (usize, Vec<String>),
    /// Names of measures and events after one, two, … variables; filled when first needed.
    scopes: [OnceCell<Scope<'static>>; 8],
    used: RefCell<BTreeSet<String>>,
    /// Functions of the program that reads the file.
    pub functions: BTreeMap<String, Function>,
}

impl Known {
    pub fn new(parameters: &Parameters) -> Known {
        Known {
            parameters: parameters.scope(),
            faulty: !parameters.errors.is_empty(),
            measures: Vec::new(),
            states: Vec::new(),
            events: Vec::new(),
            inputs: (0, Vec::new()),
            scopes: Default::default(),
            used: RefCell::default(),
            functions: BTreeMap::new(),
        }
    }

    /// Takes over the measures of the model, numbered as they stand there.
    pub fn set_measures(&mut self, model: &Model) {
        self.measures = model.measures.iter().map(|measure| measure.name.clone()).collect();
    }

    /// Takes over the names of states and of outputs of controllers, numbered in that order.
    pub fn set_states(&mut self, [states, outputs]: [Vec<String>; 2]) {
        self.states = states.into_iter().chain(outputs).collect();
        self.scopes = Default::default();
    }

    /// Takes over the events of the model, numbered as they stand there.
    pub fn set_events(&mut self, model: &Model) {
        let means =
            |event: &Event| event.action() == EventAction::Switch || !self.parameters.contains(&event.name);
        let events = model.events.iter().enumerate().filter(|(_, event)| means(event));
        self.events = events.map(|(k, event)| (k, event.name.clone())).collect();
        self.inputs = (model.events.len(), model.inputs.iter().map(|input| input.name.clone()).collect());
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

    /// Whether a parameter, or a name that is also that of a unit, was used anywhere.
    pub fn is_used(&self, name: &str) -> bool {
        self.used.borrow().contains(name)
    }

    /// What else has the name of a variable.
    pub fn hidden_by_variable(&self, name: &str) -> Option<&'static str> {
        let measured = self.measures.iter().any(|measure| measure == name);
        let happens = self.events.iter().any(|(_, event)| event == name);
        match self.parameters.contains(name) {
            true => Some("parameter"),
            false if measured => Some("measure"),
            false if happens => Some("event"),
            false if self.states.iter().any(|state| state == name) => Some("state"),
            false if self.inputs.1.iter().any(|input| input == name) => Some("input"),
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

    /// Whether there is anything that functions read besides their own variables.
    fn has_names(&self) -> bool {
        self.measures.len() + self.states.len() + self.events.len() + self.inputs.1.len() > 0
    }

    /// Parameters, measures, states and events, the measures numbered from `first` on.
    fn measure_scope(&self, first: usize) -> Scope<'static> {
        let mut scope = self.parameters.clone();
        for (k, measure) in self.measures.iter().enumerate() {
            let index = (first + 2 * k) as u32;
            scope.variable(measure.as_str(), index, None);
            scope.variable(format!("{measure}.rate"), index + 1, None);
        }
        let first = first + 2 * self.measures.len();
        for (k, state) in self.states.iter().enumerate() {
            scope.variable(state.as_str(), (first + k) as u32, None);
        }
        let first = first + self.states.len();
        for (k, event) in &self.events {
            scope.variable(event.as_str(), (first + k) as u32, None);
        }
        let first = first + self.inputs.0;
        for (k, input) in self.inputs.1.iter().enumerate() {
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
