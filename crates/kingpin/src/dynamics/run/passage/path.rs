//! Distances from dependence along a run, and where they lead to.

/// Distances from dependence at the last accepted states. Plain numbers, part of a checkpoint.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Approach {
    /// Times and distances, the latest first; distances are zero where there is none yet.
    pub last: [(f64, f64); 3],
    /// The greatest distance so far.
    pub largest: f64,
    /// The distance at which a bridge over the position ahead was tried last; 0 if none was.
    pub refused: f64,
    /// Where the next step is to end, if that is planned, and the part of it that leads to the position ahead if it is
    /// to be a bridge over it; 0 if not.
    pub bridge: (f64, f64),
}

impl Approach {
    /// How many plain numbers it is.
    pub const NUMBERS: usize = 10;

    /// All of it as plain numbers.
    pub fn numbers(&self) -> [f64; Self::NUMBERS] {
        let [(a, x), (b, y), (c, z)] = self.last;
        [a, x, b, y, c, z, self.largest, self.refused, self.bridge.0, self.bridge.1]
    }

    /// From plain numbers.
    pub fn from_numbers(
        [a, x, b, y, c, z, largest, refused, until, place]: [f64; Self::NUMBERS],
    ) -> Approach {
        Approach { last: [(a, x), (b, y), (c, z)], largest, refused, bridge: (until, place) }
    }

    /// Goes on from another place.
    pub(super) fn forget(&mut self) {
        *self = Approach { largest: self.largest, ..Approach::default() };
    }

    pub(super) fn push(&mut self, t: f64, distance: f64) {
        self.last = [(t, distance), self.last[0], self.last[1]];
        self.largest = self.largest.max(distance);
        if distance > self.last[1].1 {
            self.refused = 0.0;
        }
    }

    /// Whether the distance may vanish in a step from the latest state, as far as is known.
    pub(super) fn leads_to_zero(&self, h: f64) -> bool {
        let [(t0, s0), (t1, s1), _] = self.last;
        let falls = s1 > s0 && (s1 - s0) * h > 0.5 * s0 * (t0 - t1);
        let unknown = s1 == 0.0 && s0 < DEEP * self.largest;
        falls || unknown || self.ahead().is_some_and(|wait| wait < 1.3 * h)
    }

    /// The time from the latest state to where the distance would vanish, if it goes on as it did.
    pub(super) fn ahead(&self) -> Option<f64> {
        ahead(self.last)
    }
}

/// The time from the first of three states to where a distance would vanish, if it goes on as it did.
pub(super) fn ahead([(t0, s0), (t1, s1), (t2, s2)]: [(f64, f64); 3]) -> Option<f64> {
    if s1 <= 0.0 || s0 >= s1 || t0 <= t1 {
        return None;
    }
    let slope = (s0 - s1) / (t0 - t1);
    if s2 <= 0.0 || t1 <= t2 || s2 <= s1 {
        return Some(-s0 / slope);
    }
    // the parabola through three states: s0 + a x + b x^2 = 0
    let before = (s1 - s2) / (t1 - t2);
    let b = (slope - before) / (t0 - t2);
    let a = slope + b * (t0 - t1);
    let root = a * a - 4.0 * b * s0;
    if a >= 0.0 || root < 0.0 { None } else { Some(2.0 * s0 / (-a + root.sqrt())) }
}

/// Minima below this part of a neighbour may be zeros.
const DEEP: f64 = 0.75;

/// Whether a distance may vanish between the neighbours of a place `k` among others that are equally spaced over a
/// step. At an end, `next` is the distance just inside the step; one below `zero` has vanished there.
pub(super) fn may_vanish(d: &[f64], k: usize, zero: f64, next: impl FnOnce() -> f64) -> bool {
    let last = d.len() - 1;
    let below = |other: usize| d[k] < DEEP * d[other];
    match k {
        0 => d[0] < d[1] && (d[0] < zero || next() < d[0]),
        k if k == last => d[k] < d[k - 1] && (d[k] < zero || next() < d[k]),
        k => d[k] <= d[k - 1] && d[k] < d[k + 1] && (below(k - 1) || below(k + 1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(f: impl Fn(f64) -> f64, n: usize) -> Vec<usize> {
        let d: Vec<f64> = (0..=n).map(|k| f(k as f64 / n as f64).abs()).collect();
        let next = |k: usize| f((k as f64 / n as f64 - 0.01).abs()).abs();
        (0..=n).filter(|&k| may_vanish(&d, k, 0.005, || next(k))).collect()
    }

    #[test]
    fn zeros_are_suspected_wherever_they_are() {
        assert_eq!(found(|x| x - 0.5, 4), [2]);
        assert_eq!(found(|x| x - 0.97, 4), [4]);
        assert_eq!(found(|x| x - 0.03, 4), [0]);
        assert_eq!(found(|x| (9.0 * x + 1.0).sin(), 18).len(), 3);
        // one just at the end, and just beyond
        assert_eq!(found(|x| x - 0.9999, 4), [4]);
        assert_eq!(found(|x| x - 1.0001, 4), [4]);
        // one that is flat beside
        assert_eq!(found(|x| (8.0 * (x - 0.95)).tanh(), 4), [4]);
    }

    #[test]
    fn other_minima_are_not() {
        assert_eq!(found(|x| 1.2 - x, 4), [0; 0]);
        assert_eq!(found(|x| 0.2 + x, 4), [0; 0]);
        assert_eq!(found(|x| 0.5 + (x - 0.4).powi(2), 4), [0; 0]);
    }

    #[test]
    fn the_way_ahead_is_a_parabola_through_three_states() {
        let mut path = Approach::default();
        let distance = |t: f64| (1.0 - t) * (1.3 - 0.2 * t);
        for t in [0.2, 0.5, 0.6] {
            path.push(t, distance(t));
        }
        assert!(path.ahead().is_some_and(|wait| (wait - 0.4).abs() < 1e-12));
        path.push(0.7, 1.0);
        assert_eq!(path.ahead(), None);
    }
}
