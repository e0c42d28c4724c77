//! Damaged folders: what is found, and from where a run goes on.

use crate::sample::{MODEL, checkpoint, folder, header, summary};
use crate::store::{row, step};
use kingpin::dynamics::Happening;
use kingpin::system::State;
use kingpin_results::{Reader, Writer};
use std::fs;
use std::path::{Path, PathBuf};

/// A folder whose checkpoints lie after every fourth of so many frames, all of them kept as far as slots go.
fn with_checkpoints(name: &str, frames: usize) -> PathBuf {
    let dir = folder(name);
    let mut writer = Writer::create(&dir, &header(), MODEL, false).unwrap();
    for k in 0..frames {
        writer.frame(&row(k)).unwrap();
        writer.step(&step(k as f64)).unwrap();
        if k % 4 == 3 {
            writer.event(&Happening { t: k as f64, what: "fourth".into() }).unwrap();
            let state = State { t: k as f64, ..State::default() };
            writer.checkpoint(&checkpoint(&state), &[]).unwrap();
        }
    }
    drop(writer);
    dir
}

/// Frames that are left when the folder is gone on with, and what was found damaged.
fn left(dir: &Path) -> (u64, Vec<String>) {
    let resumed = Writer::resume(dir, &header(), MODEL).unwrap();
    let frames = resumed.checkpoint.map_or(0, |checkpoint| checkpoint.frames);
    assert_eq!(resumed.writer.frames(), frames);
    let root = env!("CARGO_TARGET_TMPDIR");
    (frames, resumed.damages.into_iter().map(|damage| damage.replace(root, "…")).collect())
}

#[test]
fn damage_is_found_and_named_and_the_run_goes_on_before_it() {
    let dir = with_checkpoints("store-damage", 30);
    Reader::open(&dir).unwrap().verify().unwrap();
    let rows = fs::read(dir.join("rows.f64")).unwrap();
    let steps = fs::read(dir.join("steps.f64")).unwrap();
    assert_eq!(rows.len(), 30 * 24);
    let mut told = String::new();
    // a bit, a block of zeros, a cut, and what no checksum knows yet
    type Damage<'a> = (&'a str, &'a dyn Fn(&mut Vec<u8>));
    let damages: [Damage; 6] = [
        ("rows.f64", &|rows| rows[17 * 24 + 5] ^= 4),
        ("steps.f64", &|steps| steps[17 * 64..20 * 64].fill(0)),
        // before all checkpoints that are still kept: of seven the last four are
        ("steps.f64", &|steps| steps[9 * 64..12 * 64].fill(0)),
        ("rows.f64", &|rows| rows.truncate(600)),
        ("rows.f64", &|rows| rows[29 * 24] ^= 1),
        ("checkpoint", &|bytes| bytes[40] ^= 1),
    ];
    for (name, damage) in damages {
        let dir = with_checkpoints("store-damaged", 30);
        assert_eq!(fs::read(dir.join("rows.f64")).unwrap(), rows);
        assert_eq!(fs::read(dir.join("steps.f64")).unwrap(), steps);
        let mut bytes = fs::read(dir.join(name)).unwrap();
        damage(&mut bytes);
        fs::write(dir.join(name), bytes).unwrap();
        let read = Reader::open(&dir).unwrap().verify();
        let read = read.map_or_else(|error| error.message, |()| "nothing to see".into());
        let (frames, damages) = left(&dir);
        told += &format!("{}\n", read.replace(env!("CARGO_TARGET_TMPDIR"), "…"));
        told += &format!("  goes on after {frames} frames: {damages:?}\n");
        // everything that is left is as it was
        assert_eq!(fs::read(dir.join("rows.f64")).unwrap(), rows[..frames as usize * 24]);
        Reader::open(&dir).unwrap().verify().unwrap();
    }
    for said in [
        "store-damaged/rows.f64` is damaged: the checksum of frames 17 to 20 is wrong\n  goes on after 16 frames",
        "store-damaged/steps.f64` is damaged: the checksum of steps 17 to 20 is wrong\n  goes on after 16 frames",
        "store-damaged/steps.f64` is damaged: the checksum of steps 9 to 12 is wrong\n  goes on after 0 frames",
        "store-damaged/rows.f64` is damaged: it ends after 600 bytes, and frames 25 to 28 are missing or incomplete\n  goes on after 24",
        "it is not a complete checkpoint of this version",
    ] {
        assert!(told.contains(said), "{said}: {told}");
    }
}

#[test]
fn a_run_without_a_checkpoint_begins_anew() {
    let dir = folder("store-short");
    let mut writer = Writer::create(&dir, &header(), MODEL, false).unwrap();
    writer.frame(&row(0)).unwrap();
    drop(writer);
    assert_eq!(left(&dir), (0, vec![]));
    assert_eq!(fs::read(dir.join("rows.f64")).unwrap(), [0_u8; 0]);
}

/// Copies a folder with all that is in it.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let (path, to) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            copy(&path, &to);
        } else {
            fs::copy(&path, &to).unwrap();
        }
    }
}

/// Damage long ago costs what came after it and some more, not the whole run; a finished run keeps its earlier
/// checkpoints, so that it can be mended too.
#[test]
fn damage_long_ago_does_not_cost_the_whole_run() {
    let first = with_checkpoints("store-long-ago", 1200);
    for finished in [false, true] {
        if finished {
            let writer = Writer::resume(&first, &header(), MODEL).unwrap().writer;
            writer.finish(&summary()).unwrap();
        }
        for damaged in [100, 600, 1000] {
            let dir = folder("store-long-ago-damaged");
            copy(&first, &dir);
            let mut rows = fs::read(dir.join("rows.f64")).unwrap();
            rows[damaged * 24] ^= 1;
            fs::write(dir.join("rows.f64"), rows).unwrap();
            let (frames, damages) = left(&dir);
            assert_eq!(damages.len(), 1);
            let (after, again) = (1200 - damaged, 1200 - frames as usize);
            assert!(frames as usize <= damaged && again < 3 * (after + 4), "{damaged}: {frames} left");
            // those that were kept before the place are still there, and the run goes on as before
            assert!(left(&dir) == (frames, vec![]));
        }
    }
}

/// However often a run is interrupted, what it kept of its past stays thinned in the same way.
#[test]
fn interruptions_do_not_crowd_out_old_checkpoints() {
    let dir = with_checkpoints("store-crowded", 400);
    for k in 400..480_usize {
        let mut writer = Writer::resume(&dir, &header(), MODEL).unwrap().writer;
        writer.frame(&row(k)).unwrap();
        writer.step(&step(k as f64)).unwrap();
        writer.checkpoint(&checkpoint(&State { t: k as f64, ..State::default() }), &[]).unwrap();
    }
    let mut rows = fs::read(dir.join("rows.f64")).unwrap();
    rows[300 * 24] ^= 1;
    fs::write(dir.join("rows.f64"), rows).unwrap();
    let (frames, _) = left(&dir);
    assert!((200..=300).contains(&frames), "{frames}");
}
