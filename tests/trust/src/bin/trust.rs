//! Prints the table of reference motions: all of them, or those of the families and motions named.
//!
//! `trust [--quick | --long] [--known] [NAME…]`, where a name is one of a family, a motion or a method. `--quick` leaves
//! out what takes long, `--long` all else; `--known` prints the wrong cases as `known.txt` has them.

use kingpin::dynamics::Method;
use kingpin_trust::trial::{Verdict, run};
use kingpin_trust::{Motion, known, motions, table};
use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let has = |flag: &str| args.iter().any(|arg| arg == flag);
    let names: Vec<&str> = args.iter().filter(|a| !a.starts_with("--")).map(String::as_str).collect();
    let (methods, names): (Vec<&str>, Vec<&str>) =
        names.into_iter().partition(|name| Method::ALL.iter().any(|method| method.name() == *name));
    let with = |method: &Method| methods.is_empty() || methods.contains(&method.name());
    let wanted = |motion: &Motion, method, tol| match motion.is_quick(method, tol) {
        true => !has("--long"),
        false => !has("--quick"),
    };
    let mut outcomes = Vec::new();
    for (family, about, of) in motions::FAMILIES {
        let chosen = |name: &str| names.is_empty() || names.contains(family) || names.contains(&name);
        let list: Vec<_> =
            of().into_iter().filter(|m| chosen(&m.name) && (m.quick || !has("--quick"))).collect();
        if list.is_empty() {
            continue;
        }
        let from = outcomes.len();
        let print = !has("--known");
        if print {
            println!("\n{family}: {about}\n\n{}", table::head());
        }
        for motion in &list {
            for method in motion.methods().into_iter().filter(with) {
                for &tol in motion.tolerances(method) {
                    if wanted(motion, method, tol) {
                        outcomes.push(run(motion, method, tol));
                        if let (true, Some(outcome)) = (print, outcomes.last()) {
                            println!("{}", table::line(outcome));
                        }
                    }
                }
            }
        }
        let own = &outcomes[from..];
        if has("--known") {
            for outcome in own.iter().filter(|o| o.verdict == Verdict::Wrong) {
                println!("{}", outcome.case);
            }
        } else {
            println!("\n{}", table::summary(own));
        }
    }
    if has("--known") {
        return ExitCode::SUCCESS;
    }
    println!("\nall: {}", table::summary(&outcomes));
    let mut surprises = known::surprises(&outcomes);
    surprises.extend(known::stale(&outcomes));
    surprises.iter().for_each(|line| println!("{line}"));
    if surprises.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
