//! Which force, driver or event gives no finite number, in words.

use super::forces::{apply_force, inputs};
use super::{System, Work, in_space};
use crate::element::equation::{EquationForm, Term};
use crate::element::law::{MAX_VARIABLES, Strength};
use crate::element::switch::Flag;
use crate::element::switch::Gauge;
use crate::model::finding::{Finding, Subject};
use crate::model::function::Function;

impl System {
    /// The first force, driver or event whose value is not a finite number at the instant of the work, with the
    /// values it depends on; `None` if all are finite. Needs the instant set, nothing evaluated. For messages: slow.
    pub fn first_bad_force(&self, work: &Work) -> Option<Finding> {
        let bad = |(k, force): (usize, &super::ForceGroup)| {
            force.terms.clone().find_map(|term| self.bad_term(k, &force.name, &self.terms[term], work))
        };
        self.forces
            .iter()
            .enumerate()
            .find_map(bad)
            .or_else(|| self.bad_element(work))
            .or_else(|| self.bad_driver(work))
            .or_else(|| self.bad_event(work))
    }

    fn bad_element(&self, work: &Work) -> Option<Finding> {
        let t = shown(work.t);
        if let Some(cell) = self.bad_cell(work) {
            let (structure, number) = (cell.structure, cell.number);
            let name = &self.structures[structure].name;
            let message = format!("the force of element {number} of `{name}` is not finite at t = {t}");
            return Some(Finding::error(Subject::Structure(structure), "", message));
        }
        let beam = self.bad_beam(work)?;
        let name = &self.beams[beam].name;
        let message = format!("the force of element `{name}` is not finite at t = {t}");
        Some(Finding::error(Subject::Span(beam), "", message))
    }

    fn bad_term(&self, force: usize, name: &str, term: &Term, work: &Work) -> Option<Finding> {
        let mut vars = [0.0; MAX_VARIABLES];
        in_space!(self.space, C => inputs::<C>(&term.inputs, &work.bodies, &work.turns, work.t, &mut vars));
        let used = term.fill_flags(&work.pieces, &work.inputs, &mut vars);
        let vars = &vars[..used];
        let strength = term.strength.eval(vars, &work.pieces);
        let (subject, at) = (Subject::Force(force), self.where_and_when(term, vars));
        if !strength.is_finite() {
            let message = format!("force `{name}` gives {} {at}", shown(strength));
            return Some(Finding::error(subject, faulty_field(term, vars), message));
        }
        let mut result = vec![0.0; self.velocities()];
        in_space!(self.space, C => {
            let bodies = (&self.nodes, &work.bodies[..]);
            apply_force::<C>(&term.direction, strength, bodies, &work.turns, &mut result);
        });
        let bad = result.iter().any(|x| !x.is_finite());
        bad.then(|| Finding::error(subject, "", format!("force `{name}` has no direction {at}")))
    }

    /// Such as «at t = 0.31 (gap = -0.2)».
    fn where_and_when(&self, term: &Term, vars: &[f64]) -> String {
        let first_flag = 1 + 2 * term.inputs.len();
        let name = |k: usize| match (k, &term.strength) {
            (2, Strength::Spring(_) | Strength::Bar(_) | Strength::Stops(_) | Strength::Friction(_)) => {
                "rate".to_string()
            }
            (2, Strength::Magnitude(_)) if !term.words.rate.is_empty() => term.words.rate.to_string(),
            _ if k >= first_flag => match term.flags[k - first_flag] {
                Flag::Piece { switch, .. } => self.switches[switch].name.clone(),
                Flag::Input(input) => self.input_name(input),
            },
            // a state is the rate of its node
            _ if k.is_multiple_of(2) && self.is_state(&term.inputs[k / 2 - 1]) => {
                term.names[k / 2 - 1].clone()
            }
            _ if k % 2 == 1 => term.names[k / 2].clone(),
            _ => format!("{}.rate", term.names[k / 2 - 1]),
        };
        let matters = |k: &usize| match &term.strength {
            Strength::Magnitude(Function::Expr(expr)) | Strength::Rate(Function::Expr(expr)) => expr.uses(*k),
            Strength::Magnitude(Function::Closure(closure)) | Strength::Rate(Function::Closure(closure)) => {
                closure.reads(*k)
            }
            Strength::Spring(law) if *k > 2 => match &law.actuator {
                Function::Expr(expr) => expr.uses(*k),
                Function::Closure(closure) => closure.reads(*k),
                _ => false,
            },
            Strength::Magnitude(_) | Strength::Rate(_) => false,
            _ => true,
        };
        let values = (1..vars.len()).filter(matters).map(|k| format!("{} = {}", name(k), shown(vars[k])));
        let values = values.collect::<Vec<_>>().join(", ");
        let t = shown(vars[0]);
        if values.is_empty() { format!("at t = {t}") } else { format!("at t = {t} ({values})") }
    }

    /// The first driver whose motion or its derivatives are not finite.
    pub(crate) fn bad_driver(&self, work: &Work) -> Option<Finding> {
        let groups = self.layout.groups.iter().filter(|g| matches!(g.subject, Subject::Driver(_)));
        for group in groups {
            for numbered in &self.layout.equations[group.equations.clone()] {
                let EquationForm::Single(_, motion) = &numbered.equation.form else { continue };
                let [f, rates @ ..] = motion.time_jet(work.t);
                let (name, t) = (&group.name, shown(work.t));
                let message = if !f.is_finite() {
                    format!("driver `{name}`: `motion` is {} at t = {t}", shown(f))
                } else if rates.iter().any(|x| !x.is_finite()) {
                    format!("driver `{name}`: velocity or acceleration of `motion` is not finite at t = {t}")
                } else {
                    continue;
                };
                return Some(Finding::error(group.subject.clone(), "motion", message));
            }
        }
        None
    }

    fn bad_event(&self, work: &Work) -> Option<Finding> {
        let events = self.switches.iter().enumerate().filter(|(_, s)| matches!(s.gauge, Gauge::Event { .. }));
        let bad = |(k, name): (usize, &String)| {
            let value = self.gauge(k, work);
            let message = || format!("event `{name}`: `when` is {} at t = {}", shown(value), shown(work.t));
            (!value.is_finite()).then(|| Finding::error(Subject::Event(k), "when", message()))
        };
        events.map(|(k, switch)| (k, &switch.name)).find_map(bad)
    }
}

/// The field to blame, if it is one.
fn faulty_field(term: &Term, vars: &[f64]) -> &'static str {
    match &term.strength {
        Strength::Magnitude(_) if !term.words.power.is_empty() => term.words.strength,
        Strength::Magnitude(_) => "magnitude",
        Strength::Rate(_) => "rate",
        Strength::Spring(law) if !law.actuator.eval(vars).is_finite() => "actuator",
        _ => "",
    }
}

/// A number to six figures, without zeros that say nothing.
fn shown(x: f64) -> String {
    let rounded = format!("{x:.5e}").parse().unwrap_or(x);
    let text = format!("{rounded:?}");
    text.strip_suffix(".0").map(String::from).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn numbers_are_short() {
        let texts = [0.1 + 0.2, 2.0, -1e300, f64::NAN, f64::INFINITY].map(shown);
        assert_eq!(texts, ["0.3", "2", "-1e300", "NaN", "inf"]);
    }
}
