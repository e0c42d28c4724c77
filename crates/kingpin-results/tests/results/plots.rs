//! Charts.

use crate::sample::{MODEL, Sample, folder, header, run};
use kingpin_results::plot::{PlottedRun, png, svg, terminal};
use kingpin_results::store::Choice;
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
    let text =
        svg(&[PlottedRun::only(&sample.reader, &Choice::channels(&channels))], (900.0, 640.0)).unwrap();
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
    let text = svg(&[PlottedRun::only(&reader, &Choice::channels(&[0, 1]))], (400.0, 300.0)).unwrap();
    well_formed(&text);
    assert!(text.contains("a&lt;b &amp; &quot;c&quot;"));
    assert!(text.contains("10⁶ m"));
    let curve = text.split("<path d=\"").find(|path| path.contains("1.75")).unwrap();
    assert_eq!(curve.split('"').next().unwrap().matches('M').count(), 2, "{curve}");
    assert_eq!(
        svg(&[PlottedRun::only(&reader, &Choice::channels(&[7]))], (1.0, 1.0)).unwrap_err().kind,
        ErrorKind::UnknownChannel
    );
}

#[test]
fn nothing_and_one_frame() {
    let dir = folder("plot-none");
    let mut writer = Writer::create(&dir, &header(), MODEL, false).unwrap();
    let reader = Reader::open(&dir).unwrap();
    assert_eq!(
        svg(&[PlottedRun::only(&reader, &Choice::channels(&[0]))], (400.0, 300.0)).unwrap_err().kind,
        ErrorKind::Unfit
    );
    writer.frame(&[2.0, f64::NAN, 5.0]).unwrap();
    writer.flush().unwrap();
    let reader = Reader::open(&dir).unwrap();
    well_formed(&svg(&[PlottedRun::only(&reader, &Choice::channels(&[0, 1]))], (400.0, 300.0)).unwrap());
    assert!(
        terminal(&[PlottedRun::only(&reader, &Choice::channels(&[0, 1]))], 60, 20).unwrap().contains("odd")
    );
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
    let text = terminal(&[PlottedRun::only(&reader, &Choice::channels(&[0]))], 60, 12).unwrap();
    insta::assert_snapshot!(text);
    assert!(text.lines().all(|line| line.chars().count() <= 60));
    let both = terminal(&[PlottedRun::only(&reader, &Choice::channels(&[0, 1]))], 60, 24).unwrap();
    assert_eq!(both.matches('└').count(), 2);
}

/// Pixels of a PNG file, four bytes each.
fn pixels(bytes: &[u8]) -> (u32, u32, Vec<u8>) {
    let map = tiny_skia::Pixmap::decode_png(bytes).unwrap();
    (map.width(), map.height(), map.data().to_vec())
}

#[test]
fn png_shows_the_same_chart() {
    let sample = run("four_bar", "plot-png", 0.5, 0.002);
    let choice = Choice::channels(&places(&sample, &["crank.omega", "coupler.x"]));
    let bytes = png(&[PlottedRun::only(&sample.reader, &choice)], (600.0, 400.0)).unwrap();
    fs::write(folder("plot.png"), &bytes).unwrap();
    let (wide, high, data) = pixels(&bytes);
    assert_eq!((wide, high), (1200, 800));
    // both curves, the grid and letters are there, and most of it is paper
    let count = |r: u8, g: u8, b: u8| data.chunks(4).filter(|p| p[..3] == [r, g, b]).count();
    for (ink, least) in [((0x00, 0x68, 0xa8), 1000), ((0xd5, 0x5e, 0x00), 1000), ((0x11, 0x18, 0x27), 50)] {
        assert!(count(ink.0, ink.1, ink.2) > least, "{ink:?}: {}", count(ink.0, ink.1, ink.2));
    }
    assert!(count(255, 255, 255) > 800_000);
    // a window of time shows another part
    let part = Choice { from: Some(0.1), to: Some(0.2), ..choice.clone() };
    assert_ne!(pixels(&png(&[PlottedRun::only(&sample.reader, &part)], (600.0, 400.0)).unwrap()).2, data);
    let error = png(&[PlottedRun::only(&sample.reader, &choice)], (1e6, 400.0)).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Unfit);
    assert_eq!(error.message, "an image of 1000000 x 400 exceeds the limit of 10000 x 10000");
}
