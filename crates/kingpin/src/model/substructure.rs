//! Substructures: which bodies are eliminated together where matrices are cut into sub-domains.

use super::Model;
use super::finding::{Finding, Subject};
use crate::described;
use crate::expr::closest;

described! {
    /// A group of bodies that forms a sub-domain when matrices are divided (`--domain-solver`, ranks of MPI) without
    /// a number of `--domains`. Unassigned bodies connected to one substructure only are added to it; others belong
    /// to the interfaces or form further sub-domains. Results depend on it by round-off only.
    pub struct Substructure {
        /// Its name.
        name: String [Kind::Name];
        /// Names of its bodies; `*` matches any characters, so `"arm_*"` selects all bodies whose names begin with
        /// `arm_`. Nodes of beams, cables and structures are bodies, too: `"boom.*"` selects those of the beam
        /// `boom`. In an assembly, names with `*` match only its own bodies.
        bodies: Vec<String> [Kind::Words];
    }
}

/// Whether a name is what a pattern says, in which `*` stands for anything. O(pattern times name)
pub fn matches(pattern: &str, name: &str) -> bool {
    let Some((first, rest)) = pattern.split_once('*') else { return pattern == name };
    let Some(mut left) = name.strip_prefix(first) else { return false };
    let mut parts = rest.split('*').peekable();
    // the earliest place of each part leaves most to those behind it; the last one ends the name
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return left.ends_with(part);
        }
        match left.find(part) {
            Some(at) => left = &left[at + part.len()..],
            None => return false,
        }
    }
    true
}

/// Bodies by their names.
struct NamedBodies<'a> {
    sorted: Vec<(&'a str, usize)>,
}

impl<'a> NamedBodies<'a> {
    fn new(model: &'a Model) -> Self {
        let mut sorted: Vec<(&str, usize)> =
            model.bodies.iter().enumerate().map(|(k, body)| (body.name.as_str(), k)).collect();
        sorted.sort_unstable();
        Self { sorted }
    }

    /// Those that a pattern means. O(log n + those that begin as it does)
    fn meant<'b>(&'b self, pattern: &'b str) -> impl Iterator<Item = usize> + 'b {
        let begin = pattern.split('*').next().unwrap_or("");
        let first = self.sorted.partition_point(|(name, _)| *name < begin);
        let alike = self.sorted[first..].iter().take_while(move |(name, _)| name.starts_with(begin));
        alike.filter(move |(name, _)| matches(pattern, name)).map(|(_, body)| *body)
    }
}

/// The substructure of each body, none for most of them; and what is wrong.
pub(crate) fn resolve(model: &Model, findings: &mut Vec<Finding>) -> Vec<Option<usize>> {
    let mut of_body: Vec<Option<usize>> = vec![None; model.bodies.len()];
    if model.substructures.is_empty() {
        return of_body;
    }
    let bodies = NamedBodies::new(model);
    for (k, own) in model.substructures.iter().enumerate() {
        let complain = |message: String| Finding::error(Subject::Substructure(k), "bodies", message);
        if own.bodies.is_empty() {
            findings.push(complain(format!("substructure `{}` has no bodies", own.name)));
        }
        for pattern in &own.bodies {
            let mut meant: Vec<usize> = bodies.meant(pattern).collect();
            meant.sort_unstable();
            for &body in &meant {
                if let Some(before) = of_body[body].filter(|&before| before != k) {
                    let message = format!(
                        "body `{}` already belongs to substructure `{}`",
                        model.bodies[body].name, model.substructures[before].name
                    );
                    let related = (Subject::Substructure(before), "the other one is here");
                    findings.push(complain(message).related(related.0, related.1));
                    // one is enough to tell
                    break;
                }
                of_body[body] = Some(k);
            }
            if meant.is_empty() {
                let finding = complain(format!("there is no body `{pattern}`"));
                let names = model.bodies.iter().map(|body| body.name.as_str());
                let hint = closest(pattern, names).map(|near| format!("did you mean `{near}`?"));
                let usual = || "give names of bodies; `*` matches any characters".to_string();
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
        for (pattern, name) in [
            ("a", "a"),
            ("a*", "a"),
            ("a*", "abc"),
            ("*c", "abc"),
            ("a*c*e", "abcde"),
            ("*", ""),
            ("a**", "a"),
        ] {
            assert!(matches(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in
            [("a", "ab"), ("a*", "ba"), ("*c", "cb"), ("a*c*e", "abcd"), ("", "a"), ("a*a", "a")]
        {
            assert!(!matches(pattern, name), "{pattern} {name}");
        }
    }
}
