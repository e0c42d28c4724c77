//! `kingpin schema` and `kingpin list`.

use crate::run::run;

#[test]
fn the_schema_is_json_and_knows_the_sections() {
    let ran = run(&["schema"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let schema: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
    for section in ["body", "joint", "force", "pattern", "parameters", "gravity"] {
        assert!(schema["properties"].get(section).is_some(), "{section}");
    }
}

#[test]
fn the_reference_page_names_every_joint() {
    let ran = run(&["schema", "--reference"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    for entry in kingpin::element::joint::JointKind::LIST {
        assert!(ran.out.contains(&format!("\"{}\"", entry.tag)), "{}", entry.tag);
    }
}

#[test]
fn every_type_is_listed() {
    let ran = run(&["list"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let schema: serde_json::Value = serde_json::from_str(&run(&["schema"]).out).expect("JSON");
    let all: serde_json::Value = serde_json::from_str(&run(&["list", "--json"]).out).expect("JSON");
    let all = all.as_object().expect("sections");
    assert_eq!(all.len(), 13);
    for (section, rows) in all {
        let rows = rows.as_array().expect("rows");
        assert!(rows.len() > 1, "{section}");
        let of_section = &schema["$defs"][section.trim_end_matches('s')];
        for row in rows {
            let (name, about) =
                (row["name"].as_str().expect("a name"), row["about"].as_str().expect("a line"));
            assert!(about.len() > 10 && !about.contains('\n'), "{section} {name}");
            assert!(ran.out.contains(&format!("  {name} ")) && ran.out.contains(about), "{section} {name}");
            if of_section.is_object() {
                assert!(of_section.to_string().contains(&format!("\"{name}\"")), "{section} {name}");
            }
        }
    }
}

#[test]
fn one_section_can_be_listed() {
    insta::assert_snapshot!(run(&["list", "shape"]).out);
    assert_eq!(run(&["list", "shape"]).out, run(&["list", "shapes"]).out);
    insta::assert_snapshot!("examples", run(&["list", "examples"]).out);
    insta::assert_snapshot!(
        "methods_and_solvers",
        run(&["list", "methods"]).out + &run(&["list", "solvers"]).out
    );
    let words = ["functions", "units", "materials"].map(|what| run(&["list", what]).out).join("\n");
    insta::assert_snapshot!("functions_units_and_materials", words);
    insta::assert_snapshot!("as_a_table", run(&["list", "roads", "--markdown"]).out);
}
