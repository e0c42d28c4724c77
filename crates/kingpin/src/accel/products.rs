//! The numeric phase of the assembly: products of Jacobian blocks, in the widest registers the machine has.

use crate::linalg::Entry;
use crate::linalg::lanes::{Kernel, Lanes, Machine, RowLanes, on_machine};
use crate::system::Inertia;
use std::ops::Range;

/// A Jacobian block that gives rows of S: weighted once, then multiplied with all its partners.
#[derive(Clone, Debug)]
pub(super) struct Strip {
    /// First number of the block.
    pub from: u32,
    /// Rows of the block.
    pub rows: u8,
    /// Columns of the block: velocities of the body.
    pub width: u8,
    /// The body.
    pub body: u32,
    /// Its first velocity.
    pub v: u32,
    /// First row of its joint.
    pub row: u32,
    /// One over the share of the virtual body.
    pub scale: f64,
    /// Its products.
    pub products: Range<u32>,
    /// Its couplings to fixed joints.
    pub couplings: Range<u32>,
}

/// A partner of a strip on the same body, and where the product goes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Product {
    /// First number of the block that gives columns.
    pub from: u32,
    /// Rows of that block: columns of the product.
    pub columns: u8,
    /// Whether the target is stored by columns without gaps.
    pub packed: bool,
    /// Whether it is the first to be written there.
    pub first: bool,
    /// Place in the value array.
    pub entry: ProductTarget,
}

/// Place of a block in the value array, small: element (r, c) is at `offset + r row + c column`.
#[derive(Clone, Copy, Debug)]
pub(super) struct ProductTarget {
    offset: u32,
    row: u32,
    column: u32,
}

impl ProductTarget {
    pub fn new(entry: &Entry) -> ProductTarget {
        ProductTarget {
            offset: entry.offset as u32,
            row: entry.row_stride as u32,
            column: entry.col_stride as u32,
        }
    }

    /// The same place in a value array that begins later.
    pub fn behind(self, start: usize) -> ProductTarget {
        ProductTarget { offset: self.offset - start as u32, ..self }
    }

    #[inline(always)]
    pub fn index(&self, r: usize, c: usize) -> usize {
        self.offset as usize + r * self.row as usize + c * self.column as usize
    }
}

/// A fixed joint at the virtual body of a strip: S gets the weighted block itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct Coupling {
    /// Sign of the fixed joint on this body.
    pub sign: f64,
    pub entry: ProductTarget,
}

/// The weights W, by body.
#[derive(Clone, Copy)]
pub enum Weights<'a> {
    /// The mass matrix.
    Mass(&'a [Inertia]),
    /// Inverse weights, one per velocity.
    Diagonal(&'a [f64]),
}

/// All products, strip by strip.
#[derive(Clone, Debug, Default)]
pub(super) struct ProductList {
    pub strips: Vec<Strip>,
    pub products: Vec<Product>,
    pub couplings: Vec<Coupling>,
}

/// Unknowns of the problem while the matrix is assembled: b += Phi_v free, since the rows are at hand.
pub struct RightSide<'a> {
    /// M^-1 Q.
    pub free: &'a [f64],
    /// The right side.
    pub b: &'a mut [f64],
}

/// What all strips share.
struct Pass<'a, 'b> {
    list: &'a ProductList,
    weights: Weights<'a>,
    phi_v: &'a [f64],
    values: &'a mut [f64],
    side: &'a mut RightSide<'b>,
}

/// Writes all products into `values`, and adds Phi_v times `free` to the right side.
pub(super) fn write(
    machine: Machine,
    list: &ProductList,
    weights: Weights,
    phi_v: &[f64],
    values: &mut [f64],
    side: &mut RightSide,
) {
    let pass = &mut Pass { list, weights, phi_v, values, side };
    on_machine!(machine, write_on, (pass: &mut Pass));
}

#[inline(always)]
fn write_on<L: Lanes>(lanes: L, pass: &mut Pass) {
    let list = pass.list;
    for s in &list.strips {
        match s.width {
            6 => strip::<L, 6>(lanes, pass, s),
            3 => strip::<L, 3>(lanes, pass, s),
            2 => strip::<L, 2>(lanes, pass, s),
            _ => many_rows::<1>(pass, s),
        }
    }
}

