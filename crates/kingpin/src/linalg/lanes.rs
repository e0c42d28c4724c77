//! Vectors of a block's rows, in the widest registers the machine has.
//!
//! The compiler's own vectorisation of small triangular kernels spends more instructions on shuffles than on
//! arithmetic, because it groups whatever is adjacent in memory, across columns. [`RowLanes`] fixes the grouping:
//! a column of R rows is `R % 2` single rows, then a pair if `R % 4 >= 2`, then four rows if `R >= 4`. Rows
//! above the diagonal come first, so the triangular kernels drop the small parts and keep the four.
//!
//! The unsafe code here halves the work: on chains of 5 x 5 blocks a column takes about 360 instructions with
//! [`Avx2Fma`] and 680 without (callgrind on the bench `block_cholesky_speed`), a third less time.

/// Arithmetic on two and on four numbers; the implementing type witnesses that the machine has it.
pub(crate) trait Lanes: Copy {
    /// Two numbers.
    type Two: Copy;
    /// Four numbers.
    type Four: Copy;
    /// `a b + c`.
    fn mul_add(self, a: f64, b: f64, c: f64) -> f64;
    fn load2(self, x: [f64; 2]) -> Self::Two;
    fn store2(self, x: Self::Two) -> [f64; 2];
    fn splat2(self, x: f64) -> Self::Two;
    fn mul2(self, a: Self::Two, b: Self::Two) -> Self::Two;
    fn mul_add2(self, a: Self::Two, b: Self::Two, c: Self::Two) -> Self::Two;
    fn load4(self, x: [f64; 4]) -> Self::Four;
    fn store4(self, x: Self::Four) -> [f64; 4];
    fn splat4(self, x: f64) -> Self::Four;
    fn mul4(self, a: Self::Four, b: Self::Four) -> Self::Four;
    fn mul_add4(self, a: Self::Four, b: Self::Four, c: Self::Four) -> Self::Four;
    /// Runs a kernel in a function of its own, compiled for the lanes.
    fn apart<K: Kernel>(self, kernel: K);
}

/// What is a function of its own where one function of all sizes would take the compiler too long. `run` is to be
/// inlined always.
pub(crate) trait Kernel {
    fn run<L: Lanes>(self, lanes: L);
}

/// Plain loops, in arithmetic that all processors have.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Portable;

impl Lanes for Portable {
    type Two = [f64; 2];
    type Four = [f64; 4];
    #[inline(always)]
    fn mul_add(self, a: f64, b: f64, c: f64) -> f64 {
        // never fused: the same bits on all processors
        a * b + c
    }
    #[inline(always)]
    fn load2(self, x: [f64; 2]) -> [f64; 2] {
        x
    }
    #[inline(always)]
    fn store2(self, x: [f64; 2]) -> [f64; 2] {
        x
    }
    #[inline(always)]
    fn splat2(self, x: f64) -> [f64; 2] {
        [x; 2]
    }
    #[inline(always)]
    fn mul2(self, a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
        [a[0] * b[0], a[1] * b[1]]
    }
    #[inline(always)]
    fn mul_add2(self, a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> [f64; 2] {
        [self.mul_add(a[0], b[0], c[0]), self.mul_add(a[1], b[1], c[1])]
    }
    #[inline(always)]
    fn load4(self, x: [f64; 4]) -> [f64; 4] {
        x
    }
    #[inline(always)]
    fn store4(self, x: [f64; 4]) -> [f64; 4] {
        x
    }
    #[inline(always)]
    fn splat4(self, x: f64) -> [f64; 4] {
        [x; 4]
    }
    #[inline(always)]
    fn mul4(self, a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
        [a[0] * b[0], a[1] * b[1], a[2] * b[2], a[3] * b[3]]
    }
    #[inline(always)]
    fn mul_add4(self, a: [f64; 4], b: [f64; 4], c: [f64; 4]) -> [f64; 4] {
        [
            self.mul_add(a[0], b[0], c[0]),
            self.mul_add(a[1], b[1], c[1]),
            self.mul_add(a[2], b[2], c[2]),
            self.mul_add(a[3], b[3], c[3]),
        ]
    }
    #[inline(never)]
    fn apart<K: Kernel>(self, kernel: K) {
        kernel.run(self);
    }
}

/// Which arithmetic solvers use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Arithmetic {
    /// The fastest that this processor has.
    #[default]
    Fastest,
    /// The same bits on all processors, at some cost in speed.
    Portable,
}

