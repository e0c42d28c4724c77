//! Superelements at the command: what it tells of them, and what is wrong with them.

use crate::run::{json, run, steady};

#[test]
fn an_arm_of_two_links() {
    let ran = run(&["check", "models/robot_arm_flexible.toml"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    insta::assert_snapshot!(steady(&ran.out));
    let report = json(&["check", "--json", "models/robot_arm_flexible.toml"], "");
    let own = &report["superelements"][1];
    assert_eq!((own["name"].as_str(), own["nodes"].as_u64()), (Some("fore"), Some(189)));
    assert_eq!(own["interfaces"], serde_json::json!(["base", "tip"]));
    assert_eq!(own["bending_shortens"], serde_json::json!(true));
}

/// Whatever is wrong, the message points at the line in the model.
#[test]
fn bad_meshes_are_told_at_the_command() {
    let model = |line: &str| format!("crates/kingpin-cli/tests/fixtures/superelements/{line}.toml");
    let mut all = String::new();
    for name in ["unknown_set", "inverted", "loose", "too_few_modes"] {
        let ran = run(&["check", &model(name)]);
        assert_ne!(ran.code, 0, "{name}");
        all += &format!("{}\n", steady(&ran.err));
    }
    insta::assert_snapshot!(all);
}
