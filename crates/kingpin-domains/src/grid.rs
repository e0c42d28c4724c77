//! Sheets and boxes of equal sub-domains: the unit square or cube of square elements, held at x = 0, under a traction
//! across x = 1.

use crate::DomainError;
use crate::piece::{Piece, SharedNode};
use kingpin_flex::mesh::{Material, Section, box_mesh};
use kingpin_flex::structure::{Structure, SymmetricMatrix};
use nalgebra::Vector3;
use std::sync::Arc;

const YOUNG: f64 = 73e9;
const POISSON: f64 = 0.3;
const DENSITY: f64 = 2700.0;
/// Pa, along the last axis.
const TRACTION: f64 = 1e6;

/// A unit sheet (plane stress, bilinear elements) or box (trilinear hexahedra) of `per_side^dim` sub-domains of
/// `elements^dim` elements: aluminium of 73 GPa.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    /// 2 for a sheet, 3 for a box.
    pub dim: usize,
    /// Sub-domains along a side.
    pub per_side: usize,
    /// Elements along a side of a sub-domain.
    pub elements: usize,
    /// Stiffness of every other sub-domain, as on a checkerboard, in parts of the others.
    pub contrast: f64,
}

/// Matrices of a sub-domain before anything is held.
type Template = (Arc<SymmetricMatrix>, Arc<SymmetricMatrix>);

impl Grid {
    /// All sub-domains alike.
    pub fn new(dim: usize, per_side: usize, elements: usize) -> Grid {
        Grid { dim, per_side, elements, contrast: 1.0 }
    }

    /// How many sub-domains.
    pub fn domains(&self) -> usize {
        self.per_side.pow(self.dim as u32)
    }

    /// Elements along a side of the whole.
    fn side(&self) -> usize {
        self.per_side * self.elements
    }

    /// Coordinates that may move.
    pub fn freedoms(&self) -> usize {
        self.dim * self.side() * (self.side() + 1).pow(self.dim as u32 - 1)
    }

    /// The number of the node at the corner (1, 1) or (1, 1, 1).
    pub fn corner(&self) -> u64 {
        (self.side() as u64 + 1).pow(self.dim as u32) - 1
    }

    /// Sub-domains `range`, each with its loads. Neighbours need not be there: who has which node follows from numbers.
    pub fn pieces(&self, range: std::ops::Range<usize>) -> Result<(Vec<Piece>, Vec<Vec<f64>>), DomainError> {
        if self.side() == 0 || !(2..=3).contains(&self.dim) {
            return Err(DomainError::Empty);
        }
        let count = self.elements;
        let h = 1.0 / self.side() as f64;
        let layers = if self.dim == 2 { 0 } else { count };
        let width = h * count as f64;
        let mut mesh = box_mesh([count, count, layers], [width; 3], [0.0; 3]);
        mesh.give_section(Section::solid(Material::new("aluminium", YOUNG, POISSON, DENSITY)));
        let plain = Structure::assemble(&mesh)?;
        let mut stiff = plain.stiffness.clone();
        stiff.values.iter_mut().for_each(|value| *value *= self.contrast);
        let mut templates: [Vec<Template>; 2] = [Vec::new(), Vec::new()];
        for (list, stiffness) in templates.iter_mut().zip([&plain.stiffness, &stiff]) {
            // those at x = 0, and the others
            for first in [true, false] {
                let free = self.free(first);
                list.push((Arc::new(part(stiffness, &free)), Arc::new(part(&plain.mass, &free))));
            }
        }
        let piece = |number: usize| {
            let at = self.position(number);
            let template = &templates[at.iter().sum::<usize>() % 2][usize::from(at[0] > 0)];
            self.piece(number, at, template)
        };
        Ok(range.map(piece).unzip())
    }

    /// Where a sub-domain stands, in sub-domains along the axes.
    fn position(&self, number: usize) -> [usize; 3] {
        let s = self.per_side;
        if self.dim == 2 { [number / s, number % s, 0] } else { [number / s / s, number / s % s, number % s] }
    }

    /// Freedoms of a sub-domain, of one at x = 0 without its first layer of nodes.
    fn free(&self, first: bool) -> Vec<usize> {
        let layer = self.dim * (self.elements + 1).pow(self.dim as u32 - 1);
        (if first { layer } else { 0 }..layer * (self.elements + 1)).collect()
    }

    fn piece(&self, number: usize, at: [usize; 3], template: &Template) -> (Piece, Vec<f64>) {
        let (e, n, dim) = (self.elements, self.side(), self.dim);
        let own = e + 1;
        let mut piece = Piece {
            number,
            axes: dim,
            nodes: Vec::new(),
            places: Vec::new(),
            free: self.free(at[0] == 0),
            stiffness: Arc::clone(&template.0),
            mass: Arc::clone(&template.1),
            shared: Vec::new(),
            wave_speed: (YOUNG * self.contrast.max(1.0) / DENSITY).sqrt(),
        };
        let held = dim * own.pow(dim as u32) - piece.free.len();
        let mut load = vec![0.0; piece.free.len()];
        for node in 0..own.pow(dim as u32) {
            let inside = match dim {
                2 => [node / own, node % own, 0],
                _ => [node / own / own, node / own % own, node % own],
            };
            let whole: [usize; 3] = std::array::from_fn(|axis| at[axis] * e + inside[axis]);
            let key = whole[..dim].iter().fold(0, |key, &x| key * (n + 1) + x);
            piece.nodes.push(key as u64);
            piece.places.push(Vector3::from_fn(|axis, _| whole[axis] as f64 / n as f64));
            let owners = self.owners(&whole);
            if owners.len() > 1 && whole[0] > 0 {
                let outer = whole[..dim].iter().any(|&x| x == 0 || x == n);
                piece.shared.push(SharedNode { node, owners, outer });
            }
            if whole[0] == n {
                let half = inside[1..dim].iter().map(|&x| if x == 0 || x == e { 0.5 } else { 1.0 });
                let area = (1.0 / n as f64).powi(dim as i32 - 1);
                load[dim * node + dim - 1 - held] = TRACTION * area * half.product::<f64>();
            }
        }
        (piece, load)
    }

    /// Sub-domains that have a node, increasing.
    fn owners(&self, whole: &[usize; 3]) -> Vec<usize> {
        let mut owners = vec![0];
        for &x in &whole[..self.dim] {
            let (before, after) = (x.saturating_sub(1) / self.elements, x / self.elements);
            let range = before..=after.min(self.per_side - 1);
            owners = owners.iter().flat_map(|&k| range.clone().map(move |x| k * self.per_side + x)).collect();
        }
        owners
    }
}

/// Rows and columns of a matrix, increasing.
fn part(matrix: &SymmetricMatrix, chosen: &[usize]) -> SymmetricMatrix {
    let mut place = vec![None; matrix.order()];
    chosen.iter().enumerate().for_each(|(to, &from)| place[from] = Some(to));
    matrix.submatrix(&place, chosen.len())
}
