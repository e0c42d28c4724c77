//! A process that is killed while it writes.

use crate::sample::{MODEL, checkpoint, folder, header};
use kingpin::system::State;
use kingpin_results::{Reader, Writer};
use std::process::{Command, Stdio};
use std::time::Duration;

const PLACE: &str = "KINGPIN_KILLED_DIR";

/// Writes without end; started by the test below in a process of its own.
#[test]
#[ignore = "only a part of another test"]
fn writes_until_killed() {
    let Some(dir) = std::env::var_os(PLACE) else { return };
    let mut writer = Writer::create(dir.as_ref(), &header(), MODEL, false).unwrap();
    for k in 0_u64.. {
        writer.frame(&[k as f64, 2.0 * k as f64, -(k as f64)]).unwrap();
        if k.is_multiple_of(5_000) {
            let state = State { t: k as f64, q: vec![k as f64; 50], ..State::default() };
            writer.checkpoint(&checkpoint(&state), &[]).unwrap();
            writer.save_checkpoint().unwrap();
        }
    }
}

#[test]
fn what_a_killed_process_wrote_can_be_read_and_resumed() {
    for attempt in 0..3 {
        let dir = folder(&format!("killed-{attempt}"));
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "killed::writes_until_killed", "--ignored"])
            .env(PLACE, &dir)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // until there is something to lose
        while !Reader::open(&dir).is_ok_and(|reader| reader.frames() > 20_000) {
            assert!(child.try_wait().unwrap().is_none(), "the writer ended by itself");
            std::thread::sleep(Duration::from_millis(3 + attempt));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let reader = Reader::open(&dir).unwrap();
        let mut rows = reader.rows().unwrap();
        let mut k = 0.0;
        while let Some(row) = rows.next_row().unwrap() {
            assert_eq!(row, [k, 2.0 * k, -k]);
            k += 1.0;
        }
        assert!(reader.summary().is_none());
        let (writer, _, checkpoint) = Writer::resume(&dir).unwrap();
        assert_eq!(checkpoint.frames as f64, checkpoint.at.run.state.t + 1.0);
        assert!(checkpoint.at.run.state.q.iter().all(|q| *q == checkpoint.at.run.state.t));
        assert_eq!(writer.frames(), checkpoint.frames);
        assert_eq!(Reader::open(&dir).unwrap().frames(), checkpoint.frames);
        drop(writer);
        std::fs::remove_dir_all(&dir).unwrap();
    }
}
