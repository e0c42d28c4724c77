//! `kingpin bench`: what is measured, not how fast it is.

use crate::run::{Ran, run};
use serde_json::Value;
use std::process::Command;

/// Test builds are not optimised, and the command says so.
fn measured(args: &[&str]) -> Value {
    let Ran { code, out, err } = run(args);
    assert_eq!(code, 0, "{err}");
    assert!(err.is_empty() || err.starts_with("note: this is not an optimised build"), "{err}");
    serde_json::from_str(&out).expect("JSON")
}

fn positive(record: &Value, key: &str) -> f64 {
    let x = record[key].as_f64().unwrap_or_else(|| panic!("{key} in {record}"));
    assert!(x > 0.0 && x.is_finite(), "{key} in {record}");
    x
}

#[test]
fn every_solver_is_timed() {
    let records = measured(&["bench", "accel", "models/pendulum.toml", "--json", "--budget", "1"]);
    let records = records.as_array().expect("a list");
    let solvers: Vec<&str> = records.iter().filter_map(|r| r["solver"].as_str()).collect();
    assert_eq!(solvers, kingpin::accel::Solver::ALL.map(|method| method.name()));
    let of = |solver: &str| records.iter().find(|r| r["solver"] == solver).expect("timed");
    let usual = positive(of("augmented-sparse"), "ns");
    for record in records {
        assert_eq!(record["model"], "pendulum");
        let (ns, ratio) = (positive(record, "ns"), positive(record, "ratio"));
        assert!((ratio * usual / ns - 1.0).abs() < 1e-9, "{record}");
        positive(record, "whole_ns");
    }
}

#[test]
fn threads_are_compared_and_change_no_bit() {
    let records = measured(&["bench", "parallel", "--quick", "--json", "--threads", "1,3"]);
    let records = records.as_array().expect("a list");
    assert!(records.len() >= 16, "{}", records.len());
    for pair in records.chunks_exact(2) {
        assert_eq!(
            (&pair[0]["what"], &pair[0]["threads"], &pair[1]["threads"]),
            (&pair[1]["what"], &1.into(), &3.into())
        );
        for record in pair {
            assert_eq!(record["same_bits"], true, "{record}");
            positive(record, "wall_s");
            positive(record, "speed_up");
        }
    }
}

#[test]
fn the_standard_set_needs_no_files() {
    let output = Command::new(env!("CARGO_BIN_EXE_kingpin"))
        .args(["bench", "accel", "--json", "--budget", "1", "--sizes", "3,4"])
        .current_dir(std::env::temp_dir())
        .output()
        .expect("the command runs");
    assert!(output.status.success());
    let records: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let mut models: Vec<&str> =
        records.as_array().expect("a list").iter().filter_map(|r| r["model"].as_str()).collect();
    models.dedup();
    assert_eq!(models, ["andrews", "hmmwv14", "hmmwv14_stiff", "chain50_planar", "chain3", "chain4"]);
}

#[test]
fn tables_say_what_was_left_out() {
    let ran = run(&["bench", "accel", "--budget", "1", "--sizes", "1000"]);
    assert_eq!(ran.code, 0);
    assert_eq!(ran.out.matches("skipped: its matrix would have").count(), 3, "{}", ran.out);
    assert!(
        ran.out.contains("chain1000: 1,000 bodies, 5,000 equations; ratio to augmented-sparse"),
        "{}",
        ran.out
    );
}

#[test]
fn models_that_cannot_be_simulated_are_not_timed() {
    for (model, code) in
        [("models/no_such_model.toml", 2), ("crates/kingpin-cli/tests/fixtures/broken.toml", 1)]
    {
        let ran = run(&["bench", "accel", model, "--json"]);
        assert_eq!(ran.code, code);
        assert!(ran.err.contains(model), "{}", ran.err);
        assert_eq!(serde_json::from_str::<Value>(&ran.out).expect("JSON"), Value::Array(Vec::new()));
    }
}

#[test]
fn growth() {
    let records = measured(&["bench", "growth", "--quick", "--json"]);
    let records = records.as_array().expect("a list");
    let models: Vec<String> = records.iter().map(|r| format!("{} {}", r["model"], r["solver"])).collect();
    assert_eq!(models.len(), 17, "{models:?}");
    for record in records {
        let joints = positive(record, "joints");
        assert!((positive(record, "ns_per_joint") * joints / positive(record, "ns") - 1.0).abs() < 1e-9);
        positive(record, "setup_ns");
    }
}

