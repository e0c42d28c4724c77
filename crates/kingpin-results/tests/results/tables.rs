//! CSV and NumPy.

use crate::sample::{MODEL, folder, header, run};
use kingpin_results::format::{Output, csv, npy};
use kingpin_results::store::Choice;
use kingpin_results::{ErrorKind, Reader, Writer};
use std::fs;

fn rows(reader: &Reader) -> Vec<Vec<f64>> {
    let (mut rows, mut out) = (reader.rows().unwrap(), Vec::new());
    while let Some(row) = rows.next_row().unwrap() {
        out.push(row.to_vec());
    }
    out
}

#[test]
fn csv_reads_back_exactly() {
    let sample = run("four_bar", "csv-run", 0.1, 0.01);
    let path = folder("csv-run.csv");
    csv(&sample.reader, &Choice::default(), Output::file(&path).unwrap()).unwrap();
    let text = fs::read_to_string(&path).unwrap();
    let mut lines = text.split_terminator("\r\n");
    let names: Vec<&str> = lines.next().unwrap().split(',').collect();
    assert_eq!(names[..3], ["time [s]", "crank.x [m]", "crank.y [m]"]);
    assert_eq!(names.len(), sample.reader.header().width());
    let back: Vec<Vec<f64>> =
        lines.map(|line| line.split(',').map(|number| number.parse().unwrap()).collect()).collect();
    assert_eq!(back, rows(&sample.reader));
    assert!(!path.with_file_name("csv-run.csv.part").exists());
}

#[test]
fn csv_of_odd_names_and_numbers() {
    let dir = folder("csv-odd");
    let mut writer = Writer::create(&dir, &header(), MODEL, false).unwrap();
    let numbers = [[0.0, f64::NAN, 1e-300], [1e-7, f64::INFINITY, -0.0], [0.1 + 0.2, 123456789.25, 5e300]];
    for row in numbers {
        writer.frame(&row).unwrap();
    }
    drop(writer);
    // a torn row is dropped
    let rows = dir.join("rows.f64");
    let mut bytes = fs::read(&rows).unwrap();
    bytes.extend([1; 9]);
    fs::write(&rows, bytes).unwrap();
    let mut text = Vec::new();
    let reader = Reader::open(&dir).unwrap();
    csv(&reader, &Choice::default(), Output::stream("text", &mut text)).unwrap();
    let text = String::from_utf8(text).unwrap();
    assert_eq!(
        text,
        "time [s],a.x [m],\"odd, \"\"name\"\"\"\r\n0.0,NaN,1e-300\r\n1e-7,inf,-0.0\r\n\
         0.30000000000000004,123456789.25,5e300\r\n"
    );
    let mut text = Vec::new();
    let choice = Choice { channels: Some(vec![0]), frames: Some(2), ..Choice::default() };
    csv(&reader, &choice, Output::stream("text", &mut text)).unwrap();
    let expected = "time [s],a.x [m]\r\n0.0,NaN\r\n0.30000000000000004,123456789.25\r\n";
    assert_eq!(String::from_utf8(text).unwrap(), expected);
    let wrong = Choice::channels(&[2]);
    let error = csv(&reader, &wrong, Output::stream("text", Vec::new())).unwrap_err();
    assert_eq!(error.kind, ErrorKind::UnknownChannel);
}

#[test]
fn csv_of_names_that_look_like_formulas() {
    let dir = folder("csv-formulas");
    let mut header = header();
    header.channels[0].name = "=cmd|' /C calc'!A0.x".into();
    header.channels[1].name = "@SUM(1+1)".into();
    let mut writer = Writer::create(&dir, &header, MODEL, false).unwrap();
    writer.frame(&[0.0, -1.0, -0.5]).unwrap();
    drop(writer);
    let mut text = Vec::new();
    csv(&Reader::open(&dir).unwrap(), &Choice::default(), Output::stream("text", &mut text)).unwrap();
    let expected = "time [s],\"'=cmd|' /C calc'!A0.x [m]\",\"'@SUM(1+1)\"\r\n0.0,-1.0,-0.5\r\n";
    assert_eq!(String::from_utf8(text).unwrap(), expected);
}

