//! What `--resume` does and says, and what is never written over.

use crate::kills::{Case, content, end, same, start};
use crate::run::{finish, folder, root};
use serde_json::Value;
use std::fs;
use std::process::Command;

/// The messages of two that meet, of damage, and of what is left to do.
#[test]
fn what_resuming_says() {
    let dir = folder("resuming");
    let case = Case { model: "models/pendulum.toml", options: &["--t-end", "1", "--frame", "1ms"] };
    let place = dir.join("r");
    assert_eq!(end(start(&case, &place, &[], None)).0, Some(0));
    let whole = content(&place);
    let mut told = String::new();
    let mut tell = |what: &str, more: &[&str], code: i32| {
        let ran = finish(start(&case, &place, more, None));
        let err = ran.err.replace(&*dir.to_string_lossy(), "<dir>");
        assert_eq!(ran.code, code, "{what}: {err}");
        // which frames and steps depends on the steps
        let steady: Vec<&str> =
            err.split(|c: char| c.is_ascii_digit()).filter(|part| !part.is_empty()).collect();
        told += &format!("> {what}\n{}\n", steady.join("#"));
    };
    tell("nothing left", &["--resume"], 0);
    fs::remove_file(place.join("results.csv")).unwrap();
    fs::remove_file(place.join("report.html")).unwrap();
    fs::write(place.join("report.html.new"), "half of it").unwrap();
    tell("tables missing", &["--resume"], 0);
    // nobody knows whose it is, so it stays
    assert_eq!(fs::read_to_string(place.join("report.html.new")).unwrap(), "half of it");
    fs::remove_file(place.join("report.html.new")).unwrap();
    let mut rows = fs::read(place.join("rows.f64")).unwrap();
    let middle = rows.len() / 2;
    rows[middle] ^= 16;
    fs::write(place.join("rows.f64"), &rows).unwrap();
    tell("a bit of the frames", &["--resume"], 0);
    same(&place, &whole, "a bit of the frames");
    let steps = fs::read(place.join("steps.f64")).unwrap();
    fs::write(place.join("steps.f64"), &steps[..steps.len() - 100]).unwrap();
    tell("steps cut off", &["--resume"], 0);
    same(&place, &whole, "steps cut off");
    fs::write(place.join("channels.json"), "{").unwrap();
    tell("no header", &["--resume"], 0);
    fs::remove_file(place.join("channels.json.old")).unwrap();
    same(&place, &whole, "no header");
    fs::write(place.join("channels.json"), "{").unwrap();
    tell("no header, other options", &["--resume", "--tol", "1e-3"], 2);
    insta::assert_snapshot!(told);
}

/// A run that is extended has the bits of one that was meant to go there.
#[test]
fn a_finished_run_can_be_extended() {
    let dir = folder("extended");
    let case = |model, options| Case { model, options };
    let short = case("models/pendulum.toml", &["--t-end", "1", "--frame", "5ms", "--tol", "1e-7"]);
    let long = case("models/pendulum.toml", &["--t-end", "2.5", "--frame", "5ms", "--tol", "1e-7"]);
    let (first, whole) = (dir.join("first"), dir.join("whole"));
    assert_eq!(end(start(&short, &first, &[], None)).0, Some(0));
    assert_eq!(end(start(&long, &first, &["--resume"], None)).0, Some(0));
    assert_eq!(end(start(&long, &whole, &[], None)).0, Some(0));
    same(&first, &content(&whole), "extended");
    let (code, err) = end(start(&short, &first, &["--resume"], None));
    assert_eq!(code, Some(2));
    insta::assert_snapshot!(err.replace(&*dir.to_string_lossy(), "<dir>"), @r"
    error: the run in `<dir>/first` was started with t_end = 2.5, not 1.0

      help: use the same options as before, or start again with `--force`
    ");
}

/// What a controller holds between its samples, and what is under way, survives the end of the process.
#[test]
fn samples_go_on_where_they_were() {
    let dir = folder("samples");
    let model = "crates/kingpin-cli/tests/fixtures/sampled.toml";
    for options in [&["--frame", "2ms"][..], &["--frame", "2ms", "--method", "radau"]] {
        let case = Case { model, options };
        let of = |name: &str| dir.join(format!("{name}{}", options.len()));
        assert_eq!(end(start(&case, &of("whole"), &[], None)).0, Some(0));
        let whole = content(&of("whole"));
        for bytes in [20_000, 50_000, 90_000] {
            let place = of(&format!("killed-{bytes}-"));
            assert_ne!(end(start(&case, &place, &[], Some(format!("kill:{bytes}")))).0, Some(0));
            let (code, err) = end(start(&case, &place, &["--resume"], None));
            assert_eq!(code, Some(0), "{err}");
            same(&place, &whole, &format!("killed after {bytes} bytes"));
        }
    }
}

/// Portable numbers are the same whatever instructions the system library would choose, and `--resume` heeds the
/// arithmetic with which a run began.
#[test]
fn portable_numbers_do_not_depend_on_the_processor() {
    let dir = folder("portable");
    let case = Case { model: "models/pendulum.toml", options: &["--t-end", "1"] };
    let rows = |name: &str, tunables: &str, more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kingpin"));
        command.arg("run").arg(root().join(case.model)).args(case.options).args(["--quiet", "-o"]);
        let output = command.arg(dir.join(name)).args(more).env("GLIBC_TUNABLES", tunables).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        fs::read(dir.join(name).join("rows.f64")).unwrap()
    };
    let old = "glibc.cpu.hwcaps=-AVX2,-FMA";
    assert!(rows("a", "", &["--reproducible"]) == rows("b", old, &["--reproducible"]));
    let header: Value = serde_json::from_slice(&fs::read(dir.join("a/channels.json")).unwrap()).unwrap();
    assert_eq!(header["settings"]["arithmetic"], "portable");
    rows("c", "", &[]);
    let header: Value = serde_json::from_slice(&fs::read(dir.join("c/channels.json")).unwrap()).unwrap();
    let fastest = header["settings"]["arithmetic"].as_str().unwrap().to_string();
    assert!(["AVX2 and FMA", "plain"].contains(&fastest.as_str()));
    let mut told = String::new();
    for (name, more) in [
        ("a", &["--resume"][..]),
        ("c", &["--resume", "--reproducible"]),
        ("a", &["--resume", "--reproducible"]),
    ] {
        let ran = finish(start(&case, &dir.join(name), more, None));
        let err = ran.err.replace(&*dir.to_string_lossy(), "<dir>").replace(&fastest, "<fastest>");
        told += &format!("> {name} {}: {}\n{err}\n", more.join(" "), ran.code);
    }
    insta::assert_snapshot!(told);
}

