//! The folder: round trips, crashes, refusals.

use crate::sample::{MODEL, checkpoint, folder, header, run, summary};
use kingpin::dynamics::{Happening, Method, Step};
use kingpin::integrate::StepReport;
use kingpin::system::State;
use kingpin_results::store::STEP_COLUMNS;
use kingpin_results::{ErrorKind, Reader, Writer};
use std::fs;

pub fn step(t: f64) -> Step {
    let report = StepReport { t_old: t - 0.25, t, error: 0.5, order: 8, rejected: 1, stiff: false };
    Step {
        report,
        method: Method::Dop853,
        newton_iterations: 3,
        position_residual: 1e-12,
        velocity_residual: 1e-11,
    }
}

pub fn row(k: usize) -> [f64; 3] {
    [0.1 * k as f64, (k * k) as f64, -(k as f64)]
}

fn write(name: &str, frames: usize) -> std::path::PathBuf {
    let dir = folder(name);
    let mut writer = Writer::create(&dir, &header(), MODEL, false).unwrap();
    for k in 0..frames {
        writer.frame(&row(k)).unwrap();
        writer.step(&step(0.25 * (k + 1) as f64)).unwrap();
    }
    writer.event(&Happening { t: 0.3, what: "tyre \"fl\" left\nthe road".into() }).unwrap();
    writer.finish(&summary()).unwrap();
    dir
}

fn all(reader: &Reader, most: usize) -> Vec<Vec<f64>> {
    let (mut rows, mut out) = (reader.thinned(most).unwrap(), Vec::new());
    let promised = rows.len();
    while let Some(row) = rows.next_row().unwrap() {
        out.push(row.to_vec());
    }
    assert_eq!(out.len() as u64, promised);
    out
}

#[test]
fn everything_comes_back() {
    let reader = Reader::open(&write("store-back", 11)).unwrap();
    assert_eq!(reader.header(), &header());
    assert_eq!((reader.frames(), reader.steps()), (11, 11));
    assert_eq!(reader.model_text().unwrap(), MODEL);
    assert_eq!(all(&reader, usize::MAX), (0..11).map(|k| row(k).to_vec()).collect::<Vec<_>>());
    assert_eq!(reader.column(0).unwrap(), (0..11).map(|k| row(k)[1]).collect::<Vec<_>>());
    assert_eq!(reader.summary(), Some(&summary()));
    let events = reader.events().unwrap();
    assert_eq!((events.len(), events[0].t, events[0].what.as_str()), (1, 0.3, "tyre \"fl\" left\nthe road"));
    let mut steps = reader.step_rows(usize::MAX).unwrap();
    let first = steps.next_row().unwrap().unwrap();
    assert_eq!(first, [0.25, 0.25, 0.5, 8.0, 1.0, 3.0, 1e-12, 1e-11]);
    assert_eq!(first.len(), STEP_COLUMNS.len());
}

#[test]
fn thinning_keeps_first_and_last() {
    let reader = Reader::open(&write("store-thin", 11)).unwrap();
    let times = |most| all(&reader, most).iter().map(|row| (row[0] * 10.0).round()).collect::<Vec<_>>();
    assert_eq!(times(4), [0.0, 4.0, 8.0, 10.0]);
    assert_eq!(times(2), [0.0, 10.0]);
    assert_eq!(times(11).len(), 11);
    assert_eq!(reader.table(&[1], 6).unwrap().stride, 2);
}

#[test]
fn torn_files_are_read_up_to_the_last_whole_row() {
    let dir = write("store-torn", 6);
    let bytes = fs::read(dir.join("rows.f64")).unwrap();
    let events = fs::read(dir.join("events.jsonl")).unwrap();
    fs::remove_file(dir.join("summary.json")).unwrap();
    for length in 0..=bytes.len() {
        fs::write(dir.join("rows.f64"), &bytes[..length]).unwrap();
        fs::write(dir.join("steps.f64"), &bytes[..length]).unwrap();
        let reader = Reader::open(&dir).unwrap();
        assert_eq!(reader.frames() as usize, length / 24);
        assert_eq!(reader.steps() as usize, length / 64);
        let expected: Vec<Vec<f64>> = (0..length / 24).map(|k| row(k).to_vec()).collect();
        assert_eq!(all(&reader, usize::MAX), expected, "{length} bytes");
        assert!(reader.summary().is_none());
    }
    for length in 0..events.len() {
        fs::write(dir.join("events.jsonl"), &events[..length]).unwrap();
        assert!(Reader::open(&dir).unwrap().events().unwrap().is_empty());
    }
}

