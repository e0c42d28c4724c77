//! Assembly of the reduced matrix S = Phi_v M^-1 Phi_v^T: one block row per joint, coupled through the bodies
//! [seed 000, Eqs 6-8; right form in T 3.109, 3.110], split bodies included [seed 001, section 4.2].

use super::problem::Problem;
use crate::linalg::Entry;
use crate::topology::Split;

/// A product of two Jacobian blocks on the same (virtual) body, and where it is added.
#[derive(Clone, Copy, Debug)]
struct Product {
    /// First number of the weighted block that gives rows, and of the plain block that gives columns.
    from: [u32; 2],
    /// Rows of the two blocks.
    size: [u8; 2],
    /// Whether the target is stored by columns without gaps.
    packed: bool,
    /// One over the share of the virtual body.
    scale: f64,
    /// Place in the value array.
    entry: Entry,
}

/// A Jacobian block against the fixed joint at its virtual body: S gets the weighted block itself.
#[derive(Clone, Copy, Debug)]
struct Coupling {
    from: u32,
    rows: u8,
    /// Sign of the fixed joint on this body over the share of the body.
    scale: f64,
    entry: Entry,
}

/// The schedule that writes the reduced matrix into the value array of a factorisation.
#[derive(Clone, Debug)]
pub struct Assembler {
    products: Vec<Product>,
    couplings: Vec<Coupling>,
    /// What never changes: zeros, and the blocks among fixed joints.
    base: Vec<f64>,
    nv: usize,
}

impl Assembler {
    /// Symbolic phase. `locate` says where block (i, j) of the reduced matrix is kept; joints come first,
    /// then the fixed joints of the split.
    pub fn new(
        problem: &Problem,
        split: Option<&Split>,
        len: usize,
        locate: &dyn Fn(usize, usize) -> Option<Entry>,
    ) -> Assembler {
        let mut assembler =
            Assembler { products: Vec::new(), couplings: Vec::new(), base: vec![0.0; len], nv: problem.nv };
        let mut on_body: Vec<Vec<usize>> = vec![Vec::new(); problem.bodies()];
        problem.blocks.iter().enumerate().for_each(|(k, b)| on_body[b.body].push(k));
        for (body, list) in on_body.iter().enumerate() {
            let parts = split.map_or(&[][..], |s| s.parts_of(body));
            if parts.len() < 2 {
                assembler.clique(problem, list, 1.0, locate);
                continue;
            }
            // joints of each virtual body, then its fixed joints
            for part in parts {
                let here = |k: &&usize| {
                    split.is_some_and(|s| s.attachment(problem.blocks[**k].group).contains(&part.body))
                };
                let own: Vec<usize> = list.iter().filter(here).copied().collect();
                assembler.clique(problem, &own, 1.0 / part.share, locate);
            }
        }
        if let Some(split) = split {
            assembler.fixed_joints(problem, split, &on_body, locate);
        }
        assembler
    }

    /// All pairs of joints on one body.
    fn clique(
        &mut self,
        problem: &Problem,
        list: &[usize],
        scale: f64,
        locate: &dyn Fn(usize, usize) -> Option<Entry>,
    ) {
        for (a, &x) in list.iter().enumerate() {
            for &y in &list[..=a] {
                let (mut row, mut column) = (&problem.blocks[x], &problem.blocks[y]);
                let Some(mut entry) = locate(row.group, column.group) else { continue };
                // by columns without gaps is the fast target
                if entry.row_stride != 1 {
                    (row, column) = (column, row);
                    entry = Entry {
                        rows: entry.cols,
                        cols: entry.rows,
                        row_stride: entry.col_stride,
                        col_stride: entry.row_stride,
                        ..entry
                    };
                }
                let packed = entry.row_stride == 1 && entry.col_stride == entry.rows;
                self.products.push(Product {
                    from: [(row.before * self.nv) as u32, (column.before * self.nv) as u32],
                    size: [row.rows as u8, column.rows as u8],
                    packed,
                    scale,
                    entry,
                });
            }
        }
    }

    /// Fixed joints v_a - v_b = 0 between virtual bodies: against joints, and among themselves.
    fn fixed_joints(
        &mut self,
        problem: &Problem,
        split: &Split,
        on_body: &[Vec<usize>],
        locate: &dyn Fn(usize, usize) -> Option<Entry>,
    ) {
        let fixed = split.fixed_joints();
        for (k, f) in fixed.iter().enumerate() {
            let parts = split.parts_of(f.original);
            let share = |v: usize| parts.iter().find(|p| p.body == v).map_or(1.0, |p| p.share);
            for (side, &v) in f.bodies.iter().enumerate() {
                let sign = [1.0, -1.0][side];
                for &x in &on_body[f.original] {
                    let block = &problem.blocks[x];
                    if split.attachment(block.group).contains(&v) {
                        if let Some(entry) = locate(block.group, f.joint) {
                            let (from, rows) = ((block.before * self.nv) as u32, block.rows as u8);
                            self.couplings.push(Coupling { from, rows, scale: sign / share(v), entry });
                        }
                    }
                }
                for g in &fixed[..=k] {
                    for (other, &w) in g.bodies.iter().enumerate() {
                        if w == v {
                            if let Some(entry) = locate(f.joint, g.joint) {
                                let scale = sign * [1.0, -1.0][other] / share(v);
                                self.add_inverse_mass(problem, f.original, scale, &entry);
                            }
                        }
                    }
                }
            }
        }
    }