impl Arithmetic {
    /// What it is on this processor.
    pub fn name(self) -> &'static str {
        match (self, self.machine()) {
            (Arithmetic::Portable, _) => "portable",
            (Arithmetic::Fastest, Machine::Portable(_)) => "plain",
            #[cfg(target_arch = "x86_64")]
            (Arithmetic::Fastest, Machine::Avx2Fma(_)) => "AVX2 and FMA",
        }
    }

    pub(crate) fn machine(self) -> Machine {
        match self {
            Arithmetic::Fastest => Machine::detect(),
            Arithmetic::Portable => Machine::Portable(Portable),
        }
    }
}

/// The arithmetic to use, found out once per analysis.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Machine {
    /// Compilation target only.
    Portable(Portable),
    /// 256-bit registers and fused multiply-add.
    #[cfg(target_arch = "x86_64")]
    Avx2Fma(Avx2Fma),
}

impl Machine {
    /// The best this processor has.
    pub fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        if let Some(lanes) = Avx2Fma::detect() {
            return Self::Avx2Fma(lanes);
        }
        Self::Portable(Portable)
    }
}

/// Calls `$call(lanes, $args...)` compiled for the lanes of `$machine`, where `$call` is generic over
/// [`Lanes`], and over the sizes in front of it if there are any, and always inlined: inside a function that may
/// use the instructions, the body becomes them.
macro_rules! on_machine {
    ($machine:expr, $(<$($size:ident),+>)? $call:path, ($($arg:ident: $ty:ty),*) $(-> $ret:ty)?) => {{
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx2,fma")]
        fn wide$(<$(const $size: usize),+>)?(
            lanes: $crate::linalg::lanes::Avx2Fma, $($arg: $ty),*
        ) $(-> $ret)? {
            $call(lanes, $($arg),*)
        }
        match $machine {
            $crate::linalg::lanes::Machine::Portable(lanes) => $call(lanes, $($arg),*),
            #[cfg(target_arch = "x86_64")]
            #[allow(unsafe_code)]
            $crate::linalg::lanes::Machine::Avx2Fma(lanes) => {
                // SAFETY: the witness `lanes` exists only on processors with AVX2 and FMA
                unsafe { wide$(::<$($size),+>)?(lanes, $($arg),*) }
            }
        }
    }};
}
pub(crate) use on_machine;

