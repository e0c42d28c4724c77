//! `--domains` and `--domain-solver` of `static`, `modes` and `run`: the same results in parts as in one piece.

use crate::run::{folder, json, run};
use serde_json::Value;
use std::fs;

/// Ways at interfaces: of range space, of local, global and mixed multipliers, and what became of these.
const WAYS: [&str; 6] = ["interface", "bddc", "feti-dp", "mixed", "range", "global"];

fn generated(shape: &str, size: u32) -> String {
    run(&["generate", shape, "--size", &size.to_string()]).out
}

fn number(report: &Value, key: &str) -> f64 {
    report[key].as_f64().unwrap_or_else(|| panic!("{key} of {report}"))
}

/// The largest difference of final values whose names end in one of these.
fn apart(a: &Value, b: &Value, endings: &[&str]) -> f64 {
    let (a, b) = (a["final"].as_object().expect("values"), b["final"].as_object().expect("values"));
    let asked = a.iter().filter(|(name, _)| endings.iter().any(|ending| name.ends_with(ending)));
    let mut count = 0;
    let far = asked.fold(0.0, |most: f64, (name, x)| {
        count += 1;
        most.max((x.as_f64().expect("a number") - b[name].as_f64().expect("a number")).abs())
    });
    assert!(count > 0, "{endings:?}");
    far
}

#[test]
fn a_net_swings_in_parts_as_in_one_piece() {
    let model = generated("net", 10);
    let usual = ["run", "-", "--json", "--t-end", "0.05", "--tol", "1e-6", "--matrices", "sparse"];
    let whole = json(&usual, &model);
    for way in WAYS {
        for domains in ["2", "5"] {
            let parts = json(&[&usual[..], &["--domains", domains, "--domain-solver", way]].concat(), &model);
            let told = format!("{way} in {domains}: {}", parts["domains"]);
            assert_eq!(parts["steps"], whole["steps"], "{told}");
            let far = apart(&parts, &whole, &[".x", ".y", ".z"]);
            assert!(far < 1e-9, "{told}: {far:e}");
            assert_eq!(parts["domains"]["structure_solver"], way);
            assert_eq!(number(&parts["domains"], "domains").to_string(), domains);
            assert_eq!(number(&parts["domains"], "iterations") > 0.0, way != "interface", "{told}");
            assert_eq!(number(&parts["domains"], "eliminated"), 0.0, "{told}");
        }
    }
}

/// Large enough that sub-domains may fall apart and have borders of many shapes.
#[test]
fn many_sub_domains_take_the_same_steps() {
    let model = generated("net", 30);
    let usual = ["run", "-", "--json", "--t-end", "0.004", "--matrices", "sparse", "--no-results"];
    let whole = json(&usual, &model);
    for domains in ["8", "13"] {
        let way = ["--domains", domains, "--domain-solver", "interface"];
        let parts = json(&[&usual[..], &way].concat(), &model);
        assert_eq!((&parts["steps"], &parts["rejected"]), (&whole["steps"], &whole["rejected"]), "{domains}");
        assert!(apart(&parts, &whole, &["swing", "height"]) < 1e-12, "{domains}");
    }
}

/// A docking bumps into the station, whose controller turns it: joints, rigid bodies, beams and bars inside of sub-domains,
/// with seed 003's way (`range`, and `pcg-jacobi` for accelerations) and seed 004's.
#[test]
fn the_controlled_station_answers_alike() {
    let model = generated("station", 1);
    let usual = ["run", "-", "--json", "--t-end", "1", "--tol", "1e-5", "--matrices", "sparse"];
    let whole = json(&usual, &model);
    let channels = ["roll", "tilt", "yaw"];
    for way in WAYS {
        let parts = json(&[&usual[..], &["--domains", "4", "--domain-solver", way]].concat(), &model);
        let far = apart(&parts, &whole, &channels);
        let told = format!("{way}: {far:e}, {}", parts["domains"]);
        // angles are of the size of a thousandth by then
        assert!(far < 1e-8, "{told}");
    }
}

