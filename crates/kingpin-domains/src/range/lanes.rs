//! Arithmetic on several modules at once: numbers of as many modules lie side by side as registers hold, so that every
//! instruction serves all of them and no kernel has to be vectorised in itself.

/// Modules of a batch.
pub const LANES: usize = 8;

/// How products are added; the implementing type witnesses that the machine can.
pub(crate) trait Arithmetic: Copy {
    /// `a b + c`.
    fn mul_add(self, a: f64, b: f64, c: f64) -> f64;
}

/// What is compiled once per kind of arithmetic. `run` is to be inlined always.
pub(crate) trait Kernel {
    /// What comes of it.
    type Out;
    /// Does it.
    fn run<A: Arithmetic>(self, arithmetic: A) -> Self::Out;
}

/// Instructions that all processors have: the same bits everywhere.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable;

impl Arithmetic for Portable {
    #[inline(always)]
    fn mul_add(self, a: f64, b: f64, c: f64) -> f64 {
        a * b + c
    }
}

/// The arithmetic at hand, found out once.
#[derive(Clone, Copy, Debug)]
pub enum Machine {
    /// That of the compilation target.
    Portable,
    /// 256-bit registers and fused multiply-add.
    #[cfg(target_arch = "x86_64")]
    Wide(Wide),
}

impl Machine {
    /// The best this processor has.
    pub fn detect() -> Machine {
        #[cfg(target_arch = "x86_64")]
        if let Some(wide) = Wide::detect() {
            return Machine::Wide(wide);
        }
        Machine::Portable
    }

    /// Runs a kernel in a function compiled for this arithmetic.
    #[inline(always)]
    pub(crate) fn run<K: Kernel>(self, kernel: K) -> K::Out {
        match self {
            Machine::Portable => kernel.run(Portable),
            #[cfg(target_arch = "x86_64")]
            Machine::Wide(wide) => wide.run(kernel),
        }
    }
}

#[cfg(target_arch = "x86_64")]
pub use x86::Wide;

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{Arithmetic, Kernel};

    /// Witness that the processor has AVX2 and FMA.
    #[derive(Clone, Copy, Debug)]
    pub struct Wide(());

    impl Arithmetic for Wide {
        #[inline(always)]
        fn mul_add(self, a: f64, b: f64, c: f64) -> f64 {
            a.mul_add(b, c)
        }
    }

    impl Wide {
        pub(super) fn detect() -> Option<Wide> {
            (is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")).then_some(Wide(()))
        }

        #[inline(always)]
        pub(super) fn run<K: Kernel>(self, kernel: K) -> K::Out {
            // SAFETY: the witness exists only on processors with AVX2 and FMA
            #[allow(unsafe_code)]
            unsafe {
                apart(self, kernel)
            }
        }
    }

    #[inline(never)]
    #[target_feature(enable = "avx2,fma")]
    fn apart<K: Kernel>(wide: Wide, kernel: K) -> K::Out {
        kernel.run(wide)
    }
}
