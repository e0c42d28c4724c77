//! Time of the factorisations on augmented matrices of mechanisms, beside what faer offers for the same matrices.
//!
//! `cargo bench -p kingpin-sparse` prints the best of many runs in nanoseconds.

mod established;
#[path = "../../tests/sparse/augmented/mod.rs"]
mod matrices;

use std::time::Instant;

use kingpin_sparse::{Pivots, SparseLdlt, SparseLu};
use matrices::{Matrix, Mechanism, Random, worst};

/// Best time of one run in nanoseconds, of at least three runs and 0.3 s.
pub fn nanoseconds(mut run: impl FnMut()) -> f64 {
    let (begin, mut best, mut runs) = (Instant::now(), f64::INFINITY, 0);
    while runs < 3 || begin.elapsed().as_secs_f64() < 0.3 {
        let start = Instant::now();
        run();
        best = best.min(start.elapsed().as_secs_f64());
        runs += 1;
    }
    1e9 * best
}

/// One line of the table.
pub fn print(what: &str, factor: f64, solve: f64, entries: usize, residual: f64) {
    let sum = factor + solve;
    println!("  {what:<34} {factor:>12.0} {solve:>10.0} {sum:>12.0} {entries:>9} {residual:>9.1e}");
}

/// Largest residual of a solution for a right side of ones.
pub fn residual(a: &Matrix, x: &[f64]) -> f64 {
    worst(&a.times(x), &vec![1.0; a.n])
}

fn bench_ldlt(a: &Matrix) {
    let upper = a.upper();
    let analyse = || SparseLdlt::analyse(a.n, &upper.columns, &upper.rows, None).unwrap();
    let mut ldlt = analyse();
    let analysis = nanoseconds(|| ldlt = analyse());
    let factor = nanoseconds(|| ldlt.factor(&upper.values).unwrap());
    let mut x = vec![1.0; a.n];
    let solve = nanoseconds(|| {
        x.fill(1.0);
        ldlt.solve(&mut x).unwrap();
    });
    print("LDLT factor", factor, solve, ldlt.factor_entries(), residual(a, &x));
    println!("  {:<34} {analysis:>12.0}", "LDLT analyse");
}

fn bench_lu(a: &Matrix) {
    let analyse = || SparseLu::analyse(a.n, &a.columns, &a.rows).unwrap();
    let mut lu = analyse();
    let analysis = nanoseconds(|| lu = analyse());
    let factor = nanoseconds(|| lu.factor(&a.values).unwrap());
    let refactor = nanoseconds(|| assert_eq!(lu.refactor(&a.values), Ok(Pivots::Kept)));
    let mut x = vec![1.0; a.n];
    let solve = nanoseconds(|| {
        x.fill(1.0);
        lu.solve(&mut x).unwrap();
    });
    print("LU refactor, pivots kept", refactor, solve, lu.factor_entries(), residual(a, &x));
    print("LU factor, pivots chosen", factor, solve, lu.factor_entries(), residual(a, &x));
    println!("  {:<34} {analysis:>12.0}", "LU analyse");
}

fn main() {
    let mut random = Random::new(1);
    for (name, mechanism) in [
        ("chain of 5", Mechanism::chain(6, 5, 3)),
        ("chain of 50", Mechanism::chain(6, 50, 3)),
        ("chain of 1000", Mechanism::chain(6, 1000, 3)),
        ("hinged chain of 50", Mechanism::chain(6, 50, 5)),
        ("star of 50", Mechanism::star(6, 50, 3)),
        ("vehicle of 4 corners", Mechanism::vehicle(4)),
        ("vehicle of 40 corners", Mechanism::vehicle(40)),
        ("net of 20 * 20", Mechanism::net(20)),
    ] {
        let a = mechanism.augmented_central(&mut random);
        println!("{name}: order {}, entries {}", a.n, a.rows.len());
        println!(
            "  {:<34} {:>12} {:>10} {:>12} {:>9} {:>9}",
            "", "factor/ns", "solve", "sum", "stored", "residual"
        );
        bench_ldlt(&a);
        bench_lu(&a);
        established::bench_ldlt(&a);
        established::bench_lu(&a);
    }
}
