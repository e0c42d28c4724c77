//! Superelements at the command: what it tells of them, and what is wrong with them.

use crate::run::{folder, json, root, run, run_in, steady};
use std::fs;
use std::path::{Path, PathBuf};

#[test]
fn an_arm_of_two_links() {
    let ran = run(&["check", "models/robot_arm_flexible.toml"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    insta::assert_snapshot!(steady(&ran.out));
    let report = json(&["check", "--json", "models/robot_arm_flexible.toml"], "");
    let own = &report["superelements"][1];
    assert_eq!((own["name"].as_str(), own["nodes"].as_u64()), (Some("fore"), Some(189)));
    assert_eq!(own["interfaces"], serde_json::json!(["base", "tip"]));
    assert_eq!(own["bending_shortens"], serde_json::json!(true));
}

/// Whatever is wrong, the message points at the line in the model.
#[test]
fn bad_meshes_are_told_at_the_command() {
    let model = |line: &str| format!("crates/kingpin-cli/tests/fixtures/superelements/{line}.toml");
    let mut all = String::new();
    for name in ["unknown_set", "inverted", "loose", "too_few_modes"] {
        let ran = run(&["check", &model(name)]);
        assert_ne!(ran.code, 0, "{name}");
        all += &format!("{}\n", steady(&ran.err));
    }
    insta::assert_snapshot!(all);
}

/// A model with a mesh and a cache of this name, in a folder of its own.
fn with_cache(name: &str, cache: &str) -> PathBuf {
    let dir = folder(name);
    let sound = root().join("crates/kingpin-cli/tests/fixtures/superelements/sound");
    fs::copy(sound.with_extension("inp"), dir.join("sound.inp")).unwrap();
    let text = fs::read_to_string(sound.with_extension("toml")).unwrap();
    let mesh = "mesh = \"sound.inp\"\n";
    assert!(text.contains(mesh));
    fs::write(dir.join("m.toml"), text.replace(mesh, &format!("{mesh}cache = {cache:?}\n"))).unwrap();
    dir
}

fn check(dir: &Path) -> crate::run::Ran {
    run_in(dir, &["check", "m.toml"])
}

/// No command writes over what is no cache, or outside of the folder of the model.
#[test]
fn a_cache_never_takes_the_place_of_another_file() {
    let mut told = String::new();
    for (k, cache) in [
        "sound.inp",
        "m.toml",
        "mine.txt",
        "empty",
        "sub",
        "link",
        "loop",
        "../out.bin",
        "out/x",
        "/nowhere/x",
        "",
    ]
    .into_iter()
    .enumerate()
    {
        let dir = with_cache(&format!("cache-{k}"), cache);
        let outside = folder(&format!("cache-outside-{k}"));
        fs::write(dir.join("mine.txt"), "what I wrote about KPFLEX03").unwrap();
        fs::write(dir.join("empty"), "").unwrap();
        fs::create_dir(dir.join("sub")).unwrap();
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(outside.join("new"), dir.join("link")).unwrap();
            std::os::unix::fs::symlink("loop", dir.join("loop")).unwrap();
            std::os::unix::fs::symlink(&outside, dir.join("out")).unwrap();
        }
        let files = || -> Vec<(PathBuf, Vec<u8>)> {
            let entries = fs::read_dir(&dir).unwrap().map(|entry| entry.unwrap().path());
            let mut all: Vec<_> =
                entries.map(|path| (path.clone(), fs::read(path).unwrap_or_default())).collect();
            all.sort();
            all
        };
        let before = files();
        let ran = check(&dir);
        assert_eq!(ran.code, 1, "{cache}: {}", ran.err);
        assert!(files() == before && fs::read_dir(&outside).unwrap().next().is_none(), "{cache}");
        assert!(!dir.join("../out.bin").exists());
        told += &ran.err;
    }
    insta::assert_snapshot!(told);
}

/// Whatever happens to a cache, the numbers are those of the mesh.
#[test]
fn a_damaged_cache_is_noticed_and_made_again() {
    let dir = with_cache("cache-damaged", "link.reduced");
    let (path, first) = (dir.join("link.reduced"), check(&dir));
    assert_eq!(first.code, 0, "{}", first.err);
    let good = fs::read(&path).unwrap();
    assert_eq!((check(&dir).out, fs::read(&path).unwrap() == good), (first.out.clone(), true));
    for k in 0..60 {
        let mut bytes = good.clone();
        match k % 3 {
            0 | 1 => bytes[8 + (k * 7919) % (good.len() - 8)] ^= 1 << (k % 8),
            _ => bytes.truncate(8 + (k * 7919) % (good.len() - 8)),
        }
        fs::write(&path, &bytes).unwrap();
        let ran = check(&dir);
        assert_eq!((ran.code, &ran.out), (0, &first.out), "{k}: {}", ran.err);
        assert!(ran.err.contains("the cache `link.reduced` was damaged"), "{k}: {}", ran.err);
        assert!(ran.err.contains("--> m.toml:"), "{k}: {}", ran.err);
        assert!(fs::read(&path).unwrap() == good, "{k}");
    }
    // one of an earlier version is replaced without a word
    fs::write(&path, b"KPFLEX02 and the rest").unwrap();
    let ran = check(&dir);
    assert_eq!((ran.code, &ran.err), (0, &first.err));
    assert!(fs::read(&path).unwrap() == good);
}
