//! What reading gives.

use super::*;

#[test]
fn an_empty_file_is_an_empty_model_named_after_the_file() {
    let loaded = read_text("dir/pendulum.toml", "", ".", &Overrides::none());
    assert_eq!(loaded.model, Some(Model::new("pendulum", Space::Spatial)));
    assert!(loaded.diagnostics.is_empty());
}

#[test]
fn places_of_settings_are_known() {
    let text = "gravity = [0, 0, -1]\n[parameters]\nL = 1\n[simulation]\ntol = 1e-3\n";
    let loaded = read_text("a.toml", text, ".", &Overrides::none());
    let line = |subject: Subject, field: &str| {
        loaded.sources.line_column(loaded.sources.locate(&subject, field)?).map(|(line, _)| line)
    };
    assert_eq!(line(Subject::Model, "gravity"), Some(1));
    assert_eq!(line(Subject::Model, ""), Some(1));
    assert_eq!(line(Subject::Parameter("L".into()), ""), Some(3));
    assert_eq!(line(Subject::Parameter("M".into()), ""), None);
    assert_eq!(line(Subject::Simulation, "tol"), Some(5));
    assert_eq!(line(Subject::Simulation, "t_end"), Some(4));
}

#[test]
fn findings_of_the_library_join_the_diagnostics_in_order() {
    let text = "[parameters]\nidle = 1\n[[body]]\nname = 'a'\nmass = 1\ninertia = [1, 1, 3]\n[[marker]]\nname = 'm'\nbody = 'b'\n";
    let mut loaded = read_text("a.toml", text, ".", &Overrides::none());
    assert_eq!(loaded.diagnostics.len(), 1);
    assert!(loaded.model.is_some() && loaded.compile().is_none());
    let lines: Vec<_> =
        loaded.diagnostics.iter().map(|d| loaded.sources.line_column(d.place.unwrap()).unwrap().0).collect();
    assert_eq!(lines, [2, 6, 9]);
}

#[test]
fn an_error_is_reported_only_once() {
    // in the walk that reads the measures as well as in the one that reads all else
    let text = "[[pattern]]\nto = 'n'\n[[pattern.measure]]\ntype = 'distance'\nname = 3\n";
    let loaded = read_text("a.toml", text, ".", &Overrides::none());
    assert_eq!(loaded.diagnostics.len(), 2, "{}", loaded.render(false));
    assert!(loaded.diagnostics.iter().all(|d| d.repeats == 0));
}
