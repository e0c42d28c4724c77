//! Assembly of the reduced matrix S = Phi_v W^-1 Phi_v^T: one block row per joint, coupled through the bodies
//! [seed 000, Eqs 6-8; right form in T 3.109, 3.110], split bodies included [seed 001, section 4.2].

use super::problem::Problem;
use crate::linalg::Entry;
use crate::system::Inertia;
use crate::topology::Split;
use std::ops::Range;

/// A Jacobian block that gives rows of S: weighted once, then multiplied with all its partners.
#[derive(Clone, Debug)]
struct Strip {
    /// First number of the block.
    from: u32,
    /// Rows of the block.
    rows: u8,
    /// The body.
    body: u32,
    /// One over the share of the virtual body.
    scale: f64,
    /// Its products.
    products: Range<u32>,
    /// Its couplings to fixed joints.
    couplings: Range<u32>,
}

/// A partner of a strip on the same body, and where the product goes.
#[derive(Clone, Copy, Debug)]
struct Product {
    /// First number of the block that gives columns.
    from: u32,
    /// Rows of that block: columns of the product.
    columns: u8,
    /// Whether the target is stored by columns without gaps.
    packed: bool,
    /// Whether it is the first to be written there.
    first: bool,
    /// Place in the value array.
    entry: Target,
}

/// Place of a block in the value array, small: element (r, c) is at `offset + r row + c column`.
#[derive(Clone, Copy, Debug)]
struct Target {
    offset: u32,
    row: u32,
    column: u32,
}

impl Target {
    fn new(entry: &Entry) -> Target {
        Target { offset: entry.offset as u32, row: entry.row_stride as u32, column: entry.col_stride as u32 }
    }
    #[inline(always)]
    fn index(&self, r: usize, c: usize) -> usize {
        self.offset as usize + r * self.row as usize + c * self.column as usize
    }
}

/// A fixed joint at the virtual body of a strip: S gets the weighted block itself.
#[derive(Clone, Copy, Debug)]
struct Coupling {
    /// Sign of the fixed joint on this body.
    sign: f64,
    entry: Target,
}

