//! Numbers that a factorisation by blocks is made of.

use super::border::{self, DomainBorder};
use super::numeric::{SpanFactor, backward, factor, factor_outside, forward, forward_outside};
use super::panels::{self, PivotPanel, TILE_COLUMNS, TILE_ROWS, Tile};
use super::{BlockFactor, BlockLu, SingularBlock, many};
use crate::linalg::FourWide;
use crate::linalg::lanes::{Lanes, on_machine};
use std::ops::Range;

/// What ranks can tell each other, as plain numbers.
pub(crate) trait Spoken: Copy + Default + Send + Sync {
    /// Numbers of one.
    const WIDTH: usize;
    fn say(self, to: &mut Vec<f64>);
    fn heard(from: &[f64]) -> Self;
    fn plus(self, other: Self) -> Self;
}

/// Real numbers, or others with a size by which pivots are compared.
pub(crate) trait PivotScalar: Unknown<Number = Self> + PartialEq + 'static {
    const ZERO: Self;
    /// Zero for zero alone.
    fn magnitude(self) -> f64;
    fn inverse(self) -> Self;
    fn times(self, other: Self) -> Self;
    fn real(x: f64) -> Self;
    fn conjugate(self) -> Self;
    /// The square of its absolute value.
    fn square(self) -> f64;
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
    /// What a panel does to those behind it, whose values begin at a place.
    fn update_panel(
        lu: &BlockLu,
        panel: (&PivotPanel, &[Self]),
        runs: Range<usize>,
        behind: (&mut [Self], usize),
    );
    /// Minus the sum of products of columns and rows.
    fn minus_products<'a, L: Lanes>(
        lanes: L,
        terms: impl Iterator<Item = (&'a [Self; TILE_ROWS], &'a [Self; TILE_COLUMNS])>,
    ) -> Tile<Self>;
    /// What a sub-domain leaves at its border, whose values begin at a place.
    fn complement(lu: &BlockLu, border: &DomainBorder, values: (&[Self], usize), out: &mut [Self]);
}

/// What a right side and a solution are made of: numbers of the factor, or several right sides at once.
pub(crate) trait Unknown: Spoken {
    /// Numbers of the factor.
    type Number: PivotScalar;

    /// Substitutions of columns in the arithmetic of a structure.
    fn forward(lu: &BlockLu, columns: Range<usize>, with: &BlockFactor<Self::Number>, x: &mut [Self]);
    fn forward_outside(lu: &BlockLu, trunk: usize, with: &BlockFactor<Self::Number>, x: &mut [Self]);
    /// The same for the border of a sub-domain, whose unknowns begin at a row.
    fn forward_border(
        lu: &BlockLu,
        border: &DomainBorder,
        with: &BlockFactor<Self::Number>,
        x: (&[Self], usize),
        out: &mut [Self],
    );
    fn backward(
        lu: &BlockLu,
        columns: Range<usize>,
        with: &BlockFactor<Self::Number>,
        x: UnknownsAndBehind<Self>,
    );

    /// Right sides of numbers of the factor, one after the other, in place.
    fn one_by_one(x: &mut [Self], what: &mut dyn FnMut(&mut [Self::Number]));
}

/// Unknowns of columns, and those of the trunk with the place where it begins.
pub(crate) type UnknownsAndBehind<'a, T> = (&'a mut [T], (&'a [T], usize));

/// The numeric phase for a type of numbers, compiled for each arithmetic.
macro_rules! numeric_phase {
    ($number:ty, $products:path) => {
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

        fn update_panel(
            lu: &BlockLu,
            panel: (&PivotPanel, &[$number]),
            runs: Range<usize>,
            behind: (&mut [$number], usize),
        ) {
            on_machine!(lu.machine, panels::update_panel, (lu: &BlockLu, panel: (&PivotPanel, &[$number]),
                runs: Range<usize>, behind: (&mut [$number], usize)));
        }

        #[inline(always)]
        fn minus_products<'a, L: Lanes>(
            lanes: L,
            terms: impl Iterator<Item = (&'a [$number; TILE_ROWS], &'a [$number; TILE_COLUMNS])>,
        ) -> Tile<$number> {
            $products(lanes, terms)
        }

        fn complement(lu: &BlockLu, border: &DomainBorder, values: (&[$number], usize), out: &mut [$number]) {
            on_machine!(lu.machine, border::complement, (lu: &BlockLu, border: &DomainBorder,
                values: (&[$number], usize), out: &mut [$number]));
        }
    };
}

