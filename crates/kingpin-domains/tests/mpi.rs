//! The same bytes from any number of processes of MPI.

use kingpin_domains::communicate::{Exchange, Processes, gather_lists, share};
use kingpin_domains::grid::Grid;
use kingpin_domains::solver::{Method, Options, StructureSolver};
use std::process::Command;

/// What a process of MPI is told by.
const WORKER: &str = "KINGPIN_TEST_RANK";

/// Solves, and prints all displacements on the first rank, if this process is one of several.
#[test]
fn process() {
    if std::env::var_os(WORKER).is_none() {
        return;
    }
    let ranks = Processes::start().expect("MPI starts");
    let grid = Grid { contrast: 100.0, ..Grid::new(2, 3, 4) };
    let (pieces, loads) = grid.pieces(share(9, ranks.rank(), ranks.ranks())).unwrap();
    for name in ["bddc", "feti-dp-lumped", "global"] {
        let options = Options::with(Method::named(name).unwrap());
        let mut solver = StructureSolver::new(&pieces, &ranks, &options).unwrap();
        let mut to: Vec<Vec<f64>> = loads.iter().map(|load| vec![0.0; load.len()]).collect();
        solver.solve(&loads, &mut to).unwrap();
        let (all, _) = gather_lists(&ranks, &to.concat());
        if ranks.rank() == 0 {
            let words: Vec<String> = all.iter().map(|value| format!("{:016x}", value.to_bits())).collect();
            println!("solved {}", words.concat());
        }
    }
}

#[test]
fn processes_do_not_change_a_byte() {
    if Command::new("mpirun").arg("--version").output().is_err() {
        eprintln!("skipped: there is no mpirun");
        return;
    }
    let solved = |ranks: usize| {
        let output = Command::new("mpirun")
            .args(["--allow-run-as-root", "--oversubscribe", "-n", &ranks.to_string()])
            .arg(std::env::current_exe().unwrap())
            .args(["--exact", "process", "--nocapture", "--test-threads", "1"])
            .env(WORKER, "1")
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout).unwrap();
        let lines: Vec<String> =
            text.lines().filter_map(|line| line.find("solved ").map(|at| line[at..].to_string())).collect();
        assert_eq!(lines.len(), 3, "{text}");
        lines
    };
    let one = solved(1);
    for ranks in 2..=4 {
        assert!(solved(ranks) == one, "{ranks} processes");
    }
}
