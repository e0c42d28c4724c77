//! `kingpin new`: models to begin with.

use crate::run::{folder as empty, run_in};
use std::fs;

#[test]
fn a_starter_runs_as_it_is() {
    let place = empty("new-starter");
    let ran = run_in(&place, &["new", "two_arms"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    insta::assert_snapshot!(ran.out);
    assert_eq!(run_in(&place, &["new", "flat", "--planar"]).code, 0);
    for (file, space, n) in [("two_arms.toml", "spatial", 14), ("flat.toml", "planar", 6)] {
        let ran = run_in(&place, &["check", file, "--json"]);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""));
        let report: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
        assert_eq!((report["space"].as_str(), report["dof"].as_u64()), (Some(space), Some(2)));
        assert_eq!(report["coordinates"].as_u64(), Some(n));
        assert_eq!(report["warnings"].as_array().map(Vec::len), Some(0));
        let ran = run_in(&place, &["run", file, "--quiet", "--table", "tip_height", "--frame", "1"]);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
        assert!(ran.out.contains("10 s simulated"), "{}", ran.out);
    }
}

#[test]
fn every_example_can_be_copied_and_checked() {
    let place = empty("new-examples");
    let list = run_in(&place, &["list", "examples", "--json"]).out;
    let list: serde_json::Value = serde_json::from_str(&list).expect("JSON");
    for example in list["examples"].as_array().expect("examples") {
        let name = example["name"].as_str().expect("a name");
        // the second one finds the file that both include
        let ran = run_in(&place, &["new", &format!("my_{name}"), "--from", name]);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""));
        assert!(ran.out.starts_with(&format!("wrote my_{name}.toml\n")), "{}", ran.out);
        let ran = run_in(&place, &["check", &format!("my_{name}.toml")]);
        assert_eq!(ran.code, 0, "{name}: {}", ran.err);
    }
    assert!(place.join("common/hmmwv14.toml").exists());
    fs::write(place.join("common/hmmwv14.toml"), "changed").expect("written");
    let ran = run_in(&place, &["new", "another", "--from", "hmmwv14"]);
    assert!(ran.code == 2 && ran.err.contains("`common/hmmwv14.toml` exists already"), "{}", ran.err);
    assert!(!place.join("another.toml").exists());
}

#[test]
fn refusals() {
    let place = empty("new-refusals");
    fs::write(place.join("mine.toml"), "precious").expect("written");
    let mut told = String::new();
    for args in [
        &["new", "mine"][..],
        &["new", "two arms"],
        &["new", "../"],
        &["new", "no/such/place"],
        &["new", "x", "--from", "hmwv14"],
        &["new", "x", "--from", "bicycle"],
    ] {
        let ran = run_in(&place, args);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{args:?}");
        told += &format!("{}\n{}\n", args.join(" "), ran.err);
    }
    insta::assert_snapshot!(told);
    assert_eq!(fs::read_to_string(place.join("mine.toml")).expect("kept"), "precious");
    let ran = run_in(&place, &["new", "mine", "--force"]);
    assert!(
        ran.code == 0 && ran.out.starts_with("renamed the existing file to mine.toml.old\nwrote mine.toml\n"),
        "{}",
        ran.out
    );
    assert_eq!(fs::read_to_string(place.join("mine.toml.old")).expect("kept"), "precious");
    assert!(fs::read_to_string(place.join("mine.toml")).expect("written").starts_with("# Two arms"));
}
