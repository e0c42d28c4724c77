//! The numeric phase of the assembly: products of Jacobian blocks, in the widest registers the machine has.

use crate::linalg::Entry;
use crate::linalg::lanes::{Lanes, Machine, RowLanes, on_machine};
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

/// Writes all products into `values`, and adds Phi_v times `free` to the right side.
pub(super) fn write(
    machine: Machine,
    list: &ProductList,
    weights: Weights,
    phi_v: &[f64],
    values: &mut [f64],
    side: &mut RightSide,
) {
    for s in &list.strips {
        match s.width {
            6 => strip::<6>(machine, list, s, weights, phi_v, values, side),
            3 => strip::<3>(machine, list, s, weights, phi_v, values, side),
            2 => strip::<2>(machine, list, s, weights, phi_v, values, side),
            _ => many_rows::<1>(list, s, weights, phi_v, values, side),
        }
    }
}

fn strip<const NV: usize>(
    machine: Machine,
    list: &ProductList,
    s: &Strip,
    weights: Weights,
    phi_v: &[f64],
    values: &mut [f64],
    side: &mut RightSide,
) {
    match s.rows {
        1 => rows::<NV, 1>(machine, list, s, weights, phi_v, values, side),
        2 => rows::<NV, 2>(machine, list, s, weights, phi_v, values, side),
        3 => rows::<NV, 3>(machine, list, s, weights, phi_v, values, side),
        4 => rows::<NV, 4>(machine, list, s, weights, phi_v, values, side),
        5 => rows::<NV, 5>(machine, list, s, weights, phi_v, values, side),
        6 => rows::<NV, 6>(machine, list, s, weights, phi_v, values, side),
        _ => many_rows::<NV>(list, s, weights, phi_v, values, side),
    }
}

/// A strip of `R` rows; a function of its own for each size, since all of them in one function
/// take the compiler more time than any other part of the crate.
#[inline(never)]
fn rows<const NV: usize, const R: usize>(
    machine: Machine,
    list: &ProductList,
    s: &Strip,
    weights: Weights,
    phi_v: &[f64],
    values: &mut [f64],
    side: &mut RightSide,
) {
    on_machine!(machine, <NV, R> rows_on::<_, NV, R>, (list: &ProductList, s: &Strip, weights: Weights, phi_v: &[f64], values: &mut [f64], side: &mut RightSide));
}

#[inline(always)]
fn rows_on<L: Lanes, const NV: usize, const R: usize>(
    lanes: L,
    list: &ProductList,
    s: &Strip,
    weights: Weights,
    phi_v: &[f64],
    values: &mut [f64],
    side: &mut RightSide,
) {
    // the weighted rows by columns: inner loops run along a column of the target
    let block = &phi_v[s.from as usize..][..R * NV];
    let mut by_k = [[0.0; R]; NV];
    for r in 0..R {
        let mut row = [0.0; NV];
        row.copy_from_slice(&block[r * NV..(r + 1) * NV]);
        let weighted = weigh(weights, s, &row);
        for k in 0..NV {
            by_k[k][r] = s.scale * weighted[k];
        }
    }
    if !side.b.is_empty() {
        let free = &side.free[s.v as usize..][..NV];
        let b = &mut side.b[s.row as usize..][..R];
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
    for p in &list.products[s.products.start as usize..s.products.end as usize] {
        match if p.packed { p.columns } else { 0 } {
            1 => multiply::<L, NV, R, 1>(lanes, &columns, p, phi_v, values),
            2 => multiply::<L, NV, R, 2>(lanes, &columns, p, phi_v, values),
            3 => multiply::<L, NV, R, 3>(lanes, &columns, p, phi_v, values),
            4 => multiply::<L, NV, R, 4>(lanes, &columns, p, phi_v, values),
            5 => multiply::<L, NV, R, 5>(lanes, &columns, p, phi_v, values),
            6 => multiply::<L, NV, R, 6>(lanes, &columns, p, phi_v, values),
            _ => {
                for r in 0..R {
                    multiply_row(&by_k.map(|column| column[r]), r, p, phi_v, values);
                }
            }
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

/// Joints of more than six equations: the same row by row, each weighted when it is needed.
fn many_rows<const NV: usize>(
    list: &ProductList,
    s: &Strip,
    weights: Weights,
    phi_v: &[f64],
    values: &mut [f64],
    side: &mut RightSide,
) {
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
