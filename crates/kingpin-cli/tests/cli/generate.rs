//! `kingpin generate`: every mechanism has the degrees of freedom it claims, at every size.

use crate::run::{json, run};

/// Generates and checks a mechanism; returns the report.
fn checked(shape: &str, space: &str, size: u64) -> serde_json::Value {
    let ran = run(&["generate", shape, "--size", &size.to_string(), "--space", space]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert!(ran.out.starts_with("# "), "no comment");
    assert!(ran.out.lines().count() < 100, "not short");
    json(&["check", "-", "--json"], &ran.out)
}

/// Bodies, joints, degrees of freedom for a size; nothing redundant, nothing to correct.
fn expect(shape: &str, of_size: fn(u64) -> [u64; 3]) {
    for space in ["planar", "spatial"] {
        for size in [1, 2, 3, 4, 7, 8, 20] {
            let report = checked(shape, space, size);
            let found = ["bodies", "joints", "dof"].map(|key| report[key].as_u64().expect("a count"));
            assert_eq!(found, of_size(size), "{shape} {space} {size}");
            for key in ["redundant", "singular", "corrections", "warnings"] {
                assert_eq!(report[key].as_array().map(Vec::len), Some(0), "{shape} {space} {size}: {key}");
            }
            assert_eq!(report["space"], space);
        }
    }
}

#[test]
fn chains() {
    expect("chain", |n| [n, n, n]);
}

#[test]
fn stars() {
    expect("star", |n| [n + 1, n + 1, n + 1]);
}

#[test]
fn trees() {
    expect("tree", |n| [n, n, n]);
}

#[test]
fn ladders() {
    expect("ladder", |n| [3 * n + 1, 4 * n + 1, n]);
}

#[test]
fn cables() {
    expect("cable", |n| [n, n, n]);
}

/// Freedoms of blocks and cars are other in the plane and in space.
fn expect_freedoms(shape: &str, of_size: fn(u64) -> [u64; 2], freedoms: [fn(u64) -> u64; 2]) {
    for (space, freedoms) in ["planar", "spatial"].into_iter().zip(freedoms) {
        for size in [1, 2, 3, 5] {
            let report = checked(shape, space, size);
            let found = ["bodies", "joints", "dof"].map(|key| report[key].as_u64().expect("a count"));
            let [bodies, joints] = of_size(size);
            assert_eq!(found, [bodies, joints, freedoms(size)], "{shape} {space} {size}");
            for key in ["redundant", "singular", "corrections", "warnings"] {
                assert_eq!(report[key].as_array().map(Vec::len), Some(0), "{shape} {space} {size}: {key}");
            }
        }
    }
}

#[test]
fn lattices() {
    expect_freedoms("lattice", |n| [n * n, 0], [|n| 3 * n * n, |n| 6 * n * n]);
}

#[test]
fn nets() {
    for size in [1, 2, 5] {
        let report = checked("net", "spatial", size);
        let found = ["joints", "dof"].map(|key| report[key].as_u64().expect("a count"));
        assert_eq!(found, [0, 3 * size * size]);
        assert_eq!(report["warnings"].as_array().map(Vec::len), Some(0), "{report}");
    }
}

#[test]
fn trains() {
    expect_freedoms("train", |n| [3 * n, 2 * n], [|n| 5 * n, |n| 8 * n]);
}

#[test]
fn space_is_the_default() {
    let of = |args: &[&str]| run(args).out;
    let spatial = of(&["generate", "chain", "--size", "5", "--space", "spatial"]);
    assert_eq!(of(&["generate", "chain", "--size", "5"]), spatial);
}

#[test]
fn a_chain_as_printed() {
    insta::assert_snapshot!(run(&["generate", "chain", "--size", "12"]).out);
}
