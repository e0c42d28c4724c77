//! Numbers that a factorisation by blocks is made of.

use super::numeric::{SpanFactor, backward, factor, factor_outside, forward, forward_outside};
use super::{BlockFactor, BlockLu, SingularBlock, many};
use crate::linalg::FourWide;
use crate::linalg::lanes::{Lanes, on_machine};
use std::ops::Range;

/// Real numbers, or others with a size by which pivots are compared.
pub(crate) trait PivotScalar: Copy + PartialEq + Send + Sync {
    const ZERO: Self;
    /// Zero for zero alone.
    fn magnitude(self) -> f64;
    fn inverse(self) -> Self;
    fn times(self, other: Self) -> Self;
    /// `self - a b`.
    fn less<L: Lanes>(self, lanes: L, a: Self, b: Self) -> Self;

    /// The numeric phase of columns in the arithmetic of a structure.
    fn factor(
        lu: &BlockLu,
        columns: Range<usize>,
        to: SpanFactor<Self>,
        threshold: f64,
    ) -> Result<f64, SingularBlock>;
    fn factor_outside(lu: &BlockLu, values: &mut [Self], trunk: usize);
}

/// What a right side and a solution are made of: numbers of the factor, or several right sides at once.
pub(crate) trait Unknown: Copy + Send + Sync {
    /// Numbers of the factor.
    type Number: PivotScalar;

    /// Substitutions of columns in the arithmetic of a structure.
    fn forward(lu: &BlockLu, columns: Range<usize>, with: &BlockFactor<Self::Number>, x: &mut [Self]);
    fn forward_outside(lu: &BlockLu, trunk: usize, with: &BlockFactor<Self::Number>, x: &mut [Self]);
    fn backward(
        lu: &BlockLu,
        columns: Range<usize>,
        with: &BlockFactor<Self::Number>,
        x: UnknownsAndBehind<Self>,
    );
}

/// Unknowns of columns, and those of the trunk with the place where it begins.
pub(crate) type UnknownsAndBehind<'a, T> = (&'a mut [T], (&'a [T], usize));

/// The numeric phase for a type of numbers, compiled for each arithmetic.
macro_rules! numeric_phase {
    ($number:ty) => {
        fn factor(
            lu: &BlockLu,
            columns: Range<usize>,
            to: SpanFactor<$number>,
            threshold: f64,
        ) -> Result<f64, SingularBlock> {
            on_machine!(lu.machine, factor, (lu: &BlockLu, columns: Range<usize>, to: SpanFactor<$number>,
                threshold: f64) -> Result<f64, SingularBlock>)
        }

        fn factor_outside(lu: &BlockLu, values: &mut [$number], trunk: usize) {
            on_machine!(lu.machine, factor_outside, (lu: &BlockLu, values: &mut [$number], trunk: usize));
        }
    };
}

/// Substitutions for a type of unknowns and the functions that do them, compiled for each arithmetic.
macro_rules! substitutions {
    ($unknown:ty, $number:ty, $forward:path, $forward_outside:path, $backward:path) => {
        impl Unknown for $unknown {
            type Number = $number;

            fn forward(lu: &BlockLu, columns: Range<usize>, with: &BlockFactor<$number>, x: &mut [$unknown]) {
                on_machine!(lu.machine, $forward, (lu: &BlockLu, columns: Range<usize>,
                    with: &BlockFactor<$number>, x: &mut [$unknown]));
            }

            fn forward_outside(lu: &BlockLu, trunk: usize, with: &BlockFactor<$number>, x: &mut [$unknown]) {
                on_machine!(lu.machine, $forward_outside, (lu: &BlockLu, trunk: usize,
                    with: &BlockFactor<$number>, x: &mut [$unknown]));
            }

            fn backward(
                lu: &BlockLu,
                columns: Range<usize>,
                with: &BlockFactor<$number>,
                x: UnknownsAndBehind<$unknown>,
            ) {
                on_machine!(lu.machine, $backward, (lu: &BlockLu, columns: Range<usize>,
                    with: &BlockFactor<$number>, x: UnknownsAndBehind<$unknown>));
            }
        }
    };
}

substitutions!(f64, f64, forward, forward_outside, backward);
substitutions!(ComplexNumber, ComplexNumber, forward, forward_outside, backward);
substitutions!(FourWide, f64, many::forward, many::forward_outside, many::backward);

impl PivotScalar for f64 {
    const ZERO: f64 = 0.0;

    #[inline(always)]
    fn magnitude(self) -> f64 {
        self.abs()
    }

    #[inline(always)]
    fn inverse(self) -> f64 {
        1.0 / self
    }

    #[inline(always)]
    fn times(self, other: f64) -> f64 {
        self * other
    }

    #[inline(always)]
    fn less<L: Lanes>(self, lanes: L, a: f64, b: f64) -> f64 {
        lanes.mul_add(-a, b, self)
    }

    numeric_phase!(f64);
}

/// A complex number.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct ComplexNumber {
    pub re: f64,
    pub im: f64,
}

impl PivotScalar for ComplexNumber {
    const ZERO: ComplexNumber = ComplexNumber { re: 0.0, im: 0.0 };

    /// The sum of the magnitudes of both parts, which is as good for comparisons.
    #[inline(always)]
    fn magnitude(self) -> f64 {
        self.re.abs() + self.im.abs()
    }

    #[inline(always)]
    fn inverse(self) -> ComplexNumber {
        let square = self.re * self.re + self.im * self.im;
        ComplexNumber { re: self.re / square, im: -self.im / square }
    }

    #[inline(always)]
    fn times(self, other: ComplexNumber) -> ComplexNumber {
        let ComplexNumber { re, im } = other;
        ComplexNumber { re: self.re * re - self.im * im, im: self.re * im + self.im * re }
    }

    #[inline(always)]
    fn less<L: Lanes>(self, lanes: L, a: ComplexNumber, b: ComplexNumber) -> ComplexNumber {
        let minus = |x: f64, y: f64, z: f64| lanes.mul_add(-x, y, z);
        ComplexNumber {
            re: lanes.mul_add(a.im, b.im, minus(a.re, b.re, self.re)),
            im: minus(a.im, b.re, minus(a.re, b.im, self.im)),
        }
    }

    numeric_phase!(ComplexNumber);
}
