//! Implicit steps: `M + g^2 K` in place of `K`, with a coarse problem where steps are long.

use kingpin_domains::communicate::Alone;
use kingpin_domains::grid::Grid;
use kingpin_domains::local::Mix;
use kingpin_domains::solver::{Method, Options, StructureSolver};

/// Displacements, iterations and unknowns of the coarse problem for a step of Newmark's method (beta 1/4) that takes waves
/// through so many sub-domains.
fn step(grid: Grid, crossed: f64, name: &str) -> (Vec<f64>, usize, usize) {
    let (pieces, loads) = grid.pieces(0..grid.domains()).unwrap();
    let g = 0.5 * crossed * pieces[0].extent() / pieces[0].wave_speed;
    let options = Options { mix: Mix::step(g), ..Options::with(Method::named(name).unwrap()) };
    let mut solver = StructureSolver::new(&pieces, &Alone, &options).unwrap();
    let mut to: Vec<Vec<f64>> = loads.iter().map(|load| vec![0.0; load.len()]).collect();
    let outcome = solver.solve(&loads, &mut to).unwrap();
    (to.concat(), outcome.iterations, solver.coarse())
}

#[test]
fn without_a_coarse_problem_iterations_grow_with_the_step() {
    for (crossed, wanted) in [(0.03, 4), (0.1, 3), (0.3, 6), (1.0, 14), (3.0, 33)] {
        let (_, iterations, coarse) = step(Grid::new(2, 8, 8), crossed, "global");
        assert_eq!(coarse, 0);
        assert!(iterations.abs_diff(wanted) <= 1, "{crossed}: {iterations}, not {wanted}");
    }
}

#[test]
fn with_one_they_never_exceed_those_of_statics() {
    let grid = Grid::new(2, 4, 8);
    for (crossed, most) in [(0.03, 4), (0.1, 4), (0.4, 6), (1.0, 8), (3.0, 9), (10.0, 9), (1000.0, 9)] {
        let (whole, ..) = step(grid, crossed, "direct");
        let (found, iterations, coarse) = step(grid, crossed, "bddc");
        assert!(iterations <= most, "{crossed}: {iterations}");
        // c g / H is half of what is crossed
        assert_eq!(coarse == 0, crossed < 0.3, "{crossed}");
        let size = whole.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        let error = whole.iter().zip(&found).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs())) / size;
        assert!(error < 1e-6, "{crossed}: {error:e}");
    }
}
