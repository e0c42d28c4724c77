//! Substructures, what joins them, and where their numbers lie.

use super::error::RangeError;
use super::lanes::LANES;
use super::loops::{Joined, join_nodes};
use super::pattern::Pattern;

/// Nodes of an interface: a frame, which six numbers tell the rigid motion of.
pub const FRAME: usize = 3;
/// Constraint equations of an interface.
pub const ROWS: usize = 3 * FRAME;

/// What substructures of the same connectivity have in common.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shape {
    /// Places of mass, one row per node: mass is the same along all axes.
    pub nodes: Pattern,
    /// Places of stiffness, three rows per node.
    pub freedoms: Pattern,
    /// Nodes that others may be joined to, frame by frame.
    pub ports: Vec<[usize; FRAME]>,
}

impl Shape {
    /// Freedoms at the ports.
    pub fn boundary(&self) -> usize {
        ROWS * self.ports.len()
    }

    /// The freedom of a row of the boundary.
    #[inline(always)]
    pub(crate) fn freedom(&self, row: usize) -> usize {
        3 * self.ports[row / ROWS][row % ROWS / 3] + row % 3
    }
}

/// A distinct substructure: the numbers of its matrices, in axes of its own.
#[derive(Debug, Clone, PartialEq)]
pub struct Kind {
    /// Which shape it has.
    pub shape: usize,
    /// Mass per axis: diagonal elements, then entries of the pattern.
    pub mass: Vec<f64>,
    /// Stiffness, likewise.
    pub stiffness: Vec<f64>,
    /// Places of the nodes at its ports.
    pub places: Vec<[[f64; 3]; FRAME]>,
}

/// A substructure where it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// Its name.
    pub name: String,
    /// Which kind it is of.
    pub kind: usize,
    /// Its axes as columns, by rows.
    pub attitude: [f64; 9],
}

/// What ties a port of one part to one of another, or to the ground.
#[derive(Debug, Clone, PartialEq)]
pub struct Interface {
    /// Its name.
    pub name: String,
    /// Part and port.
    pub first: (usize, usize),
    /// The other part and port; none is the ground.
    pub second: Option<(usize, usize)>,
}

/// Up to as many parts as there are lanes, of one shape.
#[derive(Debug, Clone)]
pub(crate) struct Batch {
    pub shape: usize,
    /// Which kind all are of, if they are.
    pub shared: Option<usize>,
    /// Kinds of the lanes; lanes without a part have that of the first.
    pub kinds: [usize; LANES],
    pub parts: Vec<usize>,
    /// Where its numbers start among all freedoms, at the boundary, and its ports.
    pub start: usize,
    pub boundary: usize,
    pub ports: usize,
}

/// The interfaces at one port of the parts of a batch: those without have the one behind the last, and sign zero.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Links {
    pub interface: [u32; LANES],
    pub sign: [f64; LANES],
}

/// One side of an interface: where its rows start among numbers at the boundary, a lane apart.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Side {
    pub start: usize,
    pub sign: f64,
    pub part: usize,
    pub port: usize,
}

/// A structure of substructures, compiled: numbered, cut into batches, its interfaces checked. Numbers of a vector over
/// all freedoms lie batch by batch, in each freedom by freedom, in each part by part.
#[derive(Debug, Clone)]
pub struct Structure {
    pub(crate) shapes: Vec<Shape>,
    pub(crate) kinds: Vec<Kind>,
    pub(crate) parts: Vec<Part>,
    pub(crate) interfaces: Vec<Interface>,
    pub(crate) batches: Vec<Batch>,
    pub(crate) links: Vec<Links>,
    /// Sides of an interface; the second has sign zero at the ground.
    pub(crate) sides: Vec<[Side; 2]>,
    /// Batch and lane of each part.
    pub(crate) home: Vec<(usize, usize)>,
    /// Nodes that are one.
    pub(crate) joined: Joined,
    len: usize,
    boundary: usize,
}

