//! Where coordinates of attitudes fold: a sequence of turns at its singular position, a rotation vector at half a turn.

use super::Basic;

/// The Euler parameters of one frame seen from another, in an order in which the first two vanish together at a fold of
/// one kind, and the last two at the other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fold {
    /// The parameters.
    e: [f64; 4],
    /// Whether it is that of a rotation vector: at half a turn the first of them vanishes.
    half_turn: bool,
}

/// Cosine of half of the turn between two instants, beyond which nobody knows the way from one to the other.
const FAR: f64 = 0.7;

impl Fold {
    /// Whether it is that of a rotation vector.
    pub fn is_half_turn(&self) -> bool {
        self.half_turn
    }

    fn product(&self, later: &Fold) -> f64 {
        self.e.iter().zip(&later.e).map(|(a, b)| a * b).sum()
    }

    /// Whether a later instant is so far away that nobody knows the way.
    pub fn is_far(&self, later: &Fold) -> bool {
        self.product(later).abs() <= FAR
    }

    /// How near the way from here to a later instant comes to the fold: the part of the way and the angle left.
    pub fn nearest(&self, later: &Fold) -> (f64, f64) {
        let product = self.product(later);
        // E and -E are the same attitude
        let to = later.e.map(|x| if product < 0.0 { -x } else { x });
        let knows = !self.is_far(later);
        let parts: &[&[usize]] = if self.half_turn { &[&[0]] } else { &[&[0, 1], &[2, 3]] };
        let ends = [0.0, 1.0].into_iter().flat_map(|at| parts.iter().map(move |part| (at, *part)));
        let lowest = parts.iter().filter(|_| knows).map(|part| (lowest(&self.e, &to, part), *part));
        // the attitude turns evenly along the arc over the straight way
        let cosine = product.abs().min(1.0);
        let arc = cosine.acos();
        let place = |at: f64| {
            let turned = (at * arc.sin()).atan2(1.0 - at + at * cosine);
            if arc > 0.0 { (turned / arc).clamp(0.0, 1.0) } else { at }
        };
        let size = |(at, part): (f64, &[usize])| {
            let square = part.iter().map(|&k| (self.e[k] + at * (to[k] - self.e[k])).powi(2)).sum::<f64>();
            let whole = 1.0 - 2.0 * at * (1.0 - at) * (1.0 - cosine);
            (place(at), 2.0 * (square / whole).sqrt().min(1.0).asin())
        };
        let all = ends.chain(lowest).map(size);
        all.min_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or((0.0, f64::INFINITY))
    }
}

/// Where on the straight way between two vectors, of which parts are meant, the shortest is.
fn lowest(from: &[f64; 4], to: &[f64; 4], part: &[usize]) -> f64 {
    let along: f64 = part.iter().map(|&k| (to[k] - from[k]) * from[k]).sum();
    let square: f64 = part.iter().map(|&k| (to[k] - from[k]).powi(2)).sum();
    if square > 0.0 { (-along / square).clamp(0.0, 1.0) } else { 0.0 }
}

impl Basic {
    /// How far it is from where it folds, for rotation coordinates of its bodies.
    pub fn fold(&self, [pi, pj]: [&[f64; 4]; 2]) -> Option<Fold> {
        match self {
            Basic::Sequence(own) => Some(Fold { e: own.abcd(pi, pj), half_turn: false }),
            Basic::Rotation(own) => Some(Fold { e: own.relative().parameters(pi, pj), half_turn: true }),
            _ => None,
        }
    }

    /// Whether there is a position where it folds.
    pub fn folds(&self) -> bool {
        matches!(self, Basic::Sequence(_) | Basic::Rotation(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Turns about one axis by so much.
    fn turned(angle: f64) -> Fold {
        let half = 0.5 * angle;
        Fold { e: [half.cos(), half.sin(), 0.0, 0.0], half_turn: true }
    }

    #[test]
    fn half_a_turn_is_seen_between_two_instants() {
        let (at, left) = turned(3.0).nearest(&turned(3.3));
        assert!(left < 1e-15 && (at - (std::f64::consts::PI - 3.0) / 0.3).abs() < 1e-12, "{at} {left}");
        // the other sign of the same attitude
        let other = Fold { e: turned(3.3).e.map(|x| -x), half_turn: true };
        assert_eq!(turned(3.0).nearest(&other), (at, left));
        let (at, left) = turned(2.0).nearest(&turned(2.5));
        assert!(at == 1.0 && (left - (std::f64::consts::PI - 2.5)).abs() < 1e-14);
        // more than a quarter of a turn: nobody knows which way
        let (_, left) = turned(2.0).nearest(&turned(-2.0 + 0.4));
        assert!(left > 1.0);
    }

    /// zyx: yaw, pitch through a right angle and past it, with a roll that is not zero.
    #[test]
    fn pairs_vanish_together() {
        let fold = |e: [f64; 4]| {
            let size = e.iter().map(|x| x * x).sum::<f64>().sqrt();
            Fold { e: e.map(|x| x / size), half_turn: false }
        };
        let passed = |side: f64| fold([side, 0.2 * side, 0.9, 0.43]);
        let (at, left) = passed(0.01).nearest(&passed(-0.03));
        assert!((at - 0.25).abs() < 1e-3 && left < 1e-15, "{at} {left}");
        let beside = |side: f64| fold([side, 0.2, 0.9, 0.43]);
        let (_, left) = beside(0.01).nearest(&beside(-0.03));
        assert!((left - 2.0 * (0.2 / f64::hypot(0.2, f64::hypot(0.9, 0.43))).asin()).abs() < 1e-6, "{left}");
    }
}
