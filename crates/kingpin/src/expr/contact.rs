//! How smoothly the two pieces of an expression meet where a switch changes.
//!
//! Let D be the difference of the pieces, and p the order of contact: D goes with the p-th power of the distance to the edge.
//! Air drag `-c*w*abs(w)` has p = 2: value and slope go on, only the curvature jumps, which error control sees to. To find
//! such an edge and to begin anew there costs steps, and near rest, where the force vanishes too, there may be no end to it.
//!
//! An order is told by numbers: values and gradients of both pieces at random points of the edge.

use super::pieces::{Edges, Site};
use super::program::Expr;

/// Points that are tried, and how many of them must lie on an edge.
const TRIALS: usize = 12;
const ENOUGH: usize = 4;
/// Differences of pieces below this part of what they are near by are rounding errors.
const NOTHING: f64 = 1e-9;
/// Distance of what is near by, in parts of the variables.
const NEAR: f64 = 1e-2;
/// Pieces that bend differently by more than this factor: one of them is a force that comes and goes, which must not be missed.
const UNLIKE: f64 = 10.0;

/// An expression on pieces, and its sites, which are the switches from `first` on.
pub(super) struct Pieced<'a> {
    pub expr: &'a Expr,
    pub sites: &'a [Site],
    pub first: usize,
}

impl Pieced<'_> {
    /// Whether both pieces of a site have the same value and slope along its edge, and bend alike.
    pub fn is_smooth(&self, site: usize) -> bool {
        let used = |expr: &Expr| expr.variables().last().map_or(0, |k| k + 1);
        let width = self.sites.iter().map(|site| used(&site.gauge)).fold(used(self.expr), usize::max);
        let mut random = 0x9E37_79B9_7F4A_7C15_u64;
        let mut next = || {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (random >> 11) as f64 / (1u64 << 53) as f64
        };
        let mut seen = 0;
        for _ in 0..TRIALS {
            // variables of any size and sign
            let sizes: Vec<f64> = (0..width).map(|_| 10_f64.powf(6.0 * next() - 3.0)).collect();
            let x = sizes.iter().map(|size| if next() < 0.5 { -size } else { *size }).collect();
            match self.meets_smoothly(site, x, &sizes) {
                Some(true) => seen += 1,
                Some(false) => return false,
                None => {}
            }
        }
        seen >= ENOUGH
    }

    /// The same at the point of the edge next to a point; `None` if there is none, or no number.
    fn meets_smoothly(&self, site: usize, mut x: Vec<f64>, sizes: &[f64]) -> Option<bool> {
        let gauge = &self.sites[site].gauge;
        // along the gradient to the edge
        let (mut normal, mut slope) = (vec![0.0; x.len()], vec![0.0; x.len()]);
        let mut pieces = self.settled(&x);
        for _ in 0..60 {
            let g = gauge.partials_on(&x, &pieces, &mut slope);
            let square: f64 = slope.iter().zip(sizes).map(|(g, s)| (g * s).powi(2)).sum();
            let sound = square > 0.0 && square.is_finite() && g.is_finite();
            if !sound {
                return None;
            }
            for ((n, g), s) in normal.iter_mut().zip(&slope).zip(sizes) {
                *n = g * s * s / square.sqrt();
            }
            if g.abs() <= 1e-14 * square.sqrt() {
                break;
            }
            x.iter_mut().zip(&normal).for_each(|(x, n)| *x -= n * g / square.sqrt());
            pieces = self.settled(&x);
        }
        if gauge.eval_on(&x, &pieces).abs()
            > 1e-12 * slope.iter().zip(sizes).map(|(g, s)| (g * s).abs()).sum::<f64>()
        {
            return None;
        }
        // both pieces on the edge, and a little inside each
        let at = |piece: u8, away: f64| {
            let mut pieces = pieces.clone();
            pieces[self.first + site] = piece;
            let place: Vec<f64> = x.iter().zip(&normal).map(|(x, n)| x + away * NEAR * n).collect();
            let mut gradient = vec![0.0; x.len()];
            let value = self.expr.partials_on(&place, &pieces, &mut gradient);
            gradient.iter_mut().zip(sizes).for_each(|(g, s)| *g *= s);
            (value, gradient)
        };
        let [(low, low_slope), (high, high_slope)] = [at(0, 0.0), at(1, 0.0)];
        let [(below, below_slope), (above, above_slope)] = [at(0, -1.0), at(1, 1.0)];
        let size =
            |all: &[&[f64]]| all.iter().flat_map(|x| x.iter()).fold(0.0, |most: f64, x| most.max(x.abs()));
        let value = size(&[&[low, high, below, above]]);
        let steepest = size(&[&low_slope, &high_slope, &below_slope, &above_slope]);
        if !value.is_finite() || !steepest.is_finite() {
            return None;
        }
        let apart =
            |a: &[f64], b: &[f64]| a.iter().zip(b).fold(0.0, |most: f64, (a, b)| most.max((a - b).abs()));
        let bends = [apart(&below_slope, &low_slope), apart(&above_slope, &high_slope)];
        let alike = bends[0] <= UNLIKE * bends[1] && bends[1] <= UNLIKE * bends[0];
        let meets =
            (high - low).abs() <= NOTHING * value && apart(&low_slope, &high_slope) <= NOTHING * steepest;
        Some(meets && alike)
    }

    /// The pieces of all sites at a point.
    fn settled(&self, x: &[f64]) -> Vec<u8> {
        let mut pieces = vec![0; self.first + self.sites.len()];
        for (k, site) in self.sites.iter().enumerate() {
            let g = site.gauge.eval_on(x, &pieces);
            pieces[self.first + k] = match site.edges {
                Edges::Whole => g.floor().rem_euclid(256.0) as u8,
                Edges::Zero | Edges::Sign => u8::from(g >= 0.0),
            };
        }
        pieces
    }
}

