//! Files, folders and links of the user under the names that commands need: nothing of the user's changes, whichever
//! command writes, and however the folder is named.
//!
//! Thirty trials of each kind are part of the tests; `KINGPIN_UNLUCKY=300` asks for more.

use crate::kills::Random;
use crate::kinematics::driven_four_bar;
use crate::run::{folder, root};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn wanted() -> usize {
    std::env::var("KINGPIN_UNLUCKY").ok().and_then(|count| count.parse().ok()).unwrap_or(60)
}

/// Names that commands use, used, or could use.
const NAMES: [&str; 34] = [
    "lock",
    "sums",
    "tables",
    "checkpoint",
    "checkpoint.new",
    "checkpoints",
    "checkpoints/0",
    "checkpoints/7",
    "channels.json",
    "channels.json.new",
    "model.toml",
    "model.toml.new",
    "rows.f64",
    "steps.f64",
    "events.jsonl",
    "summary.json",
    "summary.json.new",
    "results.csv",
    "results.csv.part",
    "results.npy",
    "results.npy.json",
    "results.npy.part",
    "report.html",
    "report.html.new",
    "actuators.csv",
    "actuators.csv.part",
    "study.json",
    "study.json.new",
    "table.csv",
    "curves",
    "curves/000000.csv",
    "model.toml.old",
    "results.csv.old",
    ".kingpin-0123456789abcdef.part",
];

/// What stands at every path of a tree: what it is, its mode, and its bytes or where it leads.
fn tree(dir: &Path) -> BTreeMap<PathBuf, (String, Vec<u8>)> {
    let mut found = BTreeMap::new();
    let mut waiting = vec![dir.to_path_buf()];
    while let Some(dir) = waiting.pop() {
        for entry in fs::read_dir(&dir).into_iter().flatten().map(Result::unwrap) {
            let (path, data) = (entry.path(), fs::symlink_metadata(entry.path()).unwrap());
            let mode = format!("{:?} {:?}", data.file_type(), data.permissions());
            if data.is_symlink() {
                let to = fs::read_link(&path).unwrap();
                found.insert(path, (mode, to.into_os_string().into_encoded_bytes()));
            } else if data.is_dir() {
                found.insert(path.clone(), (mode, Vec::new()));
                waiting.push(path);
            } else {
                let bytes = fs::read(&path).unwrap();
                found.insert(path, (mode, bytes));
            }
        }
    }
    found
}

/// Everything that was there is there as it was; in a folder of results perhaps under a further name.
fn kept(before: &BTreeMap<PathBuf, (String, Vec<u8>)>, dir: &Path, aside: bool, story: &str) {
    let now = tree(dir);
    for (path, what) in before {
        // itself or a folder above it may have another name
        let moved = path.ancestors().any(|above| {
            let mut old = above.as_os_str().to_os_string();
            old.push(".old");
            let rest = path.strip_prefix(above).expect("above");
            let old = PathBuf::from(old);
            let old = if rest.as_os_str().is_empty() { old } else { old.join(rest) };
            aside && now.get(&old) == Some(what)
        });
        assert!(moved || now.get(path) == Some(what), "{} has changed: {story}", path.display());
    }
}

/// Puts something of the user's somewhere.
fn put(place: &Path, outside: &Path, kind: u64) {
    if let Some(above) = place.parent() {
        fs::create_dir_all(above).unwrap();
    }
    match kind {
        0 => fs::write(place, "what I wrote\n").unwrap(),
        1 => fs::write(place, "").unwrap(),
        2 => {
            fs::create_dir(place).unwrap();
            fs::write(place.join("mine"), "mine").unwrap();
        }
        #[cfg(unix)]
        3 => std::os::unix::fs::symlink(outside.join("file"), place).unwrap(),
        #[cfg(unix)]
        4 => std::os::unix::fs::symlink(outside.join("folder"), place).unwrap(),
        #[cfg(unix)]
        5 => std::os::unix::fs::symlink(outside.join("nothing"), place).unwrap(),
        _ => fs::write(place, "{\"pid\":1}\nchannels").unwrap(),
    }
}

