//! `kingpin plot`: charts in the terminal and as pictures.

use crate::run::{Ran, folder as empty, run_in};
use crate::sample::four_bar;
use std::fs;
use std::path::{Path, PathBuf};

fn folder(name: &str) -> PathBuf {
    let place = empty(name);
    four_bar(&place.join("results"), true);
    place
}

fn plot(place: &Path, more: &[&str]) -> Ran {
    run_in(place, &[&["plot", "results"], more].concat())
}

#[test]
fn charts_in_the_terminal() {
    let place = folder("plot-terminal");
    let ran = plot(&place, &["crank.omega", "rocker_angle"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    insta::assert_snapshot!(ran.out);
    let part = plot(&place, &["crank.omega", "--from", "100ms", "--to", "0.2"]).out;
    assert!(part.lines().last().is_some_and(|line| line.trim_start().starts_with("0.1 ")), "{part}");
    assert!(part.trim_end().ends_with("0.2 s"), "{part}");
}

#[test]
fn without_channels_they_are_listed() {
    let ran = plot(&folder("plot-list"), &[]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    insta::assert_snapshot!(ran.out);
}

#[test]
fn pictures() {
    let place = folder("plot-pictures");
    let ran = plot(&place, &["*.omega", "rocker.x", "-o", "speeds.svg", "--size", "640x480"]);
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (0, "wrote speeds.svg\n", ""));
    let text = fs::read_to_string(place.join("speeds.svg")).expect("a picture");
    assert!(text.contains("width=\"640\" height=\"480\""));
    assert!(
        ["crank.omega", "coupler.omega", "rocker.omega", ">rad/s<", ">m<"]
            .iter()
            .all(|word| text.contains(word))
    );
    let ran = plot(&place, &["crank.omega", "-o", "speeds.png"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let bytes = fs::read(place.join("speeds.png")).expect("a picture");
    assert_eq!(&bytes[..8], b"\x89PNG\r\n\x1a\n");
    assert_eq!(bytes[16..24], [0, 0, 7, 128, 0, 0, 4, 56]);
}

#[test]
fn refusals() {
    let place = folder("plot-refusals");
    let mut told = String::new();
    for more in [
        &["crank.omgea"][..],
        &["crank.height"],
        &["*"],
        &["crank.x", "--from", "3"],
        &["crank.x", "-o", "chart.jpg"],
        &["crank.x", "--size", "40"],
    ] {
        let ran = plot(&place, more);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{more:?}");
        told += &format!("{}\n{}\n", more.join(" "), ran.err);
    }
    let none = run_in(&place, &["plot", "elsewhere", "crank.x"]);
    assert_eq!(none.code, 2);
    told += &none.err;
    insta::assert_snapshot!(told);
}

#[test]
fn several_runs_in_one_chart() {
    let place = folder("plot-several");
    four_bar(&place.join("other"), true);
    let ran = plot(&place, &["other", "crank.x"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert!(ran.out.contains("crank.x (results)") && ran.out.contains("crank.x (other)"), "{}", ran.out);
    let ran = plot(&place, &["other", "crank.x", "-o", "both.svg"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let text = fs::read_to_string(place.join("both.svg")).expect("a picture");
    assert!(text.contains("crank.x (other)"), "{text}");
}