#[cfg(target_arch = "x86_64")]
pub(crate) use x86::Avx2Fma;

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod x86 {
    use super::{Kernel, Lanes};
    use std::arch::x86_64::*;

    /// Witness that the processor has AVX2 and FMA.
    #[derive(Debug, Clone, Copy)]
    pub struct Avx2Fma(());

    impl Avx2Fma {
        /// The witness, if this processor has both.
        pub fn detect() -> Option<Self> {
            (is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")).then_some(Self(()))
        }
    }

    // SAFETY of every block below: the intrinsics touch no memory, and they and `wide` need only AVX2 and FMA,
    // which the witness `self` proves present; the transmutations are between plain numbers of the same size.
    impl Lanes for Avx2Fma {
        type Two = __m128d;
        type Four = __m256d;
        #[inline(always)]
        fn mul_add(self, a: f64, b: f64, c: f64) -> f64 {
            a.mul_add(b, c)
        }
        #[inline(always)]
        fn load2(self, x: [f64; 2]) -> __m128d {
            unsafe { std::mem::transmute(x) }
        }
        #[inline(always)]
        fn store2(self, x: __m128d) -> [f64; 2] {
            unsafe { std::mem::transmute(x) }
        }
        #[inline(always)]
        fn splat2(self, x: f64) -> __m128d {
            unsafe { _mm_set1_pd(x) }
        }
        #[inline(always)]
        fn mul2(self, a: __m128d, b: __m128d) -> __m128d {
            unsafe { _mm_mul_pd(a, b) }
        }
        #[inline(always)]
        fn mul_add2(self, a: __m128d, b: __m128d, c: __m128d) -> __m128d {
            unsafe { _mm_fmadd_pd(a, b, c) }
        }
        #[inline(always)]
        fn load4(self, x: [f64; 4]) -> __m256d {
            unsafe { std::mem::transmute(x) }
        }
        #[inline(always)]
        fn store4(self, x: __m256d) -> [f64; 4] {
            unsafe { std::mem::transmute(x) }
        }
        #[inline(always)]
        fn splat4(self, x: f64) -> __m256d {
            unsafe { _mm256_set1_pd(x) }
        }
        #[inline(always)]
        fn mul4(self, a: __m256d, b: __m256d) -> __m256d {
            unsafe { _mm256_mul_pd(a, b) }
        }
        #[inline(always)]
        fn mul_add4(self, a: __m256d, b: __m256d, c: __m256d) -> __m256d {
            unsafe { _mm256_fmadd_pd(a, b, c) }
        }
        #[inline(always)]
        fn apart<K: Kernel>(self, kernel: K) {
            #[inline(never)]
            #[target_feature(enable = "avx2,fma")]
            fn wide<K: Kernel>(lanes: Avx2Fma, kernel: K) {
                kernel.run(lanes);
            }
            unsafe { wide(self, kernel) }
        }
    }
}

/// A column of `R` rows (1 to 6) in registers.
#[derive(Clone, Copy)]
pub(crate) struct RowLanes<L: Lanes, const R: usize> {
    lanes: L,
    one: f64,
    two: L::Two,
    four: L::Four,
}

/// `S` elements from `from` on.
#[inline(always)]
fn part<const S: usize, const R: usize>(x: &[f64; R], from: usize) -> [f64; S] {
    let mut part = [0.0; S];
    part.copy_from_slice(&x[from..from + S]);
    part
}

impl<L: Lanes, const R: usize> RowLanes<L, R> {
    /// A column of zeros.
    #[inline(always)]
    pub fn zero(lanes: L) -> Self {
        Self { lanes, one: 0.0, two: lanes.splat2(0.0), four: lanes.splat4(0.0) }
    }

    /// Loads a column.
    #[inline(always)]
    pub fn load(lanes: L, x: &[f64; R]) -> Self {
        Self {
            lanes,
            one: if R % 2 == 1 { x[0] } else { 0.0 },
            two: if R % 4 >= 2 { lanes.load2(part(x, R % 2)) } else { lanes.splat2(0.0) },
            four: if R >= 4 { lanes.load4(part(x, R % 4)) } else { lanes.splat4(0.0) },
        }
    }

    /// Stores the parts that reach row `first` or below.
    #[inline(always)]
    pub fn store_from(self, first: usize, x: &mut [f64; R]) {
        if R % 2 == 1 && first < 1 {
            x[0] = self.one;
        }
        if R % 4 >= 2 && first < R % 4 {
            x[R % 2..][..2].copy_from_slice(&self.lanes.store2(self.two));
        }
        if R >= 4 {
            x[R % 4..][..4].copy_from_slice(&self.lanes.store4(self.four));
        }
    }

    /// `a k + self`.
    #[inline(always)]
    pub fn plus(self, a: Self, k: f64) -> Self {
        let l = self.lanes;
        Self {
            lanes: l,
            one: if R % 2 == 1 { l.mul_add(a.one, k, self.one) } else { self.one },
            two: if R % 4 >= 2 { l.mul_add2(a.two, l.splat2(k), self.two) } else { self.two },
            four: if R >= 4 { l.mul_add4(a.four, l.splat4(k), self.four) } else { self.four },
        }
    }

    /// `self k`.
    #[inline(always)]
    pub fn times(self, k: f64) -> Self {
        let l = self.lanes;
        Self {
            lanes: l,
            one: if R % 2 == 1 { self.one * k } else { self.one },
            two: if R % 4 >= 2 { l.mul2(self.two, l.splat2(k)) } else { self.two },
            four: if R >= 4 { l.mul4(self.four, l.splat4(k)) } else { self.four },
        }
    }
}
