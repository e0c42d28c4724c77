//! Names that are also units: allowed, but a reader of the file may take one for the other.

use kingpin::expr::{Unit, is_unit};

/// What is said of a name that is also a unit, and what it could be called instead; `None` if it is no unit.
pub(crate) fn unit_name(
    what: &str,
    name: &str,
    other: impl FnOnce(&str) -> String,
) -> Option<(String, String)> {
    if !is_unit(name) {
        return None;
    }
    let dim = Unit::parse(name).ok()?.dim();
    let kind = dim.kind().map_or_else(|| format!("a quantity in {dim}"), String::from);
    let message = format!(
        "the {what} `{name}` has the name of a unit of {kind}; after a number, as in `2 {name}`, it \
             is the unit"
    );
    Some((message, format!("rename it, such as `{}`", other(name))))
}

/// A usual name of an index that is not taken.
pub(crate) fn other_index(taken: impl Fn(&str) -> bool) -> String {
    ["i", "j", "k", "n"].into_iter().find(|name| !taken(name)).unwrap_or("i_2").into()
}

/// A name that says more and is not taken.
pub(crate) fn other_name(name: &str, taken: impl Fn(&str) -> bool) -> String {
    const USUAL: &[(&str, &str)] = &[
        ("m", "mass"),
        ("s", "travel"),
        ("g", "gravity"),
        ("h", "height"),
        ("N", "count"),
        ("J", "inertia"),
        ("W", "width"),
        ("min", "least"),
        ("turn", "turning"),
    ];
    let usual = USUAL.iter().find(|(unit, _)| *unit == name).map(|(_, other)| other.to_string());
    let numbered = (0..).map(|k| format!("{name}_{k}"));
    let free = |other: &String| !taken(other) && !is_unit(other);
    usual.into_iter().chain(numbered).find(free).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_told_from_other_names() {
        assert_eq!(unit_name("parameter", "k", |name| other_name(name, |_| false)), None);
        let (message, hint) = unit_name("parameter", "J", |name| other_name(name, |_| false)).unwrap();
        assert_eq!(
            message,
            "the parameter `J` has the name of a unit of torque; after a number, as in `2 J`, it is the unit"
        );
        assert_eq!(hint, "rename it, such as `inertia`");
        assert_eq!(other_name("m", |name| name == "mass"), "m_0");
        assert_eq!(other_name("bar", |name| name == "bar_0"), "bar_1");
    }
}
