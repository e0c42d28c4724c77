//! The pattern of the saddle matrix: symbolic work, once for each choice of coordinates.

use super::pair::SaddlePair;
use super::saddle::{Added, Of, Saddle};
use crate::dynamics::forms::reduced::Reduced;
use crate::system::{System, moving};
use kingpin_sparse::{SparseError, SparseLu};

impl Saddle {
    pub(super) fn analyse(&mut self, reduced: &Reduced) -> Result<(), SparseError> {
        let system = reduced.mechanism.system;
        let (n, m) = (system.velocities(), reduced.jacobian.rows.len());
        let (inner, dof) = (n + m, reduced.partition.independent.len());
        let whole = if reduced.plane.is_some() { inner + dof } else { inner };
        // (column, row) of everything, in the order in which it will be read
        let [mass, coupled] = masses(system);
        let mut phi = Vec::new();
        for (row, entries) in reduced.jacobian.rows.iter().enumerate() {
            phi.extend(entries.iter().map(|&(number, c)| (number, row, c)));
        }
        let (added, reactions) = (reach(reduced), reactions(reduced));
        let place_of = |of: &Of| match *of {
            Of::Coordinate(c) => c,
            Of::Pivot(e) => n + reduced.partition.rows[e],
        };
        let planar = whole > inner;
        let column_of = |k: usize| if planar { inner + k } else { reduced.partition.independent[k] };
        let level: Vec<_> = (0..n).flat_map(|c| (inner..whole).map(move |row| (c, row))).collect();
        let ones: Vec<_> = (inner..whole).map(|k| (k, k)).collect();
        let mut pattern = [&mass[..], &coupled[..], &level[..], &ones[..]].concat();
        pattern.extend(phi.iter().flat_map(|&(_, row, c)| [(c, n + row), (n + row, c)]));
        pattern.extend(added.iter().map(|(k, of)| (column_of(*k), place_of(of))));
        pattern.extend(reactions.iter().map(|&[_, c, row]| (n + row, c)));
        pattern.sort_unstable();
        pattern.dedup();
        let place = |column: usize, row: usize| pattern.partition_point(|&e| e < (column, row));

        self.mass = mass.iter().map(|&(c, r)| place(c, r)).collect();
        self.coupled = coupled.iter().map(|&(c, r)| place(c, r)).collect();
        self.level = level.iter().map(|&(c, r)| place(c, r)).collect();
        self.ones = ones.iter().map(|&(c, r)| place(c, r)).collect();
        (self.inner, self.lifted) = (inner, vec![0.0; n]);
        self.basis = reduced.plane.as_ref().map(|plane| plane.basis().clone());
        self.phi =
            phi.iter().map(|&(number, row, c)| [number, place(c, n + row), place(n + row, c)]).collect();
        let equation = &reduced.jacobian.equation;
        self.reactions =
            reactions.iter().map(|&[k, c, row]| [k, c, equation[row], place(n + row, c)]).collect();
        self.added = added
            .iter()
            .map(|&(column, of)| {
                let place = place(column_of(column), place_of(&of));
                Added { place, column, of, position: 0.0, velocity: 0.0 }
            })
            .collect();
        self.moves = added.iter().map(|&(k, of)| (place_of(&of) as u32, column_of(k) as u32, 0.0)).collect();
        (self.columns, self.rows) = by_columns(whole, &pattern);
        self.pivoted.clear();
        self.fixed = vec![0.0; pattern.len()];
        self.values = vec![0.0; pattern.len()];
        self.right = vec![0.0; whole];
        self.time = vec![0.0; whole];
        let order = order(whole, &pattern)?;
        self.lu = Some(SparseLu::analyse_in_order(whole, &self.columns, &self.rows, &order)?);
        self.independent.clone_from(&reduced.partition.independent);
        self.places = if planar {
            (inner..whole).chain(0..inner).collect()
        } else {
            let dependent = reduced.partition.dependent.iter();
            self.independent.iter().chain(dependent).copied().chain(n..inner).collect()
        };
        self.pair = SaddlePair::default();
        Ok(())
    }
}

/// The reaction, the coordinate and the kept equation of everything that forces which go with reactions couple.
fn reactions(reduced: &Reduced) -> Vec<[usize; 3]> {
    let system = reduced.mechanism.system;
    let mut all = Vec::new();
    for (k, own) in system.readings.iter().enumerate() {
        let mut acted: Vec<usize> = system.read_by(k).collect();
        acted.sort_unstable();
        acted.dedup();
        let rows = &system.layout.groups[own.group].rows;
        let kept = reduced.jacobian.equation.iter().enumerate().filter(|(_, e)| rows.contains(e));
        for (row, _) in kept {
            all.extend(acted.iter().map(|&c| [k, c, row]));
        }
    }
    all
}

