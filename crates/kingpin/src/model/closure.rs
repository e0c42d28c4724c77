//! Functions written in Rust.

use crate::element::law::MAX_VARIABLES;
use crate::scalar::{Dual, Scalar};
use std::any::Any;
use std::fmt;
use std::sync::Arc;

/// A function that is written once for all scalars, so that its derivatives are exact: dual numbers go through it.
///
/// ```
/// use kingpin::prelude::*;
///
/// /// Drag that grows with the square of the speed.
/// struct Drag(f64);
///
/// impl SmoothLaw for Drag {
///     fn eval<T: Scalar>(&self, x: &[T]) -> T {
///         -(x[0] * x[0].abs()).scale(self.0)
///     }
/// }
///
/// let drag = Function::smooth(&["speed"], Drag(0.3));
/// ```
pub trait SmoothLaw: Send + Sync + 'static {
    /// The value at the variables, in the order of their names.
    fn eval<T: Scalar>(&self, x: &[T]) -> T;
}

type D1 = Dual<f64>;
type D2 = Dual<D1>;
type D3 = Dual<D2>;

/// A law on the scalars that equations and their derivatives are evaluated with.
trait UserLaw: Send + Sync {
    fn value(&self, x: &[f64]) -> f64;
    fn first(&self, x: &[D1]) -> D1;
    fn second(&self, x: &[D2]) -> D2;
    fn third(&self, x: &[D3]) -> D3;
}

struct Smooth<L>(L);

impl<L: SmoothLaw> UserLaw for Smooth<L> {
    fn value(&self, x: &[f64]) -> f64 {
        self.0.eval(x)
    }
    fn first(&self, x: &[D1]) -> D1 {
        self.0.eval(x)
    }
    fn second(&self, x: &[D2]) -> D2 {
        self.0.eval(x)
    }
    fn third(&self, x: &[D3]) -> D3 {
        self.0.eval(x)
    }
}

struct Plain<F>(F);

/// A function over plain numbers and its slopes.
struct Sloped<F, G>(F, G);

/// Steps of differences, in parts of the size of what moves: for slopes, and for those of slopes.
const STEPS: [f64; 2] = [1e-4, 1e-3];

/// Variables below this are taken for small ones of that size.
const SMALL: f64 = 0.1;

/// The derivative of `f` at `x` in a direction, by differences of the fourth order. The step is a part of the size of
/// the variables that move.
fn slope<const N: usize, V>(x: [f64; N], along: [f64; N], step: f64, f: impl Fn(&[f64; N]) -> V) -> V
where
    V: std::ops::Sub<Output = V> + std::ops::Mul<f64, Output = V>,
{
    let moving = x.iter().zip(&along).filter(|(_, d)| **d != 0.0);
    let (size, speed) = moving.fold((SMALL, 0.0_f64), |(s, v), (x, d)| (s.max(x.abs()), v.max(d.abs())));
    let h = step * size / speed.max(f64::MIN_POSITIVE);
    let at = |k: f64| f(&std::array::from_fn(|i| x[i] + k * h * along[i]));
    // (8 (f1 - f-1) - (f2 - f-2)) / 12 h
    ((at(1.0) - at(-1.0)) * 8.0 - (at(2.0) - at(-2.0))) * (1.0 / (12.0 * h))
}

/// The derivative of a function of plain numbers in a direction, by differences.
fn along(x: &[f64], d: &[f64], step: f64, f: impl Fn(&[f64]) -> f64) -> f64 {
    if d.iter().all(|d| *d == 0.0) {
        return 0.0;
    }
    let (mut at, mut to) = ([0.0; MAX_VARIABLES], [0.0; MAX_VARIABLES]);
    at[..x.len()].copy_from_slice(x);
    to[..d.len()].copy_from_slice(d);
    slope(at, to, step, |moved| f(&moved[..x.len()]))
}

