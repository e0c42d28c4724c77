//! Round numbers along an axis.

use super::number::plain;

/// Ticks of an axis.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Ticks {
    pub values: Vec<f64>,
    /// Labels, divided by the power of ten.
    pub labels: Vec<String>,
    /// The power of ten that all labels are divided by, a multiple of 3; 0 for none.
    pub power: i32,
}

impl Ticks {
    /// About `wanted` ticks at 1, 2 or 5 times a power of ten inside a range.
    pub fn new(low: f64, high: f64, wanted: usize) -> Ticks {
        let rough = (high - low) / wanted.max(1) as f64;
        let unit = 10_f64.powf(rough.log10().floor());
        let factor = [1.0, 2.0, 5.0, 10.0].into_iter().find(|f| f * unit >= rough * 0.7).unwrap_or(10.0);
        let step = factor * unit;
        let (first, last) = ((low / step - 1e-9).ceil(), (high / step + 1e-9).floor());
        // numbers that differ only beyond their digits have no ticks
        let count = if (last - first).is_finite() { (last - first).clamp(0.0, 1000.0) as usize } else { 0 };
        let values: Vec<f64> = (0..=count).map(|k| (first + k as f64) * step + 0.0).collect();
        let greatest = values.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        let magnitude = if greatest > 0.0 { (greatest * 1.000_001).log10().floor() as i32 } else { 0 };
        let power = if (-3..5).contains(&magnitude) { 0 } else { 3 * magnitude.div_euclid(3) };
        let scale = 10_f64.powi(power);
        let decimals = (-(step / scale * 1.000_001).log10().floor()).clamp(0.0, 12.0) as usize;
        let labels = values.iter().map(|x| plain(x / scale, decimals)).collect();
        Ticks { values, labels, power }
    }
}

#[cfg(test)]
mod tests {
    use super::Ticks;

    fn labels(low: f64, high: f64) -> (String, i32) {
        let ticks = Ticks::new(low, high, 5);
        (ticks.labels.join(" "), ticks.power)
    }

    #[test]
    fn ticks_are_round() {
        assert_eq!(labels(0.0, 1.0), ("0.0 0.2 0.4 0.6 0.8 1.0".into(), 0));
        assert_eq!(labels(-0.03, 0.52), ("0.0 0.1 0.2 0.3 0.4 0.5".into(), 0));
        assert_eq!(labels(-7.0, 23.0), ("−5 0 5 10 15 20".into(), 0));
        assert_eq!(labels(-1.0, 1.0), ("−1.0 −0.5 0.0 0.5 1.0".into(), 0));
        assert_eq!(labels(0.0, 2.0e6), ("0.0 0.5 1.0 1.5 2.0".into(), 6));
        assert_eq!(labels(0.0, 3e-5), ("0 5 10 15 20 25 30".into(), -6));
        assert_eq!(labels(1000.0, 1000.5), ("1000.0 1000.1 1000.2 1000.3 1000.4 1000.5".into(), 0));
    }

    #[test]
    fn odd_ranges_do_no_harm() {
        for (low, high) in [(1.0, 1.0 + 1e-16), (-1e300, 1e300), (0.0, 1e-300), (1e16, 1e16 + 2.0)] {
            let ticks = Ticks::new(low, high, 5);
            assert!(ticks.values.len() <= 1001 && ticks.values.len() == ticks.labels.len());
        }
    }
}