#[test]
fn statics_and_modes_in_parts_are_those_of_one_piece() {
    // the net starts without sag, and has to find it
    let net = generated("net", 6).replace("sag = \"mass*9.81/EA\"", "sag = 0");
    for (model, count) in [(net, "12"), (generated("mast", 3), "6")] {
        let rest = ["static", "-", "--json", "--matrices", "sparse"];
        let whole = json(&rest, &model);
        let modes =
            ["modes", "-", "--json", "--at", "equilibrium", "--near-frequency", "0", "--count", count];
        let known = json(&[&modes[..], &["--matrices", "sparse"]].concat(), &model);
        for way in ["interface", "bddc", "mixed"] {
            let cut = ["--domains", "3", "--domain-solver", way];
            let parts = json(&[&["static", "-", "--json"][..], &cut].concat(), &model);
            assert!(apart(&parts, &whole, &[".x", ".y", ".z"]) < 1e-9, "{way}: {}", parts["domains"]);
            assert_eq!(parts["stable"], whole["stable"]);
            let found = json(&[&modes[..], &cut].concat(), &model);
            let frequencies = |report: &Value| -> Vec<f64> {
                report["modes"]
                    .as_array()
                    .expect("modes")
                    .iter()
                    .map(|mode| number(mode, "frequency"))
                    .collect()
            };
            let (found, known) = (frequencies(&found), frequencies(&known));
            assert_eq!(found.len(), known.len());
            for (found, known) in found.iter().zip(&known) {
                assert!((found - known).abs() < 1e-7 * known, "{way}: {found} {known}");
            }
        }
    }
}

/// The one predicted to take less is chosen, and told.
#[test]
fn the_way_is_chosen_by_predicted_work() {
    let usual = ["run", "-", "--json", "--t-end", "0.005", "--no-results", "--domains", "4"];
    let net = json(&usual, &generated("net", 12));
    let told = &net["domains"];
    let [interface, bddc] = [0, 1].map(|k| told["predicted_multiplications"][k].as_f64().expect("a number"));
    assert!(interface > 1e3 && bddc > 1e3, "{told}");
    assert_eq!(told["structure_solver"], if bddc < interface { "bddc" } else { "interface" });
    let asked = json(&[&usual[..], &["--domain-solver", "local"]].concat(), &generated("net", 12));
    assert_eq!(asked["domains"]["structure_solver"], "interface");
    assert!(asked["domains"].get("predicted_multiplications").is_none());
    let text = run(&["generate", "net", "--size", "12"]).out;
    let path = folder("domain-auto");
    fs::create_dir_all(&path).unwrap();
    let model = path.join("net.toml").to_string_lossy().into_owned();
    fs::write(&model, text).unwrap();
    let report = run(&["run", &model, "--t-end", "0.005", "--no-results", "--domains", "4"]).out;
    assert!(
        report.contains("predicted to need") && report.contains("% of the multiplications of"),
        "{report}"
    );
}

/// Substructures that a model names are listed, and are its sub-domains.
#[test]
fn named_substructures_are_sub_domains() {
    let mast = json(&["check", "-", "--json"], &generated("mast", 3));
    let listed: Vec<(String, f64, f64)> = mast["substructures"]
        .as_array()
        .expect("substructures")
        .iter()
        .map(|own| (own["name"].to_string(), number(own, "bodies"), number(own, "interface_bodies")))
        .collect();
    let known = [("module1", 15.0, 3.0), ("module2", 15.0, 6.0), ("module3", 18.0, 3.0)];
    assert_eq!(listed, known.map(|(name, bodies, ends)| (format!("\"{name}\""), bodies, ends)));
    let model = generated("station", 1);
    let usual = ["run", "-", "--json", "--t-end", "0.2", "--matrices", "sparse"];
    let whole = json(&usual, &model);
    for way in ["interface", "bddc"] {
        let parts = json(&[&usual[..], &["--domain-solver", way]].concat(), &model);
        assert_eq!(number(&parts["domains"], "domains"), 13.0, "{way}");
        assert!(apart(&parts, &whole, &["roll", "tilt", "yaw"]) < 1e-9, "{way}: {}", parts["domains"]);
    }
    // a number wins over names
    let parts = json(&[&usual[..], &["--domains", "3"]].concat(), &model);
    assert_eq!(number(&parts["domains"], "domains"), 3.0);
}