/// One part of each variable.
fn parts<T: Copy, U: Copy + Default>(x: &[T], part: impl Fn(T) -> U) -> [U; MAX_VARIABLES] {
    let mut out = [U::default(); MAX_VARIABLES];
    out.iter_mut().zip(x).for_each(|(out, x)| *out = part(*x));
    out
}

impl<F: Fn(&[f64]) -> f64 + Send + Sync> UserLaw for Plain<F> {
    fn value(&self, x: &[f64]) -> f64 {
        self.0(x)
    }

    fn first(&self, x: &[D1]) -> D1 {
        let n = x.len();
        let (re, d) = (parts(x, |x| x.re), parts(x, |x| x.d));
        Dual { re: self.0(&re[..n]), d: along(&re[..n], &d[..n], STEPS[0], &self.0) }
    }

    fn second(&self, x: &[D2]) -> D2 {
        let n = x.len();
        let mut re = [D1::zero(); MAX_VARIABLES];
        re.iter_mut().zip(x).for_each(|(re, x)| *re = x.re);
        let (at, a) = (parts(x, |x| x.re.re), parts(x, |x| x.re.d));
        let (b, ab) = (parts(x, |x| x.d.re), parts(x, |x| x.d.d));
        let slope_b = |x: &[f64]| along(x, &b[..n], STEPS[1], &self.0);
        // along b, and how that changes along a, where b changes too
        let mixed = along(&at[..n], &a[..n], STEPS[1], slope_b);
        let straight = along(&at[..n], &ab[..n], STEPS[0], &self.0);
        Dual { re: self.first(&re[..n]), d: Dual { re: slope_b(&at[..n]), d: mixed + straight } }
    }

    /// Nothing in a run needs it; those who ask get no number rather than a bad one.
    fn third(&self, _: &[D3]) -> D3 {
        D3::from_f64(f64::NAN)
    }
}

impl<F, G> Sloped<F, G>
where
    G: Fn(&[f64], &mut [f64]) + Send + Sync,
{
    /// The derivative in a direction, of the given slopes.
    fn along(&self, x: &[f64], d: &[f64]) -> f64 {
        if d.iter().all(|d| *d == 0.0) {
            return 0.0;
        }
        let mut slopes = [0.0; MAX_VARIABLES];
        self.1(x, &mut slopes[..x.len()]);
        slopes.iter().zip(d).filter(|(_, d)| **d != 0.0).map(|(slope, d)| slope * d).sum()
    }
}

/// First derivatives are the given ones, second ones their differences.
impl<F, G> UserLaw for Sloped<F, G>
where
    F: Fn(&[f64]) -> f64 + Send + Sync,
    G: Fn(&[f64], &mut [f64]) + Send + Sync,
{
    fn value(&self, x: &[f64]) -> f64 {
        self.0(x)
    }

    fn first(&self, x: &[D1]) -> D1 {
        let n = x.len();
        let (re, d) = (parts(x, |x| x.re), parts(x, |x| x.d));
        Dual { re: self.0(&re[..n]), d: self.along(&re[..n], &d[..n]) }
    }

    fn second(&self, x: &[D2]) -> D2 {
        let n = x.len();
        let mut re = [D1::zero(); MAX_VARIABLES];
        re.iter_mut().zip(x).for_each(|(re, x)| *re = x.re);
        let (at, a) = (parts(x, |x| x.re.re), parts(x, |x| x.re.d));
        let (b, ab) = (parts(x, |x| x.d.re), parts(x, |x| x.d.d));
        let slope_b = |x: &[f64]| self.along(x, &b[..n]);
        let mixed = along(&at[..n], &a[..n], STEPS[0], slope_b);
        let straight = self.along(&at[..n], &ab[..n]);
        Dual { re: self.first(&re[..n]), d: Dual { re: slope_b(&at[..n]), d: mixed + straight } }
    }

    /// As of functions without slopes.
    fn third(&self, _: &[D3]) -> D3 {
        D3::from_f64(f64::NAN)
    }
}

