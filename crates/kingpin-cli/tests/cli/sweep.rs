//! `kingpin sweep`: tables, refusals, resuming after kills.

use crate::run::{folder, run, run_in, start};
use std::fs;
use std::path::Path;
use std::time::Duration;

const PENDULUM: &str = "models/pendulum.toml";

/// A report without its time and the name of the folder.
fn steady(text: &str, dir: &Path) -> String {
    let text = text.replace(&dir.display().to_string(), "DIR");
    let line = |line: &str| match line.split_once(" points in ") {
        Some((count, _)) => format!("{count} points in (time)\n"),
        None => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

#[test]
fn a_study_is_a_table_and_a_report() {
    let dir = folder("sweep-table").join("study");
    let out = dir.display().to_string();
    let args = [
        "sweep",
        PENDULUM,
        "--vary",
        "l=[1,2] m",
        "--vary",
        "point_mass=0..2 kg:3",
        "--metric",
        "max(bob_x)",
    ];
    let more = [
        "--metric",
        "fall=first(bob_y) - min(bob_y)",
        "--t-end",
        "1",
        "--channels",
        "bob_x",
        "--output",
        &out,
        "--quiet",
    ];
    let ran = run(&[&args[..], &more[..]].concat());
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
    insta::assert_snapshot!("sweep_report", steady(&ran.out, &dir));
    let table = fs::read_to_string(dir.join("table.csv")).expect("a table");
    let heads: Vec<&str> = table.lines().map(|line| line.split(',').next().unwrap_or("")).collect();
    assert_eq!(heads, ["point", "0", "1", "2", "3", "4", "5"]);
    assert!(table.starts_with("point,l [m],point_mass [kg],max(bob_x) [m],fall [m],outcome\n"), "{table}");
    let curve = fs::read_to_string(dir.join("curves/000004.csv")).expect("a curve");
    assert!(curve.starts_with("t [s],bob_x [m]\n0.0,") && curve.lines().count() == 52, "{}", &curve[..200]);
    // it is not lost by accident
    let again = run(&[&args[..], &more[..]].concat());
    assert_eq!(again.code, 2);
    insta::assert_snapshot!("sweep_exists", again.err.replace(&dir.display().to_string(), "DIR"));
}

#[test]
fn what_is_not_understood_is_underlined() {
    let sweep = |vary: &str, of: &str, more: &[&str]| {
        let ran = run(&[&["sweep", PENDULUM, "--vary", vary, "--metric", of, "--json"][..], more].concat());
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{vary} {of}");
        ran.err
    };
    let mut said = String::new();
    for (vary, of, more) in [
        ("l=1..2 m:x", "max(bob_x)", &[][..]),
        ("l=1..2 m", "max(bob_x)", &[]),
        ("lenght=1..2 m:3", "max(bob_x)", &[]),
        ("l=1..2 kg:3", "max(bob_x)", &[]),
        ("l=1..2 m:3", "bob_x", &[]),
        ("l=1..2 m:3", "max(bobx)", &[]),
        ("l=1..2 m:3", "max(bob_x) + last(t)", &[]),
        ("l=1..2 m:3", "max(bob_x)", &["--samples", "5"]),
        ("l=1..2 m:3", "max(bob_x)", &["--channels", "bobx"]),
    ] {
        said += &sweep(vary, of, more);
        said += "\n";
    }
    insta::assert_snapshot!("sweep_refusals", said);
    let ran = run(&["sweep", "models/none.toml", "--vary", "l=1..2:3", "--metric", "last(t)"]);
    assert_eq!(ran.code, 1);
    assert!(
        ran.err.starts_with("error: cannot read `models/none.toml`: there is no such file\n"),
        "{}",
        ran.err
    );
}

#[test]
fn json_has_a_line_for_each_point() {
    let args = ["--samples", "4", "--seed", "3", "--latin-hypercube", "--t-end", "0.2", "--json"];
    let ran =
        run(&[&["sweep", PENDULUM, "--vary", "l=1..2 m", "--metric", "last(bob_x)"][..], &args].concat());
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
    let lines: Vec<serde_json::Value> =
        ran.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!((lines.len(), &lines[0]["points"]), (5, &4.into()));
    assert_eq!(lines[0]["parameters"][0], serde_json::json!({ "name": "l", "unit": "m" }));
    for (k, line) in lines[1..].iter().enumerate() {
        assert_eq!((line["point"].as_u64(), line["outcome"].as_str()), (Some(k as u64), Some("good")));
        let l = line["values"][0].as_f64().expect("a length");
        assert!((1.0..2.0).contains(&l) && line["scalars"][0].is_number(), "{line}");
    }
}

/// Killed at any time, and resumed with another number of threads: the same bytes.
#[test]
fn a_killed_study_goes_on_to_the_same_table() {
    let base = folder("sweep-kill");
    let (whole, killed) = (base.join("whole"), base.join("killed"));
    let args = |dir: &Path, threads: &str, more: &[&str]| -> Vec<String> {
        let dir = dir.display().to_string();
        let fixed = ["sweep", "models/four_bar.toml", "--vary", "omega=100..300 rpm:40"];
        let rest =
            ["--metric", "rms(rocker_angle)", "--metric", "max(A.fx)", "--t-end", "0.5", "--output", &dir];
        let all = [&fixed[..], &rest, &["--quiet", "--threads", threads], more].concat();
        all.into_iter().map(String::from).collect()
    };
    let sweep = |args: &[String]| run(&args.iter().map(String::as_str).collect::<Vec<_>>());
    let ran = sweep(&args(&whole, "1", &[]));
    assert_eq!(ran.code, 0, "{}", ran.err);
    let table = |dir: &Path| fs::read(dir.join("table.csv")).expect("a table");
    let bytes = table(&whole);
    let mut child = start(&args(&killed, "2", &[]).iter().map(String::as_str).collect::<Vec<_>>());
    // some points are done, or all of them on a quick machine: the end is the same
    for _ in 0..200 {
        let lines = fs::read_to_string(killed.join("table.csv")).map_or(0, |text| text.lines().count());
        if lines > 8 {
            break;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    child.kill().expect("killed");
    child.wait().expect("gone");
    let part = table(&killed);
    assert!(bytes.starts_with(&part[..part.iter().rposition(|b| *b == b'\n').map_or(0, |k| k + 1)]));
    let ran = sweep(&args(&killed, "7", &["--resume"]));
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(table(&killed) == bytes, "other bytes");
    let other = sweep(&args(&killed, "1", &["--resume", "--tol", "1e-7"]));
    assert_eq!(other.code, 2);
    insta::assert_snapshot!("sweep_another", other.err.replace(&killed.display().to_string(), "DIR"));
}

/// A study of two points, one of which fails.
fn small_study(name: &str) -> std::path::PathBuf {
    let place = folder(name);
    let dir = place.join("study").display().to_string();
    let args =
        ["sweep", PENDULUM, "--vary", "point_mass=[0,1] kg", "--metric", "last(bob_x)", "--t-end", "0.2"];
    let ran = run(&[&args[..], &["--output", &dir, "--quiet"]].concat());
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
    place
}

#[test]
fn the_table_of_a_study_is_exported() {
    let place = small_study("sweep-export");
    let table = fs::read_to_string(place.join("study/table.csv")).expect("a table");
    let ran = run_in(&place, &["export", "study", "-o", "copy.csv"]);
    assert_eq!((ran.code, ran.out.as_str()), (0, "wrote copy.csv: 2 points\n"), "{}", ran.err);
    assert_eq!(fs::read_to_string(place.join("copy.csv")).expect("a copy"), table);
    assert_eq!(run_in(&place, &["export", "study", "-o", "-"]).out, table);
    let mut told = String::new();
    for more in [
        &["-o", "copy.csv"][..],
        &["-o", "copy.npy"],
        &["--gltf", "copy.glb"],
        &["--channels", "bob_x"],
        &["--format", "csv"],
    ] {
        let ran = run_in(&place, &[&["export", "study"], more].concat());
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{more:?}");
        told += &format!("{}\n{}\n", more.join(" "), ran.err);
    }
    insta::assert_snapshot!("sweep_export_refusals", told);
}

#[cfg(feature = "parquet")]
#[test]
fn the_table_of_a_study_as_parquet() {
    let place = small_study("sweep-parquet");
    let ran = run_in(&place, &["export", "study", "-o", "points.parquet"]);
    assert_eq!((ran.code, ran.out.as_str()), (0, "wrote points.parquet: 2 points\n"), "{}", ran.err);
    assert_eq!(&fs::read(place.join("points.parquet")).expect("a file")[..4], b"PAR1");
}
