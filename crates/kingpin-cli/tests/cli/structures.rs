//! Structures of substructures: masts and stations as model files, and `kingpin bench mast`.

use crate::run::{json, run};
use serde_json::Value;

fn generated(shape: &str, size: u32) -> String {
    let ran = run(&["generate", shape, "--size", &size.to_string()]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    ran.out
}

fn count(report: &Value, key: &str) -> u64 {
    report[key].as_u64().expect("a count")
}

/// Frequencies known to ten digits, bending ones twice.
#[test]
fn a_mast_has_the_frequencies_of_the_reference() {
    let known = [
        (1, [16.01857920, 16.01857920, 35.96345210, 76.99418744, 76.99418744, 102.0431595]),
        (4, [1.091106403, 1.091106403, 6.646224182, 6.646224182, 9.030332101, 17.87582683]),
    ];
    for (size, known) in known {
        let model = generated("mast", size);
        let report = json(&["check", "-", "--json"], &model);
        assert_eq!(count(&report, "dof"), u64::from(54 * size));
        assert_eq!(report["warnings"].as_array().map(Vec::len), Some(0));
        let args = ["modes", "-", "--near-frequency", "0", "--count", "6", "--matrices", "sparse", "--json"];
        let modes = json(&args, &model);
        let mut found: Vec<f64> = modes["modes"]
            .as_array()
            .expect("modes")
            .iter()
            .filter_map(|m| m["frequency"].as_f64())
            .collect();
        found.sort_by(f64::total_cmp);
        for (found, known) in found.into_iter().zip(known) {
            assert!((found / known - 1.0).abs() < 1e-8, "{size}: {found} {known}");
        }
    }
}

/// Floating, with the attitude held: three motions without stiffness, everything else dies out.
#[test]
fn the_controlled_station_is_stable() {
    let model = generated("station", 1);
    let report = json(&["check", "-", "--json"], &model);
    assert_eq!((count(&report, "bodies"), count(&report, "joints"), count(&report, "dof")), (21, 10, 230));
    let args = ["modes", "-", "--near-frequency", "0.1", "--count", "20", "--matrices", "sparse", "--json"];
    let modes = json(&args, &model);
    assert_eq!(count(&modes, "zero_eigenvalues"), 6);
    let found = modes["modes"].as_array().expect("modes");
    assert!(found.len() >= 20);
    for mode in found {
        assert!(mode["real"].as_f64().expect("a number") < -0.01, "{mode}");
    }
}

#[test]
fn shapes_of_space_have_no_planar_form() {
    let ran = run(&["generate", "mast", "--size", "2", "--space", "planar"]);
    assert_eq!(ran.code, 2);
    assert_eq!(ran.err, "error: this shape has no planar form\n\n  help: omit `--space planar`\n");
}

#[test]
fn iterations_on_masts_do_not_grow_and_charts_are_drawn() {
    let folder = std::env::temp_dir().join(format!("kingpin-charts-{}", std::process::id()));
    let charts = folder.to_str().expect("a path");
    let args = ["bench", "mast", "--modules", "2,16,128", "--budget", "1e-6", "--json", "--charts", charts];
    let ran = run(&args);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let rows: Value = serde_json::from_str(&ran.out).expect("JSON");
    let rows = rows.as_array().expect("rows");
    assert_eq!(rows.len(), 4 * (3 + 6));
    for row in rows {
        assert!(row["seconds_per_step"].as_f64().expect("a time") > 0.0, "{row}");
        assert!(count(row, "bytes") > 0);
        let (task, iterations) = (row["task"].as_str().expect("a task"), count(row, "iterations"));
        if task.starts_with("accelerations") && row["structure"] == "mast" {
            assert!((1..=3).contains(&iterations), "{row}");
            assert_eq!(count(row, "freedoms"), 63 * count(row, "modules"));
        }
        assert!(iterations <= 12, "{row}");
    }
    for figure in ["figure2.svg", "figure3.svg", "figure5.svg", "figure6.svg"] {
        let page = std::fs::read_to_string(folder.join(figure)).expect("a chart");
        assert!(page.starts_with("<svg") && page.contains("accelerations"), "{figure}");
    }
    std::fs::remove_dir_all(&folder).expect("a folder to remove");
}

/// Corners under a load and its opposite: half of the difference is what is linear in it, but for 1e-7 of it.
#[test]
fn sheets_and_boxes_have_their_freedoms_and_move_as_the_tables_say() {
    // shape, cells along a side, degrees of freedom, displacement of the corner under 1 MPa
    let known = [("sheet", 8, 144, ["corner_x", "corner_y"], [-4.475543840e-5, 9.754395537e-5])];
    let boxes = [("box", 4, 300, ["corner_x", "corner_z"], [f64::NAN; 2])];
    for (shape, cells, freedoms, names, wanted) in known.into_iter().chain(boxes) {
        let elements = (cells / 2).to_string();
        let ran = run(&["generate", shape, "--size", "2", "--elements", &elements]);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""));
        let report = json(&["check", "-", "--json"], &ran.out);
        assert_eq!(count(&report, "dof"), freedoms, "{shape}");
        assert_eq!(report["warnings"].as_array().map(Vec::len), Some(0));
        let at_rest = |load: &str| {
            let found = json(&["static", "-", "--set", load, "--json"], &ran.out);
            assert_eq!(found["stable"], true, "{shape}");
            names.map(|name| found["final"][name].as_f64().expect("a displacement"))
        };
        let [there, back] = ["load=1e6", "load=-1e6"].map(at_rest);
        for k in (0..2).filter(|&k| wanted[k].is_finite()) {
            let found = 0.5 * (there[k] - back[k]);
            assert!((found / wanted[k] - 1.0).abs() < 1e-7, "{found} {}", wanted[k]);
        }
    }
}

/// Those of linear elements with lumped masses, assembled and solved by themselves.
#[test]
fn a_sheet_has_the_frequencies_of_linear_elements() {
    let ran = run(&["generate", "sheet", "--size", "2", "--elements", "4"]);
    let modes = json(&["modes", "-", "--near-frequency", "0", "--count", "4", "--json"], &ran.out);
    let modes = modes["modes"].as_array().expect("modes");
    let mut found: Vec<f64> = modes.iter().filter_map(|mode| mode["frequency"].as_f64()).collect();
    found.sort_by(f64::total_cmp);
    for (found, known) in found.iter().zip([547.0594101, 1306.66224747, 1455.08360593, 2252.35750053]) {
        assert!((found / known - 1.0).abs() < 1e-9, "{found} {known}");
    }
    assert_eq!(found.len(), 4);
}

#[test]
fn others_have_no_elements() {
    let ran = run(&["generate", "chain", "--size", "2", "--elements", "3"]);
    assert_eq!(ran.code, 2);
    assert_eq!(ran.err, "error: `--elements` applies to sheets and boxes only\n\n  help: omit it\n");
}

#[test]
fn multipliers_are_drawn() {
    let folder = std::env::temp_dir().join(format!("kingpin-multipliers-{}", std::process::id()));
    let ran = run(&["bench", "multipliers", "--charts", folder.to_str().expect("a path"), "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let page = std::fs::read_to_string(folder.join("figure3.svg")).expect("a chart");
    assert!(page.starts_with("<svg") && page.contains("penalty"));
    std::fs::remove_dir_all(&folder).expect("a folder to remove");
}
