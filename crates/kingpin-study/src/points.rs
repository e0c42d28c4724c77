//! The points of a study: which values its parameters have at each of them.

use crate::draw::{permutation, uniform};
use crate::vary::Variation;
use kingpin::expr::ExprError;

/// How many points are drawn, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Sampling {
    /// Points drawn for each combination of the values that are not drawn.
    pub count: usize,
    /// What the numbers follow from.
    pub seed: u64,
    /// Whether each parameter takes one value out of each of as many equal parts of its distribution (a Latin
    /// hypercube).
    pub latin: bool,
}

/// All points, in order: the first parameter changes last, samples change fastest.
#[derive(Clone, Debug)]
pub struct Points {
    variations: Vec<Variation>,
    sampling: Option<Sampling>,
    /// Of a Latin hypercube: which part of its distribution a parameter that is drawn takes in each sample.
    parts: Vec<Vec<u32>>,
    count: usize,
}

/// Most points of a study.
const MOST: usize = 100_000_000;
/// Most samples: their parts are kept.
const MOST_SAMPLES: usize = 10_000_000;

impl Points {
    /// All combinations of values, and samples of what is drawn. Or what does not go together: the number of the
    /// variation, and what is wrong with its text; no number for the whole.
    pub fn new(
        variations: Vec<Variation>,
        sampling: Option<Sampling>,
    ) -> Result<Points, (Option<usize>, ExprError)> {
        let fault = |message: String, hint: String| ExprError::new(0..0, message).with_hint(hint);
        for (k, variation) in variations.iter().enumerate() {
            let whole = 0..variation.text.len();
            if variations[..k].iter().any(|other| other.name == variation.name) {
                let error = ExprError::new(whole, format!("`{}` is varied twice", variation.name));
                return Err((Some(k), error));
            }
            if variation.count().is_none() && sampling.is_none() {
                let hint = "add a number of values, `…:20`, or a number of random samples, `--samples 100`";
                let error = ExprError::new(whole, "the number of values is missing").with_hint(hint);
                return Err((Some(k), error));
            }
        }
        let drawn = variations.iter().filter(|variation| variation.count().is_none()).count();
        if sampling.is_some() && drawn == 0 {
            let hint = "vary one by a range without a number of values, `k=10..100 N/m`, or omit `--samples`";
            return Err((
                None,
                fault("no parameter has random values, so `--samples` has no effect".into(), hint.into()),
            ));
        }
        let samples = sampling.map_or(1, |sampling| sampling.count);
        let counts = variations.iter().filter_map(Variation::count);
        let count = counts.chain([samples]).try_fold(1usize, |count, more| count.checked_mul(more));
        let count = count.filter(|count| *count <= MOST && samples <= MOST_SAMPLES).ok_or_else(|| {
            let hint = format!("a study can have at most {MOST} points");
            (None, fault("the study has too many points".into(), hint))
        })?;
        let parts = match sampling {
            Some(Sampling { count, seed, latin: true }) => {
                (0..variations.len()).map(|k| permutation(seed, k as u64, count)).collect()
            }
            _ => Vec::new(),
        };
        Ok(Points { variations, sampling, parts, count })
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// What is varied.
    pub fn variations(&self) -> &[Variation] {
        &self.variations
    }

    /// How points are drawn, if some are.
    pub fn sampling(&self) -> Option<Sampling> {
        self.sampling
    }

    /// The values of all parameters at a point, in the units of their variations.
    pub fn values(&self, point: usize) -> Vec<f64> {
        let sampling = self.sampling.unwrap_or(Sampling { count: 1, ..Sampling::default() });
        let (mut rest, sample) = (point / sampling.count.max(1), point % sampling.count.max(1));
        let mut values = vec![f64::NAN; self.variations.len()];
        for (k, variation) in self.variations.iter().enumerate().rev() {
            values[k] = match variation.count() {
                Some(count) => {
                    let value = variation.value(rest % count.max(1));
                    rest /= count.max(1);
                    value
                }
                None => {
                    let place = uniform(sampling.seed, k as u64, sample as u64);
                    let part = self.parts.get(k).and_then(|parts| parts.get(sample));
                    // within one of equal parts, or anywhere
                    variation.quantile(match part {
                        Some(&part) => (part as f64 + place) / sampling.count as f64,
                        None => place,
                    })
                }
            };
        }
        values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(texts: &[&str], sampling: Option<Sampling>) -> Points {
        let variations = texts.iter().map(|text| Variation::parse(text).expect("a variation")).collect();
        Points::new(variations, sampling).expect("points")
    }

    #[test]
    fn grids_go_through_all_combinations() {
        let all = points(&["a=0..1:3", "b=[5, 7]"], None);
        let values: Vec<_> = (0..all.len()).map(|k| all.values(k)).collect();
        let expected = [[0.0, 5.0], [0.0, 7.0], [0.5, 5.0], [0.5, 7.0], [1.0, 5.0], [1.0, 7.0]];
        assert_eq!(values, expected);
    }

    #[test]
    fn a_latin_hypercube_has_one_value_in_each_part() {
        let sampling = Sampling { count: 50, seed: 3, latin: true };
        let all = points(&["a=0..50", "b=100..150", "c=[1, 2]"], Some(sampling));
        assert_eq!(all.len(), 100);
        for k in 0..2 {
            let mut parts: Vec<_> = (0..50).map(|p| (all.values(p)[k] - 100.0 * k as f64) as usize).collect();
            parts.sort_unstable();
            assert_eq!(parts, (0..50).collect::<Vec<_>>());
        }
        // the same samples for each combination of the rest
        assert_eq!(all.values(3)[..2], all.values(53)[..2]);
        assert_eq!((all.values(3)[2], all.values(53)[2]), (1.0, 2.0));
        let random = points(&["a=0..50"], Some(Sampling { latin: false, ..sampling }));
        assert!((0..50).all(|k| (0.0..50.0).contains(&random.values(k)[0])));
    }

    #[test]
    fn what_does_not_go_together_is_said() {
        let refused = |texts: &[&str], sampling| {
            let variations = texts.iter().map(|text| Variation::parse(text).expect("a variation")).collect();
            let (which, error) = Points::new(variations, sampling).expect_err("refused");
            (which, error.message)
        };
        let sampling = Some(Sampling { count: 5, ..Sampling::default() });
        assert_eq!(refused(&["a=0..1:3", "a=[1]"], None), (Some(1), "`a` is varied twice".into()));
        assert_eq!(refused(&["a=0..1"], None).0, Some(0));
        assert_eq!(refused(&["a=0..1:3"], sampling).0, None);
        assert_eq!(refused(&["a=0..1:1000000", "b=0..1:1000000"], None).1, "the study has too many points");
    }
}
