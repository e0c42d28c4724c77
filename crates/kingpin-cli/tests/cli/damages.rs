//! Damage to folders of results, to studies and to caches: bits flipped, files cut, emptied, removed. It is noticed, and
//! there is always a command that goes on.
//!
//! Two hundred damages are part of the tests; `KINGPIN_DAMAGES=2000` asks for more.

use crate::kills::operations::study_content;
use crate::kills::{Random, content};
use crate::run::{Ran, folder, root, run_in};
use kingpin_results::Reader;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn wanted() -> usize {
    std::env::var("KINGPIN_DAMAGES").ok().and_then(|count| count.parse().ok()).unwrap_or(200)
}

/// Copies a folder with all that is in it.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let (path, to) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() { copy(&path, &to) } else { fs::copy(&path, &to).map(|_| ()).unwrap() }
    }
}

/// All files of a folder and of the folders in it, in order.
fn files(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dir).unwrap().map(Result::unwrap) {
        let path = entry.path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found.sort();
    found
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Damage {
    Flipped(usize, u32),
    Cut(usize),
    Emptied,
    Removed,
}

impl Damage {
    /// One that changes a file; flipped bits and cuts more often than the others.
    fn any(random: &mut Random, length: usize) -> Damage {
        match random.below(8) {
            _ if length == 0 => Damage::Removed,
            0..4 => Damage::Flipped(random.below(length as u64) as usize, random.below(8) as u32),
            4 | 5 => Damage::Cut(random.below(length as u64) as usize),
            6 => Damage::Emptied,
            _ => Damage::Removed,
        }
    }

    fn inflict(self, path: &Path) {
        let mut bytes = fs::read(path).unwrap();
        match self {
            Damage::Flipped(at, bit) => bytes[at] ^= 1 << bit,
            Damage::Cut(length) => bytes.truncate(length),
            Damage::Emptied => bytes.clear(),
            Damage::Removed => return fs::remove_file(path).unwrap(),
        }
        fs::write(path, bytes).unwrap();
    }
}

/// A folder that a command has filled, and what it holds.
struct Filled {
    dir: PathBuf,
    words: Vec<String>,
    study: bool,
    code: i32,
    content: BTreeMap<String, Vec<u8>>,
}

impl Filled {
    fn new(dir: PathBuf, words: &[&str], out: &str, kill: Option<&str>) -> Filled {
        let words: Vec<String> = words.iter().map(|word| word.to_string()).chain([out.to_string()]).collect();
        let study = words[0] == "sweep";
        let mut filled = Filled { dir: dir.join("whole"), words, study, code: 0, content: BTreeMap::new() };
        let ran = filled.command(&filled.dir, &[], None);
        assert!(ran.code < 2, "{}", ran.err);
        (filled.code, filled.content) = (ran.code, filled.now(&filled.dir));
        if let Some(kill) = kill {
            filled.dir = dir.join("killed");
            assert_eq!(filled.command(&filled.dir, &[], Some(kill)).code, -1);
        }
        filled
    }

    fn command(&self, dir: &Path, more: &[&str], disk: Option<&str>) -> Ran {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kingpin"));
        command.args(&self.words).arg(dir).arg("--quiet").args(more).current_dir(root());
        command.env("KINGPIN_TEST_CHECKPOINT", "2").envs(disk.map(|disk| ("KINGPIN_TEST_DISK", disk)));
        let output = command.stdin(Stdio::null()).output().expect("the command runs");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
        Ran { code: output.status.code().unwrap_or(-1), out: text(output.stdout), err: text(output.stderr) }
    }

    /// What a folder holds; files that were put aside do not count.
    fn now(&self, dir: &Path) -> BTreeMap<String, Vec<u8>> {
        for path in files(dir).iter().filter(|path| path.to_string_lossy().contains(".old")) {
            fs::remove_file(path).unwrap();
        }
        if self.study { study_content(dir) } else { content(dir) }
    }

    /// What those say who read the folder; nothing if they notice nothing.
    fn said(&self, dir: &Path) -> Option<String> {
        if self.study {
            let definition = kingpin_study::Definition::open(dir);
            return definition.and_then(|own| kingpin_study::verify(dir, &own)).err().map(|e| e.to_string());
        }
        let read = Reader::open(dir).and_then(|reader| reader.verify().map(|()| reader));
        match read.and_then(|reader| reader.damaged_extras()) {
            Ok(extras) => (!extras.is_empty()).then(|| extras.join("\n")),
            Err(error) => Some(error.to_string()),
        }
    }
}

/// Files whose loss takes nothing away: they can be made again by those who want them, and a user may remove them.
fn may_go(name: &str) -> bool {
    name.starts_with("results.")
        || name == "report.html"
        || name.starts_with("checkpoints/")
        || name == "tables"
}

/// What a damage led to.
#[derive(Debug, Default)]
struct Tally {
    healed: usize,
    named: usize,
    read: usize,
}

fn strike(filled: &Filled, ended: bool, place: &Path, random: &mut Random, tally: &mut Tally) {
    copy(&filled.dir, place);
    let all = files(place);
    let path = &all[random.below(all.len() as u64) as usize];
    let name = path.strip_prefix(place).unwrap().to_string_lossy().into_owned();
    let damage = Damage::any(random, fs::metadata(path).unwrap().len() as usize);
    damage.inflict(path);
    let story = format!("{} {ended} {name} {damage:?}", filled.words[..2].join(" "));
    // who reads notices it; of one that was killed the end is not known
    let said = filled.said(place);
    let harmless = damage == Damage::Removed && may_go(&name);
    if ended && !harmless {
        // a torn last line of a manifest is what a kill leaves: what it told of is made again
        let torn = name == "sums" && filled.study;
        assert!(said.is_some() || torn, "unnoticed: {story}");
    }
    tally.read += usize::from(said.is_some());
    if let Some(said) = said {
        assert!(said.contains("--resume") || said.contains(place.to_str().unwrap()), "{story}: {said}");
    }
    // and there is a command that goes on
    let mut ran = filled.command(place, &["--resume"], None);
    let failed = ran.code == 2 && ran.err.contains("` failed: ");
    if ran.code == 2 && !failed {
        assert!(ran.err.contains("`--force`"), "a dead end: {story}: {}", ran.err);
        tally.named += 1;
        ran = filled.command(place, &["--force"], None);
    } else {
        tally.healed += 1;
    }
    assert!(failed || ran.code == 0 || ran.code == filled.code, "{story}: {} {}", ran.code, ran.err);
    let mut now = filled.now(place);
    if name == "checkpoint" && ran.err.contains("/checkpoint`") {
        now.entry(name.clone()).or_default();
    }
    let differs = filled.content.iter().find(|(name, bytes)| now.get(*name) != Some(bytes));
    assert!(differs.is_none(), "{} is another: {story}: {}", differs.unwrap().0, ran.err);
    assert_eq!(now.len(), filled.content.len(), "{story}: {:?}", now.keys());
    // the last checkpoint of a run that is over cannot be had again, and nothing needs it
    let gone = filled
        .said(place)
        .filter(|said| !(name == "checkpoint" && said.ends_with("/checkpoint` is missing")));
    assert_eq!(gone, None, "{story}: {}", ran.err);
    fs::remove_dir_all(place).unwrap();
}

#[test]
fn damage_is_healed_or_named() {
    let (dir, mut random) = (folder("damages"), Random(2_026));
    let run = ["run", "models/pendulum.toml", "--t-end", "0.5", "--frame", "5ms", "--format", "npy", "-o"];
    let failing = ["run", "crates/kingpin-cli/tests/fixtures/failures/root.toml", "--frame", "50ms", "-o"];
    let sweep =
        ["sweep", "models/pendulum.toml", "--vary", "l=1..2 m:6", "--metric", "max(bob_x)", "--t-end", "0.1"];
    let sweep = [&sweep[..], &["--channels", "bob_*", "--output"]].concat();
    let own = |name: &str| {
        let own = dir.join(name);
        fs::create_dir_all(&own).unwrap();
        own
    };
    let split = |words: &[&'static str]| (words[..words.len() - 1].to_vec(), words[words.len() - 1]);
    let fill = |name: &str, words: &[&'static str], kill: Option<&str>| {
        let (words, out) = split(words);
        Filled::new(own(name), &words, out, kill)
    };
    let folders = [
        (fill("run", &run, None), true),
        (fill("study", &sweep, None), true),
        (fill("killed", &run, Some("op:60")), false),
        (fill("failed", &failing, None), true),
        (fill("killed-study", &sweep, Some("op:40")), false),
    ];
    let mut tally = Tally::default();
    let count = wanted() * 9 / 10;
    for k in 0..count {
        // whole folders more often than torn ones
        let (filled, ended) = &folders[[0, 1, 2, 0, 1, 3, 0, 1, 4][k % 9]];
        strike(filled, *ended, &dir.join("struck"), &mut random, &mut tally);
    }
    println!("{count} damages of folders: {tally:?}");
}

/// Numbers never come from a damaged cache.
#[test]
fn damage_to_caches_is_healed_or_named() {
    let (dir, mut random) = (folder("damages-cache"), Random(99));
    let sound = root().join("crates/kingpin-cli/tests/fixtures/superelements/sound");
    fs::copy(sound.with_extension("inp"), dir.join("sound.inp")).unwrap();
    let text = fs::read_to_string(sound.with_extension("toml")).unwrap();
    let mesh = "mesh = \"sound.inp\"\n";
    fs::write(dir.join("m.toml"), text.replace(mesh, &format!("{mesh}cache = \"c.reduced\"\n"))).unwrap();
    let (path, first) = (dir.join("c.reduced"), run_in(&dir, &["check", "m.toml"]));
    let good = fs::read(&path).unwrap();
    let count = wanted() / 10;
    for _ in 0..count {
        let damage = Damage::any(&mut random, good.len());
        damage.inflict(&path);
        let ran = run_in(&dir, &["check", "m.toml"]);
        if ran.code == 1 {
            // what it was is not known any more: it is not written over, and the message says what to do
            assert!(ran.err.contains("a damaged cache can be removed"), "{damage:?}: {}", ran.err);
            fs::remove_file(&path).unwrap();
            assert_eq!(run_in(&dir, &["check", "m.toml"]).out, first.out, "{damage:?}");
        } else {
            assert_eq!((ran.code, &ran.out), (0, &first.out), "{damage:?}: {}", ran.err);
            let other_version = matches!(damage, Damage::Flipped(6 | 7, _));
            let noticed = ran.err.contains("was damaged") || damage == Damage::Removed || other_version;
            assert!(noticed, "{damage:?}: {}", ran.err);
        }
        assert!(fs::read(&path).unwrap() == good, "{damage:?}");
    }
    println!("{count} damages of a cache");
}