#[test]
fn torn_headers_are_refused() {
    let dir = write("store-header", 2);
    let text = fs::read(dir.join("channels.json")).unwrap();
    for length in 0..text.len() - 2 {
        fs::write(dir.join("channels.json"), &text[..length]).unwrap();
        assert_eq!(Reader::open(&dir).unwrap_err().kind, ErrorKind::Damaged, "{length}");
    }
    let newer = String::from_utf8(text).unwrap().replace("\"version\": 1", "\"version\": 9");
    fs::write(dir.join("channels.json"), newer).unwrap();
    assert!(
        Reader::open(&dir)
            .unwrap_err()
            .message
            .ends_with("it has version 9, but this program reads versions 1 to 2")
    );
}

#[test]
fn a_killed_run_leaves_what_it_flushed() {
    let dir = folder("store-killed");
    let mut writer = Writer::create(&dir, &header(), MODEL, false).unwrap();
    writer.frame(&row(0)).unwrap();
    writer.frame(&row(1)).unwrap();
    // the first frame was written at once, the second waits and is lost
    std::mem::forget(writer);
    let reader = Reader::open(&dir).unwrap();
    assert_eq!(reader.frames(), 1);
    assert!(reader.summary().is_none());
}

#[test]
fn rows_wait_a_second_at_most() {
    let dir = folder("store-second");
    let mut writer = Writer::create(&dir, &header(), MODEL, false).unwrap();
    writer.frame(&row(0)).unwrap();
    writer.frame(&row(1)).unwrap();
    std::thread::sleep(std::time::Duration::from_millis(1050));
    // a step is enough to bring frames out
    writer.step(&step(0.25)).unwrap();
    let reader = Reader::open(&dir).unwrap();
    assert_eq!((reader.frames(), reader.steps()), (2, 1));
}

#[test]
fn resuming_cuts_what_came_after_the_checkpoint() {
    let dir = folder("store-resume");
    let state = State {
        t: 0.3,
        q: vec![1.0 / 3.0],
        v: vec![-0.0],
        turns: vec![7.1],
        pieces: vec![2],
        inputs: vec![],
    };
    let mut writer = Writer::create(&dir, &header(), MODEL, false).unwrap();
    for k in 0..3 {
        writer.frame(&row(k)).unwrap();
    }
    writer.step(&step(0.25)).unwrap();
    writer.event(&Happening { t: 0.1, what: "first".into() }).unwrap();
    let at = checkpoint(&state);
    writer.checkpoint(&at, &[2.5]).unwrap();
    writer.frame(&row(3)).unwrap();
    writer.event(&Happening { t: 0.4, what: "lost".into() }).unwrap();
    drop(writer);
    let rows = dir.join("rows.f64");
    let longer = fs::read(&rows).unwrap();
    fs::write(&rows, &longer[..longer.len() - 3]).unwrap();

    let resumed = Writer::resume(&dir, &header(), MODEL).unwrap();
    // what the crash tore was not sure to be there
    assert!(resumed.damages.is_empty(), "{:?}", resumed.damages);
    let (mut writer, checkpoint) = (resumed.writer, resumed.checkpoint.unwrap());
    assert_eq!(checkpoint.at, at);
    assert_eq!((checkpoint.frames, checkpoint.steps, checkpoint.carried), (3, 1, vec![2.5]));
    assert_eq!(writer.frames(), 3);
    writer.frame(&row(9)).unwrap();
    writer.event(&Happening { t: 0.5, what: "second".into() }).unwrap();
    writer.finish(&summary()).unwrap();
    let reader = Reader::open(&dir).unwrap();
    let times: Vec<f64> = all(&reader, usize::MAX).iter().map(|row| row[0]).collect();
    assert_eq!(times, [0, 1, 2, 9].map(|k| row(k)[0]));
    let events: Vec<String> = reader.events().unwrap().into_iter().map(|event| event.what).collect();
    assert_eq!(events, ["first", "second"]);
}

