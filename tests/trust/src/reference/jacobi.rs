//! Jacobi's elliptic functions by the arithmetic-geometric mean.
//!
//! M. Abramowitz, I. A. Stegun, Handbook of Mathematical Functions, 16.4 and 17.6.

/// sn, cn and dn of the argument `u` for the parameter `m` = k^2, 0 <= m < 1.
pub fn sn_cn_dn(u: f64, m: f64) -> (f64, f64, f64) {
    let (mut a, mut c, mut b) = (vec![1.0], vec![m.sqrt()], (1.0 - m).sqrt());
    while c.last().is_some_and(|c: &f64| c.abs() > 1e-17) && a.len() < 40 {
        let old = a[a.len() - 1];
        c.push(0.5 * (old - b));
        a.push(0.5 * (old + b));
        b = (old * b).sqrt();
    }
    let n = a.len() - 1;
    let mut phi = a[n] * u * (n as f64).exp2();
    for k in (1..=n).rev() {
        phi = 0.5 * (phi + (c[k] / a[k] * phi.sin()).clamp(-1.0, 1.0).asin());
    }
    let (sn, cn) = phi.sin_cos();
    (sn, cn, (1.0 - m * sn * sn).sqrt())
}

/// The complete elliptic integral of the first kind for the parameter `m`.
pub fn complete(m: f64) -> f64 {
    let (mut a, mut b) = (1.0_f64, (1.0 - m).sqrt());
    for _ in 0..40 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    std::f64::consts::FRAC_PI_2 / a
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_the_handbook() {
        assert!((complete(0.5) - 1.854_074_677_301_372).abs() < 1e-15);
        let (sn, cn, dn) = sn_cn_dn(0.2, 0.81);
        assert!((sn - 0.19762).abs() < 5e-6, "{sn} {cn} {dn}");
        assert!((cn * cn + sn * sn - 1.0).abs() < 1e-15 && (dn * dn + 0.81 * sn * sn - 1.0).abs() < 1e-15);
    }

    #[test]
    fn limits_periods_and_derivatives() {
        for u in [-3.0, 0.1, 1.0, 7.7] {
            let (sn, cn, dn) = sn_cn_dn(u, 0.0);
            assert!((sn - u.sin()).abs() < 1e-15 && (cn - u.cos()).abs() < 1e-15 && dn == 1.0);
            for m in [0.1, 0.5, 0.79, 0.999] {
                let of = |u: f64| sn_cn_dn(u, m);
                let ((s, c, d), k) = (of(u), complete(m));
                let (s4, c4, d4) = of(u + 4.0 * k);
                assert!((s - s4).abs() + (c - c4).abs() + (d - d4).abs() < 3e-14, "{u} {m}");
                let (s1, c1, _) = of(u + k);
                assert!((s1 - c / d).abs() < 3e-14 && (c1 + (1.0 - m).sqrt() * s / d).abs() < 3e-14);
                let h = 1e-5;
                let slope = (of(u + h).0 - of(u - h).0) / (2.0 * h);
                assert!((slope - c * d).abs() < 1e-9, "{u} {m}");
            }
        }
    }

    #[test]
    fn addition_theorem() {
        let m = 0.63;
        for (u, v) in [(0.3, 1.1), (2.0, -0.7)] {
            let ((s, c, d), (sv, cv, dv)) = (sn_cn_dn(u, m), sn_cn_dn(v, m));
            let sum = (s * cv * dv + sv * c * d) / (1.0 - m * s * s * sv * sv);
            assert!((sn_cn_dn(u + v, m).0 - sum).abs() < 1e-14);
        }
    }
}