#[test]
fn threads_change_no_bit_of_parts() {
    let (dir, model) = (folder("domain-threads"), generated("net", 8));
    fs::create_dir_all(&dir).unwrap();
    let path = dir.join("net.toml");
    fs::write(&path, model).unwrap();
    let path = path.to_string_lossy().into_owned();
    let rows = |way: &str, threads: &str| {
        let out = dir.join("r").to_string_lossy().into_owned();
        let args = ["run", &path, "--domains", "5", "--domain-solver", way, "--threads", threads];
        let ran = run(&[&args[..], &["--t-end", "0.01", "--quiet", "--force", "-o", &out]].concat());
        assert_eq!(ran.code, 0, "{}", ran.err);
        ["rows.f64", "steps.f64"].map(|name| fs::read(dir.join("r").join(name)).unwrap())
    };
    for way in ["interface", "bddc"] {
        let one = rows(way, "1");
        assert!(one[0].len() > 1000);
        assert!(rows(way, "2") == one && rows(way, "4") == one, "{way}");
    }
}

#[test]
fn what_cannot_be_cut_is_said() {
    let door = "models/door.toml";
    let dense = run(&["static", door, "--domains", "3", "--matrices", "dense"]);
    assert_eq!(dense.code, 2);
    assert_eq!(
        dense.err,
        "error: dense matrices cannot be divided into sub-domains\n\n  help: omit `--matrices dense`, or `--domains` and \
         `--domain-solver`\n"
    );
    let args = ["run", door, "--domains", "3", "--method", "dopri5", "--t-end", "0.1", "--json"];
    let explicit = run(&args);
    assert_eq!(explicit.code, 0, "{}", explicit.err);
    assert!(
        explicit.err.starts_with("warning[uncut]: no matrix was divided into sub-domains"),
        "{}",
        explicit.err
    );
    let halves = "crates/kingpin-io/tests/good/substructures.toml";
    let small = ["run", halves, "--domains", "50", "--method", "esdirk", "--t-end", "0.01", "--json"];
    let few = run(&[&small[..], &["--no-results"]].concat());
    assert_eq!(
        few.err.lines().next(),
        Some(
            "warning[fewer-domains]: the model is divided into 2 sub-domains instead of 50, because it is too small for more"
        ),
        "{}",
        few.err
    );
    let unknown = run(&["static", door, "--domain-solver", "feti"]);
    assert_eq!(unknown.code, 2);
    assert!(unknown.err.contains("feti-dp") && unknown.err.contains("interface"), "{}", unknown.err);
}

/// Processes of mpirun that know nothing of each other would all do the same.
#[cfg(not(feature = "mpi"))]
#[test]
fn ranks_without_mpi_are_refused() {
    for command in [
        &["static", "models/door.toml"][..],
        &["sweep", "models/pendulum.toml", "--vary", "l=[1,2] m", "--metric", "max(bob_x)"],
    ] {
        let told = |rank: &str| {
            let ran = std::process::Command::new(env!("CARGO_BIN_EXE_kingpin"))
                .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
                .args(command)
                .envs([("OMPI_COMM_WORLD_SIZE", "2"), ("OMPI_COMM_WORLD_RANK", rank)])
                .output()
                .unwrap();
            (ran.status.code(), String::from_utf8(ran.stderr).unwrap())
        };
        assert_eq!(
            told("0"),
            (
                Some(2),
                "error: 2 ranks were started, but this build of kingpin has no MPI\n\n  help: build it with `--features mpi`, or \
                 run it without mpirun and with `--threads`\n"
                    .into()
            )
        );
        assert_eq!(told("1"), (Some(2), String::new()));
    }
}
