//! The fastest time constants of cells.

use super::timescale::{TimeConstant, fastest};
use crate::element::cell::{CellElement, CellSlopes, MOST_NODES};
use crate::system::{System, Work};

/// Iterations with the stiffness over the mass: the largest of their ratios, to a few per cent.
const ITERATIONS: usize = 30;
/// Cells of a structure that are looked at: those whose sums of ratios are the largest.
const LOOKED_AT: usize = 50;

/// The fastest time constant of each structure: of its cells on the masses of their nodes, of which cells that share a node
/// have a part each. No motion of the structure is faster. O(cells)
pub(super) fn cell_constants(system: &System, work: &Work) -> Vec<TimeConstant> {
    let mut room = CellSlopes::new(MOST_NODES);
    let relaxed = [[[0.0; 3]; 3]; 27];
    let mut sums: Vec<(usize, f64, usize)> = Vec::new();
    for (k, cell) in system.cells.iter().enumerate() {
        cell.derivatives((&work.bodies, Some(&relaxed)), &mut room);
        let n = cell.nodes();
        let each = (0..n).map(|a| {
            let own = &room.by_q[a * n + a];
            -(own[0][0] + own[1][1] + own[2][2]) * share(system, cell.bodies[a])
        });
        sums.push((cell.structure, each.sum(), k));
    }
    // largest sums of a structure first
    sums.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)).then(a.2.cmp(&b.2)));
    let mut found = Vec::new();
    for own in sums.chunk_by(|a, b| a.0 == b.0) {
        let all = own.iter().take(LOOKED_AT).filter_map(|(_, _, k)| {
            let cell = &system.cells[*k];
            cell.derivatives((&work.bodies, Some(&relaxed)), &mut room);
            constant(system, cell, &room)
        });
        found.extend(all.min_by(|a, b| a.seconds.total_cmp(&b.seconds)));
    }
    found
}

/// One over the part of the mass of a node that each of its cells has.
fn share(system: &System, body: usize) -> f64 {
    let starts = &system.layout.celled.1;
    f64::from(starts[body + 1] - starts[body]) * system.inertia[body].inverse_mass
}

fn constant(system: &System, cell: &CellElement, slopes: &CellSlopes) -> Option<TimeConstant> {
    let n = cell.nodes();
    let shares: Vec<f64> = cell.bodies.iter().map(|&body| share(system, body)).collect();
    let mut x: Vec<[f64; 3]> = vec![[0.0; 3]; n];
    for (k, x) in x.iter_mut().flatten().enumerate() {
        *x = 0.3 + ((k * 7919) % 101) as f64 / 101.0;
    }
    let mut rate = 0.0;
    for _ in 0..ITERATIONS {
        let mut next = vec![[0.0; 3]; n];
        for a in 0..n {
            for b in 0..n {
                for i in 0..3 {
                    next[a][i] -=
                        shares[a] * (0..3).map(|j| slopes.by_q[a * n + b][i][j] * x[b][j]).sum::<f64>();
                }
            }
        }
        let energy = |x: &[[f64; 3]], y: &[[f64; 3]]| -> f64 {
            (0..n).map(|a| (0..3).map(|i| x[a][i] * y[a][i]).sum::<f64>() / shares[a]).sum()
        };
        rate = energy(&x, &next) / energy(&x, &x);
        let largest = next.iter().flatten().fold(0.0_f64, |most, x| most.max(x.abs()));
        if !(largest > 0.0 && largest.is_finite()) {
            return None;
        }
        next.iter_mut().flatten().for_each(|x| *x /= largest);
        x = next;
    }
    let size = |k: &usize| x[*k].iter().map(|x| x * x).sum::<f64>() / shares[*k];
    let most = (0..n).max_by(|a, b| size(a).total_cmp(&size(b)))?;
    let (body, mass) = (cell.bodies[most], system.inertia[cell.bodies[most]].mass);
    Some(TimeConstant {
        force: system.structures[cell.structure].name.clone(),
        label: "cell",
        body: system.body_names[body].clone(),
        stiffness: rate * mass,
        damping: cell.damping * rate * mass,
        mass,
        seconds: fastest(1.0, cell.damping * rate, rate)?,
    })
}
