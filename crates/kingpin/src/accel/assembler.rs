//! Assembly of the reduced matrix S = Phi_v W^-1 Phi_v^T: one block row per joint, coupled through the bodies
//! [Serban 1997, Eqs 6 to 8; Negrut 1998, Eqs 3.109 and 3.110], split bodies included [Negrut 2003, section 4.2].

use super::problem::{Numbers, Problem};
use super::products::{self, Coupling, Product, ProductList, ProductTarget, Strip, weigh_at};
pub use super::products::{RightSide, Weights};
use crate::linalg::Entry;
use crate::linalg::lanes::Machine;
use crate::system::Nodes;
use crate::topology::Split;

/// The schedule that writes the reduced matrix into the value array of a factorisation.
#[derive(Clone, Debug)]
pub struct Assembler {
    list: ProductList,
    machine: Machine,
    /// What no product writes first: fill, and the constant blocks among fixed joints.
    base: Vec<(u32, Vec<f64>)>,
    /// What rows that yield have on the diagonal besides.
    yielding: Vec<(u32, f64)>,
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
        let machine = problem.arithmetic.machine();
        let yielding = yielding(problem, locate);
        let mut assembler = Assembler { list: ProductList::default(), machine, base: Vec::new(), yielding };
        // a clique of joints per body, or per part of a split one; the first product at a place writes, others add
        let mut written = vec![false; len];
        let mut on_body: Vec<Vec<usize>> = vec![Vec::new(); problem.bodies()];
        problem.blocks.iter().enumerate().for_each(|(k, b)| on_body[b.body].push(k));
        let parts = split.map(|s| VirtualParts::new(problem, s));
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
            constant_blocks(&problem.nodes, weights, split, parts, locate, &mut base);
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
            let (products, couplings) = (self.list.products.len() as u32, self.list.couplings.len() as u32);
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
                let (from, columns) = (column.at as u32, column.rows as u8);
                self.list.products.push(Product {
                    from,
                    columns,
                    packed,
                    first,
                    entry: ProductTarget::new(&entry),
                });
            }
            for &(joint, sign) in fixed {
                if let Some(entry) = locate(row.group, joint) {
                    self.list.couplings.push(Coupling { sign, entry: ProductTarget::new(&entry) });
                }
            }
            self.list.strips.push(Strip {
                from: row.at as u32,
                rows: row.rows as u8,
                width: row.nv as u8,
                body: row.body as u32,
                v: row.v as u32,
                row: problem.groups[row.group].start as u32,
                scale,
                products: products..self.list.products.len() as u32,
                couplings: couplings..self.list.couplings.len() as u32,
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

    /// The same in parts, each of which writes the values from one cut to the next into an array of their own, in the same
    /// order.
    pub fn cut(&self, cuts: &[usize]) -> Vec<Assembler> {
        let piece = |at: usize| cuts.partition_point(|&cut| cut <= at).saturating_sub(1);
        let empty = || Assembler {
            list: ProductList::default(),
            machine: self.machine,
            base: vec![],
            yielding: vec![],
        };
        let mut parts: Vec<Assembler> = cuts.windows(2).map(|_| empty()).collect();
        for strip in &self.list.strips {
            self.spread(strip, cuts, &piece, &mut parts);
        }
        for (start, run) in &self.base {
            let mut from = *start as usize;
            let end = from + run.len();
            while from < end && from < cuts[parts.len()] {
                let k = piece(from);
                let (to, own) = (end.min(cuts[k + 1]), from - *start as usize);
                parts[k].base.push(((from - cuts[k]) as u32, run[own..own + to - from].to_vec()));
                from = to;
            }
        }
        for &(place, c) in &self.yielding {
            let k = piece(place as usize);
            parts[k].yielding.push((place - cuts[k] as u32, c));
        }
        parts
    }

    /// Gives each part what of a strip it has to write.
    fn spread(
        &self,
        strip: &Strip,
        cuts: &[usize],
        piece: &impl Fn(usize) -> usize,
        parts: &mut [Assembler],
    ) {
        let products = &self.list.products[strip.products.start as usize..strip.products.end as usize];
        let couplings = &self.list.couplings[strip.couplings.start as usize..strip.couplings.end as usize];
        let places = products.iter().map(|p| &p.entry).chain(couplings.iter().map(|c| &c.entry));
        let mut own: Vec<usize> = places.map(|entry| piece(entry.index(0, 0))).collect();
        own.sort_unstable();
        own.dedup();
        for k in own {
            let list = &mut parts[k].list;
            let (first, coupled) = (list.products.len() as u32, list.couplings.len() as u32);
            let here = |entry: &ProductTarget| piece(entry.index(0, 0)) == k;
            let moved = |entry: ProductTarget| entry.behind(cuts[k]);
            let mine = products.iter().filter(|p| here(&p.entry));
            list.products.extend(mine.map(|p| Product { entry: moved(p.entry), ..*p }));
            let mine = couplings.iter().filter(|c| here(&c.entry));
            list.couplings.extend(mine.map(|c| Coupling { entry: moved(c.entry), ..*c }));
            list.strips.push(Strip {
                products: first..list.products.len() as u32,
                couplings: coupled..list.couplings.len() as u32,
                ..strip.clone()
            });
        }
    }

    /// Multiply-adds of one assembly.
    pub fn operations(&self) -> usize {
        let list = &self.list;
        let of = |s: &Strip| {
            let columns: usize = list.products[s.products.start as usize..s.products.end as usize]
                .iter()
                .map(|p| p.columns as usize)
                .sum();
            s.rows as usize * s.width as usize * (2 + columns)
        };
        list.strips.iter().map(of).sum()
    }

    /// Writes S into `values`. No allocation; O(products).
    pub fn assemble(&self, weights: Weights, phi_v: &[f64], values: &mut [f64]) {
        self.assemble_with(weights, phi_v, values, &mut RightSide { free: &[], b: &mut [] });
    }

    /// The reduced system at an instant: S in `values`, its right side in `lam`; `acc` is what bodies would do alone.
    pub fn reduce(
        &self,
        problem: &Problem,
        n: &Numbers,
        values: &mut [f64],
        (acc, lam): (&mut [f64], &mut [f64]),
    ) {
        problem.start(n, acc, lam);
        let side = &mut RightSide { free: acc, b: lam };
        self.assemble_with(Weights::Mass(&problem.inertia), n.phi_v, values, side);
    }

    /// Writes S into `values` and adds Phi_v times `side.free` to `side.b` on the way.
    pub fn assemble_with(&self, weights: Weights, phi_v: &[f64], values: &mut [f64], side: &mut RightSide) {
        for (start, run) in &self.base {
            values[*start as usize..][..run.len()].copy_from_slice(run);
        }
        products::write(self.machine, &self.list, weights, phi_v, values, side);
        self.yielding.iter().for_each(|&(place, c)| values[place as usize] += c);
    }
}

/// Places of the rows that yield on the diagonal of S, and what they add.
fn yielding(problem: &Problem, locate: &Locate) -> Vec<(u32, f64)> {
    let place = |&(row, c): &(usize, f64)| {
        let group = problem.group_of(row);
        let (entry, own) = (locate(group, group)?, row - problem.groups[group].start);
        Some((entry.index(own, own) as u32, c))
    };
    problem.compliance.iter().filter_map(place).collect()
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
struct VirtualParts {
    /// Jacobian blocks of joints.
    blocks: Vec<Vec<usize>>,
    /// Fixed joints with their signs.
    fixed: Vec<Vec<(usize, f64)>>,
    /// Share of the original body.
    share: Vec<f64>,
}

impl VirtualParts {
    fn new(problem: &Problem, split: &Split) -> VirtualParts {
        let count = split.graph().bodies();
        let mut parts = VirtualParts {
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
    nodes: &Nodes,
    weights: Weights,
    split: &Split,
    parts: &VirtualParts,
    locate: &Locate,
    base: &mut [f64],
) {
    for f in split.fixed_joints() {
        for (side, &v) in f.bodies.iter().enumerate() {
            for &(other, sign) in &parts.fixed[v] {
                // each pair once: in the stored triangle
                let Some(entry) = locate(f.joint, other).filter(|e| e.row_stride == 1) else { continue };
                let k = [1.0, -1.0][side] * sign / parts.share[v];
                let own = nodes.v(f.original);
                for a in 0..own.len() {
                    let column: Vec<f64> = (0..own.len()).map(|b| f64::from(u8::from(a == b))).collect();
                    for (b, x) in weighted(weights, f.original, own.start, &column).into_iter().enumerate() {
                        base[entry.index(a, b)] += k * x;
                    }
                }
            }
        }
    }
}

/// A row times W^-1 of a body, for set-up.
fn weighted(weights: Weights, body: usize, v: usize, row: &[f64]) -> Vec<f64> {
    match *row {
        [a, b, c, d, e, f] => weigh_at(weights, body, v, &[a, b, c, d, e, f]).to_vec(),
        [a, b, c] => weigh_at(weights, body, v, &[a, b, c]).to_vec(),
        [a, b] => weigh_at(weights, body, v, &[a, b]).to_vec(),
        _ => Vec::new(),
    }
}
