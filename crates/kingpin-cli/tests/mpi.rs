//! The command over processes of MPI: the same bytes for any number of them, kills, and wrong use.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

/// Files whose bytes must not depend on ranks.
const FILES: [&str; 4] = ["rows.f64", "steps.f64", "events.jsonl", "results.csv"];

fn kingpin() -> &'static str {
    env!("CARGO_BIN_EXE_kingpin")
}

fn mpirun(ranks: usize, args: &[&str]) -> Command {
    let mut command = Command::new("mpirun");
    command.args(["--allow-run-as-root", "--oversubscribe", "-n", &ranks.to_string(), kingpin()]).args(args);
    command
}

fn output(mut command: Command) -> Output {
    command.output().expect("mpirun starts")
}

fn is_missing() -> bool {
    let missing = Command::new("mpirun").arg("--version").output().is_err();
    if missing {
        eprintln!("skipped: there is no mpirun");
    }
    missing
}

/// A folder of its own with a model in it.
fn model(name: &str, shape: &str, size: &str) -> (PathBuf, String) {
    let dir = std::env::temp_dir().join(format!("kingpin-mpi-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).unwrap();
    let generated = Command::new(kingpin()).args(["generate", shape, "--size", size]).output().unwrap();
    let path = dir.join("model.toml");
    fs::write(&path, generated.stdout).unwrap();
    let path = path.to_string_lossy().into_owned();
    (dir, path)
}

fn files(dir: &Path) -> [Vec<u8>; 4] {
    FILES.map(|name| fs::read(dir.join(name)).unwrap_or_default())
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn ranks_change_no_byte() {
    if is_missing() {
        return;
    }
    for (shape, size, t_end) in [("net", "9", "0.03"), ("station", "1", "0.2")] {
        let (dir, path) = model(shape, shape, size);
        for way in ["interface", "bddc"] {
            let run = |ranks: usize| {
                let out = dir.join(format!("r{ranks}"));
                let args = ["run", &path, "--domains", "5", "--domain-solver", way, "--t-end", t_end];
                let name = out.to_string_lossy().into_owned();
                let more = ["--quiet", "--force", "-o", name.as_str()];
                let ran = output(mpirun(ranks, &[&args[..], &more].concat()));
                assert!(ran.status.success(), "{ranks} ranks: {}", stderr(&ran));
                files(&out)
            };
            let one = run(1);
            assert!(one[0].len() > 1000, "{shape}");
            for ranks in 2..=4 {
                assert!(run(ranks) == one, "{shape} by {way}, {ranks} ranks");
            }
        }
        // without a number, substructures are the sub-domains, or there are eight
        let usual = |ranks: usize| {
            let out = dir.join(format!("usual{ranks}"));
            let name = out.to_string_lossy().into_owned();
            let args = ["run", &path, "--t-end", t_end, "--quiet", "--force", "-o", name.as_str()];
            let ran = output(mpirun(ranks, &args));
            assert!(ran.status.success(), "{ranks} ranks: {}", stderr(&ran));
            files(&out)
        };
        assert!(usual(3) == usual(1), "{shape} as usual");
        let modes = ["modes", &path, "--at", "equilibrium", "--near-frequency", "0", "--count", "6"];
        for command in [&["static", &path][..], &modes] {
            let told = |ranks: usize| {
                let ran = output(mpirun(ranks, &[command, &["--domains", "4"]].concat()));
                assert!(ran.status.success(), "{command:?}, {ranks} ranks: {}", stderr(&ran));
                let text = String::from_utf8(ran.stdout).unwrap();
                // reports say how many ranks there were
                text.lines().filter(|line| !line.contains("sub-domains")).collect::<Vec<_>>().join("\n")
            };
            let one = told(1);
            assert!(one.len() > 200 && told(2) == one && told(3) == one, "{shape} {command:?}");
        }
        fs::remove_dir_all(&dir).unwrap();
    }
}

/// One rank is killed in the middle; the others end with it, and the folder goes on with another number of ranks.
#[test]
fn a_kill_of_one_rank_leaves_a_folder_that_resumes() {
    if is_missing() {
        return;
    }
    let (dir, path) = model("kill", "net", "14");
    let [out, whole] = ["r", "whole"].map(|name| dir.join(name).to_string_lossy().into_owned());
    let (out, whole) = (out.as_str(), whole.as_str());
    let args = ["run", &path, "--domains", "4", "--t-end", "0.3", "--tol", "1e-7", "--quiet", "-o"];
    assert!(output(mpirun(2, &[&args[..], &[whole]].concat())).status.success());
    let mut command = mpirun(2, &[&args[..], &[out]].concat());
    let mut started = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    // as soon as there are rows: steps are being taken
    let rows = Path::new(out).join("rows.f64");
    for _ in 0..6000 {
        if fs::metadata(&rows).is_ok_and(|rows| rows.len() > 0) {
            break;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    kill_second_rank(out);
    let ended = started.wait().unwrap();
    let resumed = output(mpirun(3, &[&args[..], &[out, "--resume"]].concat()));
    assert!(resumed.status.success(), "{}", stderr(&resumed));
    // it may have been over before the kill came
    assert!(!ended.success() || Path::new(out).join("summary.json").exists());
    assert!(files(Path::new(out)) == files(Path::new(whole)));
    fs::remove_dir_all(&dir).unwrap();
}

/// Ends the process of the second rank among those that were told to write there.
fn kill_second_rank(out: &str) {
    for entry in fs::read_dir("/proc").unwrap().flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        let own = |file: &str| fs::read(path.join(file)).unwrap_or_default();
        let told = String::from_utf8_lossy(&own("cmdline")).replace('\0', " ");
        let place = String::from_utf8_lossy(&own("environ")).replace('\0', "\n");
        let first = told.split(' ').next().unwrap_or("").to_string();
        if first == kingpin() && told.contains(out) && place.contains("OMPI_COMM_WORLD_RANK=1\n") {
            Command::new("kill").args(["-9", &name.to_string_lossy()]).status().unwrap();
        }
    }
}

#[test]
fn wrong_use_is_told_once() {
    if is_missing() {
        return;
    }
    let (dir, path) = model("wrong", "net", "4");
    let many = output(mpirun(4, &["static", &path, "--domains", "2"]));
    assert!(!many.status.success());
    let told = stderr(&many);
    assert_eq!(told.matches("error: there are more ranks (4) than sub-domains (2)").count(), 1, "{told}");
    let direct = output(mpirun(2, &["static", &path, "--domain-solver", "direct"]));
    assert!(stderr(&direct).contains("2 ranks cannot share the work"), "{}", stderr(&direct));
    // a fault of the model is told once, too
    fs::write(dir.join("model.toml"), "name = \"x\"\nspace = \"nowhere\"\n").unwrap();
    let faulty = output(mpirun(3, &["run", &path, "--domains", "3"]));
    assert!(!faulty.status.success());
    assert_eq!(stderr(&faulty).matches("error").count(), 1, "{}", stderr(&faulty));
    fs::remove_dir_all(&dir).unwrap();
}

/// Points are shared, and the first rank writes what threads of one process would; faults are told once.
#[test]
fn a_sweep_over_ranks_writes_the_same_study() {
    if is_missing() {
        return;
    }
    let dir = std::env::temp_dir().join(format!("kingpin-mpi-sweep-{}", std::process::id()));
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).unwrap();
    let model = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/pendulum.toml");
    // lengths of zero fail
    let args = ["sweep", model, "--vary", "l=0..2 m:11", "--metric", "max(bob_x)", "--channels", "bob_x"];
    let study = |name: &str| dir.join(name).to_string_lossy().into_owned();
    let more = ["--t-end", "0.5", "--quiet", "--output"];
    let one = study("one");
    let alone = Command::new(kingpin()).args(args).args(more).arg(&one).output().unwrap();
    assert!(alone.status.success(), "{}", stderr(&alone));
    let read = |folder: &str| -> Vec<Vec<u8>> {
        let folder = Path::new(folder);
        let curves = (0..11).map(|k| folder.join(format!("curves/{k:06}.csv")));
        [folder.join("table.csv"), folder.join("study.json")]
            .into_iter()
            .chain(curves)
            .map(|path| fs::read(path).unwrap_or_default())
            .collect()
    };
    let known = read(&one);
    assert!(
        known[0].iter().filter(|byte| **byte == b'\n').count() == 12,
        "{}",
        String::from_utf8_lossy(&known[0])
    );
    for ranks in 1..=3 {
        let out = study(&format!("r{ranks}"));
        let ran = output(mpirun(ranks, &[&args[..], &more, &[out.as_str()]].concat()));
        assert!(ran.status.success(), "{ranks} ranks: {}", stderr(&ran));
        assert!(read(&out) == known, "{ranks} ranks");
        // there already
        let again = output(mpirun(ranks, &[&args[..], &more, &[out.as_str()]].concat()));
        assert!(!again.status.success());
        assert_eq!(stderr(&again).matches("error: ").count(), 1, "{}", stderr(&again));
    }
    fs::remove_dir_all(&dir).unwrap();
}