#[test]
fn the_system_in_joint_coordinates() {
    let report = measured(&["bench", "joint", "--json", "--budget", "1"]);
    let of = |key: &str| report[key].as_u64();
    assert_eq!((of("coordinates"), of("equations"), of("fill")), (Some(27), Some(16), Some(0)));
    assert_eq!(of("gauss_multiplications"), Some(27_391));
    assert!(of("multiplications").is_some_and(|n| n < 4_300), "{report}");
    let solvers = report["solvers"].as_array().expect("a list");
    assert_eq!(solvers.len(), 4);
    for solver in solvers {
        positive(solver, "ns");
        assert!(solver["disagreement"].as_f64().is_some_and(|d| d < 1e-9), "{solver}");
    }
    let large = run(&["generate", "chain", "--size", "1100"]).out;
    let path = std::env::temp_dir().join("kingpin-bench-joint-chain.toml");
    std::fs::write(&path, large).expect("a file");
    let ran = run(&["bench", "joint", &path.to_string_lossy()]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("more than 1,000 unknowns"), "{}", ran.err);
}

#[test]
fn numbering() {
    let records = measured(&["bench", "numbering", "--json"]);
    let figures = |k: usize| ["bandwidth", "envelope", "envelope_work"].map(|key| records[k][key].as_u64());
    assert_eq!(figures(0), [1, 49, 98].map(Some));
    assert_eq!(figures(1)[0], Some(49));
    assert!((positive(&records[0], "ratio") - 1.0).abs() < 1e-12);
    assert!(positive(&records[1], "ratio") > 1.5, "{records}");
}

#[test]
fn tighter_tolerances_cost_more_and_err_less() {
    let args = ["--methods", "dopri5,for-rosen", "--tols", "1e-3,1e-6", "--t-end", "1", "--grid", "20"];
    let records = measured(&[&["bench", "integrate", "models/pendulum.toml", "--json"][..], &args].concat());
    let records = records.as_array().expect("a list");
    let which: Vec<_> = records.iter().map(|r| (r["method"].as_str(), r["tol"].as_f64())).collect();
    let expected = ["dopri5", "for-rosen"].map(|m| [1e-3, 1e-6].map(|tol| (Some(m), Some(tol))));
    assert_eq!(which, expected.as_flattened());
    for pair in records.chunks(2) {
        assert!(positive(&pair[0], "error") > 10.0 * positive(&pair[1], "error"), "{pair:?}");
        assert!(positive(&pair[0], "velocity_error") > 10.0 * positive(&pair[1], "velocity_error"));
        assert!(positive(&pair[0], "steps") < positive(&pair[1], "steps"));
        assert!(positive(&pair[0], "error") < 0.1 && positive(&pair[1], "error") < 1e-4);
    }
    for record in records {
        assert_eq!(record["model"], "pendulum");
        assert!(positive(record, "wall_s") < 60.0 && positive(record, "t") <= 1.0);
        assert!(positive(record, "accelerations") >= positive(record, "steps"));
        assert!(record["channel"].as_str().is_some_and(|name| name.starts_with("rod.")), "{record}");
        let implicit = record["method"] == "for-rosen";
        assert_eq!(record["jacobians"].as_u64() > Some(0), implicit);
    }
}

#[test]
fn errors_of_one_channel_in_the_form_of_the_literature() {
    let args = ["--methods", "ssp-trap,dopri5", "--tols", "1e-2,1e-4", "--t-end", "1", "--channel"];
    let all = |channel| [&["bench", "integrate", "models/pendulum.toml"][..], &args, &[channel]].concat();
    let ran = run(&all("rod.omega"));
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(ran.out.matches("k  t* [s]").count(), 2, "{}", ran.out);
    assert!(ran.out.contains("largest error of rod.omega [rad/s], at t*"), "{}", ran.out);
    let ran = run(&all("rod.omgea"));
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("did you mean `rod.omega`?"), "{}", ran.err);
}

#[test]
fn what_takes_too_long_is_skipped_and_said() {
    let model = "models/double_pendulum_stiff.toml";
    let ran = run(&[
        "bench",
        "integrate",
        model,
        "--methods",
        "adams,for-rosen",
        "--tols",
        "1e-2",
        "--limit",
        "0.05",
    ]);
    assert!(ran.out.contains("adams at 1e-2: skipped: it would need about "), "{}", ran.out);
    assert!(ran.out.contains("for-rosen  1e-2"), "{}", ran.out);
}

