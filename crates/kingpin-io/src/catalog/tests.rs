//! Fields of all kinds of items.

use super::*;

#[test]
fn keys_of_a_kind_are_unique() {
    for section in Section::ALL {
        assert_eq!(Section::named(section.word()), Some(section));
        for kind in section.kinds() {
            let mut names: Vec<&str> = kind.fields.iter().map(|(_, field)| field.name).collect();
            names.push("type");
            names.sort_unstable();
            names.dedup();
            let count = kind.fields.len() + 1;
            assert_eq!(names.len(), count, "{} {}", section.word(), kind.tag);
        }
    }
}

#[test]
fn units_of_all_fields_are_understood() {
    let kinds = Section::ALL.into_iter().flat_map(|section| section.kinds()).chain([simulation()]);
    for (_, field) in kinds.flat_map(|kind| &kind.fields) {
        let units: Vec<&str> = match field.kind {
            Kind::Number(unit) | Kind::Vector(unit) | Kind::Spin(unit) => vec![unit],
            Kind::Path(unit) => vec![unit],
            Kind::Section(units) => units.into(),
            Kind::Curve { x, y } => vec![x, y],
            Kind::Function { unit, variables, .. } => {
                variables.iter().map(|(_, unit)| *unit).chain([unit]).collect()
            }
            _ => vec![],
        };
        for unit in units.into_iter().filter(|unit| !matches!(*unit, "" | "*")) {
            assert!(kingpin::expr::Dim::parse(unit).is_ok(), "`{}`: {unit}", field.name);
        }
    }
}
