//! `kingpin bench stiff`: errors within the tolerance, by both kinds of matrices.

use crate::run::run;
use serde_json::Value;

#[test]
fn stiff_mechanisms_are_run_within_the_tolerance() {
    for matrices in ["dense", "sparse"] {
        let ran =
            run(&["bench", "stiff", "--sizes", "3,6", "--json", "--matrices", matrices, "--t-end", "0.2"]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        let records: Value = serde_json::from_str(&ran.out).expect("JSON");
        let records = records.as_array().expect("a list");
        assert_eq!(records.len(), 4 * 2 * 2);
        for record in records {
            assert_eq!(record["matrices"], matrices);
            assert!(record["error"].as_f64().expect("an error") < 1e-3, "{record}");
            assert!(record["steps"].as_u64().expect("steps") > 3, "{record}");
            assert!(record["wall_s"].as_f64().expect("a time") > 0.0);
        }
        let cases: Vec<&str> = records.iter().step_by(4).filter_map(|r| r["case"].as_str()).collect();
        assert_eq!(cases, ["chain", "ladder", "tree", "train"]);
    }
}
