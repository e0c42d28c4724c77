//! Substructures: which bodies are eliminated together where matrices are cut into sub-domains.

use super::Model;
use super::finding::{Finding, Subject};
use crate::described;
use crate::expr::closest;

described! {
    /// Bodies that make a sub-domain of their own where matrices are cut (`--structure-solver`, ranks of MPI) and nobody says
    /// by `--domains` into how many. Bodies of no substructure that hang on one alone go with it; others are at its
    /// interfaces, or make sub-domains of their own. Results depend on it to round-off alone.
    pub struct Substructure {
        /// Its name.
        name: String [Kind::Name];
        /// Names of its bodies; `*` stands for anything, so that `"arm_*"` are all bodies whose names begin with `arm_`.
        /// Nodes of beams, cables and structures are bodies, too: `"boom.*"` are those of the beam `boom`.
        bodies: Vec<String> [Kind::Words];
    }
}

/// Whether a name is what a pattern says, in which `*` stands for anything.
pub fn matches(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((before, behind)) => name.strip_prefix(before).is_some_and(|rest| {
            let starts = rest.char_indices().map(|(at, _)| at).chain([rest.len()]);
            starts.into_iter().any(|at| matches(behind, &rest[at..]))
        }),
    }
}

/// The substructure of each body, none for most of them; and what is wrong.
pub(crate) fn resolve(model: &Model, findings: &mut Vec<Finding>) -> Vec<Option<usize>> {
    let mut of_body: Vec<Option<usize>> = vec![None; model.bodies.len()];
    for (k, own) in model.substructures.iter().enumerate() {
        let complain = |message: String| Finding::error(Subject::Substructure(k), "bodies", message);
        if own.bodies.is_empty() {
            findings.push(complain(format!("substructure `{}` has no bodies", own.name)));
        }
        for pattern in &own.bodies {
            let mut found = false;
            for (body, other) in model.bodies.iter().enumerate().filter(|(_, b)| matches(pattern, &b.name)) {
                found = true;
                if let Some(before) = of_body[body].filter(|&before| before != k) {
                    let message = format!(
                        "body `{}` is in substructure `{}` already",
                        other.name, model.substructures[before].name
                    );
                    let related = (Subject::Substructure(before), "the other one is here");
                    findings.push(complain(message).related(related.0, related.1));
                    return of_body;
                }
                of_body[body] = Some(k);
            }
            if !found {
                let finding = complain(format!("there is no body `{pattern}`"));
                let names = model.bodies.iter().map(|body| body.name.as_str());
                let hint = closest(pattern, names).map(|near| format!("did you mean `{near}`?"));
                let usual = || "give names of bodies; `*` stands for anything".to_string();
                findings.push(finding.hint(hint.unwrap_or_else(usual)));
            }
        }
    }
    of_body
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_stand_for_anything() {
        for (pattern, name) in
            [("a", "a"), ("a*", "a"), ("a*", "abc"), ("*c", "abc"), ("a*c*e", "abcde"), ("*", "")]
        {
            assert!(matches(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in [("a", "ab"), ("a*", "ba"), ("*c", "cb"), ("a*c*e", "abcd"), ("", "a")] {
            assert!(!matches(pattern, name), "{pattern} {name}");
        }
    }
}
