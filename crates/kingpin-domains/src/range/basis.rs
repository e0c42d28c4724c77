//! The six rigid motions of a frame of three nodes, and the three that strain it.

use super::structure::{FRAME, ROWS};

/// Rigid motions.
pub(crate) const RIGID: usize = 6;
/// Motions of a frame that strain it.
pub(crate) const STRAINED: usize = ROWS - RIGID;

/// An orthogonal matrix by rows, whose first six columns are the rigid motions of nodes at these places and the others
/// what is across them; none if the nodes are on a line.
pub(crate) fn basis(places: &[[f64; 3]; FRAME]) -> Option<[f64; ROWS * ROWS]> {
    let centre: [f64; 3] = std::array::from_fn(|k| places.iter().map(|p| p[k]).sum::<f64>() / FRAME as f64);
    let arm = |node: usize| -> [f64; 3] { std::array::from_fn(|k| places[node][k] - centre[k]) };
    let size = (0..FRAME).flat_map(arm).fold(0.0_f64, |most, x| most.max(x.abs()));
    let mut columns: Vec<[f64; ROWS]> = Vec::with_capacity(ROWS);
    for axis in 0..3 {
        columns.push(std::array::from_fn(|k| f64::from(u8::from(k % 3 == axis))));
    }
    for axis in 0..3 {
        // the unit vector of the axis times the arm, over the size of the frame
        let turned = |k: usize| {
            let (node, to) = (k / 3, k % 3);
            let arm = arm(node);
            let [next, last] = [(axis + 1) % 3, (axis + 2) % 3];
            let value = if to == next { -arm[last] } else { 0.0 } + if to == last { arm[next] } else { 0.0 };
            value / size
        };
        columns.push(std::array::from_fn(turned));
    }
    for k in 0..RIGID {
        if !straighten(&mut columns, k, 1e-6) {
            return None;
        }
    }
    // unit vectors that have most left across those there are
    for unit in 0..ROWS {
        if columns.len() < ROWS {
            columns.push(std::array::from_fn(|k| f64::from(u8::from(k == unit))));
            let last = columns.len() - 1;
            if !straighten(&mut columns, last, 0.2) {
                columns.pop();
            }
        }
    }
    (columns.len() == ROWS).then(|| std::array::from_fn(|k| columns[k % ROWS][k / ROWS]))
}

/// Makes a column of length one across all before it; whether it had more than a part of its length left.
fn straighten(columns: &mut [[f64; ROWS]], k: usize, least: f64) -> bool {
    let length = |x: &[f64; ROWS]| x.iter().map(|x| x * x).sum::<f64>().sqrt();
    let given = length(&columns[k]);
    // twice is enough
    for _ in 0..2 {
        for j in 0..k {
            let (before, own) = columns.split_at_mut(k);
            let dot: f64 = before[j].iter().zip(&own[0]).map(|(a, b)| a * b).sum();
            own[0].iter_mut().zip(before[j]).for_each(|(x, b)| *x -= dot * b);
        }
    }
    let left = length(&columns[k]);
    columns[k].iter_mut().for_each(|x| *x /= left);
    left > least * given
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rigid_motions_of_a_frame_are_spanned_and_the_rest_is_across() {
        let places = [[0.3, 0.1, 2.0], [-0.4, 0.7, 2.1], [0.2, -0.5, 1.8]];
        let q = basis(&places).unwrap();
        for i in 0..ROWS {
            for j in 0..ROWS {
                let dot: f64 = (0..ROWS).map(|k| q[k * ROWS + i] * q[k * ROWS + j]).sum();
                assert!((dot - f64::from(u8::from(i == j))).abs() < 1e-14);
            }
        }
        // a turn about z and a shift have no strained part
        for column in RIGID..ROWS {
            let motion = |k: usize| match k % 3 {
                0 => 0.7 - places[k / 3][1],
                1 => places[k / 3][0],
                _ => -0.2,
            };
            let dot: f64 = (0..ROWS).map(|k| q[k * ROWS + column] * motion(k)).sum();
            assert!(dot.abs() < 1e-14, "{dot}");
        }
        assert!(basis(&[[0.0; 3], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0]]).is_none());
    }
}