/// (column, row) of the mass of the bodies, and of inertances and flexible bodies by pairs of their velocities.
fn masses(system: &System) -> [Vec<(usize, usize)>; 2] {
    let [mut mass, mut coupled] = [Vec::new(), Vec::new()];
    for node in system.nodes.iter() {
        mass.extend((0..node.places).map(|k| (node.v + k, node.v + k)));
        let turns = node.v + node.places..node.v + node.nv;
        mass.extend(turns.clone().flat_map(|i| turns.clone().map(move |k| (k, i))));
    }
    for inertance in &system.inertances {
        for (_, _, rows) in moving(system, &inertance.basic) {
            for (_, _, columns) in moving(system, &inertance.basic) {
                coupled.extend(rows.clone().flat_map(|r| columns.clone().map(move |c| (c, r))));
            }
        }
    }
    for (body, own) in system.floating.iter().zip(&system.floating_instants()) {
        let of = |node: usize, k: usize| system.nodes[node].v + k;
        system.floating_entries(body, own, |[a, b], [i, j], _| coupled.push((of(b, j), of(a, i))));
    }
    [mass, coupled]
}

/// The order of little fill is that of the symmetric pattern, where empty diagonals wait for their pivots.
fn order(size: usize, pattern: &[(usize, usize)]) -> Result<Vec<usize>, SparseError> {
    let mut symmetric = pattern.to_vec();
    symmetric.extend(pattern.iter().map(|&(c, r)| (r, c)));
    symmetric.sort_unstable();
    symmetric.dedup();
    let (columns, rows) = by_columns(size, &symmetric);
    Ok(SparseLu::analyse(size, &columns, &rows)?.order().collect())
}

/// What each independent coordinate acts on: the balance of forces of bodies that depend on one it moves, and the
/// equations that contain a coordinate it moves. It moves those that it is joined to by equations without passing
/// another independent one.
fn reach(reduced: &Reduced) -> Vec<(usize, Of)> {
    let (partition, system) = (&reduced.partition, reduced.mechanism.system);
    if reduced.plane.is_some() {
        // a coordinate of the plane moves all that there is
        let coordinates = (0..system.velocities()).map(Of::Coordinate);
        let all: Vec<Of> = coordinates.chain((0..partition.rows.len()).map(Of::Pivot)).collect();
        return (0..partition.independent.len()).flat_map(|k| all.iter().map(move |of| (k, *of))).collect();
    }
    let rows: Vec<_> = partition.rows.iter().map(|&row| &reduced.jacobian.rows[row]).collect();
    let mut pivots_with = vec![Vec::new(); system.velocities()];
    for (pivot, entries) in rows.iter().enumerate() {
        entries.iter().for_each(|&(_, c)| pivots_with[c].push(pivot));
    }
    let mut dependent = vec![true; system.velocities()];
    partition.independent.iter().for_each(|&c| dependent[c] = false);
    let mut out = Vec::new();
    for (k, &start) in partition.independent.iter().enumerate() {
        // through the equations, from coordinate to dependent coordinate
        let (mut moves, mut changes) = (vec![false; dependent.len()], vec![false; rows.len()]);
        let mut waiting = vec![start];
        moves[start] = true;
        while let Some(c) = waiting.pop() {
            for &pivot in &pivots_with[c] {
                if std::mem::replace(&mut changes[pivot], true) {
                    continue;
                }
                for &(_, next) in rows[pivot] {
                    if dependent[next] && !std::mem::replace(&mut moves[next], true) {
                        waiting.push(next);
                    }
                }
            }
        }
        let mut acts = vec![false; dependent.len()];
        // reactions go with anything that moves their joints
        (0..system.readings.len()).flat_map(|k| system.read_by(k)).for_each(|c| acts[c] = true);
        for pair in &system.layout.pairs {
            let [a, b] = pair.bodies.map(|body| system.nodes.v(body));
            if moves[b].contains(&true) {
                acts[a].fill(true);
            }
        }
        out.extend((0..acts.len()).filter(|&c| acts[c]).map(|c| (k, Of::Coordinate(c))));
        out.extend((0..changes.len()).filter(|&e| changes[e]).map(|e| (k, Of::Pivot(e))));
    }
    out
}

/// Starts of the columns and rows of sorted (column, row).
fn by_columns(n: usize, pattern: &[(usize, usize)]) -> (Vec<usize>, Vec<usize>) {
    let starts = (0..=n).map(|c| pattern.partition_point(|e| e.0 < c)).collect();
    (starts, pattern.iter().map(|e| e.1).collect())
}
