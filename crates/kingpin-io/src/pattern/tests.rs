use super::{FAULTY, Limits};
use crate::{Loaded, Overrides, read_text, read_texts_within};
use kingpin::model::Subject;

fn read(text: &str) -> Loaded {
    read_text("a.toml", text, ".", &Overrides::none())
}

fn roads(loaded: &Loaded) -> Vec<&str> {
    let model = loaded.model.as_ref().expect("a model");
    model.roads.iter().map(|road| road.name.as_str()).collect()
}

const ROAD: &str = "type = 'flat'\nname =";

#[test]
fn items_come_in_the_order_of_the_file() {
    let loaded = read(&format!(
        "[[road]]\n{ROAD} 'first'\n[[pattern]]\nto = 2\n[[pattern.road]]\n{ROAD} 'a{{i}}'\n\
         [[pattern.pattern]]\nindex = 'k'\nfrom = 'i'\nto = 2\n[[pattern.pattern.road]]\n{ROAD} 'b{{i}}{{k}}'\n\
         [[road]]\n{ROAD} 'last'\n"
    ));
    assert_eq!(roads(&loaded), ["first", "a1", "b11", "b12", "a2", "b22", "last"]);
    let line = |index| {
        let place = loaded.sources.locate(&Subject::Road(index), "").unwrap();
        loaded.sources.line_column(place).unwrap().0
    };
    assert_eq!([0, 1, 2, 3, 4, 6].map(line), [3, 8, 15, 15, 8, 18]);
}

#[test]
fn a_range_that_ends_before_it_starts_is_empty() {
    assert!(roads(&read(&format!("[[pattern]]\nto = 0\n[[pattern.road]]\n{ROAD} 'a{{i}}'\n"))).is_empty());
}

#[test]
fn faults_are_found_in_empty_patterns_too() {
    let loaded = read("[[pattern]]\nto = 0\n[[pattern.road]]\ntype = 'flat'\nname = 'a{j}'\nhigh = 3\n");
    assert_eq!(loaded.diagnostics.len(), 2, "{}", loaded.render(false));
}

#[test]
fn too_much_is_refused_however_it_is_said() {
    let limits = Limits { items: 1_000_000, memory: None };
    let road = format!("[[pattern.pattern.road]]\n{ROAD} 'b{{i}}_{{k}}'\n");
    for (to, inner) in [
        ("1e14", "[[pattern.pattern]]\nindex = 'k'\nto = 100000\n".to_string()),
        ("1e14", String::new()),
        // two that are modest, and many together
        ("2000", format!("[[pattern.pattern]]\nindex = 'k'\nto = 2000\n{road}")),
        ("2000", format!("[[pattern.pattern]]\nindex = 'k'\nto = 'i'\n{road}")),
        ("'n'", format!("[[pattern.pattern]]\nindex = 'k'\nto = '2*n'\n{road}")),
    ] {
        let text = format!("[parameters]\nn = 1500\n[[pattern]]\nto = {to}\n{inner}");
        let loaded = read_texts_within("a.toml", &[("a.toml", &text)], &Overrides::none(), limits);
        let errors: Vec<_> = loaded.diagnostics.iter().filter(|told| told.is_error()).collect();
        assert_eq!(errors.len(), 1, "{}", loaded.render(false));
        assert_eq!(errors[0].message, "patterns give more than 1000000 items");
    }
}

#[test]
fn assemblies_of_assemblies_count_before_they_are_made() {
    // ten levels of ten: as many as stars
    let level = |below: usize| {
        format!(
            "[[pattern]]\nto = 10\n[[pattern.assembly]]\nname = 'a{{i}}'\ninclude = ['level{below}.toml']\n"
        )
    };
    let mut texts: Vec<(String, String)> =
        (1..=10).map(|k| (format!("level{k}.toml"), level(k - 1))).collect();
    texts.push(("level0.toml".into(), format!("[[road]]\n{ROAD} 'r'\n")));
    texts.push(("a.toml".into(), level(10)));
    let texts: Vec<_> = texts.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let loaded =
        read_texts_within("a.toml", &texts, &Overrides::none(), Limits { items: 1_000_000, memory: None });
    assert_eq!(loaded.diagnostics.len(), 1, "{}", loaded.render(false));
    assert_eq!(loaded.diagnostics[0].message, "patterns give more than 1000000 items");
}

#[test]
fn a_faulty_pattern_is_not_made_to_its_end() {
    let text = format!(
        "[[pattern]]\nto = 200000\n[[pattern.road]]\n{ROAD} 'a{{i}}'\nheight = '1/(i - 5)'\nhigh = 3\n"
    );
    let loaded = read(&text);
    let repeats: usize = loaded.diagnostics.iter().map(|told| told.repeats).sum();
    assert!(repeats < 2 * FAULTY, "{}", loaded.render(false));
}
