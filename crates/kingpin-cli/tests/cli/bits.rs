//! What is printed changes no bit of what is written.

use crate::run::{folder, run};
use std::fs;

#[test]
fn json_tables_and_silence_change_no_bit() {
    let dir = folder("bits");
    let cases = [
        ("models/four_bar.toml", ["auto", "dop853", "for-rosen"], "0.3"),
        ("models/door.toml", ["auto", "adams", "infl-sdirk"], "3"),
        ("models/hmmwv14_stiff.toml", ["auto", "for-sdirk", "ssp-trap"], "0.1"),
    ];
    for (model, methods, t_end) in cases {
        for method in methods {
            let files = |more: &[&str]| {
                let out = dir.join("r").to_string_lossy().into_owned();
                let mut args = vec!["run", model, "--method", method, "--t-end", t_end, "--tol", "1e-3"];
                args.extend(["--frame", "10ms", "--force", "-o", &out]);
                let ran = run(&[&args[..], more].concat());
                assert_eq!(ran.code, 0, "{args:?} {more:?}: {}", ran.err);
                ["rows.f64", "steps.f64", "events.jsonl", "results.csv"]
                    .map(|name| fs::read(dir.join("r").join(name)).unwrap())
            };
            let plain = files(&[]);
            assert!(plain[0].len() > 1000 && !plain[1].is_empty());
            for more in [&["--json"][..], &["--quiet"], &["--table", "energy.kinetic"]] {
                assert!(files(more) == plain, "{model} {method} {more:?}");
            }
        }
    }
}