#[cfg(test)]
mod tests {
    use crate::expr::{Expr, Scope, parse};

    fn expression(text: &str) -> Expr {
        let mut scope = Scope::new();
        scope.variable("t", 0, None).variable("w", 1, None).variable("y", 2, None);
        parse(text, &scope).unwrap_or_else(|errors| panic!("{text}: {errors:?}"))
    }

    /// Edges that need no event: value and slope go on there, and the force is at work on both sides.
    #[test]
    fn smooth_edges_make_no_sites() {
        let smooth = [
            "-0.7*w*abs(w)",
            "-2e-10*w*abs(w)",
            "w^2*abs(w)",
            "sign(w)*w^2",
            "w*abs(w) + 0.2*w",
            "tanh(abs(w))*w",
            "y*w*abs(w) + cos(y)",
            "(w - y)*abs(w - y)",
            "(w - 3)*abs(w - 3)*t",
        ];
        for text in smooth {
            let split = expression(text).split_where_rough(0, Some(0), |_| false);
            assert!(split.is_none(), "{text}: {} sites", split.map_or(0, |(_, sites)| sites.len()));
        }
    }

    /// Those that do: jumps, kinks, forces that come and go, functions of time.
    #[test]
    fn rough_edges_make_sites() {
        let rough = [
            ("abs(w)", 1),
            ("1 + y*abs(w)", 1),
            ("sign(w)", 1),
            ("sign(w)*w", 1),
            ("abs(w)*exp(-1000*y)", 1),
            ("max(w, 0)", 1),
            ("(abs(w) + w)^2", 1),
            ("w*max(w, 0)", 1),
            ("if(w > 0, 3, 1)", 1),
            ("step(w, 0, 0, 1, 1)", 2),
            ("(t - 1)*abs(t - 1)", 1),
            ("if(w*abs(w) > y, 1, 2)", 2),
            ("w*abs(w) + abs(y)", 1),
            ("clamp(y, -1, 1)*w*abs(w)", 2),
        ];
        for (text, count) in rough {
            let split = expression(text).split_where_rough(0, Some(0), |_| false);
            assert_eq!(split.map_or(0, |(_, sites)| sites.len()), count, "{text}");
        }
    }
}
