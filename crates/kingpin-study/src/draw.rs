//! Numbers drawn at random: each follows from the seed and its own place alone, whoever asks first.

/// A number between 0 and 1, both left out, for a seed, a parameter and a sample.
pub(crate) fn uniform(seed: u64, parameter: u64, sample: u64) -> f64 {
    let bits = mixed(mixed(mixed(seed) ^ parameter) ^ sample) >> 12;
    // the middle of one of 2^52 equal parts
    (bits as f64 + 0.5) / (1u64 << 52) as f64
}

/// A permutation of the first `count` numbers for a seed and a parameter.
pub(crate) fn permutation(seed: u64, parameter: u64, count: usize) -> Vec<u32> {
    let mut order: Vec<u32> = (0..u32::try_from(count).unwrap_or(u32::MAX)).collect();
    // another stream than that of the numbers themselves
    let stream = mixed(mixed(!seed) ^ parameter);
    for k in (1..order.len()).rev() {
        let other = mixed(stream ^ k as u64) % (k as u64 + 1);
        order.swap(k, other as usize);
    }
    order
}

/// The finaliser of splitmix64, one step behind the number given.
fn mixed(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The standard normal number that a part `p` of all lies below: rational approximations after P. J. Acklam, with a
/// relative error of 1.2e-9.
pub(crate) fn normal(p: f64) -> f64 {
    const A: [f64; 6] = [
        -3.969683028665376e1,
        2.209460984245205e2,
        -2.759285104469687e2,
        1.383_577_518_672_69e2,
        -3.066479806614716e1,
        2.506628277459239,
    ];
    const B: [f64; 6] = [
        -5.447609879822406e1,
        1.615858368580409e2,
        -1.556989798598866e2,
        6.680131188771972e1,
        -1.328068155288572e1,
        1.0,
    ];
    const C: [f64; 6] = [
        -7.784894002430293e-3,
        -3.223964580411365e-1,
        -2.400758277161838,
        -2.549732539343734,
        4.374664141464968,
        2.938163982698783,
    ];
    const D: [f64; 5] =
        [7.784695709041462e-3, 3.224671290700398e-1, 2.445134137142996, 3.754408661907416, 1.0];
    const TAIL: f64 = 0.02425;
    let polynomial = |c: &[f64], x: f64| c.iter().fold(0.0, |sum, c| sum * x + c);
    let tail = |p: f64| {
        let q = (-2.0 * p.ln()).sqrt();
        polynomial(&C, q) / polynomial(&D, q)
    };
    if p < TAIL {
        tail(p)
    } else if p > 1.0 - TAIL {
        -tail(1.0 - p)
    } else {
        let q = p - 0.5;
        q * polynomial(&A, q * q) / polynomial(&B, q * q)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_are_even_and_belong_to_their_places() {
        let all: Vec<f64> = (0..10_000).map(|k| uniform(7, 1, k)).collect();
        let mean = all.iter().sum::<f64>() / all.len() as f64;
        let square = all.iter().map(|x| (x - 0.5).powi(2)).sum::<f64>() / all.len() as f64;
        assert!((mean - 0.5).abs() < 0.01 && (square - 1.0 / 12.0).abs() < 2e-3, "{mean} {square}");
        assert!(all.iter().all(|x| *x > 0.0 && *x < 1.0));
        assert_ne!(uniform(7, 1, 3), uniform(8, 1, 3));
        assert_ne!(uniform(7, 1, 3), uniform(7, 2, 3));
    }

    #[test]
    fn permutations_hold_each_number_once() {
        let mut order = permutation(1, 0, 1000);
        assert_ne!(order, permutation(1, 1, 1000));
        order.sort_unstable();
        assert!(order.iter().enumerate().all(|(k, &x)| k == x as usize));
    }

    #[test]
    fn quantiles_of_the_normal_distribution() {
        for (p, x) in
            [(0.5, 0.0), (0.975, 1.959963984540054), (0.001, -3.090232306167813), (0.9, 1.2815515655446)]
        {
            assert!((normal(p) - x).abs() < 4e-9, "{p}: {}", normal(p));
        }
    }
}
