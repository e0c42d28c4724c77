//! `kingpin topology`.

use crate::run::{feed, json, run};
use serde_json::Value;

fn report(model: &str) -> String {
    let ran = run(&["topology", &format!("models/{model}.toml")]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{model}");
    ran.out
}

fn json_of(model: &str) -> Value {
    json(&["topology", "--json", &format!("models/{model}.toml")], "")
}

/// The least figure of a kind among orders.
fn least(orderings: &Value, key: &str) -> u64 {
    let figures = orderings.as_array().expect("a list").iter().map(|o| o[key].as_u64().expect("a count"));
    figures.min().expect("an order")
}

#[test]
fn andrews_squeezing_mechanism() {
    insta::assert_snapshot!(report("andrews"));
}

#[test]
fn a_door_with_redundant_equations() {
    insta::assert_snapshot!(report("door"));
}

#[test]
fn a_car_whose_chassis_is_split() {
    insta::assert_snapshot!(report("hmmwv14"));
}

#[test]
fn a_truss_of_bars_is_one_body() {
    let path = "crates/kingpin-cli/tests/fixtures/truss.toml";
    let ran = run(&["topology", path]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    insta::assert_snapshot!(ran.out);
    let report = json(&["topology", "--json", path], "");
    assert_eq!(report["joined_bodies"][0]["nodes"], serde_json::json!(["knee", "top", "tip"]));
}

#[test]
fn a_leg_with_three_loops() {
    insta::assert_snapshot!(report("jansen"));
}

/// The tree of the thesis: 27 joint coordinates, 16 cut equations (Fig. 10).
#[test]
fn the_spanning_tree_of_the_car_in_json() {
    let tree = &json_of("hmmwv14")["spanning_tree"];
    assert_eq!((tree["coordinates"].as_u64(), tree["cut_equations"].as_u64()), (Some(27), Some(16)));
    assert_eq!(tree["order"].as_array().map(Vec::len), Some(14));
    let last = &tree["order"][13];
    assert_eq!(
        (last["body"].as_str(), last["joint"].as_str(), last["first"].as_u64()),
        (Some("chassis"), None, Some(21))
    );
    let cut: u64 =
        tree["cut"].as_array().expect("a list").iter().filter_map(|c| c["equations"].as_u64()).sum();
    assert_eq!(cut, 16);
    let total = |name: &str| tree["operations"][name]["multiply_adds"].as_u64().expect("a count");
    assert!(total("sparse") < total("dense"));
    assert!(tree["operations"]["articulated"].is_null());
    let steps = tree["operations"]["dense"]["steps"].as_array().expect("steps");
    assert_eq!(steps[3]["multiply_adds"].as_u64(), Some(5616));
}

#[test]
fn joints_are_cut_and_kept_as_the_model_wants() {
    let leg = std::fs::read_to_string(crate::run::root().join("models/jansen.toml")).expect("a model");
    let free = &json(&["topology", "--json", "-"], &leg)["spanning_tree"]["cut"].clone();
    let name = free[0]["joint"].as_str().expect("a joint");
    let wanted = leg.replace(&format!("name = \"{name}\"\n"), &format!("name = \"{name}\"\ntree = true\n"));
    assert_ne!(wanted, leg);
    let cut = json(&["topology", "--json", "-"], &wanted)["spanning_tree"]["cut"].clone();
    assert!(cut.as_array().expect("a list").iter().all(|c| c["joint"] != name), "{cut}");
}

#[test]
fn a_model_without_joints() {
    let free = "name = 'free'\n[[body]]\nname = 'rock'\nmass = 1\ninertia = [1, 1, 1]\n";
    let ran = feed(&["topology", "-"], free);
    assert_eq!(ran.code, 0);
    assert!(!ran.err.contains("error"), "{}", ran.err);
    assert!(ran.out.contains("  joints               0 "), "{}", ran.out);
}

#[test]
fn json_has_the_agreed_keys() {
    let ran = run(&["topology", "models/hmmwv14.toml", "--json"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let key = |line: &str| Some(line.strip_prefix("  \"")?.split('"').next()?.to_string());
    let keys: Vec<String> = ran.out.lines().filter_map(key).collect();
    assert_eq!(keys[..7], ["model", "joints", "bodies", "topology_index", "orderings", "split", "chosen"]);
    let report: Value = serde_json::from_str(&ran.out).expect("JSON");
    let sizes = ["joints", "bodies", "topology_index"].map(|key| report[key].as_u64());
    assert_eq!(sizes, [21, 14, 11].map(Some));
    for orderings in [&report["orderings"], &report["split"]["orderings"]] {
        for order in orderings.as_array().expect("a list") {
            assert!(!order["name"].as_str().expect("a name").is_empty());
            for key in [
                "bandwidth",
                "envelope",
                "envelope_work",
                "additions",
                "multiplications",
                "inversions",
                "fill",
                "nonzeros",
            ] {
                assert!(order[key].is_u64(), "{key} {order}");
            }
        }
    }
    for key in ["topology_index", "virtual_bodies"] {
        assert!(report["split"][key].as_u64().expect("a count") >= 3, "{key}");
    }
    let chosen = &report["chosen"];
    assert!(chosen["name"].is_string() && chosen["reason"].is_string());
    assert_eq!(chosen["split"], true);
    let fixed = report["split"]["fixed_joints"].as_u64().expect("a count");
    assert_eq!(chosen["order"].as_array().map(Vec::len), Some(21 + fixed as usize));
}

#[test]
fn published_counts_of_andrews_mechanism() {
    let report = json_of("andrews");
    assert_eq!(least(&report["orderings"], "multiplications"), 35);
    assert!(report["split"].is_null());
    assert_eq!(report["chosen"]["split"], false);
    let sizes = ["joints", "bodies", "topology_index", "loops"].map(|key| report[key].as_u64());
    assert_eq!(sizes, [10, 7, 3, 3].map(Some));
}

#[test]
fn published_counts_of_the_car() {
    let report = json_of("hmmwv14");
    assert_eq!(least(&report["orderings"], "multiplications"), 469);
    let split = &report["split"]["orderings"];
    let best = split.as_array().expect("a list").iter().min_by_key(|o| o["multiplications"].as_u64());
    let best = best.expect("an order");
    let counts = ["additions", "multiplications", "inversions", "nonzeros"].map(|key| best[key].as_u64());
    assert_eq!(counts, [223, 233, 85, 75].map(Some));
    // the choice is the least by its own measure
    let work = report["chosen"]["multiply_adds"].as_u64().expect("a count");
    assert_eq!(work, least(split, "multiply_adds"));
    assert!(work < least(&report["orderings"], "multiply_adds"));
}

#[test]
fn redundant_equations_are_not_solved_for() {
    let report = json_of("door");
    let counts = ["equations", "redundant_equations", "joints"].map(|key| report[key].as_u64());
    assert_eq!(counts, [5, 5, 2].map(Some));
}

#[test]
fn a_drawing() {
    for (model, names) in [("hmmwv14", &["fr.tierod", "chassis 1-3"][..]), ("door", &["upper_hinge"])] {
        let path = std::env::temp_dir().join(format!("kingpin_test_{}_{model}.svg", std::process::id()));
        let name = path.to_str().expect("UTF-8");
        let ran = run(&["topology", &format!("models/{model}.toml"), "--svg", name, "--force"]);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""));
        let svg = std::fs::read_to_string(&path).expect("a file");
        std::fs::remove_file(&path).expect("removed");
        assert!(svg.starts_with("<svg xmlns=") && svg.ends_with("</svg>\n"));
        assert!(svg.contains("prefers-color-scheme:dark"));
        for name in names {
            assert!(svg.contains(&format!(">{name}</text>")), "{name}");
        }
        // fill where there is some: in the car
        assert_eq!(svg.matches("<path class=\"f\"").count(), if model == "door" { 1 } else { 3 });
    }
}

#[test]
fn large_drawings_stay_small() {
    let path = std::env::temp_dir().join(format!("kingpin_test_{}_chain.svg", std::process::id()));
    let chain = run(&["generate", "chain", "--size", "2000"]).out;
    let ran = feed(&["topology", "-", "--svg", path.to_str().expect("UTF-8"), "--force"], &chain);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let svg = std::fs::read_to_string(&path).expect("a file");
    std::fs::remove_file(&path).expect("removed");
    assert!(svg.len() < 1_000_000, "{}", svg.len());
    assert!(!svg.contains("pin1000"), "names where there is no room");
}

#[test]
fn a_drawing_that_cannot_be_made() {
    let ran = run(&["topology", "models/door.toml", "--svg", "no/such/folder/door.svg"]);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    assert!(ran.err.starts_with("error: cannot write `no/such/folder/door.svg`: "), "{}", ran.err);
    let star = run(&["generate", "star", "--size", "5000"]).out;
    let path = std::env::temp_dir().join("kingpin_test_never_written.svg");
    let ran = feed(&["topology", "-", "--svg", path.to_str().expect("UTF-8"), "--force"], &star);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("too many to draw") && !path.exists(), "{}", ran.err);
}

#[test]
fn models_that_cannot_be_assembled_have_no_topology() {
    let ran = run(&["topology", "models/door.toml", "--json", "--set", "misalign=10 mm"]);
    assert_eq!(ran.code, 1);
    let report: Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!(report["errors"].as_array().map(Vec::len), Some(1));
    assert!(ran.err.contains("upper_hinge"), "{}", ran.err);
}
