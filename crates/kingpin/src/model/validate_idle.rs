//! Items that do nothing, and names that look the same.

use super::describe::Kind;
use super::finding::{Finding, Subject};
use super::value::Value;
use super::{Force, Function, GROUND, Model};
use crate::element::force::{ForceKind, OnRoad};
use std::collections::{HashMap, HashSet};

/// What is legal but without effect, or easily mistaken.
pub(super) fn warnings(model: &Model, findings: &mut Vec<Finding>) {
    let grounded = model.markers.iter().filter(|m| m.body == GROUND).map(|m| m.name.as_str());
    let grounded: HashSet<&str> = grounded.collect();
    for (k, force) in model.forces.iter().enumerate() {
        if does_nothing(force) {
            let message = format!("force `{}` is always zero: all its coefficients are zero", force.name);
            findings.push(Finding::warning("idle-force", Subject::Force(k), "", message));
        }
        if acts_on_ground(&grounded, force) {
            let message = format!("force `{}` acts on ground, which never moves", force.name);
            findings.push(Finding::warning("force-on-ground", Subject::Force(k), "body", message));
        }
    }
    unused_markers(model, findings);
    unused_roads(model, findings);
    look_alikes(model, findings);
}

/// Whether every stiffness, damping, load and function of a force is absent or zero.
fn does_nothing(force: &Force) -> bool {
    // what moves a machine may wait until it is told what to do
    if matches!(force.kind, ForceKind::Actuator(_) | ForceKind::Motor(_) | ForceKind::JointStops(_)) {
        return false;
    }
    let fields = force.kind.fields();
    force.kind.values().into_iter().all(|(name, value)| {
        let kind = fields.iter().find(|field| field.name == name).map(|field| field.kind);
        match (kind, value) {
            // lengths and angles make no force by themselves
            (Some(Kind::Number("m" | "rad")), _) => true,
            (_, Value::Number(x)) => x == 0.0,
            (Some(Kind::Direction), _) => true,
            (_, Value::Vector(v)) => v.norm() == 0.0,
            (_, Value::Function(f)) => f == Function::Constant(0.0),
            (_, Value::Curve(_)) => false,
            _ => true,
        }
    })
}

/// Whether the only end of a force is on ground, perhaps by one of the markers there.
fn acts_on_ground(grounded: &HashSet<&str>, force: &Force) -> bool {
    let marked = |name: &String| grounded.contains(name.as_str());
    force.ends.body.as_deref() == Some(GROUND) || force.ends.marker.as_ref().is_some_and(marked)
}

/// Markers that nothing refers to.
fn unused_markers(model: &Model, findings: &mut Vec<Finding>) {
    let values = model.measures.iter().flat_map(|own| own.kind.values());
    let axes: Vec<String> = values
        .filter_map(|(field, value)| match value {
            Value::Text(name) if field == "axes_marker" => Some(name),
            _ => None,
        })
        .collect();
    let mut used = HashSet::new();
    used.extend(&axes);
    let ends = (model.joints.iter().map(|x| &x.ends))
        .chain(model.drivers.iter().map(|x| &x.ends))
        .chain(model.forces.iter().map(|x| &x.ends))
        .chain(model.measures.iter().map(|x| &x.ends))
        .chain(model.shapes.iter().map(|x| &x.ends));
    for end in ends {
        used.extend([&end.marker, &end.marker1, &end.marker2].into_iter().flatten());
    }
    for (k, marker) in model.markers.iter().enumerate() {
        if !used.contains(&marker.name) {
            findings.push(Finding::warning(
                "unused-marker",
                Subject::Marker(k),
                "",
                format!("marker `{}` is not used", marker.name),
            ));
        }
    }
}

/// Roads that no tyre runs on. Without a name, a tyre runs on the only road there is.
fn unused_roads(model: &Model, findings: &mut Vec<Finding>) {
    let used: HashSet<OnRoad> = model.forces.iter().map(|force| force.kind.element().road()).collect();
    for (k, road) in model.roads.iter().enumerate() {
        if !used.contains(&OnRoad::Only) && !used.contains(&OnRoad::Named(&road.name)) {
            let message = format!("road `{}` is not used", road.name);
            findings.push(Finding::warning("unused-road", Subject::Road(k), "", message));
        }
    }
}

/// Names of different letters that look the same.
fn look_alikes(model: &Model, findings: &mut Vec<Finding>) {
    let mut check = |names: &mut dyn Iterator<Item = (Subject, &String)>| {
        let mut seen: HashMap<String, (Subject, &String)> = HashMap::new();
        for (subject, name) in names {
            let key: String = name.chars().map(look).collect();
            match seen.get(&key) {
                Some((first, other)) if *other != name => {
                    let message =
                        format!("`{name}` looks like another name, but is spelt with other characters");
                    let finding = Finding::warning("look-alike-names", subject, "name", message);
                    findings.push(finding.related(first.clone(), "the other one is here"));
                }
                Some(_) => {}
                None => drop(seen.insert(key, (subject, name))),
            }
        }
    };
    check(&mut model.bodies.iter().enumerate().map(|(k, x)| (Subject::Body(k), &x.name)));
    check(&mut model.markers.iter().enumerate().map(|(k, x)| (Subject::Marker(k), &x.name)));
    let joints = model.joints.iter().enumerate().map(|(k, x)| (Subject::Joint(k), &x.name));
    check(&mut joints.chain(model.drivers.iter().enumerate().map(|(k, x)| (Subject::Driver(k), &x.name))));
    check(&mut model.forces.iter().enumerate().map(|(k, x)| (Subject::Force(k), &x.name)));
    check(&mut model.measures.iter().enumerate().map(|(k, x)| (Subject::Measure(k), &x.name)));
}

/// The Latin letter or plain sign that a character looks like.
fn look(c: char) -> char {
    const LOOKS: &[(&str, &str)] = &[
        ("\u{430}\u{435}\u{43e}\u{440}\u{441}\u{443}\u{445}\u{455}\u{456}\u{458}", "aeopcyxsij"),
        (
            "\u{410}\u{412}\u{415}\u{41a}\u{41c}\u{41d}\u{41e}\u{420}\u{421}\u{422}\u{423}\u{425}",
            "ABEKMHOPCTYX",
        ),
        (
            "\u{391}\u{392}\u{395}\u{396}\u{397}\u{399}\u{39a}\u{39c}\u{39d}\u{39f}\u{3a1}\u{3a4}\u{3a5}\u{3a7}",
            "ABEZHIKMNOPTYX",
        ),
        (
            "\u{3bd}\u{3bf}\u{a0}\u{2002}\u{2003}\u{2009}\u{2010}\u{2011}\u{2012}\u{2013}\u{2212}",
            "vo    -----",
        ),
    ];
    // full-width forms
    if let Some(plain) = (c as u32).checked_sub(0xfee0).filter(|code| (0x21..0x7f).contains(code)) {
        return char::from_u32(plain).unwrap_or(c);
    }
    let of = |(from, to): &(&str, &str)| {
        from.chars().zip(to.chars()).find(|(look, _)| *look == c).map(|(_, to)| to)
    };
    LOOKS.iter().find_map(of).unwrap_or(c)
}

#[cfg(test)]
mod tests {
    use super::look;

    #[test]
    fn letters_of_other_scripts_are_seen_through() {
        let seen: String = "r\u{43e}d \u{391}\u{ff22}\u{2013}1\u{e9}".chars().map(look).collect();
        assert_eq!(seen, "rod AB-1\u{e9}");
    }
}
