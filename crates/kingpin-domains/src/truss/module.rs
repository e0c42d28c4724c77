//! Bars between nodes: what a substructure of a truss is made of.

use crate::range::{FRAME, Kind, Pattern, Shape};

/// A bar between two nodes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bar {
    /// Its nodes.
    pub ends: [usize; 2],
    /// Young's modulus times area, N.
    pub stiffness: f64,
    /// Density times area, kg/m.
    pub density: f64,
}

/// A substructure of pin-jointed bars, free of stress as it is given.
#[derive(Debug, Clone, PartialEq)]
pub struct Module {
    /// Places of the nodes in its own axes, m.
    pub places: Vec<[f64; 3]>,
    /// Its bars.
    pub bars: Vec<Bar>,
    /// Frames of three nodes that others may be joined to.
    pub ports: Vec<[usize; FRAME]>,
}

/// Data of the mast: Young's modulus times area 70 GPa 1 cm^2, density times area 2700 kg/m^3 1 cm^2.
pub const STIFFNESS: f64 = 7e6;
/// Density times area, kg/m.
pub const DENSITY: f64 = 0.27;
/// Radius of a frame, m.
pub const RADIUS: f64 = 0.6;
/// Frames of a module of the mast.
pub const FRAMES: usize = 7;

impl Module {
    /// The module of the mast, 63 degrees of freedom: frames of three nodes about the z axis a metre apart, three battens
    /// per frame, three longerons and three diagonals per bay, whose direction alternates.
    pub fn mast() -> Module {
        Module::bent(FRAMES, |f, c| {
            let half = 0.5 * 3_f64.sqrt();
            let (cos, sin) = ([1.0, -0.5, -0.5][c], [0.0, half, -half][c]);
            [RADIUS * cos, RADIUS * sin, f as f64]
        })
    }

    /// The same bars with so many frames, between nodes at any places.
    pub fn bent(frames: usize, place: impl Fn(usize, usize) -> [f64; 3]) -> Module {
        let node = |f: usize, c: usize| 3 * f + c % 3;
        let places =
            (0..frames).flat_map(|f| (0..3).map(move |c| (f, c))).map(|(f, c)| place(f, c)).collect();
        let mut ends: Vec<[usize; 2]> = Vec::new();
        for f in 0..frames {
            ends.extend((0..3).map(|c| [node(f, c), node(f, c + 1)]));
        }
        for f in 1..frames {
            ends.extend((0..3).map(|c| [node(f - 1, c), node(f, c)]));
        }
        for f in 1..frames {
            // the first bay leans one way, the next the other
            let lean = |c: usize| {
                if f % 2 == 1 { [node(f - 1, c), node(f, c + 1)] } else { [node(f - 1, c + 1), node(f, c)] }
            };
            ends.extend((0..3).map(lean));
        }
        let bars =
            ends.into_iter().map(|ends| Bar { ends, stiffness: STIFFNESS, density: DENSITY }).collect();
        let port = |f: usize| [0, 1, 2].map(|c| node(f, c));
        Module { places, bars, ports: vec![port(0), port(frames - 1)] }
    }

    /// Unit vector along a bar and its length.
    pub(crate) fn along(&self, bar: &Bar) -> ([f64; 3], f64) {
        let [a, b] = bar.ends.map(|node| self.places[node]);
        let d: [f64; 3] = std::array::from_fn(|k| b[k] - a[k]);
        let length = d.iter().map(|d| d * d).sum::<f64>().sqrt();
        (d.map(|d| d / length), length)
    }

    /// The speed of waves in its bars over the distance of its ports: how often a wave could cross it per second.
    pub fn pace(&self) -> f64 {
        let speed = self.bars.iter().map(|bar| (bar.stiffness / bar.density).sqrt()).fold(0.0, f64::max);
        let middle = |port: &[usize; FRAME]| -> [f64; 3] {
            std::array::from_fn(|k| port.iter().map(|&node| self.places[node][k]).sum::<f64>() / FRAME as f64)
        };
        let middles: Vec<[f64; 3]> = self.ports.iter().map(middle).collect();
        let apart = |a: &[f64; 3], b: &[f64; 3]| (0..3).map(|k| (a[k] - b[k]).powi(2)).sum::<f64>().sqrt();
        let length =
            (1..middles.len()).map(|k| apart(&middles[k - 1], &middles[k])).fold(f64::INFINITY, f64::min);
        speed / length
    }

