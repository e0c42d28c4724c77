//! Parameters defined by numbers or by expressions of one another, in any order.

use super::error::ExprError;
use super::parser::Parser;
use super::quantity::{Quantity, Unitness};
use super::scope::Scope;
use super::token::{Tok, is_identifier, tokens};
use std::collections::{BTreeMap, BTreeSet};

/// The definition of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum ParamDef {
    /// A number in SI units.
    Number(f64),
    /// An expression of other parameters.
    Text(String),
}

/// Parameters after resolution.
#[derive(Clone, Debug, Default)]
pub struct Parameters {
    /// Values by name. A parameter without a stated unit is [`Unitness::Unknown`].
    pub values: BTreeMap<String, Quantity>,
    /// Faults by parameter; one that merely depends on a faulty one is not listed again.
    pub errors: Vec<(String, ExprError)>,
    /// Names without a value because of the errors.
    unresolved: BTreeSet<String>,
}

impl Parameters {
    /// A scope of all parameters. Names left without a value by an error are bound too (to NaN), so that
    /// expressions that use them bring no errors of their own.
    pub fn scope(&self) -> Scope<'static> {
        let mut scope = Scope::new();
        for (name, quantity) in &self.values {
            scope.constant(name, *quantity);
        }
        for name in &self.unresolved {
            scope.constant(name, Quantity::unknown(f64::NAN));
        }
        scope
    }

    fn fail(&mut self, name: &str, error: ExprError) {
        self.errors.push((name.into(), error));
        self.unresolved.insert(name.into());
    }
}

/// Evaluates parameters in the order they need each other. Cycles, unknown names and all faults of the
/// expressions are reported per parameter.
pub fn resolve_parameters(defs: &[(String, ParamDef)]) -> Parameters {
    let mut result = Parameters::default();
    let defs = accepted(defs, &mut result);
    let needs = dependencies(&defs);
    let mut users = vec![Vec::new(); defs.len()];
    for (k, list) in needs.iter().enumerate() {
        list.iter().for_each(|&need| users[need].push(k));
    }
    // evaluate whatever has all it needs, earlier definitions first
    let mut open: Vec<usize> = needs.iter().map(Vec::len).collect();
    let mut ready: BTreeSet<usize> = (0..defs.len()).filter(|&k| open[k] == 0).collect();
    let mut scope = Scope::new();
    for (name, _) in &defs {
        scope.constant(*name, Quantity::unknown(f64::NAN));
    }
    while let Some(k) = ready.pop_first() {
        let (name, def) = defs[k];
        if needs[k].iter().any(|&need| result.unresolved.contains(defs[need].0)) {
            result.unresolved.insert(name.into());
        } else {
            match evaluate(name, def, &scope) {
                Ok(quantity) => {
                    scope.constant(name, quantity);
                    result.values.insert(name.into(), quantity);
                }
                Err(errors) => errors.into_iter().for_each(|error| result.fail(name, error)),
            }
        }
        for &user in &users[k] {
            open[user] -= 1;
            if open[user] == 0 {
                ready.insert(user);
            }
        }
    }
    report_cycles(&defs, &needs, &open, &mut result);
    result
}

type Def<'a> = (&'a str, &'a ParamDef);

/// Definitions with usable names, each once.
fn accepted<'a>(defs: &'a [(String, ParamDef)], result: &mut Parameters) -> Vec<Def<'a>> {
    let mut seen = BTreeSet::new();
    let mut good = Vec::with_capacity(defs.len());
    for (name, def) in defs {
        let end = if let ParamDef::Text(text) = def { text.len() } else { 0 };
        if !is_identifier(name) {
            let message = format!("`{name}` cannot be the name of a parameter");
            let hint = "names consist of letters, digits and `_` and start with a letter";
            result.errors.push((name.clone(), ExprError::new(0..end, message).with_hint(hint)));
        } else if !seen.insert(name.as_str()) {
            let message = format!("the parameter `{name}` is defined twice");
            result.errors.push((name.clone(), ExprError::new(0..end, message)));
        } else {
            good.push((name.as_str(), def));
        }
    }
    good
}