    fn add_inverse_mass(&mut self, problem: &Problem, body: usize, scale: f64, entry: &Entry) {
        let (inertia, d) = (&problem.inertia[body], if self.nv == 6 { 3 } else { 2 });
        for k in 0..d {
            self.base[entry.index(k, k)] += scale / inertia.mass;
        }
        for i in d..self.nv {
            for j in d..self.nv {
                self.base[entry.index(i, j)] += scale * inertia.inverse[i - d][j - d];
            }
        }
    }

    /// Writes S into `values`. No allocation; O(products).
    pub fn assemble(&self, phi_v: &[f64], weighted: &[f64], values: &mut [f64]) {
        values.copy_from_slice(&self.base);
        if self.nv == 6 {
            self.products.iter().for_each(|p| multiply::<6>(p, phi_v, weighted, values));
        } else {
            self.products.iter().for_each(|p| multiply::<3>(p, phi_v, weighted, values));
        }
        for c in &self.couplings {
            let rows = weighted[c.from as usize..].chunks_exact(self.nv).take(c.rows as usize);
            for (r, row) in rows.enumerate() {
                for (k, x) in row.iter().enumerate() {
                    values[c.entry.index(r, k)] += c.scale * x;
                }
            }
        }
    }
}

/// Calls the kernel with the numbers of rows as constants.
macro_rules! by_size {
    ($p:expr, $nv:ident, $args:tt, $($r:literal)*) => {
        match $p.size[0] {
            $( $r => by_size!(@rows $p, $nv, $r, $args, 1 2 3 4 5 6), )*
            _ => by_size!(@any $nv, $args),
        }
    };
    (@rows $p:expr, $nv:ident, $r:literal, $args:tt, $($c:literal)*) => {
        match $p.size[1] {
            $( $c => by_size!(@call $nv, $r, $c, $args), )*
            _ => by_size!(@any $nv, $args),
        }
    };
    (@call $nv:ident, $r:literal, $c:literal, ($($arg:expr),*)) => { fixed_size::<$nv, $r, $c>($($arg),*) };
    (@any $nv:ident, ($($arg:expr),*)) => { any_size::<$nv>($($arg),*) };
}

#[inline]
fn multiply<const NV: usize>(p: &Product, phi_v: &[f64], weighted: &[f64], values: &mut [f64]) {
    by_size!(p, NV, (p, phi_v, weighted, values), 1 2 3 4 5 6)
}

/// target += scale * rows (weighted block) times columns (plain block), sizes known.
#[inline]
fn fixed_size<const NV: usize, const R: usize, const C: usize>(
    p: &Product,
    phi_v: &[f64],
    weighted: &[f64],
    values: &mut [f64],
) {
    let rows = &weighted[p.from[0] as usize..][..R * NV];
    let columns = &phi_v[p.from[1] as usize..][..C * NV];
    // rows by columns, so that the innermost loop runs along a column of the target
    let mut by_k = [[0.0; R]; NV];
    for r in 0..R {
        for k in 0..NV {
            by_k[k][r] = p.scale * rows[r * NV + k];
        }
    }
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
        let target = &mut values[p.entry.offset..][..R * C];
        for c in 0..C {
            for r in 0..R {
                target[c * R + r] += product[c][r];
            }
        }
    } else {
        for c in 0..C {
            for r in 0..R {
                values[p.entry.index(r, c)] += product[c][r];
            }
        }
    }
}

/// The same for any size.
fn any_size<const NV: usize>(p: &Product, phi_v: &[f64], weighted: &[f64], values: &mut [f64]) {
    let rows = weighted[p.from[0] as usize..].chunks_exact(NV).take(p.size[0] as usize);
    for (r, row) in rows.enumerate() {
        let columns = phi_v[p.from[1] as usize..].chunks_exact(NV).take(p.size[1] as usize);
        for (c, column) in columns.enumerate() {
            let sum: f64 = row.iter().zip(column).map(|(x, y)| x * y).sum();
            values[p.entry.index(r, c)] += p.scale * sum;
        }
    }
}