#[inline(always)]
fn strip<L: Lanes, const NV: usize>(lanes: L, pass: &mut Pass, s: &Strip) {
    match s.rows {
        1 => lanes.apart(Rows::<NV, 1>(pass, s)),
        2 => lanes.apart(Rows::<NV, 2>(pass, s)),
        3 => lanes.apart(Rows::<NV, 3>(pass, s)),
        4 => lanes.apart(Rows::<NV, 4>(pass, s)),
        5 => lanes.apart(Rows::<NV, 5>(pass, s)),
        6 => lanes.apart(Rows::<NV, 6>(pass, s)),
        _ => many_rows::<NV>(pass, s),
    }
}

/// A strip of `R` rows of a body with `NV` velocities.
struct Rows<'p, 'a, 'b, const NV: usize, const R: usize>(&'p mut Pass<'a, 'b>, &'p Strip);

impl<const NV: usize, const R: usize> Kernel for Rows<'_, '_, '_, NV, R> {
    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let Rows(pass, s) = self;
        let (list, phi_v) = (pass.list, pass.phi_v);
        let block = &phi_v[s.from as usize..][..R * NV];
        // the weighted rows by columns: inner loops run along a column of the target
        let by_k = weighted::<NV, R>(pass.weights, s, block);
        if !pass.side.b.is_empty() {
            let free = &pass.side.free[s.v as usize..][..NV];
            let b = &mut pass.side.b[s.row as usize..][..R];
            for r in 0..R {
                for k in 0..NV {
                    b[r] += block[r * NV + k] * free[k];
                }
            }
        }
        let mut columns = [RowLanes::<L, R>::zero(lanes); NV];
        for k in 0..NV {
            columns[k] = RowLanes::load(lanes, &by_k[k]);
        }
        let values = &mut *pass.values;
        for p in &list.products[s.products.start as usize..s.products.end as usize] {
            match if p.packed { p.columns } else { 0 } {
                1 => multiply::<L, NV, R, 1>(lanes, &columns, p, phi_v, values),
                2 => multiply::<L, NV, R, 2>(lanes, &columns, p, phi_v, values),
                3 => multiply::<L, NV, R, 3>(lanes, &columns, p, phi_v, values),
                4 => multiply::<L, NV, R, 4>(lanes, &columns, p, phi_v, values),
                5 => multiply::<L, NV, R, 5>(lanes, &columns, p, phi_v, values),
                6 => multiply::<L, NV, R, 6>(lanes, &columns, p, phi_v, values),
                _ => scatter::<L, NV, R>(&columns, p, phi_v, values),
            }
        }
        for c in &list.couplings[s.couplings.start as usize..s.couplings.end as usize] {
            for (k, column) in by_k.iter().enumerate() {
                for (r, x) in column.iter().enumerate() {
                    values[c.entry.index(r, k)] += c.sign * x;
                }
            }
        }
    }
}

/// The rows of a strip times W^-1, by columns.
#[inline(always)]
fn weighted<const NV: usize, const R: usize>(weights: Weights, s: &Strip, block: &[f64]) -> [[f64; R]; NV] {
    let mut by_k = [[0.0; R]; NV];
    for r in 0..R {
        let mut row = [0.0; NV];
        row.copy_from_slice(&block[r * NV..(r + 1) * NV]);
        let weighted = weigh(weights, s, &row);
        for k in 0..NV {
            by_k[k][r] = s.scale * weighted[k];
        }
    }
    by_k
}

/// The same as [`multiply`] for any number of columns into any storage.
#[inline(always)]
fn scatter<L: Lanes, const NV: usize, const R: usize>(
    columns: &[RowLanes<L, R>; NV],
    p: &Product,
    phi_v: &[f64],
    values: &mut [f64],
) {
    let (row, step) = (p.entry.row as usize, p.entry.column as usize);
    let mut start = p.entry.offset as usize;
    for partner in phi_v[p.from as usize..][..p.columns as usize * NV].chunks_exact(NV) {
        let mut sum = columns[0].times(partner[0]);
        for k in 1..NV {
            sum = sum.plus(columns[k], partner[k]);
        }
        let mut out = [0.0; R];
        sum.store_from(0, &mut out);
        let target = &mut values[start..=start + (R - 1) * row];
        for r in 0..R {
            target[r * row] = if p.first { out[r] } else { target[r * row] + out[r] };
        }
        start += step;
    }
}