/// For each definition the ones it names. With every parameter a variable, the reading tells names from units
/// just as the evaluation will.
fn dependencies(defs: &[Def<'_>]) -> Vec<Vec<usize>> {
    let mut scope = Scope::new();
    for (k, (name, _)) in defs.iter().enumerate() {
        // more than u32::MAX definitions do not fit into memory
        scope.variable(*name, k as u32, None);
    }
    let needed = |(_, def): &Def<'_>| {
        let ParamDef::Text(text) = def else { return Vec::new() };
        let (parser, _) = Parser::read(text, &scope);
        let mut named: Vec<usize> = parser.named.iter().map(|&k| k as usize).collect();
        named.sort_unstable();
        named.dedup();
        named
    };
    defs.iter().map(needed).collect()
}

/// The value of a definition whose needs are in the scope.
fn evaluate(name: &str, def: &ParamDef, scope: &Scope<'_>) -> Result<Quantity, Vec<ExprError>> {
    let (quantity, length) = match def {
        ParamDef::Number(value) => (Quantity::bare(*value), 0),
        ParamDef::Text(text) => {
            let expr = super::parse(text, scope)?;
            // no variables in the scope: everything has been folded
            (expr.quantity().unwrap_or(Quantity::unknown(f64::NAN)), text.len())
        }
    };
    if !quantity.value.is_finite() {
        let message = format!("the parameter `{name}` is not finite: its value is {}", quantity.value);
        return Err(vec![ExprError::new(0..length, message)]);
    }
    Ok(match quantity.unit {
        Unitness::Bare => Quantity::unknown(quantity.value),
        _ => quantity,
    })
}

/// Names one error per cycle among the definitions that still wait (`open > 0`).
fn report_cycles(defs: &[Def<'_>], needs: &[Vec<usize>], open: &[usize], result: &mut Parameters) {
    let waiting = |k: usize| open[k] > 0;
    // each waiting definition waits for at least one waiting definition: follow the first until it repeats
    let mut walked = vec![0; defs.len()];
    for start in (0..defs.len()).filter(|&k| waiting(k)) {
        result.unresolved.insert(defs[start].0.into());
        let mut path = Vec::new();
        let mut at = start;
        while walked[at] == 0 {
            walked[at] = start + 1;
            path.push(at);
            match needs[at].iter().find(|&&need| waiting(need)) {
                Some(&next) => at = next,
                None => break,
            }
        }
        // a walk that ends in an earlier one finds nothing new
        if walked[at] == start + 1
            && let Some(first) = path.iter().position(|&k| k == at)
        {
            let (name, error) = cycle_error(defs, &path[first..]);
            result.fail(name, error);
        }
    }
}

/// The error for a cycle, told from its earliest definition on.
fn cycle_error<'a>(defs: &[Def<'a>], cycle: &[usize]) -> (&'a str, ExprError) {
    let turn = (0..cycle.len()).min_by_key(|&k| cycle[k]).unwrap_or(0);
    let order: Vec<usize> = cycle[turn..].iter().chain(&cycle[..turn]).copied().collect();
    let (name, def) = defs[order[0]];
    let next = defs[order[1 % order.len()]].0;
    let message = if order.len() == 1 {
        format!("the parameter `{name}` depends on itself")
    } else {
        let round: Vec<&str> = order.iter().chain(&order[..1]).map(|&k| defs[k].0).collect();
        format!("these parameters depend on each other in a cycle: {}", round.join(" -> "))
    };
    let text = if let ParamDef::Text(text) = def { text.as_str() } else { "" };
    let place = tokens(text).ok().and_then(|all| all.into_iter().find(|t| t.tok == Tok::Name(next)));
    (name, ExprError::new(place.map_or(0..text.len(), |t| t.span), message))
}

#[cfg(test)]
mod tests {
    use super::super::dim::Dim;
    use super::*;

    fn resolve(defs: &[(&str, &str)]) -> Parameters {
        let defs: Vec<_> = defs.iter().map(|(n, t)| (n.to_string(), ParamDef::Text(t.to_string()))).collect();
        resolve_parameters(&defs)
    }