impl Structure {
    /// Numbers and checks all. O(parts).
    ///
    /// # Panics
    /// If a number names what does not exist.
    pub fn new(
        shapes: Vec<Shape>,
        kinds: Vec<Kind>,
        parts: Vec<Part>,
        interfaces: Vec<Interface>,
    ) -> Result<Structure, RangeError> {
        let (batches, home) = batches(&shapes, &kinds, &parts);
        let len = batches.last().map_or(0, |b| b.start + LANES * shapes[b.shape].freedoms.rows());
        let boundary = batches.last().map_or(0, |b| b.boundary + LANES * shapes[b.shape].boundary());
        let ports = batches.last().map_or(0, |b| b.ports + shapes[b.shape].ports.len());
        let none = Links { interface: [interfaces.len() as u32; LANES], sign: [0.0; LANES] };
        let mut links = vec![none; ports];
        let mut sides = Vec::with_capacity(interfaces.len());
        for (j, interface) in interfaces.iter().enumerate() {
            let mut side = |(part, port): (usize, usize), sign: f64| {
                let (batch, lane) = home[part];
                let batch: &Batch = &batches[batch];
                let link = &mut links[batch.ports + port];
                let before = link.interface[lane] as usize;
                if before < interfaces.len() && sign != 0.0 {
                    return Err(RangeError::port_taken(&parts, &interfaces, (part, port), before, j));
                }
                if sign != 0.0 {
                    (link.interface[lane], link.sign[lane]) = (j as u32, sign);
                }
                Ok(Side { start: batch.boundary + port * ROWS * LANES + lane, sign, part, port })
            };
            let first = side(interface.first, 1.0);
            let (other, sign) = interface.second.map_or((interface.first, 0.0), |second| (second, -1.0));
            let second = side(other, sign);
            sides.push((first, second));
        }
        // a loop of interfaces at one frame says more than a port taken twice
        let joined = join_nodes(&shapes, &kinds, &parts, &interfaces, (&batches, &home))?;
        let sides =
            sides.into_iter().map(|(a, b)| Ok([a?, b?])).collect::<Result<Vec<[Side; 2]>, RangeError>>()?;
        Ok(Structure { shapes, kinds, parts, interfaces, batches, links, sides, home, joined, len, boundary })
    }

    /// Length of a vector over all freedoms, lanes without a part included.
    pub fn vector_len(&self) -> usize {
        self.len
    }

    /// Length of a vector over all boundaries.
    pub(crate) fn boundary_len(&self) -> usize {
        self.boundary
    }

    /// Length of a vector of multipliers: a frame more than there are interfaces, for ports without one.
    pub(crate) fn multipliers_len(&self) -> usize {
        ROWS * (self.interfaces.len() + 1)
    }

    /// Number of substructures.
    pub fn parts(&self) -> usize {
        self.parts.len()
    }

    /// Number of distinct substructures.
    pub fn kinds(&self) -> usize {
        self.kinds.len()
    }

    /// Freedoms of all substructures, those of joined nodes once for each that has them.
    pub fn freedoms(&self) -> usize {
        self.parts.iter().map(|part| self.shapes[self.kinds[part.kind].shape].freedoms.rows()).sum()
    }

    /// Constraint equations.
    pub fn constraints(&self) -> usize {
        ROWS * self.interfaces.len()
    }

    /// Kind of a part.
    pub fn kind(&self, part: usize) -> usize {
        self.parts[part].kind
    }

    /// Axes of a part where it was placed.
    pub fn attitude(&self, part: usize) -> &[f64; 9] {
        &self.parts[part].attitude
    }

    /// Whether a part was placed with axes other than the global ones.
    pub(crate) fn is_turned(&self) -> bool {
        self.parts.iter().any(|part| part.attitude != super::small::UPRIGHT)
    }

