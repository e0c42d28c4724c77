//! Which sub-domain each element belongs to: recursive bisection across the longest extent.

use kingpin::topology::divide;
use nalgebra::Vector3;

/// Parts of nearly equal weight: places are divided across their longest extent, in proportion to the parts that either
/// side will have, and so on. Returns the part of each place. Ties are broken by the order of the places, so the same
/// places give the same parts. O(places * log(places) * log(parts))
///
/// There are as many parts as asked for, none empty, where there are as many places; else each place is a part.
pub fn bisect(places: &[Vector3<f64>], weights: &[f64], parts: usize) -> Vec<usize> {
    divide(weights, parts, |own, _| {
        let axis = longest_axis(places, own);
        own.sort_by(|&a, &b| places[a][axis].total_cmp(&places[b][axis]).then(a.cmp(&b)));
    })
}

fn longest_axis(places: &[Vector3<f64>], own: &[usize]) -> usize {
    let extent = |axis: usize| {
        let numbers = || own.iter().map(|&k| places[k][axis]);
        numbers().fold(f64::NEG_INFINITY, f64::max) - numbers().fold(f64::INFINITY, f64::min)
    };
    // of equal extents the first; nearly equal ones must not be told apart by rounding
    let mut longest = 0;
    for axis in 1..3 {
        if extent(axis) > extent(longest) * (1.0 + 1e-9) {
            longest = axis;
        }
    }
    longest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grid_falls_into_equal_squares() {
        let places: Vec<_> =
            (0..64).map(|k| Vector3::new((k / 8) as f64 + 0.5, (k % 8) as f64 + 0.5, 0.0)).collect();
        let part_of = bisect(&places, &vec![1.0; 64], 4);
        for (place, part) in places.iter().zip(&part_of) {
            let square = 2 * usize::from(place.x > 4.0) + usize::from(place.y > 4.0);
            assert_eq!(*part, square);
        }
    }

    #[test]
    fn parts_are_balanced_and_never_empty() {
        let places: Vec<_> =
            (0..50).map(|k| Vector3::new((k * k % 17) as f64, (k % 7) as f64, 0.1)).collect();
        let weights: Vec<f64> = (0..50).map(|k| 1.0 + (k % 3) as f64).collect();
        for parts in 1..12 {
            let mut sums = vec![0.0; parts];
            bisect(&places, &weights, parts).iter().zip(&weights).for_each(|(&part, w)| sums[part] += w);
            let mean = weights.iter().sum::<f64>() / parts as f64;
            for sum in sums {
                assert!((sum - mean).abs() < 4.0, "{parts} parts: {sum} of {mean}");
            }
        }
        assert_eq!(bisect(&places[..3], &weights[..3], 9).into_iter().max(), Some(2));
    }
}