    #[test]
    fn any_order() {
        let p =
            resolve(&[("area", "width * height"), ("height", "2 * width"), ("width", "30 mm"), ("n", "3")]);
        assert!(p.errors.is_empty(), "{:?}", p.errors);
        assert_eq!(p.values["area"].value, 0.06 * 0.03);
        assert_eq!(p.values["area"].unit, Unitness::Known(Dim::new(0, 2, 0)));
        assert_eq!(p.values["n"], Quantity::unknown(3.0));
        let one = resolve_parameters(&[("m".into(), ParamDef::Number(2.0))]);
        assert_eq!(one.values["m"], Quantity::unknown(2.0));
    }

    /// A unit that has the name of a parameter is no dependency.
    #[test]
    fn units_are_no_dependencies() {
        let p = resolve(&[("m", "L * 3 kg/s"), ("L", "2 m")]);
        assert!(p.errors.is_empty(), "{:?}", p.errors);
        assert_eq!(p.values["m"].value, 6.0);
        let p = resolve(&[("m", "4"), ("k", "100 N/m"), ("s", "2*rate"), ("rate", "10 m/s")]);
        assert!(p.errors.is_empty(), "{:?}", p.errors);
        assert_eq!(p.values["k"], Quantity::known(100.0, Dim::STIFFNESS));
        assert_eq!(p.values["rate"], Quantity::known(10.0, Dim::VELOCITY));
        let p = resolve(&[("g", "9.81"), ("weight", "2 kg*g")]);
        assert!(
            p.errors[0].1.message.contains("`g` is both a unit and a name defined here"),
            "{:?}",
            p.errors
        );
    }

    #[test]
    fn a_constant_exponent_is_fine_though_it_is_a_parameter() {
        let p = resolve(&[("v", "edge^n"), ("n", "3"), ("edge", "2 m")]);
        assert!(p.errors.is_empty(), "{:?}", p.errors);
        assert_eq!(p.values["v"], Quantity::known(8.0, Dim::new(0, 3, 0)));
    }

    #[test]
    fn cycles_are_named_once() {
        let p =
            resolve(&[("x", "b + 1"), ("a", "2*c"), ("b", "a"), ("c", "b"), ("self", "1/self"), ("ok", "1")]);
        let told: Vec<_> = p.errors.iter().map(|(n, e)| (n.as_str(), e.to_string())).collect();
        assert_eq!(
            told,
            [
                ("a", "these parameters depend on each other in a cycle: a -> c -> b -> a".into()),
                ("self", "the parameter `self` depends on itself".to_string()),
            ]
        );
        assert_eq!(p.errors[0].1.span, 2..3);
        assert_eq!(p.values.keys().collect::<Vec<_>>(), ["ok"]);
        for name in ["x", "a", "b", "c", "self"] {
            assert!(p.scope().contains(name));
        }
    }

    #[test]
    fn faults_belong_to_their_parameter_alone() {
        let p = resolve(&[
            ("a", "bb + 1 m"),
            ("b", "1 s"),
            ("c", "a + b"),
            ("d", "1/0"),
            ("2x", "1"),
            ("b", "2"),
        ]);
        let told: Vec<_> = p.errors.iter().map(|(n, e)| (n.as_str(), e.to_string())).collect();
        assert_eq!(told.len(), 4, "{told:?}");
        assert!(told[0].1.starts_with("`2x` cannot be the name"));
        assert_eq!(told[1], ("b", "the parameter `b` is defined twice".into()));
        assert_eq!(told[2], ("a", "`bb` is not defined here (did you mean `b`?)".into()));
        assert_eq!(told[3], ("d", "the parameter `d` is not finite: its value is inf".into()));
        assert_eq!(p.values.keys().collect::<Vec<_>>(), ["b"]);
        assert!(!resolve_parameters(&[("n".into(), ParamDef::Number(f64::NAN))]).errors.is_empty());
    }

    #[test]
    fn long_chains_do_not_recurse() {
        let mut defs: Vec<_> =
            (1..20_000).map(|k| (format!("p{k}"), ParamDef::Text(format!("p{} + 1", k - 1)))).collect();
        defs.push(("p0".into(), ParamDef::Number(1.0)));
        let p = resolve_parameters(&defs);
        assert!(p.errors.is_empty());
        assert_eq!(p.values["p19999"].value, 20_000.0);
        defs.last_mut().unwrap().1 = ParamDef::Text("p19999".into());
        assert_eq!(resolve_parameters(&defs).errors.len(), 1);
    }
}