#[test]
fn two_writers_do_not_meet() {
    let dir = folder("store-two");
    let writer = Writer::create(&dir, &header(), MODEL, false).unwrap();
    for error in [
        Writer::create(&dir, &header(), MODEL, true).unwrap_err(),
        Writer::create(&dir, &header(), MODEL, false).unwrap_err(),
        Writer::resume(&dir, &header(), MODEL).unwrap_err(),
    ] {
        assert_eq!(error.kind, ErrorKind::Busy);
    }
    drop(writer);
    assert!(Writer::resume(&dir, &header(), MODEL).is_ok());
}

#[test]
fn models_of_the_user_are_never_replaced() {
    let dir = folder("store-model-kept");
    fs::create_dir_all(&dir).unwrap();
    fs::write(dir.join("model.toml"), "mine").unwrap();
    fs::write(dir.join("results.csv"), "mine").unwrap();
    for force in [false, true] {
        assert_eq!(Writer::create(&dir, &header(), MODEL, force).unwrap_err().kind, ErrorKind::Kept);
    }
    fs::remove_file(dir.join("model.toml")).unwrap();
    let error = Writer::create(&dir, &header(), MODEL, false).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Kept);
    assert!(error.message.contains("results.csv` exists already and was not written by a run"), "{error}");
    assert_eq!(fs::read_dir(&dir).unwrap().count(), 1);
    fs::remove_file(dir.join("results.csv")).unwrap();
    let own = kingpin_results::store::Header {
        hash: kingpin_results::store::fingerprint(MODEL.as_bytes()),
        ..header()
    };
    drop(Writer::create(&dir, &own, MODEL, true).unwrap());
    // the model of a run that the user has changed is the user's
    drop(Writer::create(&dir, &own, MODEL, true).unwrap());
    fs::write(dir.join("model.toml"), "changed").unwrap();
    let writer = Writer::create(&dir, &own, MODEL, true).unwrap();
    assert_eq!(writer.put_aside(), [dir.join("model.toml.old")]);
    assert_eq!(fs::read_to_string(dir.join("model.toml.old")).unwrap(), "changed");
}

#[test]
fn existing_results_are_kept_unless_forced() {
    let dir = write("store-exists", 4);
    fs::write(dir.join("notes.txt"), "mine").unwrap();
    let error = Writer::create(&dir, &header(), MODEL, false).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Exists);
    assert_eq!(Reader::open(&dir).unwrap().frames(), 4);
    drop(Writer::create(&dir, &header(), MODEL, true).unwrap());
    let reader = Reader::open(&dir).unwrap();
    assert_eq!((reader.frames(), reader.summary()), (0, None));
    assert_eq!(fs::read_to_string(dir.join("notes.txt")).unwrap(), "mine");
    assert!(reader.rows().unwrap().next_row().unwrap().is_none());
}