/// Target columns (+)= weighted rows times the rows of the partner: column c of the block of S is
/// sum over k of (Phi_v W^-1)_k partner_ck, one multiply-add of a column in registers per velocity.
#[inline(always)]
fn multiply<L: Lanes, const NV: usize, const R: usize, const C: usize>(
    lanes: L,
    columns: &[RowLanes<L, R>; NV],
    p: &Product,
    phi_v: &[f64],
    values: &mut [f64],
) {
    let (partner, _) = phi_v[p.from as usize..][..C * NV].as_chunks::<NV>();
    let (target, _) = values[p.entry.offset as usize..][..C * R].as_chunks_mut::<R>();
    let (Ok(partner), Ok(target)) =
        (<&[[f64; NV]; C]>::try_from(partner), <&mut [[f64; R]; C]>::try_from(target))
    else {
        return;
    };
    if p.first {
        for c in 0..C {
            let mut sum = columns[0].times(partner[c][0]);
            for k in 1..NV {
                sum = sum.plus(columns[k], partner[c][k]);
            }
            sum.store_from(0, &mut target[c]);
        }
    } else {
        for c in 0..C {
            let mut sum = RowLanes::load(lanes, &target[c]).plus(columns[0], partner[c][0]);
            for k in 1..NV {
                sum = sum.plus(columns[k], partner[c][k]);
            }
            sum.store_from(0, &mut target[c]);
        }
    }
}

/// Joints of more than six equations, and bodies with one velocity: the same row by row, each weighted when it is needed.
fn many_rows<const NV: usize>(pass: &mut Pass, s: &Strip) {
    let Pass { list, weights, phi_v, values, side } = pass;
    let (weights, phi_v) = (*weights, *phi_v);
    let weighted = |r: usize| -> [f64; NV] {
        let mut row = [0.0; NV];
        row.copy_from_slice(&phi_v[s.from as usize + r * NV..][..NV]);
        weigh(weights, s, &row).map(|x| s.scale * x)
    };
    for p in &list.products[s.products.start as usize..s.products.end as usize] {
        for r in 0..s.rows as usize {
            multiply_row(&weighted(r), r, p, phi_v, values);
        }
    }
    if !side.b.is_empty() {
        for r in 0..s.rows as usize {
            let row = &phi_v[s.from as usize + r * NV..][..NV];
            let free = &side.free[s.v as usize..][..NV];
            side.b[s.row as usize + r] += row.iter().zip(free).map(|(x, y)| x * y).sum::<f64>();
        }
    }
    for c in &list.couplings[s.couplings.start as usize..s.couplings.end as usize] {
        for r in 0..s.rows as usize {
            for (k, x) in weighted(r).iter().enumerate() {
                values[c.entry.index(r, k)] += c.sign * x;
            }
        }
    }
}

/// A row of Phi_v times W^-1 of the body of a strip.
#[inline(always)]
fn weigh<const NV: usize>(weights: Weights, s: &Strip, row: &[f64; NV]) -> [f64; NV] {
    weigh_at(weights, s.body as usize, s.v as usize, row)
}

/// A row of Phi_v times W^-1 of a body whose velocities begin at `v`.
#[inline(always)]
pub(super) fn weigh_at<const NV: usize>(
    weights: Weights,
    body: usize,
    v: usize,
    row: &[f64; NV],
) -> [f64; NV] {
    match weights {
        Weights::Diagonal(w) => {
            let mut out = *row;
            for k in 0..NV {
                out[k] *= w[v + k];
            }
            out
        }
        Weights::Mass(inertia) => {
            let (k, j) = (inertia[body].inverse_mass, &inertia[body].inverse);
            let mut out = [0.0; NV];
            for a in 0..if NV == 6 { 3 } else { NV.min(2) } {
                out[a] = k * row[a];
            }
            if NV == 6 {
                for a in 3..NV {
                    for b in 3..NV {
                        out[a] += row[b] * j[b - 3][a - 3];
                    }
                }
            } else if NV == 3 {
                out[2] = row[2] * inertia[body].inverse_third;
            }
            out
        }
    }
}

/// Row `r` of a product of any size into any storage.
#[inline(never)]
fn multiply_row<const NV: usize>(row: &[f64; NV], r: usize, p: &Product, phi_v: &[f64], values: &mut [f64]) {
    for (c, column) in phi_v[p.from as usize..].chunks_exact(NV).take(p.columns as usize).enumerate() {
        let sum: f64 = row.iter().zip(column).map(|(x, y)| x * y).sum();
        let at = p.entry.index(r, c);
        values[at] = if p.first { sum } else { values[at] + sum };
    }
}
