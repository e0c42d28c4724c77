//! The section of a beam: corners with normals, and the triangles of its ends.

/// A corner of a side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Corner {
    pub at: [f64; 2],
    pub normal: [f64; 2],
}

/// Sides that meet at less than 40 degrees look round.
const ROUND: f64 = 0.766;

/// The outline counter-clockwise, seen against the beam.
pub(super) fn outward(outline: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let mut points = outline.to_vec();
    if area(&points) < 0.0 {
        points.reverse();
    }
    points
}

/// Two corners for every side, from its start to its end.
pub(super) fn corners(points: &[[f64; 2]]) -> Vec<Corner> {
    let n = points.len();
    let normal = |side: usize| {
        let (a, b) = (points[side], points[(side + 1) % n]);
        unit([b[1] - a[1], a[0] - b[0]])
    };
    let corner = |at: usize, side: usize, other: usize| {
        let (a, b) = (normal(side), normal(other));
        let round = a[0] * b[0] + a[1] * b[1] > ROUND;
        Corner { at: points[at], normal: if round { unit([a[0] + b[0], a[1] + b[1]]) } else { a } }
    };
    (0..n).flat_map(|k| [corner(k, k, (k + n - 1) % n), corner((k + 1) % n, k, (k + 1) % n)]).collect()
}

/// Triangles of a simple polygon that is counter-clockwise: ears are cut off one after the other. O(n^3) at worst.
pub(super) fn triangles(points: &[[f64; 2]]) -> Vec<[u32; 3]> {
    let mut left: Vec<usize> = (0..points.len()).collect();
    let mut out = Vec::new();
    while left.len() > 3 {
        let n = left.len();
        let ear = (0..n).find(|&k| {
            let [a, b, c] = [left[(k + n - 1) % n], left[k], left[(k + 1) % n]];
            let corner = [points[a], points[b], points[c]];
            let others = left.iter().filter(|&&p| p != a && p != b && p != c);
            area(&corner) > 0.0 && !others.into_iter().any(|&p| inside(&corner, points[p]))
        });
        // a polygon that crosses itself has none: what is left is a fan
        let k = ear.unwrap_or(1);
        out.push([left[(k + n - 1) % n], left[k], left[(k + 1) % n]].map(|p| p as u32));
        left.remove(k);
    }
    if let [a, b, c] = left[..] {
        out.push([a, b, c].map(|p| p as u32));
    }
    out
}

fn inside(triangle: &[[f64; 2]; 3], point: [f64; 2]) -> bool {
    (0..3).all(|k| area(&[triangle[k], triangle[(k + 1) % 3], point]) >= 0.0)
}

fn area(points: &[[f64; 2]]) -> f64 {
    let n = points.len();
    let cross = |k: usize| points[k][0] * points[(k + 1) % n][1] - points[(k + 1) % n][0] * points[k][1];
    0.5 * (0..n).map(cross).sum::<f64>()
}

fn unit(v: [f64; 2]) -> [f64; 2] {
    let n = v[0].hypot(v[1]);
    if n > 0.0 { v.map(|x| x / n) } else { v }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A rectangle, an I and a circle, one of them clockwise.
    fn outlines() -> [Vec<[f64; 2]>; 3] {
        let quarter = [[2.0, -1.0], [2.0, 1.0], [1.5, 1.0], [1.5, 0.2], [-1.5, 0.2], [-1.5, 1.0]];
        let circle = |k: i32| (std::f64::consts::TAU * f64::from(k) / 16.0).sin_cos();
        [
            vec![[1.0, 2.0], [1.0, -2.0], [-1.0, -2.0], [-1.0, 2.0]],
            quarter.into_iter().chain(quarter.map(|[y, z]| [-y, -z])).collect(),
            (0..16).map(circle).map(|(s, c)| [c, s]).collect(),
        ]
    }

    #[test]
    fn triangles_fill_the_section_and_turn_one_way() {
        for outline in outlines() {
            let points = outward(&outline);
            let parts = triangles(&points).into_iter().map(|t| area(&t.map(|k| points[k as usize])));
            let parts: Vec<f64> = parts.collect();
            assert!(parts.iter().all(|part| *part > 0.0), "{parts:?}");
            assert!((parts.iter().sum::<f64>() - area(&outline).abs()).abs() < 1e-12);
        }
    }

    #[test]
    fn normals_point_outwards_and_round_ones_agree() {
        for outline in outlines() {
            let points = outward(&outline);
            for pair in corners(&points).chunks(2) {
                let [a, b] = [pair[0], pair[1]];
                let side = [b.at[0] - a.at[0], b.at[1] - a.at[1]];
                assert!(side[1] * a.normal[0] - side[0] * a.normal[1] > 0.0);
            }
        }
        let round = corners(&outward(&outlines()[2]));
        assert!((round[1].normal[0] - round[2].normal[0]).abs() < 1e-12);
        let sharp = corners(&outward(&outlines()[0]));
        assert_ne!(sharp[1].normal, sharp[2].normal);
    }
}