#[test]
fn refusals_say_where_and_what_to_do() {
    let file = folder("store-file");
    fs::write(&file, "not a folder").unwrap();
    let said = |text: String| text.replace(env!("CARGO_TARGET_TMPDIR"), "…");
    let error = Writer::create(&file, &header(), MODEL, true).unwrap_err();
    insta::assert_snapshot!(said(error.to_string()), @r"
    `…/store-file` is a file, not a folder

      help: choose another name for the results
    ");
    let error = Writer::create(&file.join("below"), &header(), MODEL, false).unwrap_err();
    assert_eq!(error.kind, ErrorKind::NotAFolder);
    insta::assert_snapshot!(said(error.to_string()), @r"
    cannot create the folder `…/store-file/below`: a file exists where a folder is needed

      help: choose another folder
    ");
    let error = Reader::open(&folder("store-none")).unwrap_err();
    insta::assert_snapshot!(said(error.to_string()), @r"
    there are no results in `…/store-none`: `channels.json` is missing

      help: give a folder that a simulation has written
    ");
    let error = Writer::create(&write("store-taken", 1), &header(), MODEL, false).unwrap_err();
    insta::assert_snapshot!(said(error.to_string()), @r"
    `…/store-taken` already contains results

      help: choose another folder, or permit overwriting
    ");
    let error = Reader::open(&write("store-names", 1)).unwrap().find("a.y").unwrap_err();
    insta::assert_snapshot!(said(error.to_string()), @r"
    there is no channel `a.y`

      help: `a` has a.x
    ");
}

#[cfg(unix)]
#[test]
fn a_folder_that_may_not_be_written_to() {
    use std::os::unix::fs::PermissionsExt;
    let dir = folder("store-denied");
    fs::create_dir_all(&dir).unwrap();
    fs::set_permissions(&dir, fs::Permissions::from_mode(0o555)).unwrap();
    // a superuser may write everywhere
    let free = fs::write(dir.join("probe"), "").is_ok();
    let result = Writer::create(&dir, &header(), MODEL, false).map(|_| ());
    let below = Writer::create(&dir.join("below"), &header(), MODEL, false).map(|_| ());
    fs::set_permissions(&dir, fs::Permissions::from_mode(0o755)).unwrap();
    for result in [result, below] {
        let kind = result.as_ref().map_err(|error| error.kind);
        assert_eq!(kind, if free { Ok(&()) } else { Err(ErrorKind::Denied) });
    }
}

#[test]
fn results_know_their_model() {
    let sample = run("hmmwv14", "store-model", 0.01, 0.01);
    let text = sample.reader.model_text().unwrap();
    let back = kingpin_io::read_text("model.toml", &text, ".", &kingpin_io::Overrides::none());
    assert_eq!(back.model.as_ref(), Some(&sample.model), "{}", back.render(false));
    fs::remove_file(sample.reader.dir().join("model.toml")).unwrap();
    let error = sample.reader.model_text().unwrap_err();
    assert_eq!(error.kind, ErrorKind::NoResults);
    assert!(error.message.contains("`model.toml` is missing"), "{error}");
}

#[test]
fn a_run_is_recorded() {
    let sample = run("four_bar", "store-run", 0.2, 0.01);
    let reader = &sample.reader;
    assert_eq!((reader.frames(), &reader.header().model), (21, &sample.model.name));
    assert_eq!(reader.steps() as usize, sample.run.statistics.steps);
    let times = reader.table(&[], usize::MAX).unwrap().t;
    assert!((times[20] - 0.2).abs() < 1e-15 && times[0] == 0.0);
    let x = reader.column(reader.find("coupler.x").unwrap()).unwrap();
    let y = reader.column(reader.find("coupler.y").unwrap()).unwrap();
    // the coupler sits at the end of the crank
    assert!(x.iter().zip(&y).all(|(x, y)| (x.hypot(*y) - 0.1).abs() < 1e-6));
    // the run can go on to a later end from before its last step
    assert!(reader.checkpoint().unwrap().unwrap().at.run.state.t < 0.2);
}

#[test]
fn a_recorder_stops_the_run_when_it_cannot_write() {
    use kingpin::dynamics::Observer;
    use kingpin::results::Channels;
    use kingpin_results::Recorder;
    let sample = run("pendulum", "store-stop", 0.1, 0.01);
    let channels = Channels::new(&sample.system);
    // a header that does not fit makes every frame fail
    let writer = Writer::create(&folder("store-stopped"), &header(), MODEL, false).unwrap();
    let mut recorder = Recorder::new(&channels, writer);
    let settings =
        kingpin::dynamics::Settings { frame: Some(0.01), ..kingpin::dynamics::Settings::new(1e-6, 0.1) };
    let observer: &mut dyn Observer = &mut recorder;
    let run = kingpin::dynamics::simulate(
        &sample.system,
        &sample.run.state,
        &sample.redundant,
        &settings,
        observer,
    );
    assert_eq!(run.end, kingpin::dynamics::End::Stopped);
    assert!(recorder.failed());
    assert_eq!(recorder.finish().unwrap_err().kind, ErrorKind::Unfit);
}
