//! Quadrature of powers over a step: Gauss–Lobatto places, and the polynomial through the values there.

use crate::system::Powers;

/// Most places in a step.
const MOST: usize = 5;

/// The rules of Lobatto with three, four and five places; exact for polynomials of degree 3, 5 and 7.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::dynamics) enum LobattoRule {
    #[default]
    Three,
    Four,
    Five,
}

impl LobattoRule {
    /// The rule that errs less than a method of that order.
    pub fn of_order(order: usize) -> LobattoRule {
        match order {
            0..=3 => LobattoRule::Three,
            4..=6 => LobattoRule::Four,
            _ => LobattoRule::Five,
        }
    }

    /// Places in a step from 0 to 1, and their weights.
    fn table(self) -> (&'static [f64], &'static [f64]) {
        match self {
            LobattoRule::Three => (&[0.0, 0.5, 1.0], &[1.0 / 6.0, 4.0 / 6.0, 1.0 / 6.0]),
            LobattoRule::Four => (
                &[0.0, 0.276_393_202_250_021, 0.723_606_797_749_979, 1.0],
                &[1.0 / 12.0, 5.0 / 12.0, 5.0 / 12.0, 1.0 / 12.0],
            ),
            LobattoRule::Five => (
                &[0.0, 0.172_673_164_646_011_43, 0.5, 0.827_326_835_353_988_6, 1.0],
                &[0.05, 49.0 / 180.0, 16.0 / 45.0, 49.0 / 180.0, 0.05],
            ),
        }
    }

    /// The places, from 0 to 1, with their numbers.
    pub fn places(self) -> impl Iterator<Item = (usize, f64)> {
        self.table().0.iter().copied().enumerate()
    }

    /// The number of the place at the end.
    pub fn last(self) -> usize {
        self.table().0.len() - 1
    }
}

/// Powers inside a step that are so many times greater than those at its ends are not believed.
const SHAKEN: f64 = 10.0;

/// Powers that leave a straight line by no more than this part of the greatest need no second look.
const STRAIGHT: f64 = 0.02;

/// A polynomial that has the middle of a step to this part of the greatest value is believed elsewhere.
const KNOWN: f64 = 1e-6;

/// A highest coefficient up to this part of the greatest value is small enough.
const RESOLVED: f64 = 0.005;

/// Powers at the places of a rule.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::dynamics) struct PowerNodes {
    rule: LobattoRule,
    values: [Powers; MOST],
}

/// Places and weights of Gauss with three places on 0 to 1, exact for polynomials of degree 5.
const GAUSS: [(f64, f64); 3] =
    [(0.112_701_665_379_258_31, 5.0 / 18.0), (0.5, 8.0 / 18.0), (0.887_298_334_620_741_7, 5.0 / 18.0)];

impl PowerNodes {
    pub fn new(rule: LobattoRule) -> PowerNodes {
        PowerNodes { rule, ..PowerNodes::default() }
    }

    pub fn set(&mut self, place: usize, powers: Powers) {
        self.values[place] = powers;
    }

    /// The mean over the step.
    pub fn whole(&self) -> Powers {
        self.sum(self.rule.table().1)
    }

    /// Makes the powers inside those of a straight line, if they are far greater than those at the ends: where a
    /// method is held back by stiff forces its dense output shakes.
    pub fn smooth(&mut self) {
        let size = |powers: &Powers| powers.dissipated.abs() + powers.work().abs();
        let last = self.rule.last();
        let (first, end) = (self.values[0], self.values[last]);
        let most = self.values[1..last].iter().map(size).fold(0.0, f64::max);
        if most > SHAKEN * (size(&first) + size(&end)) && size(&first) > 0.0 {
            self.rule.places().for_each(|(k, x)| self.values[k] = first.towards(end, x));
        }
    }

    /// Whether the values inside are far from a straight line between those at the ends.
    pub fn is_bent(&self) -> bool {
        let last = self.rule.last();
        let (first, end) = (self.values[0], self.values[last]);
        let size = |powers: &Powers| powers.dissipated.abs() + powers.applied.abs() + powers.drivers.abs();
        let most = self.values[..=last].iter().map(size).fold(0.0, f64::max);
        self.rule.places().any(|(k, x)| {
            let (own, line) = (self.values[k], first.towards(end, x));
            let apart =
                [own.dissipated - line.dissipated, own.applied - line.applied, own.drivers - line.drivers];
            apart.iter().map(|x| x.abs()).sum::<f64>() > STRAIGHT * most
        })
    }

