//! The shape of a cable that hangs.

use crate::model::value::Vec3;

/// Parts of a length below which it is none.
const NOTHING: f64 = 1e-9;

/// A cable as a chain of links.
#[derive(Clone, Copy, Debug)]
pub(super) struct Links {
    /// Length without load.
    pub length: f64,
    /// How many there are.
    pub count: usize,
    /// Weight per length.
    pub weight: f64,
    /// Force per strain.
    pub stiffness: f64,
}

impl Links {
    /// The nodes of the chain between two ends, at rest where it is long enough to hang: its lowest point is `down`. Else
    /// on the line between them. O(count).
    pub fn hanging(&self, [from, to]: [Vec3; 2], down: &Vec3) -> Vec<Vec3> {
        let way = to - from;
        let rise = -way.dot(down);
        let level = way + down * rise;
        let span = level.norm();
        let share = |k: usize| k as f64 / self.count as f64;
        // also what is no number does not hang
        let slack = self.length > way.norm() * (1.0 + NOTHING);
        let mut places: Vec<Vec3> = if !slack {
            (0..=self.count).map(|k| from + way * share(k)).collect()
        } else if span <= NOTHING * self.length {
            // down and up again along one line
            let lowest = 0.5 * (self.length - rise);
            let depth = |s: f64| if s < lowest { s } else { 2.0 * lowest - s };
            (0..=self.count).map(|k| from + down * depth(self.length * share(k)) + level * share(k)).collect()
        } else {
            let along = level / span;
            self.settled(span, rise).into_iter().map(|[x, z]| from + along * x - down * z).collect()
        };
        places[0] = from;
        places[self.count] = to;
        places
    }

    /// Nodes, level and upright, between ends that are so far apart. The level force H and the upright one at the start V
    /// are those of the catenary first, and then corrected by Newton's method for a chain of straight links that give way.
    fn settled(&self, span: f64, rise: f64) -> Vec<[f64; 2]> {
        let a = 0.5 * span / opening((self.length.powi(2) - rise * rise).sqrt() / span);
        let lowest = 0.5 * span - a * (rise / self.length).atanh();
        let weight = self.weight * self.length / self.count as f64;
        let mut force = [self.weight * a, -self.weight * a * (lowest / a).sinh()];
        for _ in 0..MOST {
            let ([x, z], [xh, xv, zh, zv]) = self.reached(force, weight);
            let (miss, det) = ([span - x, rise - z], xh * zv - xv * zh);
            let step = [(zv * miss[0] - xv * miss[1]) / det, (xh * miss[1] - zh * miss[0]) / det];
            let part = if force[0] + step[0] > 0.1 * force[0] { 1.0 } else { 0.9 * force[0] / -step[0] };
            force = [force[0] + part * step[0], force[1] + part * step[1]];
            if miss[0].hypot(miss[1]) < 1e-13 * self.length {
                break;
            }
        }
        let mut places = vec![[0.0; 2]];
        let mut at = [0.0; 2];
        for k in 0..self.count {
            let [x, z, _] = self.link(force, weight, k);
            at = [at[0] + x, at[1] + z];
            places.push(at);
        }
        places
    }

    /// The way along a link, and its tension.
    fn link(&self, [h, v]: [f64; 2], weight: f64, k: usize) -> [f64; 3] {
        let upright = v + (k as f64 + 0.5) * weight;
        let tension = h.hypot(upright);
        let stretched = self.length / self.count as f64 * (1.0 / tension + 1.0 / self.stiffness);
        [h * stretched, upright * stretched, tension]
    }

    /// Where the last node is for forces H and V, and its derivatives: x by H and V, z by H and V.
    fn reached(&self, [h, v]: [f64; 2], weight: f64) -> ([f64; 2], [f64; 4]) {
        let (mut end, mut slopes) = ([0.0; 2], [0.0; 4]);
        let each = self.length / self.count as f64;
        for k in 0..self.count {
            let [x, z, tension] = self.link([h, v], weight, k);
            let upright = v + (k as f64 + 0.5) * weight;
            let (cube, soft) = (each / tension.powi(3), each / self.stiffness);
            end = [end[0] + x, end[1] + z];
            slopes[0] += upright * upright * cube + soft;
            slopes[1] -= h * upright * cube;
            slopes[3] += h * h * cube + soft;
        }
        slopes[2] = slopes[1];
        (end, slopes)
    }
}

/// Most iterations.
const MOST: usize = 60;

/// The u with sinh(u) / u = ratio, which is greater than one.
fn opening(ratio: f64) -> f64 {
    let (mut low, mut high) = (0.0_f64, 1.0);
    let above = |u: f64| u.sinh() > ratio * u;
    while !above(high) {
        high *= 2.0;
    }
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if above(middle) { high = middle } else { low = middle }
    }
    0.5 * (low + high)
}