/// A place with a folder of the user's, something outside of it, and models.
struct Ground {
    base: PathBuf,
    model: String,
}

impl Ground {
    fn new(base: &Path) -> Ground {
        let _ = fs::remove_dir_all(base);
        fs::create_dir_all(base.join("outside/folder")).unwrap();
        fs::write(base.join("outside/file"), "outside").unwrap();
        fs::write(base.join("outside/folder/0"), "outside").unwrap();
        fs::write(base.join("crank.toml"), driven_four_bar()).unwrap();
        let model = root().join("models/pendulum.toml").display().to_string();
        Ground { base: base.into(), model }
    }

    fn outside(&self) -> PathBuf {
        self.base.join("outside")
    }

    /// Runs the command in the place, with a full disk if that is wanted; its exit code and messages.
    fn run(&self, words: &[String], dir: Option<&Path>, disk: Option<String>) -> (Option<i32>, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kingpin"));
        command.args(words).args(dir).current_dir(&self.base).stdin(Stdio::null());
        command.env("KINGPIN_TEST_CHECKPOINT", "2").envs(disk.map(|disk| ("KINGPIN_TEST_DISK", disk)));
        let output = command.output().expect("the command runs");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    }
}

/// Commands that fill a folder; the folder comes behind.
fn filling(ground: &Ground, k: usize) -> Vec<String> {
    let crank = ground.base.join("crank.toml").display().to_string();
    let m = ground.model.as_str();
    let words: Vec<&str> = match k % 6 {
        0 => vec!["run", m, "--t-end", "0.1", "--quiet", "-o"],
        1 => vec!["run", m, "--t-end", "0.1", "--quiet", "--force", "--format", "npy", "-o"],
        2 => vec!["run", m, "--t-end", "0.1", "--quiet", "--resume", "-o"],
        3 => vec!["kinematics", crank.as_str(), "--t-end", "0.1", "-o"],
        4 => vec![
            "sweep",
            m,
            "--vary",
            "l=1..2 m:3",
            "--metric",
            "max(bob_x)",
            "--t-end",
            "0.05",
            "--quiet",
            "--channels",
            "bob_*",
            "--output",
        ],
        _ => vec![
            "sweep",
            m,
            "--vary",
            "l=1..2 m:3",
            "--metric",
            "max(bob_x)",
            "--t-end",
            "0.05",
            "--quiet",
            "--force",
            "--output",
        ],
    };
    words.into_iter().map(String::from).collect()
}

/// How a folder can be named: by itself, absolute, through a link, with bytes that are not text.
fn named(ground: &Ground, k: u64) -> (PathBuf, PathBuf) {
    let (real, name): (PathBuf, PathBuf) = match k % 4 {
        0 => (ground.base.join("there"), "there".into()),
        1 => (ground.base.join("there"), ground.base.join("./there/")),
        #[cfg(unix)]
        2 => {
            std::os::unix::fs::symlink("there", ground.base.join("link")).unwrap();
            (ground.base.join("there"), "link".into())
        }
        #[cfg(target_os = "linux")]
        3 => {
            use std::os::unix::ffi::OsStringExt;
            let odd = std::ffi::OsString::from_vec(b"od\xff d\xe9".to_vec());
            (ground.base.join(&odd), odd.into())
        }
        _ => (ground.base.join("there"), "there".into()),
    };
    fs::create_dir_all(&real).unwrap();
    (real, name)
}

