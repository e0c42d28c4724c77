//! Names of items in full, and items of assemblies where these stand.

use super::ItemPlan;
use crate::assembly::{ItemNames, Moving};
use crate::catalog::{Part, Parts, Section};
use crate::check::section_of;
use crate::context::Context;
use crate::diagnostic::Report;
use crate::source::{SourceMap, Span};
use kingpin::model::describe::{FieldValues, Kind};
use kingpin::model::value::Value;
use std::cell::RefCell;

impl ItemPlan<'_> {
    /// The name that the model knows it by; empty if it has none.
    pub(super) fn full_name(&self, indices: &[f64]) -> String {
        let Some(plan) = &self.name else { return String::new() };
        let scratch = RefCell::new(Report::default());
        let quiet = Context { report: &scratch, ..self.context.clone() };
        let context = if self.origin.is_some() { &self.context } else { &quiet };
        match (plan.eval(context, indices), context.instance) {
            (Some(Value::Text(name)), Some(instance)) => format!("{}{name}", instance.prefix),
            (Some(Value::Text(name)), None) => name,
            _ => String::new(),
        }
    }

    /// Names of an assembly in full, and everything where the assembly stands; false after a report.
    pub(super) fn settle(&self, parts: &mut Parts, names: &ItemNames, map: &SourceMap) -> bool {
        let Some(instance) = self.context.instance else { return true };
        let kind = &self.section.kinds()[self.kind];
        let refer = |part: Part, values: &mut FieldValues| {
            for (key, value) in values.iter_mut() {
                let field = kind.field(part, key).map(|field| field.kind);
                if let (Section::Substructure, Value::Texts(bodies)) = (self.section, &mut *value) {
                    bodies.iter_mut().for_each(|body| *body = names.pattern(&instance.prefix, body));
                }
                if let (Some(Kind::Refer(target)), Value::Text(text)) = (field, value) {
                    *text = names.resolved(&instance.prefix, section_of(target), text);
                }
            }
        };
        refer(Part::Ends, &mut parts.ends);
        refer(Part::Own, &mut parts.own);
        let (placement, space) = (&instance.placement, self.context.space);
        let moving = Moving { placement, space, section: self.section, kind, prefix: &instance.prefix };
        let Err((field, message)) = moving.apply(parts) else { return true };
        let origin = self.origin.and_then(|origin| map.origin(origin));
        let place = origin.map_or(self.context.at(Span::default()), |origin| origin.locate(field));
        self.context.error(place.span, message);
        false
    }

    /// Adds what functions may read of a state or a controller to the names of both.
    pub fn name_readable(&self, names: &mut [Vec<String>; 2], indices: &[f64]) {
        let name = self.full_name(indices);
        if self.section == Section::State {
            names[0].push(name);
            return;
        }
        let outputs = self.fields.iter().find(|(_, field, _)| *field == "outputs");
        match outputs.and_then(|(.., plan)| plan.eval(&self.context, indices)) {
            Some(Value::Texts(outputs)) if !outputs.is_empty() => {
                names[1].extend(outputs.iter().map(|own| format!("{name}.{own}")));
            }
            _ => names[1].push(name),
        }
    }
}
