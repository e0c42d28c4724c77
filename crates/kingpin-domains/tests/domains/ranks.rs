//! The same bits for any number of ranks and threads, and what is said where ranks or structures do not fit.

use kingpin_domains::communicate::{Alone, Communicator, crew, share};
use kingpin_domains::cut::{cut, parts_of, share_loads};
use kingpin_domains::grid::Grid;
use kingpin_domains::solver::{Method, Options, StructureSolver};
use kingpin_domains::{DomainError, Tolerance};
use kingpin_flex::mesh::{Material, Mesh, Section, box_mesh};
use nalgebra::Vector3;

/// Displacements of the sub-domains of one rank.
fn of_rank(grid: Grid, method: Method, ranks: &dyn Communicator) -> Vec<Vec<f64>> {
    let own = share(grid.domains(), ranks.rank(), ranks.ranks());
    let (pieces, loads) = grid.pieces(own).unwrap();
    let mut solver = StructureSolver::new(&pieces, ranks, &Options::with(method)).unwrap();
    let mut to: Vec<Vec<f64>> = loads.iter().map(|load| vec![0.0; load.len()]).collect();
    solver.solve(&loads, &mut to).unwrap();
    to
}

const GRIDS: [Grid; 2] = [
    Grid { dim: 2, per_side: 3, elements: 4, contrast: 10.0 },
    Grid { dim: 3, per_side: 2, elements: 2, contrast: 1.0 },
];

#[test]
fn ranks_do_not_change_a_bit() {
    for grid in GRIDS {
        for name in ["bddc", "feti-dp", "mixed-lumped", "global-weighted"] {
            let method = Method::named(name).unwrap();
            let alone = of_rank(grid, method, &Alone);
            for ranks in 2..=5 {
                let parts = crew(ranks, |communicator| of_rank(grid, method, communicator));
                assert!(parts.concat() == alone, "{name} on {ranks} ranks");
            }
        }
    }
}

#[test]
fn threads_do_not_change_a_bit() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    for name in ["bddc", "feti-dp", "global"] {
        let method = Method::named(name).unwrap();
        let alone = of_rank(GRIDS[0], method, &Alone);
        assert!(pool.install(|| of_rank(GRIDS[0], method, &Alone)) == alone, "{name}");
    }
}

#[test]
fn what_does_not_fit_is_said() {
    let grid = Grid::new(2, 2, 2);
    let failures = crew(5, |ranks| {
        let (pieces, _) = grid.pieces(share(4, ranks.rank(), 5)).unwrap();
        StructureSolver::new(&pieces, ranks, &Options::default()).err()
    });
    assert!(
        failures.iter().all(|failure| *failure == Some(DomainError::TooManyRanks { ranks: 5, domains: 4 }))
    );
    let failures = crew(2, |ranks| {
        let (pieces, _) = grid.pieces(share(4, ranks.rank(), 2)).unwrap();
        StructureSolver::new(&pieces, ranks, &Options::with(Method::Local)).err()
    });
    assert_eq!(failures[1], Some(DomainError::OneRankOnly { method: "local" }));
    let (pieces, loads) = grid.pieces(0..4).unwrap();
    let tolerance = Tolerance { residual: 1e-8, iterations: 2 };
    let options = Options { tolerance, ..Options::with(Method::Bddc) };
    let mut to: Vec<Vec<f64>> = loads.iter().map(|load| vec![0.0; load.len()]).collect();
    let failure =
        StructureSolver::new(&pieces, &Alone, &options).unwrap().solve(&loads, &mut to).unwrap_err();
    assert!(matches!(failure, DomainError::NotConverged { iterations: 2, .. }));
    assert!(failure.to_string().starts_with("not converged after 2 iterations "), "{failure}");
}

/// A plate with a hole, held on the left, pulled on the right.
fn holed() -> Mesh {
    let mut mesh = box_mesh([24, 16, 0], [1.5, 1.0, 0.0], [0.0; 3]);
    mesh.give_section(Section::solid(Material::new("steel", 210e9, 0.3, 7800.0)));
    let centre = Vector3::new(0.75, 0.5, 0.0);
    let places: Vec<Vector3<f64>> = mesh.nodes.iter().map(|node| node.place).collect();
    mesh.elements.retain(|element| {
        let middle: Vector3<f64> = element.nodes.iter().map(|&node| places[node]).sum::<Vector3<f64>>() / 4.0;
        (middle - centre).norm() > 0.22
    });
    mesh
}

#[test]
fn a_mesh_cut_by_the_partitioner_is_solved() {
    let mesh = holed();
    let right = mesh.node_set("x1").unwrap();
    let loads: Vec<_> = right.iter().map(|&node| (node, Vector3::new(1e5, 3e4, 0.0))).collect();
    let solved = |parts: usize, method: Method| {
        let pieces = cut(&mesh, &parts_of(&mesh, parts), mesh.node_set("x0").unwrap()).unwrap();
        assert_eq!(pieces.len(), parts);
        let loads = share_loads(&pieces, &loads);
        let options =
            Options { tolerance: Tolerance { residual: 1e-12, iterations: 200 }, ..Options::with(method) };
        let mut to: Vec<Vec<f64>> = loads.iter().map(|load| vec![0.0; load.len()]).collect();
        let outcome =
            StructureSolver::new(&pieces, &Alone, &options).unwrap().solve(&loads, &mut to).unwrap();
        // by nodes
        let mut all = vec![0.0; 2 * mesh.nodes.len()];
        for (piece, to) in pieces.iter().zip(&to) {
            for (&k, &value) in piece.free.iter().zip(to) {
                all[2 * piece.nodes[k / 2] as usize + k % 2] = value;
            }
        }
        (all, outcome.iterations)
    };
    let (whole, _) = solved(1, Method::Direct);
    let size = whole.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    for parts in [2, 5, 12, 23] {
        for name in ["bddc", "feti-dp", "interface"] {
            let (found, iterations) = solved(parts, Method::named(name).unwrap());
            let error = found.iter().zip(&whole).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs())) / size;
            assert!(error < 1e-9, "{name}, {parts} parts: {error:e}");
            assert!(iterations <= 30, "{name}, {parts} parts: {iterations} iterations");
        }
    }
}
