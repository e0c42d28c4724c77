//! Integrals of smooth functions.

/// Abscissas and weights of the Gauss formula with eight points on [-1, 1], the positive half.
const GAUSS: [(f64, f64); 4] = [
    (0.183_434_642_495_649_8, 0.362_683_783_378_362),
    (0.525_532_409_916_329, 0.313_706_645_877_887_3),
    (0.796_666_477_413_626_7, 0.222_381_034_453_374_48),
    (0.960_289_856_497_536_2, 0.101_228_536_290_376_26),
];

/// The integral of `f` over [a, b], in panels not wider than `wide`.
pub fn integral(f: impl Fn(f64) -> f64, (a, b): (f64, f64), wide: f64) -> f64 {
    let panels = ((b - a) / wide).ceil().max(1.0) as usize;
    let half = 0.5 * (b - a) / panels as f64;
    let panel = |k: usize| {
        let middle = a + (2 * k + 1) as f64 * half;
        GAUSS.iter().map(|(x, w)| w * (f(middle - half * x) + f(middle + half * x))).sum::<f64>()
    };
    half * (0..panels).map(panel).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::integral;

    #[test]
    fn polynomials_and_sines() {
        assert!((integral(|x| x.powi(15), (0.0, 1.0), 1.0) - 1.0 / 16.0).abs() < 1e-15);
        assert!((integral(f64::sin, (0.0, 3.0), 0.25) - (1.0 - 3.0_f64.cos())).abs() < 1e-14);
    }
}
