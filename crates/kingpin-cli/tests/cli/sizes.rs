//! Models that ask for too much: they are refused by their text, in little memory.

use crate::run::{folder, root};
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Most memory of a refused model, KiB: that of the address space, which is more than what is used of it.
const MEMORY: u32 = 200 << 10;
/// Time of the processor, s: far more than is needed, as machines differ.
const TIME: u32 = 60;

/// Exit code and messages of the command within these limits.
fn bounded(dir: &Path, args: &[&str]) -> (Option<i32>, String) {
    let script = format!("ulimit -v {MEMORY}; ulimit -t {TIME}; exec \"$0\" \"$@\"");
    let mut command = Command::new("sh");
    command.arg("-c").arg(script).arg(env!("CARGO_BIN_EXE_kingpin")).args(args).current_dir(dir);
    // each thread reserves address space of its own otherwise, and more memory would be known than a model shall need
    command.env("MALLOC_ARENA_MAX", "1").env("KINGPIN_MEMORY", "1000000000000").env("NO_COLOR", "1");
    let output = command.output().expect("the command ends");
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// A pattern of bodies.
fn pattern(to: &str, more: &str) -> String {
    format!(
        "space = 'planar'\n[[pattern]]\nto = {to}\n{more}[[pattern.body]]\nname = 'b{{i}}'\nmass = 1\ninertia = 1\n"
    )
}

/// Patterns in each other, so many of so many values.
fn nested(depth: usize, to: &str) -> String {
    let mut text = "space = 'planar'\n".to_string();
    for k in 0..depth {
        let place = vec!["pattern"; k + 1].join(".");
        write!(text, "[[{place}]]\nindex = 'i{k}'\nto = {to}\n").expect("a string");
    }
    text + &format!("[[{}.body]]\nname = 'b'\nmass = 1\ninertia = 1\n", vec!["pattern"; depth].join("."))
}

fn parameter(value: &str) -> String {
    format!("[parameters]\na = {value}\n[[body]]\nname = 'b'\nmass = 'a'\ninertia = [1, 1, 1]\n")
}

/// An archive with one entry: its packed bytes, and the size that it claims to have.
fn archive(name: &str, packed: &[u8], size: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    let short = |bytes: &mut Vec<u8>, n: u16| bytes.extend(n.to_le_bytes());
    let long = |bytes: &mut Vec<u8>, n: u32| bytes.extend(n.to_le_bytes());
    let common = |bytes: &mut Vec<u8>| {
        [20, 0, 8, 0, 0].into_iter().for_each(|n| short(bytes, n));
        [0, packed.len() as u32, size].into_iter().for_each(|n| long(bytes, n));
        [name.len() as u16, 0].into_iter().for_each(|n| short(bytes, n));
    };
    bytes.extend(b"PK\x03\x04");
    common(&mut bytes);
    bytes.extend(name.as_bytes());
    bytes.extend(packed);
    let directory = bytes.len() as u32;
    bytes.extend(b"PK\x01\x02");
    short(&mut bytes, 20);
    common(&mut bytes);
    [0, 0, 0].into_iter().for_each(|n| short(&mut bytes, n));
    [0, 0].into_iter().for_each(|n| long(&mut bytes, n));
    bytes.extend(name.as_bytes());
    let length = bytes.len() as u32 - directory;
    bytes.extend(b"PK\x05\x06");
    [0, 0, 1, 1].into_iter().for_each(|n| short(&mut bytes, n));
    [length, directory].into_iter().for_each(|n| long(&mut bytes, n));
    short(&mut bytes, 0);
    bytes
}

/// Zeros, packed as densely as can be.
fn packed_zeros(length: usize) -> Vec<u8> {
    let head = format!("{{'descr': '|u1', 'fortran_order': False, 'shape': ({},), }}\n", length - 128);
    let mut plain = b"\x93NUMPY\x01\x00\x76\x00".to_vec();
    plain.extend(format!("{head:<118}").as_bytes());
    plain.resize(length, 0);
    miniz_oxide::deflate::compress_to_vec(&plain, 1)
}

fn superelement(file: &str) -> String {
    format!(
        "[[superelement]]\nname = 's'\nstiffness_matrix = '{file}'\nmass_matrix = '{file}'\nnode_places = '{file}'\n\
         node_sets = {{ a = [1] }}\ninterfaces = ['a']\n"
    )
}

#[test]
fn too_large_models_are_refused_in_little_memory() {
    let dir = folder("sizes");
    let deep = 100_000;
    let text = |name: &str, text: &str| fs::write(dir.join(name), text).expect("written");
    for k in 1..=12 {
        let level = format!(
            "[[pattern]]\nto = 10\n[[pattern.assembly]]\nname = 'a{{i}}'\ninclude = ['level{}.toml']\n",
            k - 1
        );
        text(&format!("level{k}.toml"), &level);
    }
    text("level0.toml", "[[body]]\nname = 'b'\nmass = 1\ninertia = [1, 1, 1]\n");
    fs::write(dir.join("claims.npz"), archive("data.npy", &[3, 0], 3_000_000_000)).expect("written");
    let zeros = packed_zeros(150 << 20);
    fs::write(dir.join("zeros.npz"), archive("data.npy", &zeros, 150 << 20)).expect("written");
    // fewer bytes, which become eight times as many
    let zeros = packed_zeros(60 << 20);
    fs::write(dir.join("short.npz"), archive("data.npy", &zeros, 60 << 20)).expect("written");
    fs::write(dir.join("lies.npz"), archive("data.npy", &zeros, 1000)).expect("written");

    let models: Vec<(&str, String)> = vec![
        ("pattern of 2e7", pattern("2e7", "")),
        ("pattern of 1e9", pattern("1000000000", "")),
        ("pattern of 1e14", pattern("1e14", "")),
        ("pattern of a parameter", pattern("'n'", "").replace("space", "parameters.n = 1e12\nspace")),
        ("pattern beyond whole numbers", pattern("1e300", "")),
        ("pattern to infinity", pattern("inf", "")),
        ("pattern of nothing", "[[pattern]]\nto = 1e12\n".into()),
        ("faulty pattern", pattern("5e6", "") + "wrong = 1\n"),
        ("faulty values", pattern("5e6", "").replace("mass = 1", "mass = '3 - i'")),
        ("eight patterns of 1000", nested(8, "1000")),
        ("forty patterns of 2", nested(40, "2")),
        (
            "patterns of each other",
            nested(2, "1e7").replacen("index = 'i1'\nto = 1e7", "index = 'i1'\nto = 'i0'", 1),
        ),
        ("assemblies", "[[assembly]]\nname = 'a'\ninclude = ['level12.toml']\n".into()),
        ("deep arrays", format!("gravity = {}1{}\n", "[".repeat(deep), "]".repeat(deep))),
        ("deep tables", format!("a = {}1{}\n", "{ a = ".repeat(deep), " }".repeat(deep))),
        ("deep keys", format!("a{} = 1\n", ".a".repeat(deep))),
        ("deep headers", format!("[a{}]\n", ".a".repeat(deep))),
        ("deep brackets", parameter(&format!("'{}1{}'", "(".repeat(deep), ")".repeat(deep)))),
        ("deep powers", parameter(&format!("'2{}'", "^2".repeat(deep)))),
        ("deep signs", parameter(&format!("'{}1'", "-".repeat(deep)))),
        ("long sum", parameter(&format!("'x{}'", " + 1".repeat(deep)))),
        ("many digits", parameter(&format!("'{}x'", "9".repeat(1_000_000)))),
        ("many digits of TOML", parameter(&"9".repeat(1_000_000))),
        ("great exponent", parameter("1e400")),
        ("long name", format!("[[body]]\nname = '{}'\n", "n".repeat(1_000_000))),
        ("many faults", "[[body]]\nmass = -1\n".repeat(100)),
        ("archive that claims", superelement("claims.npz")),
        ("archive of zeros", superelement("zeros.npz")),
        ("archive of short numbers", superelement("short.npz")),
        ("archive that lies", superelement("lies.npz")),
    ];
    let mut said = String::new();
    for (name, model) in &models {
        text("model.toml", model);
        let (code, err) = bounded(&dir, &["check", "model.toml"]);
        let first: String =
            err.lines().find(|line| line.starts_with("error")).unwrap_or("-").chars().take(150).collect();
        writeln!(said, "{name}: {code:?}\n    {first}").expect("a string");
        assert!(err.len() < 200_000, "{name}: {} bytes of messages", err.len());
    }
    let pendulum = root().join("models/pendulum.toml").display().to_string();
    for args in [
        &["sweep", &pendulum, "--vary", "l=0..1:1e12", "--metric", "last(bob_x)"][..],
        &["sweep", &pendulum, "--vary", "l=0..1:1e300", "--metric", "last(bob_x)"],
        &["sweep", &pendulum, "--vary", "l=1..2", "--samples", "1000000000000", "--metric", "last(bob_x)"],
        &["run", &pendulum, "--frame", "1e-300", "-o", "out"],
        &["run", &pendulum, "--t-end", "1e300", "--frame", "1e-9", "-o", "out"],
        &["check", &pendulum, "--set", "l=1e400"],
    ] {
        let (code, err) = bounded(&dir, args);
        let first: String =
            err.lines().find(|line| line.starts_with("error")).unwrap_or("-").chars().take(150).collect();
        let shown = args.join(" ").replace(&pendulum, "pendulum.toml");
        writeln!(said, "{shown}: {code:?}\n    {first}").expect("a string");
    }
    insta::assert_snapshot!("sizes", said);
}

#[test]
fn no_more_memory_is_a_message() {
    let dir = folder("sizes-memory");
    fs::write(dir.join("model.toml"), pattern("200000", "")).expect("written");
    let (code, err) = bounded(&dir, &["check", "model.toml"]);
    assert_eq!(code, Some(1), "{err}");
    assert!(err.starts_with("error: out of memory: ") && err.contains("ulimit -v"), "{err}");
    assert!(!err.contains("backtrace"), "{err}");
}

#[test]
fn controllers_are_checked_in_a_time_that_grows_with_their_number() {
    let model = |n: usize| {
        format!(
            "space = 'planar'\n[[body]]\nname = 'b'\nmass = 1\ninertia = 1\n[[joint]]\ntype = 'revolute'\nname = 'j'\n\
             body1 = 'ground'\nbody2 = 'b'\n[[measure]]\ntype = 'angle'\nname = 'a'\njoint = 'j'\n[[pattern]]\nto = {n}\n\
             [[pattern.controller]]\ntype = 'pid'\nname = 'c{{i}}'\ninput = 'a'\nkp = 1\n"
        )
    };
    let dir = folder("sizes-controllers");
    fs::write(dir.join("model.toml"), model(50_000)).expect("written");
    // quadratic work would take minutes of the processor
    let script = format!("ulimit -t {TIME}; exec \"$0\" check model.toml");
    let mut command = Command::new("sh");
    command.arg("-c").arg(script).arg(env!("CARGO_BIN_EXE_kingpin")).current_dir(&dir);
    let output = command.output().expect("the command ends");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}