#[test]
fn npy_has_the_header_of_numpy() {
    let sample = run("pendulum", "npy-run", 0.1, 0.01);
    let path = folder("npy-run.npy");
    npy(&sample.reader, &Choice::default(), &path).unwrap();
    let bytes = fs::read(&path).unwrap();
    assert_eq!(&bytes[..8], b"\x93NUMPY\x01\x00");
    let length = u16::from_le_bytes([bytes[8], bytes[9]]) as usize;
    assert_eq!((10 + length) % 64, 0);
    let head = std::str::from_utf8(&bytes[10..10 + length]).unwrap();
    let width = sample.reader.header().width();
    let expected = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': (11, {width}), }}");
    assert_eq!(head.trim_end_matches([' ', '\n']), expected);
    assert!(head.ends_with('\n'));
    let numbers: Vec<f64> =
        bytes[10 + length..].as_chunks().0.iter().map(|bytes| f64::from_le_bytes(*bytes)).collect();
    assert_eq!(numbers, rows(&sample.reader).concat());
    let sidecar = fs::read_to_string(path.with_file_name("npy-run.npy.json")).unwrap();
    let sidecar: serde_json::Value = serde_json::from_str(&sidecar).unwrap();
    assert_eq!(sidecar["rows"], 11);
    assert_eq!(sidecar["columns"][1]["name"], sample.reader.header().channels[0].name);
    assert_eq!(sidecar["columns"][0]["unit"], "s");
}

#[test]
fn a_folder_in_the_place_of_a_file() {
    let sample = run("pendulum", "csv-folder", 0.1, 0.05);
    let path = folder("csv-taken");
    fs::create_dir_all(path.join("inside")).unwrap();
    let error = csv(&sample.reader, &Choice::default(), Output::file(&path).unwrap()).unwrap_err();
    assert_eq!(error.path, path);
    assert!(error.message.ends_with("csv-taken`: it is a folder"), "{}", error.message);
    assert!(!path.with_file_name("csv-taken.part").exists());
}

#[cfg(target_os = "linux")]
#[test]
fn a_stream_that_is_full() {
    let sample = run("pendulum", "csv-full", 0.1, 0.01);
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    let error = csv(&sample.reader, &Choice::default(), Output::stream("standard output", full)).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Full);
    assert_eq!(error.message, "cannot write `standard output`: the disk is full");
}

#[cfg(feature = "parquet")]
#[test]
fn parquet_is_whole() {
    let sample = run("four_bar", "parquet-run", 0.2, 0.01);
    let path = folder("run.parquet");
    kingpin_results::format::parquet(&sample.reader, &Choice::default(), &path).unwrap();
    let bytes = fs::read(&path).unwrap();
    assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"));
}

#[test]
fn frames_are_chosen_by_time_and_number() {
    let sample = run("four_bar", "csv-choice", 0.1, 0.01);
    let times = |choice: Choice| {
        let mut bytes = Vec::new();
        csv(&sample.reader, &choice, Output::stream("memory", &mut bytes)).unwrap();
        let text = String::from_utf8(bytes).unwrap();
        let first = |line: &str| line.split(',').next().unwrap().parse::<f64>().unwrap();
        text.lines().skip(1).map(|line| (first(line) * 100.0).round()).collect::<Vec<_>>()
    };
    let all = Choice::channels(&[0]);
    assert_eq!(times(all.clone()).len(), 11);
    assert_eq!(times(Choice { every: Some(4), ..all.clone() }), [0.0, 4.0, 8.0, 10.0]);
    assert_eq!(times(Choice { from: Some(0.03), to: Some(0.06), ..all.clone() }), [3.0, 4.0, 5.0, 6.0]);
    assert_eq!(
        times(Choice { from: Some(0.03), to: Some(0.09), every: Some(4), ..all.clone() }),
        [3.0, 7.0, 9.0]
    );
    assert_eq!(times(Choice { to: Some(0.05), frames: Some(2), ..all.clone() }), [0.0, 5.0]);
    assert_eq!(times(Choice { from: Some(1.0), ..all }), [0.0; 0]);
}

#[test]
fn channels_are_found_by_patterns() {
    let sample = run("four_bar", "csv-names", 0.01, 0.01);
    let names = |patterns: &[&str]| {
        let places = sample.reader.find_all(patterns.iter().copied()).unwrap();
        places.iter().map(|&k| sample.reader.header().channels[k].name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(names(&["rocker.y", "*.x", "crank.x"]), ["rocker.y", "crank.x", "coupler.x", "rocker.x"]);
    let said = |pattern: &str| sample.reader.find_all([pattern]).unwrap_err().to_string();
    insta::assert_snapshot!(said("*.omgea"), @r"
    no channel matches `*.omgea`

      help: some channels end in `.omega`
    ");
    insta::assert_snapshot!(said("rocker.height"), @r"
    there is no channel `rocker.height`

      help: `rocker` has rocker.x, rocker.y, rocker.angle, rocker.vx, rocker.vy, rocker.omega, rocker.ax, rocker.ay, rocker.alpha
    ");
}
