//! Runs that are killed and go on with other numbers of threads.

use super::{Case, content, end, start};
use crate::run::{folder, run};
use std::collections::BTreeMap;
use std::fs;

/// What numbers of threads must not change.
const NUMBERS: [&str; 4] = ["rows.f64", "steps.f64", "events.jsonl", "results.csv"];

/// Bodies enough that work is cut into pieces.
#[test]
fn killed_runs_go_on_with_other_numbers_of_threads() {
    let dir = folder("kills_threads");
    fs::create_dir_all(&dir).unwrap();
    let made = run(&["generate", "tree", "--size", "300"]);
    assert_eq!(made.code, 0, "{}", made.err);
    let model = dir.join("tree.toml");
    fs::write(&model, made.out).unwrap();
    let model = model.to_string_lossy();
    for (method, tol, more) in
        [("dopri5", "1e-5", ["--solver", "pcg"]), ("radau", "1e-3", ["--matrices", "sparse"])]
    {
        let options = ["--method", method, "--tol", tol, "--t-end", "0.3", "--frame", "10ms"];
        let case = Case { model: &model, options: &[&options[..], &more].concat() };
        let numbers = |left: &BTreeMap<String, Vec<u8>>| NUMBERS.map(|name| left[name].clone());
        let place = dir.join(format!("{method}_whole"));
        let (code, err) = end(start(&case, &place, &["--threads", "1"], None));
        assert_eq!(code, Some(0), "{method}: {err}");
        let size = |name: &str| fs::metadata(place.join(name)).unwrap().len();
        // what is written first, and three quarters of the rows
        let part = size("model.toml") + size("channels.json") + size("rows.f64") / 4 * 3;
        let whole = numbers(&content(&place));
        for (k, [first, then]) in [["2", "1"], ["1", "8"], ["3", "2"]].into_iter().enumerate() {
            let (place, disk) = (dir.join(format!("{method}_{k}")), Some(format!("kill:{part}")));
            let (code, err) = end(start(&case, &place, &["--threads", first], disk));
            assert_eq!(code, None, "{method}: not killed: {err}");
            assert!(fs::metadata(place.join("checkpoint")).is_ok(), "{method}: nothing to go on with");
            let (code, err) = end(start(&case, &place, &["--resume", "--threads", then], None));
            assert_eq!(code, Some(0), "{method}: {err}");
            assert!(numbers(&content(&place)) == whole, "{method}: {first} threads, then {then}");
        }
    }
}
