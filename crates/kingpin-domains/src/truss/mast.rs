//! Trusses of modules: masts, rings, whatever is joined.

use super::module::{Found, Module};
use crate::range::{Interface, Method, Part, RangeError, Structure};
use std::sync::Arc;

/// A truss under construction: modules placed and joined, alike ones found by comparing.
#[derive(Debug, Default)]
pub struct Builder {
    found: Found,
    parts: Vec<Part>,
    origins: Vec<[f64; 3]>,
    interfaces: Vec<Interface>,
}

/// A truss of modules.
#[derive(Debug, Clone)]
pub struct Truss {
    /// Its substructures and what joins them.
    pub structure: Arc<Structure>,
    /// Distinct modules, numbered as kinds of the structure.
    pub modules: Vec<Module>,
    /// Where the origin of each part is.
    pub origins: Vec<[f64; 3]>,
}

/// Upright.
pub const UPRIGHT: [f64; 9] = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];

impl Builder {
    /// Places a module; its number.
    pub fn place(
        &mut self,
        name: impl Into<String>,
        module: &Module,
        origin: [f64; 3],
        attitude: [f64; 9],
    ) -> usize {
        let kind = self.found.kind(module);
        self.parts.push(Part { name: name.into(), kind, attitude });
        self.origins.push(origin);
        self.parts.len() - 1
    }

    /// Joins a port of one part to a port of another, or to the ground.
    pub fn join(&mut self, name: impl Into<String>, first: (usize, usize), second: Option<(usize, usize)>) {
        self.interfaces.push(Interface { name: name.into(), first, second });
    }

    /// The truss, or what is wrong with its interfaces.
    pub fn build(self) -> Result<Truss, RangeError> {
        let Found { modules, shapes, kinds, .. } = self.found;
        let structure = Structure::new(shapes, kinds, self.parts, self.interfaces)?;
        Ok(Truss { structure: Arc::new(structure), modules, origins: self.origins })
    }
}

impl Truss {
    /// A mast of modules end to end along z, perhaps clamped at its first frame.
    pub fn mast(modules: usize, clamped: bool) -> Result<Truss, RangeError> {
        Truss::mast_of(modules, clamped, |_| Module::mast())
    }

    /// A mast of modules that may differ in their bars.
    pub fn mast_of(
        modules: usize,
        clamped: bool,
        module: impl Fn(usize) -> Module,
    ) -> Result<Truss, RangeError> {
        let mut builder = Builder::default();
        if clamped && modules > 0 {
            builder.join("foot", (0, 0), None);
        }
        let mut z = 0.0;
        for k in 0..modules {
            let module = module(k);
            builder.place(format!("module{k}"), &module, [0.0, 0.0, z], UPRIGHT);
            z += module.places[module.ports[1][0]][2] - module.places[module.ports[0][0]][2];
            if k > 0 {
                builder.join(format!("frame{k}"), (k - 1, 1), Some((k, 0)));
            }
        }
        builder.build()
    }

    /// A ring of modules about the y axis, alike in their own axes: each is bent by its share of the turn. Frames are a
    /// metre apart along the middle.
    pub fn ring(modules: usize) -> Result<Truss, RangeError> {
        let bays = super::module::FRAMES - 1;
        let radius = (bays * modules) as f64 / std::f64::consts::TAU;
        let straight = Module::mast();
        let module = Module::bent(bays + 1, |f, c| {
            let angle = f as f64 / radius;
            let [x, y, _] = straight.places[c];
            [(radius + x) * angle.cos() - radius, y, (radius + x) * angle.sin()]
        });
        let mut builder = Builder::default();
        for k in 0..modules {
            let (sin, cos) = (std::f64::consts::TAU * k as f64 / modules as f64).sin_cos();
            let origin = [radius * cos, 0.0, radius * sin];
            builder.place(
                format!("module{k}"),
                &module,
                origin,
                [cos, 0.0, -sin, 0.0, 1.0, 0.0, sin, 0.0, cos],
            );
            builder.join(format!("frame{k}"), (k, 1), Some(((k + 1) % modules, 0)));
        }
        builder.build()
    }

    /// How often a wave could cross the shortest of its modules per second: c / L.
    pub fn pace(&self) -> f64 {
        self.modules.iter().map(Module::pace).fold(0.0, f64::max)
    }

    /// The method predicted to be fastest for `M + weight K`: blocks on the diagonal as long as a wave crosses little more
    /// than a module in a step, else a factor by blocks.
    pub fn predicted(&self, weight: f64) -> Method {
        // c h / L of Newmark's method is twice that of the root of the weight
        if 2.0 * self.pace() * weight.sqrt() <= 1.0 { Method::BlockJacobi } else { Method::Direct }
    }

    /// Places of all nodes, free of stress, as a vector over all freedoms. Lanes without a part have those of the first.
    pub fn rest(&self) -> Vec<f64> {
        let mut x = vec![0.0; self.structure.vector_len()];
        for part in 0..self.structure.parts() {
            let places = self.modules[self.structure.kind(part)].places.iter();
            for (node, place) in places.enumerate() {
                let at = self.world(part, place);
                self.structure.place(part, node).into_iter().zip(at).for_each(|(to, value)| x[to] = value);
            }
        }
        x
    }

    fn world(&self, part: usize, place: &[f64; 3]) -> [f64; 3] {
        let (t, origin) = (self.structure.attitude(part), self.origins[part]);
        std::array::from_fn(|k| origin[k] + (0..3).map(|m| t[3 * k + m] * place[m]).sum::<f64>())
    }
}