/// The weights W, by body.
#[derive(Clone, Copy)]
pub enum Weights<'a> {
    /// The mass matrix.
    Mass(&'a [Inertia]),
    /// Inverse weights, one per velocity.
    Diagonal(&'a [f64]),
}

/// The schedule that writes the reduced matrix into the value array of a factorisation.
#[derive(Clone, Debug)]
pub struct Assembler {
    strips: Vec<Strip>,
    products: Vec<Product>,
    couplings: Vec<Coupling>,
    /// What no product writes first: fill, and the constant blocks among fixed joints.
    base: Vec<(u32, Vec<f64>)>,
    nv: usize,
}

/// Where block (i, j) of the reduced matrix is kept.
type Locate<'a> = dyn Fn(usize, usize) -> Option<Entry> + 'a;

impl Assembler {
    /// Symbolic phase. `locate` says where blocks are kept; joints come first, then the fixed joints of the split,
    /// whose own blocks depend on the weights alone and are computed here.
    pub fn new(
        problem: &Problem,
        weights: Weights,
        split: Option<&Split>,
        len: usize,
        locate: &Locate,
    ) -> Assembler {
        let mut assembler = Assembler {
            strips: Vec::new(),
            products: Vec::new(),
            couplings: Vec::new(),
            base: Vec::new(),
            nv: problem.nv,
        };
        let mut written = vec![false; len];
        let mut on_body: Vec<Vec<usize>> = vec![Vec::new(); problem.bodies()];
        problem.blocks.iter().enumerate().for_each(|(k, b)| on_body[b.body].push(k));
        let parts = split.map(|s| Parts::new(problem, s));
        for (body, list) in on_body.iter().enumerate() {
            match (split, &parts) {
                (Some(split), Some(parts)) if split.parts_of(body).len() > 1 => {
                    for part in split.parts_of(body) {
                        let (own, fixed) = (&parts.blocks[part.body], &parts.fixed[part.body]);
                        assembler.clique(problem, own, 1.0 / part.share, fixed, locate, &mut written);
                    }
                }
                _ => assembler.clique(problem, list, 1.0, &[], locate, &mut written),
            }
        }
        let mut base = vec![0.0; len];
        if let (Some(split), Some(parts)) = (split, &parts) {
            constant_blocks(problem.nv, weights, split, parts, locate, &mut base);
        }
        assembler.keep_base(base, &written);
        assembler
    }

    /// All pairs of joints on one body, and its fixed joints.
    fn clique(
        &mut self,
        problem: &Problem,
        list: &[usize],
        scale: f64,
        fixed: &[(usize, f64)],
        locate: &Locate,
        written: &mut [bool],
    ) {
        // a joint whose equations are all redundant has no rows
        let with_rows = || list.iter().copied().filter(|&x| problem.blocks[x].rows > 0);
        for x in with_rows() {
            let row = &problem.blocks[x];
            let (products, couplings) = (self.products.len() as u32, self.couplings.len() as u32);
            for y in with_rows() {
                let column = &problem.blocks[y];
                let Some(entry) = locate(row.group, column.group) else { continue };
                // each pair once: where it is stored by columns, else where the first block comes later
                let by_columns = (entry.row_stride == 1, entry.col_stride == 1);
                let mine = if by_columns.0 != by_columns.1 { by_columns.0 } else { x >= y };
                if x != y && !mine {
                    continue;
                }
                let first = !std::mem::replace(&mut written[entry.offset], true);
                if first {
                    mark(&entry, written);
                }
                let packed = entry.row_stride == 1 && entry.col_stride == entry.rows;
                let (from, columns) = ((column.before * self.nv) as u32, column.rows as u8);
                self.products.push(Product { from, columns, packed, first, entry: Target::new(&entry) });
            }
            for &(joint, sign) in fixed {
                if let Some(entry) = locate(row.group, joint) {
                    self.couplings.push(Coupling { sign, entry: Target::new(&entry) });
                }
            }
            self.strips.push(Strip {
                from: (row.before * self.nv) as u32,
                rows: row.rows as u8,
                body: row.body as u32,
                scale,
                products: products..self.products.len() as u32,
                couplings: couplings..self.couplings.len() as u32,
            });
        }
    }

    /// Keeps the runs of the value array that no product writes first.
    fn keep_base(&mut self, base: Vec<f64>, written: &[bool]) {
        let mut run: Option<(u32, Vec<f64>)> = None;
        for (k, (x, written)) in base.into_iter().zip(written).enumerate() {
            if *written {
                self.base.extend(run.take());
            } else {
                run.get_or_insert_with(|| (k as u32, Vec::new())).1.push(x);
            }
        }
        self.base.extend(run);
    }

    /// Writes S into `values`. No allocation; O(products).
    pub fn assemble(&self, weights: Weights, phi_v: &[f64], values: &mut [f64]) {
        for (start, run) in &self.base {
            values[*start as usize..][..run.len()].copy_from_slice(run);
        }
        if self.nv == 6 {
            self.strips.iter().for_each(|s| self.strip::<6>(s, weights, phi_v, values));
        } else {
            self.strips.iter().for_each(|s| self.strip::<3>(s, weights, phi_v, values));
        }
    }

    #[inline]
    fn strip<const NV: usize>(&self, s: &Strip, weights: Weights, phi_v: &[f64], values: &mut [f64]) {
        match s.rows {
            1 => self.rows::<NV, 1>(s, weights, phi_v, values),
            2 => self.rows::<NV, 2>(s, weights, phi_v, values),
            3 => self.rows::<NV, 3>(s, weights, phi_v, values),
            4 => self.rows::<NV, 4>(s, weights, phi_v, values),
            5 => self.rows::<NV, 5>(s, weights, phi_v, values),
            6 => self.rows::<NV, 6>(s, weights, phi_v, values),
            _ => self.many_rows::<NV>(s, weights, phi_v, values),
        }
    }

    fn rows<const NV: usize, const R: usize>(
        &self,
        s: &Strip,
        weights: Weights,
        phi_v: &[f64],
        values: &mut [f64],
    ) {
        // the weighted rows by columns, so that inner loops run along a column of the target
        let rows = &phi_v[s.from as usize..][..R * NV];
        let mut by_k = [[0.0; R]; NV];
        for r in 0..R {
            let row: &[f64; NV] = rows[r * NV..][..NV].try_into().unwrap_or(&[0.0; NV]);
            let weighted = weigh(weights, s.body as usize, row);
            for k in 0..NV {
                by_k[k][r] = s.scale * weighted[k];
            }
        }
        for p in &self.products[s.products.start as usize..s.products.end as usize] {
            match p.columns {
                1 => multiply::<NV, R, 1>(&by_k, p, phi_v, values),
                2 => multiply::<NV, R, 2>(&by_k, p, phi_v, values),
                3 => multiply::<NV, R, 3>(&by_k, p, phi_v, values),
                4 => multiply::<NV, R, 4>(&by_k, p, phi_v, values),
                5 => multiply::<NV, R, 5>(&by_k, p, phi_v, values),
                6 => multiply::<NV, R, 6>(&by_k, p, phi_v, values),
                _ => {
                    let weighted = |r: usize| -> [f64; NV] { std::array::from_fn(|k| by_k[k][r]) };
                    multiply_any::<NV>(R, weighted, p, phi_v, values);
                }
            }
        }
        for c in &self.couplings[s.couplings.start as usize..s.couplings.end as usize] {
            for (k, column) in by_k.iter().enumerate() {
                for (r, x) in column.iter().enumerate() {
                    values[c.entry.index(r, k)] += c.sign * x;
                }
            }
        }
    }

    /// Joints of more than six equations.
    fn many_rows<const NV: usize>(&self, s: &Strip, weights: Weights, phi_v: &[f64], values: &mut [f64]) {
        let weighted = |r: usize| -> [f64; NV] {
            let row: &[f64; NV] = phi_v[s.from as usize + r * NV..][..NV].try_into().unwrap_or(&[0.0; NV]);
            weigh(weights, s.body as usize, row).map(|x| s.scale * x)
        };
        for p in &self.products[s.products.start as usize..s.products.end as usize] {
            multiply_any::<NV>(s.rows as usize, weighted, p, phi_v, values);
        }
        for c in &self.couplings[s.couplings.start as usize..s.couplings.end as usize] {
            for r in 0..s.rows as usize {
                for (k, x) in weighted(r).iter().enumerate() {
                    values[c.entry.index(r, k)] += c.sign * x;
                }
            }
        }
    }
}

/// A row of Phi_v times W^-1 of its body.
#[inline(always)]
fn weigh<const NV: usize>(weights: Weights, body: usize, row: &[f64; NV]) -> [f64; NV] {
    match weights {
        Weights::Diagonal(w) => std::array::from_fn(|k| row[k] * w[body * NV + k]),
        Weights::Mass(inertia) => {
            let (k, j) = (1.0 / inertia[body].mass, &inertia[body].inverse);
            let d = if NV == 6 { 3 } else { 2 };
            let mut out = [0.0; NV];
            for a in 0..d {
                out[a] = k * row[a];
            }
            for a in d..NV {
                for b in d..NV {
                    out[a] += row[b] * j[b - d][a - d];
                }
            }
            out
        }
    }
}

/// target (+)= weighted rows times columns, sizes known.
#[inline]
fn multiply<const NV: usize, const R: usize, const C: usize>(
    by_k: &[[f64; R]; NV],
    p: &Product,
    phi_v: &[f64],
    values: &mut [f64],
) {
    let columns = &phi_v[p.from as usize..][..C * NV];
    let mut product = [[0.0; R]; C];
    for c in 0..C {
        for k in 0..NV {
            let x = columns[c * NV + k];
            for r in 0..R {
                product[c][r] += by_k[k][r] * x;
            }
        }
    }
    if p.packed {
        let target = &mut values[p.entry.offset as usize..][..R * C];
        for c in 0..C {
            for r in 0..R {
                let old = if p.first { 0.0 } else { target[c * R + r] };
                target[c * R + r] = old + product[c][r];
            }
        }
        return;
    }
    for c in 0..C {
        for r in 0..R {
            let at = p.entry.index(r, c);
            values[at] = if p.first { product[c][r] } else { values[at] + product[c][r] };
        }
    }
}

/// The same for any size.
fn multiply_any<const NV: usize>(
    rows: usize,
    weighted: impl Fn(usize) -> [f64; NV],
    p: &Product,
    phi_v: &[f64],
    values: &mut [f64],
) {
    for r in 0..rows {
        let row = weighted(r);
        for (c, column) in phi_v[p.from as usize..].chunks_exact(NV).take(p.columns as usize).enumerate() {
            let sum: f64 = row.iter().zip(column).map(|(x, y)| x * y).sum();
            let at = p.entry.index(r, c);
            values[at] = if p.first { sum } else { values[at] + sum };
        }
    }
}

/// Marks all places of a block as written.
fn mark(entry: &Entry, written: &mut [bool]) {
    for r in 0..entry.rows {
        for c in 0..entry.cols {
            written[entry.index(r, c)] = true;
        }
    }
}

/// What sits on each virtual body.
struct Parts {
    /// Jacobian blocks of joints.
    blocks: Vec<Vec<usize>>,
    /// Fixed joints with their signs.
    fixed: Vec<Vec<(usize, f64)>>,
    /// Share of the original body.
    share: Vec<f64>,
}

impl Parts {
    fn new(problem: &Problem, split: &Split) -> Parts {
        let count = split.graph().bodies();
        let mut parts = Parts {
            blocks: vec![Vec::new(); count],
            fixed: vec![Vec::new(); count],
            share: vec![1.0; count],
        };
        let mut original = vec![0; count];
        for body in 0..problem.bodies() {
            for part in split.parts_of(body) {
                original[part.body] = body;
                parts.share[part.body] = part.share;
            }
        }
        for (k, block) in problem.blocks.iter().enumerate() {
            let here = split.attachment(block.group).iter().find(|&&v| original[v] == block.body);
            if let Some(&v) = here {
                parts.blocks[v].push(k);
            }
        }
        for f in split.fixed_joints() {
            parts.fixed[f.bodies[0]].push((f.joint, 1.0));
            parts.fixed[f.bodies[1]].push((f.joint, -1.0));
        }
        parts
    }
}

/// Fixed joints v_a - v_b = 0 between virtual bodies: their blocks among themselves never change.
fn constant_blocks(
    nv: usize,
    weights: Weights,
    split: &Split,
    parts: &Parts,
    locate: &Locate,
    base: &mut [f64],
) {
    for f in split.fixed_joints() {
        for (side, &v) in f.bodies.iter().enumerate() {
            for &(other, sign) in &parts.fixed[v] {
                // each pair once: in the stored triangle
                let Some(entry) = locate(f.joint, other).filter(|e| e.row_stride == 1) else { continue };
                let k = [1.0, -1.0][side] * sign / parts.share[v];
                for a in 0..nv {
                    let column: Vec<f64> = (0..nv).map(|b| f64::from(u8::from(a == b))).collect();
                    for (b, x) in weighted(weights, f.original, &column).into_iter().enumerate() {
                        base[entry.index(a, b)] += k * x;
                    }
                }
            }
        }
    }
}

/// A row times W^-1 of a body, for set-up.
fn weighted(weights: Weights, body: usize, row: &[f64]) -> Vec<f64> {
    match <&[f64; 6]>::try_from(row) {
        Ok(row) => weigh(weights, body, row).to_vec(),
        Err(_) => weigh(weights, body, &[row[0], row[1], row[2]]).to_vec(),
    }
}
