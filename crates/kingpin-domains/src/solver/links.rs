//! Multipliers between copies of freedoms: one for each pair of owners, held by both.

use crate::domains::Domains;
use crate::interface::{Interface, Primal, counted_dot};

/// A multiplier as one of its two owners sees it.
#[derive(Clone, Copy, Debug)]
struct Link {
    /// places of the two copies in a broken vector
    here: u32,
    there: u32,
    /// whether this is the owner with the lower number, who counts it
    lower: bool,
    /// weights of the two copies
    weight_here: f64,
    weight_there: f64,
}

/// All multipliers of the sub-domains here, one sub-domain behind the other.
#[derive(Clone, Debug)]
pub(crate) struct Links {
    list: Vec<Link>,
    /// where those of each sub-domain begin
    starts: Vec<usize>,
    counted: Vec<f64>,
}

impl Links {
    /// One between each two copies of a freedom that is not primal by itself.
    pub fn of(domains: &mut Domains, primal: Primal) -> Links {
        let interface = &domains.interface;
        let length = interface.len();
        let primal_by_itself =
            single(interface, domains.pieces.first().map_or(2, |piece| piece.axes), primal);
        domains.broken[..length].copy_from_slice(&domains.weights);
        domains.fetch();
        let (interface, weights) = (&domains.interface, &domains.broken);
        let (mut list, mut starts) = (Vec::new(), vec![0]);
        for (k, range) in interface.starts.windows(2).enumerate() {
            let own = interface.own.start + k;
            for here in (range[0]..range[1]).filter(|&here| !primal_by_itself[here]) {
                for (there, owner) in interface.copies(here).filter(|&(_, owner)| owner != own) {
                    list.push(Link {
                        here: here as u32,
                        there: there as u32,
                        lower: own < owner,
                        weight_here: weights[here],
                        weight_there: weights[there],
                    });
                }
            }
            starts.push(list.len());
        }
        let counted = list.iter().map(|link| if link.lower { 1.0 } else { 0.0 }).collect();
        Links { list, starts, counted }
    }

    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// `B^T l`, or with the weights of the other copies.
    pub fn spread(&self, multipliers: &[f64], weighted: bool, broken: &mut [f64]) {
        broken.fill(0.0);
        for (link, l) in self.list.iter().zip(multipliers) {
            let factor = if weighted { link.weight_there } else { 1.0 };
            broken[link.here as usize] += if link.lower { factor * l } else { -factor * l };
        }
    }

    /// `B v`, or with the weights of the other copies. What other ranks have must have been fetched.
    pub fn jumps(&self, broken: &[f64], weighted: bool, to: &mut [f64]) {
        for (link, to) in self.list.iter().zip(to) {
            let (here, there) = (broken[link.here as usize], broken[link.there as usize]);
            let [a, b] =
                if weighted { [link.weight_there * here, link.weight_here * there] } else { [here, there] };
            *to = if link.lower { a - b } else { b - a };
        }
    }

    /// Products, each multiplier counted once: one number for each sub-domain.
    pub fn partial_products<'a>(&'a self, a: &'a [f64], b: &'a [f64]) -> impl Iterator<Item = f64> + 'a {
        self.starts.windows(2).map(move |ends| {
            let range = ends[0]..ends[1];
            counted_dot(&self.counted[range.clone()], &a[range.clone()], &b[range])
        })
    }
}

/// Freedoms that are primal unknowns by themselves, so that no multiplier is needed.
fn single(interface: &Interface, axes: usize, primal: Primal) -> Vec<bool> {
    let mut single = vec![false; interface.len()];
    if !matches!(primal, Primal::Corners | Primal::Every(_)) {
        return single;
    }
    for (k, classes) in interface.classes.iter().enumerate() {
        for class in classes {
            let rows = class.rows(axes, primal);
            for (row, &freedom) in class.freedoms.iter().enumerate() {
                single[interface.starts[k] + freedom] = rows.row(row).iter().any(|&x| x == 1.0);
            }
        }
    }
    single
}