/// Before a command has ever written there.
#[test]
fn files_of_the_user_stay_where_a_folder_is_filled() {
    let (base, mut random) = (folder("unlucky").join("g"), Random(30));
    let (mut refused, count) = (0, wanted() / 2);
    for k in 0..count {
        let ground = Ground::new(&base);
        let (real, name) = named(&ground, random.below(4));
        let mut story = String::new();
        for _ in 0..1 + random.below(2) {
            let unlucky = NAMES[(k + random.below(3) as usize * 11) % NAMES.len()];
            let kind = random.below(7);
            if fs::symlink_metadata(real.join(unlucky)).is_err()
                && !real.join(unlucky).parent().unwrap().is_file()
            {
                put(&real.join(unlucky), &ground.outside(), kind);
                story += &format!("{unlucky} {kind} ");
            }
        }
        let before = tree(&ground.base);
        let words = filling(&ground, k);
        let disk = (k % 5 == 4).then(|| format!("full:{}", random.below(4000)));
        story += &format!("{} {} {disk:?}", words.join(" "), name.display());
        let (code, err) = ground.run(&words, Some(&name), disk);
        assert!(code == Some(0) || code == Some(2), "{story}: {code:?} {err}");
        assert!(code == Some(0) || err.contains("help: "), "{story}: {err}");
        refused += usize::from(code == Some(2));
        kept(&before, &ground.base, false, &story);
    }
    println!("{count} trials in folders of the user's: {refused} refused");
    assert!(refused > count / 3 && refused < count, "{refused} of {count}");
}

/// Among results of ours.
#[test]
fn files_of_the_user_stay_among_results() {
    let (base, mut random) = (folder("unlucky-ours").join("g"), Random(31));
    let count = wanted() / 4;
    for k in 0..count {
        let ground = Ground::new(&base);
        let (real, name) = named(&ground, random.below(4));
        let first = if k % 6 > 3 { 4 } else { 0 };
        let fill = filling(&ground, first);
        // half of them were killed
        let disk = (k % 2 == 0).then(|| format!("op:{}", 30 + random.below(60)));
        ground.run(&fill, Some(&name), disk);
        let unlucky = NAMES[(k * 7 + 3) % NAMES.len()];
        let place = real.join(unlucky);
        if let Ok(data) = fs::symlink_metadata(&place) {
            if data.is_dir() { fs::remove_dir_all(&place).unwrap() } else { fs::remove_file(&place).unwrap() }
        }
        if place.parent().unwrap().is_file() {
            continue;
        }
        let kind = random.below(7);
        put(&place, &ground.outside(), kind);
        let mut before = tree(&ground.outside());
        let mine = tree(&real).into_iter().filter(|(path, _)| path.starts_with(&place));
        before.extend(mine);
        let words = filling(&ground, if first == 4 { 4 + k % 2 } else { k % 3 });
        let story = format!("{unlucky} {kind}: {} {}", words.join(" "), name.display());
        let (code, err) = ground.run(&words, Some(&name), None);
        assert!(code == Some(0) || code == Some(2), "{story}: {code:?} {err}");
        kept(&before, &ground.base, true, &story);
    }
    println!("{count} trials among results");
}

/// By commands that write a file, or some.
#[test]
fn files_of_the_user_stay_where_a_file_is_written() {
    let (base, mut random) = (folder("unlucky-files").join("g"), Random(32));
    let count = wanted() / 4;
    let mut refused = 0;
    for k in 0..count {
        let ground = Ground::new(&base);
        let done = ground.run(&filling(&ground, 0), Some(Path::new("r")), None);
        assert_eq!(done.0, Some(0), "{}", done.1);
        let m = ground.model.clone();
        let cases: [(&[&str], &[&str]); 9] = [
            (&["export", "r", "-o", "x.csv"], &["x.csv", "x.csv.part", "x.csv.old"]),
            (&["export", "r", "-o", "x.npy"], &["x.npy", "x.npy.json", "x.npy.part"]),
            (&["export", "r", "--vtk", "v.pvd"], &["v", "v.pvd", "v/v_000000.vtp", "v.pvd.part"]),
            (&["export", "r", "--gltf", "m.glb"], &["m.glb", "m.glb.part"]),
            (&["plot", "r", "rod.x", "-o", "p.svg"], &["p.svg", "p.svg.part"]),
            (&["modes", &m, "--report", "p.html"], &["p.html", "p.html.part", "p.html.new"]),
            (&["topology", &m, "--svg", "t.svg"], &["t.svg", "t.svg.part"]),
            (&["new", "arm"], &["arm.toml", "arm.toml.part", "arm.toml.old"]),
            (&["new", "car", "--from", "hmmwv14_stiff"], &["car.toml", "common", "common/hmmwv14.toml"]),
        ];
        let (words, names) = &cases[k % cases.len()];
        let unlucky = names[random.below(names.len() as u64) as usize];
        let kind = random.below(7);
        put(&base.join(unlucky), &ground.outside(), kind);
        let before = tree(&ground.base);
        let disk = (k % 4 == 3).then(|| format!("full:{}", random.below(2000)));
        let words: Vec<String> = words.iter().map(|word| word.to_string()).collect();
        let story = format!("{unlucky} {kind}: {} {disk:?}", words.join(" "));
        let (code, err) = ground.run(&words, None, disk);
        assert!(code == Some(0) || code == Some(2), "{story}: {code:?} {err}");
        refused += usize::from(code == Some(2));
        kept(&before, &ground.base, false, &story);
    }
    println!("{count} trials of single files: {refused} refused");
}

