//! Folders of studies: whatever was torn, the same bytes come out.

use crate::throw::{BALL, study_of};
use kingpin_study::{CURVES, Definition, Digest, Study, StudyFolder, TABLE, rows};
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    path
}

fn fill(study: &Study, folder: &mut StudyFolder, threads: usize, most: usize) {
    let mut left = most;
    study.run(threads, folder.next(), &mut |row| {
        folder.add(&row).expect("written");
        left -= 1;
        if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
}

#[test]
fn a_torn_table_goes_on_to_the_same_bytes() {
    let of = ["at(ball.x, landing)", "max(ball.y)"];
    let study = study_of(BALL, &["v0=1..5 m/s:12", "heavy=[1, -1] kg"], &of, None).expect("a study");
    let definition = Definition::new(&study, "ball.toml", &[]);
    let dir = folder("study-whole");
    let mut whole = StudyFolder::create(&dir, &definition, false).expect("a folder");
    fill(&study, &mut whole, 1, usize::MAX);
    drop(whole);
    let bytes = fs::read(dir.join(TABLE)).expect("a table");
    assert_eq!(String::from_utf8_lossy(&bytes).lines().count(), 25);

    let torn = folder("study-torn");
    let mut part = StudyFolder::create(&torn, &definition, false).expect("a folder");
    assert!(StudyFolder::create(&torn, &definition, false).is_err(), "it is there already");
    fill(&study, &mut part, 2, 10);
    drop(part);
    let path = torn.join(TABLE);
    let ten = fs::read(&path).expect("a table");
    assert!(bytes.starts_with(&ten), "ten rows are the first ten");
    for cut in [0, 5, ten.len() / 2, ten.len() - 1, ten.len()] {
        fs::write(&path, &ten[..cut]).expect("torn");
        let mut digest = Digest::default();
        let mut rest = StudyFolder::resume(&torn, &definition, &mut |row| digest.add(&row)).expect("resumed");
        assert_eq!(digest.rows(), rest.next());
        fill(&study, &mut rest, 2, usize::MAX);
        drop(rest);
        assert_eq!(fs::read(&path).expect("a table"), bytes, "cut at {cut}");
    }
    let mut count = 0;
    rows(&torn, &Definition::open(&torn).expect("a study"), &mut |row| {
        count += 1;
        row.point + 1 == count
    })
    .expect("read");
    assert_eq!(count, 24);
    let other = study_of(BALL, &["v0=1..5 m/s:12", "heavy=[1, 2] kg"], &of, None).expect("a study");
    let error = StudyFolder::resume(&torn, &Definition::new(&other, "ball.toml", &[]), &mut |_| ()).err();
    assert!(error.expect("another study").message.contains("the varied values differ"));
    let faster =
        study_of(&BALL.replace("'3 m/s'", "'4 m/s'"), &["v0=1..5 m/s:12", "heavy=[1, -1] kg"], &of, None);
    let other = Definition::new(&faster.expect("a study"), "ball.toml", &[]);
    assert!(StudyFolder::resume(&torn, &other, &mut |_| ()).is_err(), "another model");
    assert!(!torn.join(CURVES).exists());
}
