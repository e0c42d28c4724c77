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
    let mut sections = 0;
    for block in ran.out.split("[[").skip(1) {
        let (section, lines) = block.split_once("]]\n").expect("a header");
        let of_section = schema["$defs"][section].to_string();
        for line in lines.lines().filter(|line| !line.is_empty()) {
            let tag = line.split_whitespace().next().expect("a type");
            assert!(of_section.contains(&format!("\"{tag}\"")), "{section} {tag}");
        }
        sections += 1;
    }
    assert_eq!(sections, 6);
}

#[test]
fn one_section_can_be_listed() {
    insta::assert_snapshot!(run(&["list", "shape"]).out);
}