    /// The values of a parabola through those at the ends and another in the middle.
    pub fn simplified(&self, middle: Powers) -> PowerNodes {
        let mut three = PowerNodes::new(LobattoRule::Three);
        let last = self.rule.last();
        three.values[..3].copy_from_slice(&[self.values[0], middle, self.values[last]]);
        three
    }

    /// Whether the polynomial through the values has this one in the middle.
    pub fn knows_middle(&self, middle: Powers) -> bool {
        let (places, _) = self.rule.table();
        let weights: [f64; MOST] = std::array::from_fn(|k| match places.get(k) {
            Some(place) => {
                let others = places.iter().enumerate().filter(|(j, _)| *j != k);
                others.map(|(_, other)| (0.5 - other) / (place - other)).product()
            }
            None => 0.0,
        });
        let own = self.sum(&weights[..places.len()]);
        let size = |powers: &Powers| powers.dissipated.abs() + powers.applied.abs() + powers.drivers.abs();
        let apart = Powers {
            dissipated: own.dissipated - middle.dissipated,
            applied: own.applied - middle.applied,
            drivers: own.drivers - middle.drivers,
        };
        size(&apart) <= KNOWN * self.values[..places.len()].iter().map(size).fold(0.0, f64::max)
    }

    /// Whether the values look like those of a polynomial that the rule integrates: what the highest difference of
    /// them is, beside the greatest value.
    pub fn is_resolved(&self) -> bool {
        let (places, _) = self.rule.table();
        let (mut highest, mut most) = (0.0, 0.0_f64);
        for (k, powers) in self.values[..places.len()].iter().enumerate() {
            let value = powers.work() - powers.dissipated;
            let others = (0..places.len()).filter(|&j| j != k);
            highest += value / others.map(|j| places[k] - places[j]).product::<f64>();
            most = most.max(value.abs());
        }
        // as the coefficient of the Legendre polynomial of that degree
        let scale = match self.rule {
            LobattoRule::Three => 6.0,
            LobattoRule::Four => 20.0,
            LobattoRule::Five => 70.0,
        };
        highest.abs() <= RESOLVED * scale * most
    }

    /// The integral of the polynomial through the values from 0 to `part` of the step.
    pub fn up_to(&self, part: f64) -> Powers {
        let (places, _) = self.rule.table();
        let mut weights = [0.0; MOST];
        for (place, weight) in GAUSS {
            let x = part * place;
            for (k, out) in weights[..places.len()].iter_mut().enumerate() {
                let factor = |j: usize| (x - places[j]) / (places[k] - places[j]);
                *out += part * weight * (0..places.len()).filter(|&j| j != k).map(factor).product::<f64>();
            }
        }
        self.sum(&weights[..places.len()])
    }

    fn sum(&self, weights: &[f64]) -> Powers {
        self.values.iter().zip(weights).fold(Powers::default(), |sum, (p, w)| Powers {
            dissipated: sum.dissipated + w * p.dissipated,
            applied: sum.applied + w * p.applied,
            drivers: sum.drivers + w * p.drivers,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nodes(rule: LobattoRule, f: impl Fn(f64) -> f64) -> PowerNodes {
        let mut nodes = PowerNodes::new(rule);
        for (k, x) in rule.table().0.iter().enumerate() {
            nodes.set(k, Powers { dissipated: f(*x), applied: 2.0 * f(*x), drivers: 1.0 });
        }
        nodes
    }

    #[test]
    fn polynomials_are_integrated_exactly() {
        for (rule, degree) in [(LobattoRule::Three, 3), (LobattoRule::Four, 5), (LobattoRule::Five, 7)] {
            let nodes = nodes(rule, |x| x.powi(degree));
            let whole = nodes.whole();
            assert!((whole.dissipated - 1.0 / f64::from(degree + 1)).abs() < 1e-15, "{rule:?}");
            assert!((whole.drivers - 1.0).abs() < 1e-15);
        }
    }

    #[test]
    fn parts_agree_with_the_polynomial_and_the_whole() {
        for (rule, degree) in [(LobattoRule::Three, 2), (LobattoRule::Four, 3), (LobattoRule::Five, 4)] {
            let nodes = nodes(rule, |x| (x - 0.3).powi(degree));
            let exact =
                |s: f64| ((s - 0.3).powi(degree + 1) - (-0.3_f64).powi(degree + 1)) / f64::from(degree + 1);
            for part in [0.0, 0.1, 0.62, 1.0] {
                let found = nodes.up_to(part);
                assert!((found.dissipated - exact(part)).abs() < 1e-15, "{rule:?} {part}");
                assert!((found.applied - 2.0 * exact(part)).abs() < 1e-15);
            }
            assert!((nodes.up_to(1.0).dissipated - nodes.whole().dissipated).abs() < 1e-15);
        }
    }
}
