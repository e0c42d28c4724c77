use crate::{Loaded, Overrides, read_text};
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
    for inner in ["[[pattern.pattern]]\nindex = 'k'\nto = 100000\n", ""] {
        let loaded = read(&format!("[[pattern]]\nto = 1e14\n{inner}"));
        assert_eq!(loaded.diagnostics.len(), 1);
        assert!(loaded.diagnostics[0].message.contains("more than 1000000"));
    }
}
