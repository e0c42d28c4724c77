//! Charts.

use crate::sample::{MODEL, Sample, folder, header, run};
use kingpin_results::plot::{svg, terminal};
use kingpin_results::{ErrorKind, Reader, Writer};
use std::fs;

fn places(sample: &Sample, names: &[&str]) -> Vec<usize> {
    names.iter().map(|name| sample.reader.find(name).unwrap()).collect()
}

/// Every tag is closed, in order.
fn well_formed(text: &str) {
    let mut open = Vec::new();
    for tag in text.split('<').skip(1) {
        let (tag, _) = tag.split_once('>').unwrap();
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !tag.ends_with('/') {
            open.push(tag.split(' ').next().unwrap());
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

#[test]
fn svg_of_several_units() {
    let sample = run("four_bar", "plot-svg", 2.0, 0.002);
    let channels = places(&sample, &["crank.omega", "rocker.omega", "coupler.x", "coupler.y", "A.fx"]);
    let text = svg(&sample.reader, &channels, (900.0, 640.0)).unwrap();
    fs::write(folder("plot.svg"), &text).unwrap();
    well_formed(&text);
    for name in ["crank.omega", "rocker.omega", "coupler.x", ">rad/s<", ">m<", ">N<", "time [s]"] {
        assert!(text.contains(name), "{name}");
    }
    // a line per channel beside grid and axes
    assert_eq!(text.matches("stroke-width=\"1.75\"").count(), 5);
    assert!(!text.contains("NaN") && !text.contains("inf"));
}

#[test]
fn svg_escapes_names_and_shows_gaps() {
    let dir = folder("plot-odd");
    let mut header = header();
    header.channels[1].name = "a<b & \"c\"".into();
    let mut writer = Writer::create(&dir, &header, MODEL, false).unwrap();
    for k in 0..10 {
        let gap = if k == 5 { f64::NAN } else { 1e7 * f64::from(k) };
        writer.frame(&[f64::from(k), gap, 3.0]).unwrap();
    }
    drop(writer);
    let reader = Reader::open(&dir).unwrap();
    let text = svg(&reader, &[0, 1], (400.0, 300.0)).unwrap();
    well_formed(&text);
    assert!(text.contains("a&lt;b &amp; &quot;c&quot;"));
    assert!(text.contains("10⁶ m"));
    let curve = text.split("<path d=\"").find(|path| path.contains("1.75")).unwrap();
    assert_eq!(curve.split('"').next().unwrap().matches('M').count(), 2, "{curve}");
    assert_eq!(svg(&reader, &[7], (1.0, 1.0)).unwrap_err().kind, ErrorKind::UnknownChannel);
}

#[test]
fn nothing_and_one_frame() {
    let dir = folder("plot-none");
    let mut writer = Writer::create(&dir, &header(), MODEL, false).unwrap();
    let reader = Reader::open(&dir).unwrap();
    assert_eq!(svg(&reader, &[0], (400.0, 300.0)).unwrap_err().kind, ErrorKind::Unfit);
    writer.frame(&[2.0, f64::NAN, 5.0]).unwrap();
    writer.flush().unwrap();
    let reader = Reader::open(&dir).unwrap();
    well_formed(&svg(&reader, &[0, 1], (400.0, 300.0)).unwrap());
    assert!(terminal(&reader, &[0, 1], 60, 20).unwrap().contains("odd"));
}

#[test]
fn terminal_charts() {
    let dir = folder("plot-text");
    let mut writer = Writer::create(&dir, &header(), MODEL, false).unwrap();
    for k in 0..=200 {
        let t = 0.01 * f64::from(k);
        writer.frame(&[t, (std::f64::consts::PI * t).sin(), 0.25]).unwrap();
    }
    drop(writer);
    let reader = Reader::open(&dir).unwrap();
    let text = terminal(&reader, &[0], 60, 12).unwrap();
    insta::assert_snapshot!(text);
    assert!(text.lines().all(|line| line.chars().count() <= 60));
    let both = terminal(&reader, &[0, 1], 60, 24).unwrap();
    assert_eq!(both.matches('└').count(), 2);
}