/// Substitutions for a type of unknowns and the functions that do them, compiled for each arithmetic.
macro_rules! substitutions {
    ($unknown:ty, $number:ty, $one_by_one:path, $forward:path, $forward_outside:path, $border:path, $backward:path) => {
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

            fn forward_border(
                lu: &BlockLu,
                border: &DomainBorder,
                with: &BlockFactor<$number>,
                x: (&[$unknown], usize),
                out: &mut [$unknown],
            ) {
                on_machine!(lu.machine, $border, (lu: &BlockLu, border: &DomainBorder,
                    with: &BlockFactor<$number>, x: (&[$unknown], usize), out: &mut [$unknown]));
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

            fn one_by_one(x: &mut [$unknown], what: &mut dyn FnMut(&mut [$number])) {
                $one_by_one(x, what);
            }
        }
    };
}

substitutions!(f64, f64, at_once, forward, forward_outside, border::forward, backward);
substitutions!(ComplexNumber, ComplexNumber, at_once, forward, forward_outside, border::forward, backward);
substitutions!(
    FourWide,
    f64,
    four_times,
    many::forward,
    many::forward_outside,
    border::forward_many,
    many::backward
);

fn at_once<T>(x: &mut [T], what: &mut dyn FnMut(&mut [T])) {
    what(x);
}

fn four_times(x: &mut [FourWide], what: &mut dyn FnMut(&mut [f64])) {
    for k in 0..4 {
        let mut one: Vec<f64> = x.iter().map(|four| four[k]).collect();
        what(&mut one);
        x.iter_mut().zip(one).for_each(|(four, x)| four[k] = x);
    }
}

impl Spoken for f64 {
    const WIDTH: usize = 1;

    fn say(self, to: &mut Vec<f64>) {
        to.push(self);
    }

    fn heard(from: &[f64]) -> f64 {
        from[0]
    }

    #[inline(always)]
    fn plus(self, other: f64) -> f64 {
        self + other
    }
}

impl Spoken for ComplexNumber {
    const WIDTH: usize = 2;

    fn say(self, to: &mut Vec<f64>) {
        to.extend([self.re, self.im]);
    }

    fn heard(from: &[f64]) -> ComplexNumber {
        ComplexNumber { re: from[0], im: from[1] }
    }

    #[inline(always)]
    fn plus(self, other: ComplexNumber) -> ComplexNumber {
        ComplexNumber { re: self.re + other.re, im: self.im + other.im }
    }
}

impl Spoken for FourWide {
    const WIDTH: usize = 4;

    fn say(self, to: &mut Vec<f64>) {
        to.extend(self);
    }

    fn heard(from: &[f64]) -> FourWide {
        [from[0], from[1], from[2], from[3]]
    }

    fn plus(self, other: FourWide) -> FourWide {
        std::array::from_fn(|k| self[k] + other[k])
    }
}

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
    fn real(x: f64) -> f64 {
        x
    }

    #[inline(always)]
    fn conjugate(self) -> f64 {
        self
    }

    #[inline(always)]
    fn square(self) -> f64 {
        self * self
    }

    #[inline(always)]
    fn less<L: Lanes>(self, lanes: L, a: f64, b: f64) -> f64 {
        lanes.mul_add(-a, b, self)
    }

    numeric_phase!(f64, panels::minus_products_wide);
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
    fn real(x: f64) -> ComplexNumber {
        ComplexNumber { re: x, im: 0.0 }
    }

    #[inline(always)]
    fn conjugate(self) -> ComplexNumber {
        ComplexNumber { re: self.re, im: -self.im }
    }

    #[inline(always)]
    fn square(self) -> f64 {
        self.re * self.re + self.im * self.im
    }

    #[inline(always)]
    fn less<L: Lanes>(self, lanes: L, a: ComplexNumber, b: ComplexNumber) -> ComplexNumber {
        let minus = |x: f64, y: f64, z: f64| lanes.mul_add(-x, y, z);
        ComplexNumber {
            re: lanes.mul_add(a.im, b.im, minus(a.re, b.re, self.re)),
            im: minus(a.im, b.re, minus(a.re, b.im, self.im)),
        }
    }

    numeric_phase!(ComplexNumber, panels::minus_products_complex);
}