    /// Axes of the parts of a batch where they were placed.
    pub(crate) fn attitudes(&self, batch: usize) -> [[f64; LANES]; 9] {
        let parts = &self.batches[batch].parts;
        let part = |lane: usize| parts[if lane < parts.len() { lane } else { 0 }];
        std::array::from_fn(|k| std::array::from_fn(|lane| self.parts[part(lane)].attitude[k]))
    }

    /// Makes numbers of lanes without a part zero.
    pub fn clear_spare(&self, x: &mut [f64]) {
        for batch in self.batches.iter().filter(|batch| batch.parts.len() < LANES) {
            let own = batch.start..batch.start + LANES * self.shapes[batch.shape].freedoms.rows();
            for lanes in x[own].as_chunks_mut::<LANES>().0 {
                lanes[batch.parts.len()..].fill(0.0);
            }
        }
    }

    /// Where the numbers of each batch start, and the end of all.
    pub(crate) fn starts(&self) -> Vec<u32> {
        self.batches.iter().map(|batch| batch.start).chain([self.len]).map(|start| start as u32).collect()
    }

    /// Where the three numbers of a node of a part lie in a vector, which are a lane apart.
    pub fn place(&self, part: usize, node: usize) -> [usize; 3] {
        let (batch, lane) = self.home[part];
        let first = self.batches[batch].start + 3 * node * LANES + lane;
        [first, first + LANES, first + 2 * LANES]
    }

    /// Bytes of all lists.
    pub fn bytes(&self) -> usize {
        let kinds: usize = self.kinds.iter().map(|kind| 8 * (kind.mass.len() + kind.stiffness.len())).sum();
        let shapes: usize =
            self.shapes.iter().map(|shape| shape.nodes.bytes() + shape.freedoms.bytes()).sum();
        let parts: usize = self.parts.iter().map(|part| size_of::<Part>() + part.name.len()).sum();
        let interfaces: usize =
            self.interfaces.iter().map(|one| size_of::<Interface>() + one.name.len()).sum();
        kinds
            + shapes
            + parts
            + interfaces
            + self.batches.iter().map(|batch| size_of::<Batch>() + 8 * batch.parts.len()).sum::<usize>()
            + size_of::<Links>() * self.links.len()
            + size_of::<[Side; 2]>() * self.sides.len()
            + 16 * self.home.len()
            + self.joined.bytes()
    }
}

/// Parts of a kind that occurs more than once share batches of their own; the others share them with their shape.
fn batches(shapes: &[Shape], kinds: &[Kind], parts: &[Part]) -> (Vec<Batch>, Vec<(usize, usize)>) {
    let mut times = vec![0_usize; kinds.len()];
    parts.iter().for_each(|part| times[part.kind] += 1);
    let shared = |part: usize| Some(parts[part].kind).filter(|&kind| times[kind] > 1);
    let mut order: Vec<usize> = (0..parts.len()).collect();
    order.sort_by_key(|&part| (kinds[parts[part].kind].shape, shared(part), part));
    let mut batches: Vec<Batch> = Vec::new();
    let mut home = vec![(0, 0); parts.len()];
    let (mut start, mut boundary, mut ports) = (0, 0, 0);
    for part in order {
        let kind = parts[part].kind;
        let fits = |batch: &Batch| {
            let all = (batch.shape, batch.shared) == (kinds[kind].shape, shared(part));
            all && batch.parts.len() < LANES
        };
        if !batches.last().is_some_and(fits) {
            let shape = kinds[kind].shape;
            let own = Batch {
                shape,
                shared: shared(part),
                kinds: [kind; LANES],
                parts: Vec::with_capacity(LANES),
                start,
                boundary,
                ports,
            };
            batches.push(own);
            start += LANES * shapes[shape].freedoms.rows();
            boundary += LANES * shapes[shape].boundary();
            ports += shapes[shape].ports.len();
        }
        let number = batches.len() - 1;
        let batch = &mut batches[number];
        home[part] = (number, batch.parts.len());
        batch.kinds[batch.parts.len()] = kind;
        batch.parts.push(part);
    }
    (batches, home)
}