#[test]
fn iterations_of_solvers_over_motions() {
    let records = measured(&["bench", "pcg", "--quick", "--json"]);
    let records = records.as_array().expect("a list");
    let mut cases: Vec<&str> = records.iter().filter_map(|r| r["case"].as_str()).collect();
    cases.dedup();
    assert_eq!(cases, ["hmmwv14_stiff", "hmmwv14", "chain100", "four_bar", "tree100", "ladder10"]);
    for record in records {
        let direct = matches!(record["solver"].as_str(), Some("elimination" | "recursive"));
        assert_eq!(record["iterations_mean"].is_null(), direct, "{record}");
        assert!(record["difference"].as_f64().is_some_and(|far| far < 1e-2), "{record}");
        positive(record, "wall_s");
        if record["solver"] == "pcg" {
            // the crank of the four-bar turns far in a step of order 8: no earlier factor is near
            let most = if record["case"] == "four_bar" { 8.0 } else { 5.0 };
            assert!(positive(record, "iterations_mean") <= most && record["rescues"] == 0, "{record}");
        }
    }
}

#[test]
fn a_model_that_is_not_shipped_is_not_compared() {
    let ran = run(&["bench", "coordinates", "--models", "four_bar,andrew"]);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    assert!(ran.err.contains("'andrew'") && ran.err.contains("'andrews'"), "{}", ran.err);
}

#[test]
fn coordinates_side_by_side() {
    let records =
        measured(&["bench", "coordinates", "--models", "four_bar,andrews", "--tol", "1e-3", "--json"]);
    let records = records.as_array().expect("a list");
    assert_eq!(records.len(), 8);
    for pair in records.chunks(2) {
        assert_eq!(
            (&pair[0]["coordinates"], &pair[1]["coordinates"]),
            (&"partition".into(), &"tangent".into())
        );
        assert_eq!(pair[0]["method"], pair[1]["method"]);
        for record in pair {
            assert!(record["error"].as_f64().is_some_and(|error| error < 0.1), "{record}");
            positive(record, "steps");
            positive(record, "newton_iterations");
            positive(record, "wall_s");
        }
    }
}

#[test]
fn what_keeps_the_constraints() {
    let records = measured(&["bench", "stabilisation", "--t-end", "0.5", "--json"]);
    let records = records.as_array().expect("a list");
    assert_eq!(records.len(), 20);
    for record in records {
        let (kept, left) = (record["stabilisation"] != "none", positive(record, "position_residual"));
        assert_eq!(left < 1e-11, kept, "{record}");
        assert_eq!(record["systems"].as_f64() > Some(0.0), kept, "{record}");
        positive(record, "steps");
    }
}

#[test]
fn structures_in_sub_domains_are_solved_by_every_method() {
    let records = measured(&["bench", "domains", "--sizes", "2x4", "--json"]);
    let records = records.as_array().expect("a list");
    assert_eq!(records.len(), 13);
    for record in records {
        assert_eq!((&record["s"], &record["e"], &record["freedoms"]), (&2.into(), &4.into(), &144.into()));
        let corner = record["corner"][1].as_f64().expect("a number");
        assert!((corner / 9.754395537e-5 - 1.0).abs() < 1e-7, "{record}");
        positive(record, "seconds");
        positive(record, "kappa");
    }
    let of = |method: &str| records.iter().find(|r| r["method"] == method).expect("solved");
    assert_eq!(of("bddc")["iterations"], 7);
    let ran = run(&["bench", "domains", "--sizes", "2", "--json"]);
    assert!(ran.code == 2 && ran.err.contains("such as `8x16`"), "{}", ran.err);
}

#[test]
fn local_multipliers_are_conditioned_by_their_penalty() {
    let records = measured(&["bench", "multipliers", "--json"]);
    let records = records.as_array().expect("a list");
    let one = records.iter().find(|r| r["pbar"] == 1.0).expect("a penalty of one");
    assert!((positive(one, "kappa") - 1.6874).abs() < 5e-5, "{one}");
    assert_eq!((&one["interface"], &one["constraints"]), (&24.into(), &52.into()));
}

#[test]
fn larger_machines_are_predicted() {
    let report = measured(&["bench", "domains", "--predict", "--sizes", "3x4", "--json"]);
    let rows = report["rows"].as_array().expect("a list");
    for row in rows {
        positive(row, "setup_s");
        positive(row, "solve_s");
        assert!(positive(row, "efficiency") < 1.2, "{row}");
        assert_eq!(row["scaling"] == "here", row["measured_s"].is_number(), "{row}");
    }
    assert!(rows.iter().any(|row| row["scaling"] == "weak" && row["ranks"] == 10_000));
}