/// A function written in Rust, with the names of what it reads.
#[derive(Clone)]
pub struct Closure {
    names: Vec<String>,
    law: Arc<dyn UserLaw>,
    /// Where its variables are among those of the field; as the names say before it is bound.
    places: Vec<usize>,
}

impl Closure {
    pub(super) fn smooth(names: &[&str], law: impl SmoothLaw) -> Closure {
        Closure::of(names, Arc::new(Smooth(law)))
    }

    pub(super) fn plain(names: &[&str], f: impl Fn(&[f64]) -> f64 + Send + Sync + 'static) -> Closure {
        Closure::of(names, Arc::new(Plain(f)))
    }

    pub(super) fn sloped(
        names: &[&str],
        f: impl Fn(&[f64]) -> f64 + Send + Sync + 'static,
        slopes: impl Fn(&[f64], &mut [f64]) + Send + Sync + 'static,
    ) -> Closure {
        Closure::of(names, Arc::new(Sloped(f, slopes)))
    }

    fn of(names: &[&str], law: Arc<dyn UserLaw>) -> Closure {
        let names: Vec<String> = names.iter().map(|name| name.to_string()).collect();
        Closure { places: (0..names.len()).collect(), names, law }
    }

    /// The names of what it reads.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Reads its variables at these places.
    pub(crate) fn at(&self, places: Vec<usize>) -> Closure {
        Closure { places, ..self.clone() }
    }

    /// Reads its variables elsewhere.
    pub(crate) fn moved(&self, place: impl Fn(usize) -> usize) -> Closure {
        self.at(self.places.iter().map(|&at| place(at)).collect())
    }

    /// Whether it reads a variable.
    pub(crate) fn reads(&self, place: usize) -> bool {
        self.places.contains(&place)
    }

    /// The value at the variables of its field. No number for scalars that it cannot be evaluated on.
    pub fn eval<T: Scalar>(&self, variables: &[T]) -> T {
        self.eval_as(variables, |x: &[f64]| self.law.value(x))
            .or_else(|| self.eval_as(variables, |x: &[D1]| self.law.first(x)))
            .or_else(|| self.eval_as(variables, |x: &[D2]| self.law.second(x)))
            .or_else(|| self.eval_as(variables, |x: &[D3]| self.law.third(x)))
            .unwrap_or_else(|| T::from_f64(f64::NAN))
    }

    /// The value if the scalars are of one kind.
    fn eval_as<T: Scalar, S: Scalar>(&self, variables: &[T], law: impl Fn(&[S]) -> S) -> Option<T> {
        let mut x = [S::zero(); MAX_VARIABLES];
        for (x, place) in x.iter_mut().zip(&self.places) {
            *x = *(variables.get(*place)? as &dyn Any).downcast_ref::<S>()?;
        }
        let y = law(&x[..self.places.len()]);
        (&y as &dyn Any).downcast_ref::<T>().copied()
    }

    /// Value and partial derivatives with respect to all variables of its field.
    pub fn partials(&self, variables: &[f64], out: &mut [f64]) -> f64 {
        out.fill(0.0);
        let n = self.places.len();
        let mut x = [D1::zero(); MAX_VARIABLES];
        for (x, place) in x.iter_mut().zip(&self.places) {
            *x = D1::from_f64(variables[*place]);
        }
        for (k, place) in self.places.iter().enumerate() {
            x[k].d = 1.0;
            out[*place] += self.law.first(&x[..n]).d;
            x[k].d = 0.0;
        }
        self.eval(variables)
    }
}

impl fmt::Debug for Closure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "closure of {}", self.names.join(", "))
    }
}

/// Two are the same if they share the law.
impl PartialEq for Closure {
    fn eq(&self, other: &Closure) -> bool {
        Arc::ptr_eq(&self.law, &other.law) && self.names == other.names && self.places == other.places
    }
}