/// Files of the user that commands would write over.
#[test]
fn nothing_is_overwritten_unasked() {
    let dir = folder("overwritten");
    let pendulum = root().join("models/pendulum.toml").to_string_lossy().into_owned();
    let run = |args: &[&str]| crate::run::run_in(&dir, args);
    assert_eq!(run(&["run", &pendulum, "-o", "r", "--t-end", "0.1", "--quiet"]).code, 0);
    for name in ["p.svg", "t.svg", "x.npy.json", "m.toml", "model.toml", "report.html"] {
        fs::write(dir.join(name), "mine").unwrap();
    }
    fs::create_dir(dir.join("v")).unwrap();
    let mut told = String::new();
    for args in [
        &["plot", "r", "rod.x", "-o", "p.svg"][..],
        &["topology", &pendulum, "--svg", "t.svg"],
        &["topology", &pendulum, "--svg", "m.toml", "--force"],
        &["export", "r", "-o", "x.npy"],
        &["export", "r", "--vtk", "v.pvd"],
        &["run", &pendulum, "-o", "."],
        &["run", &pendulum, "-o", ".", "--force"],
    ] {
        let ran = run(args);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{args:?}: {}", ran.err);
        let shown = args.join(" ").replace(&pendulum, "pendulum.toml");
        told += &format!("> {shown}\n{}\n", ran.err.replace(&*dir.to_string_lossy(), "<dir>"));
    }
    insta::assert_snapshot!(told);
    for name in ["p.svg", "t.svg", "x.npy.json", "m.toml", "model.toml", "report.html"] {
        assert_eq!(fs::read_to_string(dir.join(name)).unwrap(), "mine", "{name}");
    }
    assert_eq!(run(&["plot", "r", "rod.x", "-o", "p.svg", "--force"]).code, 0);
    fs::remove_file(dir.join("model.toml")).unwrap();
    assert_eq!(run(&["run", &pendulum, "-o", ".", "--quiet"]).code, 2);
    assert_eq!(fs::read_to_string(dir.join("report.html")).unwrap(), "mine");
}

/// Results and studies of the first format are read as before; what goes on must begin anew, and nothing is lost
/// before it is asked for.
#[test]
fn folders_of_the_first_format_can_be_read() {
    let dir = folder("first-format");
    let fixtures = root().join("crates/kingpin-cli/tests/fixtures/first-format");
    for name in ["ended", "killed", "study", "study/curves"] {
        fs::create_dir_all(dir.join(name)).unwrap();
        for entry in fs::read_dir(fixtures.join(name)).unwrap().map(Result::unwrap) {
            if entry.path().is_file() {
                fs::copy(entry.path(), dir.join(name).join(entry.file_name())).unwrap();
            }
        }
    }
    let model = root().join("models/pendulum.toml").display().to_string();
    let run = |args: &[&str]| crate::run::run_in(&dir, args);
    for name in ["ended", "killed"] {
        let read = run(&["export", name, "-o", "-"]);
        assert_eq!(read.code, 0, "{name}: {}", read.err);
        let frames = if name == "ended" { 6 } else { 2 };
        assert_eq!(read.out.lines().count(), 1 + frames, "{name}: {}", read.out);
    }
    assert_eq!(run(&["export", "study", "-o", "-"]).out.lines().count(), 4);
    let options = ["--t-end", "0.05", "--frame", "10ms", "--channels", "*.x", "--quiet", "--tol", "1e-9"];
    let killed = [&["run", &model, "-o", "killed"], &options[..]].concat();
    for more in [&["--resume"][..], &[]] {
        let again = run(&[&killed[..], more].concat());
        assert!(again.code == 2 && again.err.contains("--force"), "{}", again.err);
    }
    let damaged = fs::read(dir.join("ended/rows.f64")).unwrap();
    fs::write(dir.join("ended/rows.f64"), &damaged[1..]).unwrap();
    let read = run(&["export", "ended", "-o", "-"]);
    assert!(read.code == 2 && read.err.contains("rows.f64` is damaged"), "{}", read.err);
    let anew = run(&[&killed[..], &["--force"]].concat());
    assert_eq!(anew.code, 0, "{}", anew.err);
    kingpin_results::Reader::open(&dir.join("killed")).unwrap().verify().unwrap();
    let sweep = ["sweep", &model, "--vary", "l=1..2 m:3", "--metric", "max(bob_x)", "--t-end", "0.05"];
    let sweep = [&sweep[..], &["--channels", "bob_*", "--quiet", "--output", "study"]].concat();
    let again = run(&[&sweep[..], &["--resume"]].concat());
    assert!(again.code == 2 && again.err.contains("it was written by another version"), "{}", again.err);
    assert_eq!(run(&[&sweep[..], &["--force"]].concat()).code, 0);
}
