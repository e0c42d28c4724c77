//! All methods find the displacements of the undivided structure, with the iterations that are known of them.

use kingpin_domains::communicate::Alone;
use kingpin_domains::grid::Grid;
use kingpin_domains::solver::{Method, Options, StructureSolver, study_multipliers};
use kingpin_domains::{Outcome, Tolerance};

/// Displacements by a method, and how they were found.
fn solved(grid: Grid, options: &Options) -> (Vec<Vec<f64>>, Outcome) {
    let (pieces, loads) = grid.pieces(0..grid.domains()).unwrap();
    let mut solver = StructureSolver::new(&pieces, &Alone, options).unwrap();
    let mut to: Vec<Vec<f64>> = loads.iter().map(|load| vec![0.0; load.len()]).collect();
    let outcome = solver.solve(&loads, &mut to).unwrap();
    (to, outcome)
}

fn largest_difference(a: &[Vec<f64>], b: &[Vec<f64>]) -> f64 {
    let size = b.iter().flatten().fold(0.0_f64, |most, x| most.max(x.abs()));
    a.iter().flatten().zip(b.iter().flatten()).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs())) / size
}

/// Iterations and condition numbers to 1e-8 by name.
fn iterations(grid: Grid, name: &str) -> (usize, f64) {
    let outcome = solved(grid, &Options::with(Method::named(name).unwrap())).1;
    (outcome.iterations, outcome.kappa)
}

#[test]
fn the_sheet_of_the_document_is_that_of_the_undivided_one_by_all_methods() {
    let grid = Grid::new(2, 2, 3);
    let whole = solved(grid, &Options::with(Method::Direct)).0;
    for method in Method::all() {
        let tolerance = Tolerance { residual: 1e-14, iterations: 200 };
        let found = solved(grid, &Options { tolerance, ..Options::with(method) }).0;
        let error = largest_difference(&found, &whole);
        assert!(error < 1e-12, "{}: {error:e}", method.name());
    }
}

#[test]
fn local_multipliers_have_the_condition_number_of_the_document() {
    let (pieces, loads) = Grid::new(2, 2, 3).pieces(0..4).unwrap();
    let study = study_multipliers(&pieces, &loads, 1.0).unwrap();
    assert_eq!((study.interface, study.constraints), (24, 52));
    assert!((study.kappa() - 1.6874).abs() < 5e-5, "{}", study.kappa());
    assert!((study.eigenvalues[0] - 0.5926).abs() < 5e-5);
    // interface freedoms and the rigid motions of two floating sub-domains
    assert_eq!(study.eigenvalues.iter().filter(|&&value| (value - 1.0).abs() < 1e-9).count(), 30);
    assert!(study.imbalance < 1e-13, "{:e}", study.imbalance);
    for penalty in [0.01, 0.1, 10.0, 100.0, 1000.0] {
        let own = study_multipliers(&pieces, &loads, penalty).unwrap();
        let slope = ((own.kappa() - 1.0) / (study.kappa() - 1.0)).ln() / penalty.ln();
        assert!((slope + 1.0).abs() < 1e-8, "{penalty}: {slope}");
        assert!(own.imbalance < 1e-10, "{penalty}: {:e}", own.imbalance);
    }
}

#[test]
fn iterations_on_sheets_are_those_known() {
    // (name, sub-domains along a side, elements along theirs, iterations, condition number)
    let known = [
        ("bddc", 2, 4, 7, 1.26),
        ("bddc", 4, 4, 7, 1.24),
        ("bddc", 4, 8, 8, 1.42),
        ("bddc", 8, 8, 9, 1.43),
        ("bddc", 16, 4, 7, 1.23),
        ("feti-dp", 16, 4, 7, 1.22),
        ("feti-dp-lumped", 2, 4, 7, 1.4),
        ("feti-dp-lumped", 4, 8, 13, 2.8),
        ("mixed-plain", 4, 4, 24, 13.0),
        ("mixed-lumped", 4, 4, 19, 8.4),
        ("mixed", 4, 8, 15, 4.6),
        ("global-plain", 4, 4, 35, 67.0),
        ("global-lumped", 4, 4, 17, 16.0),
        ("global", 4, 8, 13, 10.0),
        ("global-weighted", 4, 8, 11, 5.6),
        ("local", 4, 4, 9, 1.7),
    ];
    for (name, s, e, wanted, kappa) in known {
        let (found, seen) = iterations(Grid::new(2, s, e), name);
        assert!(found.abs_diff(wanted) <= 1, "{name} ({s}, {e}): {found} iterations, not {wanted}");
        assert!((seen / kappa - 1.0).abs() < 0.05, "{name} ({s}, {e}): {seen}, not {kappa}");
    }
}

#[test]
fn iterations_on_boxes_are_those_known() {
    for (name, s, e, wanted, kappa) in
        [("bddc", 2, 4, 8, 1.40), ("feti-dp", 2, 4, 8, 1.4), ("bddc", 3, 4, 9, 1.39)]
    {
        let (found, seen) = iterations(Grid::new(3, s, e), name);
        assert!(found.abs_diff(wanted) <= 1, "{name} ({s}, {e}): {found} iterations, not {wanted}");
        assert!((seen / kappa - 1.0).abs() < 0.06, "{name} ({s}, {e}): {seen}, not {kappa}");
    }
}

#[test]
fn a_checkerboard_of_stiffness_costs_no_iterations() {
    let grid = Grid { contrast: 1e4, ..Grid::new(2, 8, 8) };
    let (found, kappa) = iterations(grid, "bddc");
    assert!(found <= 5, "{found}");
    assert!((kappa - 1.03).abs() < 0.02, "{kappa}");
}

#[test]
fn corners_move_as_other_programs_say() {
    let corner = |grid: Grid, name: &str| {
        let tolerance = Tolerance { residual: 1e-12, ..Tolerance::default() };
        let options = Options { tolerance, ..Options::with(Method::named(name).unwrap()) };
        let found = solved(grid, &options).0;
        let last = &found[found.len() - 1];
        last[last.len() - grid.dim..].to_vec()
    };
    let sheets = [
        (Grid::new(2, 2, 4), [-4.475543840e-5, 9.754395537e-5]),
        (Grid::new(2, 4, 4), [-4.605814372e-5, 9.960169804e-5]),
        (Grid::new(2, 4, 8), [-4.667596429e-5, 1.004474299e-4]),
    ];
    for (grid, wanted) in sheets {
        for name in ["bddc", "feti-dp", "direct"] {
            for (found, wanted) in corner(grid, name).iter().zip(wanted) {
                assert!((found - wanted).abs() < 5e-10 * wanted.abs(), "{name}: {found} {wanted}");
            }
        }
    }
    let wanted = [-4.190121357e-5, 7.481639433e-7, 9.342970922e-5];
    for (found, wanted) in corner(Grid::new(3, 2, 4), "bddc").iter().zip(wanted) {
        assert!((found - wanted).abs() < 5e-10 * 1e-5, "{found} {wanted}");
    }
}