    /// Whether bars join the same nodes, and ports have them, as in another.
    fn alike(&self, other: &Module) -> bool {
        let ends = |module: &Module| module.bars.iter().map(|bar| bar.ends).collect::<Vec<_>>();
        self.places.len() == other.places.len() && self.ports == other.ports && ends(self) == ends(other)
    }

    /// Its shape and its numbers.
    fn matrices(&self, shape: usize, known: Option<&Shape>) -> (Shape, Kind) {
        let n = self.places.len();
        let own_shape = known.cloned().unwrap_or_else(|| {
            let pairs = || self.bars.iter().map(|bar| (bar.ends[0], bar.ends[1]));
            let each = |(a, b): (usize, usize)| (0..9).map(move |k| (3 * a + k / 3, 3 * b + k % 3));
            let own = (0..n).flat_map(|node| each((node, node)));
            Shape {
                nodes: Pattern::new(n, pairs()),
                freedoms: Pattern::new(3 * n, pairs().flat_map(each).chain(own)),
                ports: self.ports.clone(),
            }
        });
        let mut kind = Kind {
            shape,
            mass: vec![0.0; n + own_shape.nodes.entries()],
            stiffness: vec![0.0; 3 * n + own_shape.freedoms.entries()],
            places: self.ports.iter().map(|port| port.map(|node| self.places[node])).collect(),
        };
        for bar in &self.bars {
            let (unit, length) = self.along(bar);
            let (mass, stiffness) = (bar.density * length / 6.0, bar.stiffness / length);
            for (k, &i) in bar.ends.iter().enumerate() {
                for (m, &j) in bar.ends.iter().enumerate() {
                    let (share, sign) = if k == m { (2.0, 1.0) } else { (1.0, -1.0) };
                    add(&own_shape.nodes, &mut kind.mass, (i, j), share * mass);
                    for e in 0..9 {
                        let value = sign * stiffness * unit[e / 3] * unit[e % 3];
                        add(&own_shape.freedoms, &mut kind.stiffness, (3 * i + e / 3, 3 * j + e % 3), value);
                    }
                }
            }
        }
        (own_shape, kind)
    }
}

/// Adds to the lower triangle.
fn add(pattern: &Pattern, values: &mut [f64], (i, j): (usize, usize), value: f64) {
    if i == j {
        values[i] += value;
    } else if let Some(entry) = (i > j).then(|| pattern.entry(i, j)).flatten() {
        values[pattern.rows() + entry] += value;
    }
}

/// Distinct modules, found by comparing.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub modules: Vec<Module>,
    pub shapes: Vec<Shape>,
    pub kinds: Vec<Kind>,
    /// A module of each shape.
    examples: Vec<usize>,
    /// Kinds by a sum of the bits of their numbers.
    by_sum: std::collections::HashMap<u64, Vec<usize>>,
    last: Option<usize>,
}

impl Found {
    /// The kind of a module: one that was met before, or a new one.
    pub fn kind(&mut self, module: &Module) -> usize {
        if let Some(last) = self.last.filter(|&last| self.modules[last] == *module) {
            return last;
        }
        let sum = sum(module);
        let met = self.by_sum.entry(sum).or_default();
        let kind = met.iter().copied().find(|&kind| self.modules[kind] == *module);
        let kind = kind.unwrap_or_else(|| {
            met.push(self.kinds.len());
            let shape = self.examples.iter().position(|&k| self.modules[k].alike(module));
            let number = shape.unwrap_or(self.shapes.len());
            let (own, kind) = module.matrices(number, shape.map(|shape| &self.shapes[shape]));
            if shape.is_none() {
                self.shapes.push(own);
                self.examples.push(self.modules.len());
            }
            self.modules.push(module.clone());
            self.kinds.push(kind);
            self.kinds.len() - 1
        });
        self.last = Some(kind);
        kind
    }
}

/// A sum over all numbers of a module that alike modules have.
fn sum(module: &Module) -> u64 {
    let places = module.places.iter().flatten().map(|x| x.to_bits());
    let bars = module.bars.iter().flat_map(|bar| {
        let ends = bar.ends.map(|end| end as u64);
        ends.into_iter().chain([bar.stiffness.to_bits(), bar.density.to_bits()])
    });
    places.chain(bars).fold(0xcbf2_9ce4_8422_2325, |sum, bits| (sum ^ bits).wrapping_mul(0x0100_0000_01b3))
}
