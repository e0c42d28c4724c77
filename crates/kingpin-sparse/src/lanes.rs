//! Loops over columns of dense matrices, four numbers at a time; with AVX2 and fused products where the machine has them.

/// A function that runs a kernel compiled for the best instructions of this machine.
macro_rules! dispatched {
    ($(#[$note:meta])* $see:vis fn $name:ident($($argument:ident: $type:ty),* $(,)?) $(-> $result:ty)? = $kernel:ident) => {
        $(#[$note])*
        #[inline]
        $see fn $name($($argument: $type),*) $(-> $result)? {
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2,fma")]
                fn fast($($argument: $type),*) $(-> $result)? {
                    $kernel::<true>($($argument),*)
                }
                if std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("fma") {
                    // SAFETY: the machine has what the function needs
                    #[allow(unsafe_code)]
                    return unsafe { fast($($argument),*) };
                }
            }
            $kernel::<false>($($argument),*)
        }
    };
}
pub(crate) use dispatched;

/// Numbers that are treated together.
pub(crate) const LANES: usize = 4;
pub(crate) type Lane = [f64; LANES];

/// `c + a b`, rounded once where products are fused.
#[inline(always)]
pub(crate) fn product<const FUSED: bool>(c: f64, a: f64, b: f64) -> f64 {
    if FUSED { a.mul_add(b, c) } else { c + a * b }
}

/// Four columns of the same length.
#[inline(always)]
fn four(panel: &[f64], stride: usize, first: usize, rows: std::ops::Range<usize>) -> [&[f64]; 4] {
    std::array::from_fn(|c| &panel[(first + c) * stride + rows.start..(first + c) * stride + rows.end])
}

/// `y -= sum of columns times factors`
#[inline(always)]
fn subtract_four<const F: bool>(columns: [&[f64]; 4], factors: Lane, y: &mut [f64]) {
    let [a, b, c, d] = columns.map(|column| &column[..y.len()]);
    let [p, q, r, s] = factors.map(|factor| -factor);
    for i in 0..y.len() {
        let sum = product::<F>(product::<F>(y[i], a[i], p), b[i], q);
        y[i] = product::<F>(product::<F>(sum, c[i], r), d[i], s);
    }
}

/// Products of four columns with `y`.
#[inline(always)]
fn four_dots<const F: bool>(columns: [&[f64]; 4], y: &[f64]) -> Lane {
    let chunks = columns.map(|column| column[..y.len()].as_chunks::<LANES>());
    let (own, rest) = y.as_chunks::<LANES>();
    let mut sums = [[0.0; LANES]; 4];
    for (k, y) in own.iter().enumerate() {
        for (sum, (column, _)) in sums.iter_mut().zip(&chunks) {
            for lane in 0..LANES {
                sum[lane] = product::<F>(sum[lane], column[k][lane], y[lane]);
            }
        }
    }
    let mut result = sums.map(|sum| (sum[0] + sum[1]) + (sum[2] + sum[3]));
    for (sum, (_, tail)) in result.iter_mut().zip(&chunks) {
        for (a, y) in tail.iter().zip(rest) {
            *sum = product::<F>(*sum, *a, *y);
        }
    }
    result
}

/// Product of a column with `y`.
#[inline(always)]
fn one_dot<const F: bool>(column: &[f64], y: &[f64]) -> f64 {
    let (a, rest) = column[..y.len()].as_chunks::<LANES>();
    let (b, tail) = y.as_chunks::<LANES>();
    let mut sum = [0.0; LANES];
    for (a, b) in a.iter().zip(b) {
        for lane in 0..LANES {
            sum[lane] = product::<F>(sum[lane], a[lane], b[lane]);
        }
    }
    let total = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    rest.iter().zip(tail).fold(total, |total, (a, b)| product::<F>(total, *a, *b))
}

#[inline(always)]
fn forward_kernel<const F: bool>(panel: &[f64], stride: usize, columns: usize, x: &mut [f64]) {
    let mut j = 0;
    while j + 4 <= columns {
        let (own, below) = x[j..].split_at_mut(4);
        for k in 0..3 {
            for i in k + 1..4 {
                own[i] = product::<F>(own[i], -panel[(j + k) * stride + j + i], own[k]);
            }
        }
        let factors = [own[0], own[1], own[2], own[3]];
        subtract_four::<F>(four(panel, stride, j, j + 4..j + 4 + below.len()), factors, below);
        j += 4;
    }
    for j in j..columns {
        let (own, below) = x[j..].split_at_mut(1);
        let column = &panel[j * stride + j + 1..][..below.len()];
        below.iter_mut().zip(column).for_each(|(x, l)| *x = product::<F>(*x, -l, own[0]));
    }
}

dispatched! {
    /// `L^-1 x` for the first columns of a panel whose unit diagonal is not read; `x` has all its rows.
    pub(crate) fn forward(panel: &[f64], stride: usize, columns: usize, x: &mut [f64]) = forward_kernel
}

#[inline(always)]
fn backward_kernel<const F: bool>(panel: &[f64], stride: usize, columns: usize, x: &mut [f64]) {
    let fours = columns / 4 * 4;
    for j in (fours..columns).rev() {
        let (own, below) = x[j..].split_at_mut(1);
        own[0] -= one_dot::<F>(&panel[j * stride + j + 1..], below);
    }
    for j in (0..fours).step_by(4).rev() {
        let (own, below) = x[j..].split_at_mut(4);
        let sums = four_dots::<F>(four(panel, stride, j, j + 4..j + 4 + below.len()), below);
        for k in (0..4).rev() {
            own[k] -= sums[k];
            for i in k + 1..4 {
                own[k] = product::<F>(own[k], -panel[(j + k) * stride + j + i], own[i]);
            }
        }
    }
}

dispatched! {
    /// `L^-T x` for the first columns of a panel; the rows of `x` below them are given.
    pub(crate) fn backward(panel: &[f64], stride: usize, columns: usize, x: &mut [f64]) = backward_kernel
}

#[inline(always)]
fn symmetric_kernel<const F: bool>(lower: &[f64], n: usize, x: &[f64], y: &mut [f64]) {
    y.fill(0.0);
    let fours = n / 4 * 4;
    for j in (0..fours).step_by(4) {
        // the block on the diagonal
        for c in 0..4 {
            let column = &lower[(j + c) * n + j..][..4];
            y[j + c] = product::<F>(y[j + c], column[c], x[j + c]);
            for r in c + 1..4 {
                y[j + r] = product::<F>(y[j + r], column[r], x[j + c]);
                y[j + c] = product::<F>(y[j + c], column[r], x[j + r]);
            }
        }
        let (own, below) = y[j..].split_at_mut(4);
        let columns = four(lower, n, j, j + 4..n);
        let sums = both_ways::<F>(columns, [x[j], x[j + 1], x[j + 2], x[j + 3]], &x[j + 4..n], below);
        own.iter_mut().zip(sums).for_each(|(y, sum)| *y += sum);
    }
    for j in fours..n {
        y[j] = product::<F>(y[j], lower[j * n + j], x[j]);
        for i in j + 1..n {
            y[i] = product::<F>(y[i], lower[j * n + i], x[j]);
            y[j] = product::<F>(y[j], lower[j * n + i], x[i]);
        }
    }
}

/// `y += sum of columns times factors`; returns the products of the columns with `x`.
#[inline(always)]
fn both_ways<const F: bool>(columns: [&[f64]; 4], factors: Lane, x: &[f64], y: &mut [f64]) -> Lane {
    let chunks = columns.map(|column| column[..x.len()].as_chunks::<LANES>());
    let (from, from_rest) = x.as_chunks::<LANES>();
    let (to, to_rest) = y[..x.len()].as_chunks_mut::<LANES>();
    let mut sums = [[0.0; LANES]; 4];
    for (k, (x, y)) in from.iter().zip(to).enumerate() {
        let mut own = *y;
        for ((sum, factor), (column, _)) in sums.iter_mut().zip(factors).zip(&chunks) {
            for lane in 0..LANES {
                own[lane] = product::<F>(own[lane], column[k][lane], factor);
                sum[lane] = product::<F>(sum[lane], column[k][lane], x[lane]);
            }
        }
        *y = own;
    }
    let mut result = sums.map(|sum| (sum[0] + sum[1]) + (sum[2] + sum[3]));
    for ((sum, factor), (_, tail)) in result.iter_mut().zip(factors).zip(&chunks) {
        for ((a, x), y) in tail.iter().zip(from_rest).zip(to_rest.iter_mut()) {
            *y = product::<F>(*y, *a, factor);
            *sum = product::<F>(*sum, *a, *x);
        }
    }
    result
}

dispatched! {
    /// `y = A x` of a symmetric matrix by its lower triangle, columns of `n` numbers.
    pub(crate) fn symmetric(lower: &[f64], n: usize, x: &[f64], y: &mut [f64]) = symmetric_kernel
}
