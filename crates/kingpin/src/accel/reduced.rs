//! The reduced matrix S = Phi_v W^-1 Phi_v^T: one block row per joint, coupled through the bodies [seed 000, Eq 6].

use crate::linalg::{BlockCholesky, BlockPattern, Entry};
use crate::system::{Group, Layout, System};
use crate::topology::{JointGraph, minimum_degree};

/// A product of two Jacobian blocks on the same body, and where it is added.
#[derive(Clone, Copy, Debug)]
struct Product {
    /// Jacobian blocks of the row and of the column.
    blocks: [usize; 2],
    /// Place in the value array.
    entry: Entry,
    /// Whether both blocks belong to the same joint.
    diagonal: bool,
}

/// Structure of the reduced matrix and the schedule that assembles and factors it. Made once per system.
#[derive(Clone, Debug)]
pub struct Reduced {
    /// The factorisation.
    pub factor: BlockCholesky,
    products: Vec<Product>,
    nv: usize,
}

impl Reduced {
    /// Symbolic work, with joints eliminated in order of minimum degree.
    pub fn new(system: &System) -> Reduced {
        let layout = &system.layout;
        let sizes: Vec<usize> = layout.groups.iter().map(|g| g.rows.len()).collect();
        let joint = |g: &Group| {
            let bodies: Vec<usize> = layout.blocks[g.blocks.clone()].iter().map(|b| b.body).collect();
            (bodies, g.rows.len())
        };
        let order = match JointGraph::new(system.bodies(), layout.groups.iter().map(joint)) {
            Ok(graph) => minimum_degree(&graph).order().to_vec(),
            // the layout names existing bodies only; should it not, any order will do
            Err(_) => (0..sizes.len()).collect(),
        };
        Reduced::with_order(system, sizes, &order)
    }

    fn with_order(system: &System, sizes: Vec<usize>, order: &[usize]) -> Reduced {
        let layout = &system.layout;
        let on_body = blocks_by_body(layout, system.bodies());
        let couples = || on_body.iter().flat_map(|list| pairs(list));
        let edges: Vec<(usize, usize)> =
            couples().map(|(x, y)| (layout.blocks[x].group, layout.blocks[y].group)).collect();
        let factor = BlockCholesky::analyse(&BlockPattern::new(sizes, &edges), order);
        let product = |(x, y): (usize, usize)| {
            let (i, j) = (layout.blocks[x].group, layout.blocks[y].group);
            let entry = factor.locate(i, j)?;
            Some(Product { blocks: [x, y], entry, diagonal: i == j })
        };
        let products = couples().filter_map(product).collect();
        Reduced { factor, products, nv: system.nv() }
    }

    /// values = Phi_v W^-1 Phi_v^T, from Phi_v and Phi_v W^-1 in the blocks of the layout.
    pub fn assemble(&self, layout: &Layout, phi_v: &[f64], weighted: &[f64], values: &mut [f64]) {
        values.fill(0.0);
        if self.nv == 6 {
            self.assemble_wide::<6>(layout, phi_v, weighted, values);
        } else {
            self.assemble_wide::<3>(layout, phi_v, weighted, values);
        }
    }

    fn assemble_wide<const NV: usize>(
        &self,
        layout: &Layout,
        phi_v: &[f64],
        weighted: &[f64],
        values: &mut [f64],
    ) {
        let block = |data: &'_ [f64], k: usize| -> std::ops::Range<usize> {
            let b = &layout.blocks[k];
            debug_assert!(data.len() >= (b.before + b.rows) * NV);
            b.before * NV..(b.before + b.rows) * NV
        };
        for product in &self.products {
            let [x, y] = product.blocks;
            let rows = weighted[block(weighted, x)].chunks_exact(NV);
            let columns = &phi_v[block(phi_v, y)];
            for (r, row) in rows.enumerate() {
                let last = if product.diagonal { r + 1 } else { usize::MAX };
                for (c, column) in columns.chunks_exact(NV).take(last).enumerate() {
                    let mut sum = 0.0;
                    for k in 0..NV {
                        sum += row[k] * column[k];
                    }
                    values[product.entry.index(r, c)] += sum;
                }
            }
        }
    }
}

/// Jacobian blocks on each body.
fn blocks_by_body(layout: &Layout, bodies: usize) -> Vec<Vec<usize>> {
    let mut lists = vec![Vec::new(); bodies];
    for (k, block) in layout.blocks.iter().enumerate() {
        lists[block.body].push(k);
    }
    lists
}

/// All pairs of a list, each once, an element with itself included.
fn pairs(list: &[usize]) -> impl Iterator<Item = (usize, usize)> + '_ {
    (0..list.len()).flat_map(move |i| (0..=i).map(move |j| (list[i], list[j])))
}