/// A disk that is really full: a small one of its own, where the system lets tests have one.
#[cfg(target_os = "linux")]
#[test]
fn files_of_the_user_stay_on_a_full_disk() {
    let base = folder("unlucky-full");
    let mount = |words: &[&str]| Command::new(words[0]).args(&words[1..]).arg(&base).status();
    let mounted = mount(&["mount", "-t", "tmpfs", "-o", "size=96k", "none"]);
    if !mounted.is_ok_and(|status| status.success()) {
        println!("skipped: no disk of its own can be mounted here");
        return;
    }
    let tried = std::panic::catch_unwind(|| {
        let ground = Ground::new(&base.join("g"));
        for k in 0..6 {
            fs::create_dir_all(ground.base.join("there")).unwrap();
            fs::write(ground.base.join("there/notes.txt"), vec![b'n'; 20_000]).unwrap();
            fs::write(ground.base.join("filler"), vec![b'f'; 10_000 + 8_000 * k]).unwrap();
            let before = tree(&ground.base);
            for words in [filling(&ground, 0), filling(&ground, 3), filling(&ground, 2)] {
                let (code, err) = ground.run(&words, Some(Path::new("there")), None);
                assert_eq!(code, Some(2), "{}: {err}", words.join(" "));
                kept(&before, &ground.base, false, &words.join(" "));
            }
            fs::remove_dir_all(ground.base.join("there")).unwrap();
        }
    });
    let gone = mount(&["umount"]);
    assert!(tried.is_ok() && gone.is_ok_and(|status| status.success()));
}

/// One who may not write there.
#[cfg(target_os = "linux")]
#[test]
fn files_of_the_user_stay_where_nobody_may_write() {
    use std::os::unix::fs::PermissionsExt;
    let ground = Ground::new(&folder("unlucky-denied").join("g"));
    let nobody = |words: &[String], dir: &Path| {
        let mut command = Command::new("setpriv");
        command.args(["--reuid", "65534", "--regid", "65534", "--clear-groups"]);
        command.arg(env!("CARGO_BIN_EXE_kingpin")).args(words).arg(dir).current_dir(&ground.base);
        command.stdin(Stdio::null()).output()
    };
    let can = nobody(&["list".into()], Path::new("methods"));
    if !can.is_ok_and(|output| output.status.success()) {
        println!("skipped: another user cannot be had here");
        return;
    }
    let there = ground.base.join("there");
    for (mode, name) in
        [(0o755, "notes.txt"), (0o755, "results.csv"), (0o777, "results.csv"), (0o777, "lock")]
    {
        let _ = fs::remove_dir_all(&there);
        fs::create_dir(&there).unwrap();
        fs::write(there.join(name), "what I wrote\n").unwrap();
        fs::set_permissions(there.join(name), fs::Permissions::from_mode(0o644)).unwrap();
        fs::set_permissions(&there, fs::Permissions::from_mode(mode)).unwrap();
        let before = tree(&ground.base);
        for k in 0..6 {
            let words = filling(&ground, k);
            let output = nobody(&words, Path::new("there")).unwrap();
            let err = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{mode:o} {name} {}: {err}", words.join(" "));
            kept(&before, &ground.base, false, &words.join(" "));
        }
    }
}
