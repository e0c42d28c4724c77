//! Help, version, bad usage, closed pipes.

use crate::run::{run, start};
use std::io::{Read, Write};

#[test]
fn help_texts() {
    for (name, args) in [
        ("help", &["--help"][..]),
        ("help_accelerations", &["accelerations", "--help"]),
        ("help_bench", &["bench", "--help"]),
        ("help_bench_accel", &["bench", "accel", "--help"]),
        ("help_bench_growth", &["bench", "growth", "--help"]),
        ("help_bench_integrate", &["bench", "integrate", "--help"]),
        ("help_bench_mast", &["bench", "mast", "--help"]),
        ("help_bench_numbering", &["bench", "numbering", "--help"]),
        ("help_topology", &["topology", "--help"]),
        ("help_check", &["check", "--help"]),
        ("help_generate", &["generate", "--help"]),
        ("help_kinematics", &["kinematics", "--help"]),
        ("help_completions", &["completions", "--help"]),
        ("help_explain", &["explain", "--help"]),
        ("help_export", &["export", "--help"]),
        ("help_new", &["new", "--help"]),
        ("help_plot", &["plot", "--help"]),
        ("help_list", &["list", "--help"]),
        ("help_modes", &["modes", "--help"]),
        ("help_run", &["run", "--help"]),
        ("help_schema", &["schema", "--help"]),
        ("help_equilibrium", &["equilibrium", "--help"]),
        ("help_sweep", &["sweep", "--help"]),
        ("help_view", &["view", "--help"]),
    ] {
        let ran = run(args);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""));
        insta::assert_snapshot!(name, ran.out);
    }
}

#[test]
fn version() {
    let ran = run(&["--version"]);
    assert_eq!((ran.code, ran.out), (0, format!("kingpin {}\n", env!("CARGO_PKG_VERSION"))));
}

#[test]
fn bad_usage_ends_with_two() {
    for args in [
        &[][..],
        &["simulate"],
        &["check"],
        &["check", "models/door.toml", "--colour"],
        &["check", "models/door.toml", "--set", "width"],
        &["check", "models/door.toml", "--set", "with=3"],
        &["list", "wheels"],
        &["accel"],
        &["accel", "models/door.toml", "--solver", "guess"],
        &["topology", "models/door.toml", "--svg"],
        &["static"],
        &["modes", "models/door.toml", "--at", "noon"],
        &["modes", "models/door.toml", "--count", "0"],
        &["bench"],
        &["bench", "everything"],
        &["bench", "accel", "--sizes", "0"],
        &["bench", "integrate"],
        &["bench", "integrate", "models/pendulum.toml", "--methods", "euler"],
        &["bench", "integrate", "models/pendulum.toml", "--methods", "newmark"],
        &["bench", "integrate", "models/pendulum.toml", "--tols", "0"],
        &["bench", "numbering", "--size", "1"],
        &["run"],
        &["run", "models/pendulum.toml", "--method", "euler"],
        &["run", "models/pendulum.toml", "--method", "newmark"],
        &["run", "models/pendulum.toml", "--solver", "guess"],
        &["run", "models/pendulum.toml", "--tol", "0"],
        &["run", "models/pendulum.toml", "--tol", "1e-6", "--rtol", "1e-6"],
        &["run", "models/pendulum.toml", "--t-end", "2 m"],
        &["run", "models/pendulum.toml", "--h", "0"],
        &["run", "models/pendulum.toml", "--table", "rod.height"],
        &["new"],
        &["new", "x", "--planar", "--from", "door"],
        &["export"],
        &["export", "models"],
        &["export", "x", "--format", "xml"],
        &["export", "x", "--every", "0"],
        &["plot"],
        &["plot", "models", "a.x"],
        &["plot", "models", "a.x", "-o", "a.jpg"],
        &["plot", "models", "a.x", "--size", "wide"],
        &["plot", "models", "-o", "a.svg"],
        &["completions"],
        &["completions", "tcsh"],
        &["explain", "xyzzy"],
        &["run", "models/pendulum.toml", "--resume", "--force"],
        &["run", "models/pendulum.toml", "--no-results", "-o", "somewhere"],
        &["generate", "chain"],
        &["generate", "chain", "--size", "0"],
        &["generate", "chain", "--size", "-3"],
        &["generate", "ring", "--size", "3"],
        &["generate", "chain", "--size", "3", "--space", "cubic"],
    ] {
        let ran = run(args);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{args:?}");
        assert!(!ran.err.is_empty(), "{args:?}");
    }
}

#[test]
fn a_misspelt_parameter_gets_a_suggestion() {
    let ran = run(&["check", "models/door.toml", "--set", "with=3"]);
    assert!(ran.err.contains("did you mean `width`?"), "{}", ran.err);
}

#[test]
fn nobody_needs_to_read_the_output() {
    let chain = run(&["generate", "chain", "--size", "50"]).out;
    let mut child = start(&["check", "-"]);
    // closed before the command can write anything: it waits for its input
    drop(child.stdout.take());
    child.stdin.take().expect("piped").write_all(chain.as_bytes()).expect("written");
    let mut err = String::new();
    child.stderr.take().expect("piped").read_to_string(&mut err).expect("UTF-8");
    assert_eq!(child.wait().expect("ended").code(), Some(0));
    assert_eq!(err, "");
}

#[test]
fn shells_complete_every_command() {
    let help = run(&["--help"]).out;
    let (_, commands) = help.split_once("Commands:\n").expect("commands");
    let names = commands.lines().map_while(|line| line.split_whitespace().next());
    let names: Vec<&str> = names.filter(|name| *name != "help").collect();
    assert!(names.len() > 15, "{names:?}");
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let ran = run(&["completions", shell]);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""));
        for name in &names {
            assert!(ran.out.contains(name), "{shell}: {name}");
        }
        assert!(ran.out.contains("for-rosen"), "{shell}");
    }
}

#[test]
fn help_is_asked_for_in_words_too() {
    for (asked, as_option) in [(&["help"][..], &["--help"][..]), (&["help", "run"], &["run", "--help"])] {
        let (asked, as_option) = (run(asked), run(as_option));
        assert_eq!((asked.code, &asked.out), (0, &as_option.out));
        assert!(asked.out.contains("Usage"), "{}", asked.out);
    }
    assert_eq!(run(&["help", "rnu"]).err, run(&["rnu"]).err);
}
