//! The kernels of [`super::kernel`] for blocks of any size, sizes at run time.

use super::lanes::Lanes;

/// `c += w diag(r) v^T` on an `m x n` block: `w` is `m x k`, `v` is `n x k`.
#[inline(always)]
pub(super) fn gemm<L: Lanes>(lanes: L, c: &mut [f64], w: &[f64], v: &[f64], r: &[f64], m: usize, n: usize) {
    for (k, &r_k) in r.iter().enumerate() {
        let (w_k, v_k) = (&w[k * m..][..m], &v[k * n..][..n]);
        for (j, &v_jk) in v_k.iter().enumerate() {
            let t = v_jk * r_k;
            for (c_ij, &w_ik) in c[j * m..][..m].iter_mut().zip(w_k) {
                *c_ij = lanes.mul_add(w_ik, t, *c_ij);
            }
        }
    }
}

/// `a = L D L^T` from the lower triangle of the `n x n` block, as [`super::kernel::ldl`].
#[inline(always)]
pub(super) fn ldl<L: Lanes>(lanes: L, a: &mut [f64], r: &mut [f64], threshold: f64) -> Result<(), usize> {
    let n = r.len();
    for j in 0..n {
        let d = a[j * n + j];
        let sound = d > threshold * r[j];
        if !sound {
            return Err(j);
        }
        // column j takes its part out of those to its right, then becomes -L
        r[j] = -1.0 / d;
        let (head, tail) = a.split_at_mut((j + 1) * n);
        let w = &mut head[j * n..];
        for c in j + 1..n {
            let l = w[c] * r[j];
            let column = &mut tail[(c - j - 1) * n..][..n];
            for i in c..n {
                column[i] = lanes.mul_add(w[i], l, column[i]);
            }
        }
        for w_c in &mut w[j + 1..] {
            *w_c *= r[j];
        }
    }
    Ok(())
}

/// `b = b L^-T` on an `m x n` block, where the `n x n` block `l` holds `-L` below its diagonal.
#[inline(always)]
pub(super) fn trsm<L: Lanes>(lanes: L, b: &mut [f64], l: &[f64], m: usize, n: usize) {
    for k in 0..n {
        let (head, tail) = b.split_at_mut((k + 1) * m);
        let w = &head[k * m..];
        for j in k + 1..n {
            let l_jk = l[k * n + j];
            for (b_ij, &w_i) in tail[(j - k - 1) * m..][..m].iter_mut().zip(w) {
                *b_ij = lanes.mul_add(w_i, l_jk, *b_ij);
            }
        }
    }
}

/// `x = L^-1 x`, as [`super::kernel::forward`].
#[inline(always)]
pub(super) fn forward<L: Lanes>(lanes: L, l: &[f64], x: &mut [f64]) {
    let n = x.len();
    for j in 0..n {
        for i in j + 1..n {
            x[i] = lanes.mul_add(l[j * n + i], x[j], x[i]);
        }
    }
}

/// `x = L^-T x`, as [`super::kernel::backward`].
#[inline(always)]
pub(super) fn backward<L: Lanes>(lanes: L, l: &[f64], x: &mut [f64]) {
    let n = x.len();
    for i in (1..n).rev() {
        for j in 0..i {
            x[j] = lanes.mul_add(l[j * n + i], x[i], x[j]);
        }
    }
}
