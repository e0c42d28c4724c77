//! A space station of truss substructures: a boom with wings on both sides, thirteen substructures or multiples of it.

use super::mast::{Builder, Truss, UPRIGHT};
use super::module::Module;
use crate::range::{FRAME, RangeError};

/// Segments of the boom; all but the middle one carry two wings.
const SEGMENTS: usize = 5;
/// Nodes of a segment that wings are joined to: one triangle on each side.
const SIDES: [[usize; FRAME]; 2] = [[7, 8, 10], [12, 15, 13]];

impl Truss {
    /// A station whose boom segments and wings have so many modules each: thirteen substructures for one.
    pub fn station(modules: usize) -> Result<Truss, RangeError> {
        let plain = Module::mast();
        let mut hub = plain.clone();
        hub.ports.extend(SIDES);
        let mut builder = Builder::default();
        let (mut boom, mut z) = (None, 0.0);
        let length = plain.places[plain.ports[1][0]][2];
        for segment in 0..SEGMENTS {
            for k in 0..modules {
                let carries = k == 0 && segment != SEGMENTS / 2;
                let name = format!("boom{segment}_{k}");
                let module = if carries { &hub } else { &plain };
                let part = builder.place(name.clone(), module, [0.0, 0.0, z], UPRIGHT);
                if let Some(before) = boom {
                    builder.join(format!("frame of {name}"), (before, 1), Some((part, 0)));
                }
                if carries {
                    for (side, nodes) in SIDES.iter().enumerate() {
                        let root = nodes.map(|node| hub.places[node]);
                        let name = format!("wing{segment}_{side}");
                        wing(&mut builder, &name, (part, 2 + side), (root, z), modules);
                    }
                }
                (boom, z) = (Some(part), z + length);
            }
        }
        builder.build()
    }
}

/// Modules that go straight out from a triangle of nodes, away from the boom.
fn wing(
    builder: &mut Builder,
    name: &str,
    hub: (usize, usize),
    (root, z): ([[f64; 3]; FRAME], f64),
    modules: usize,
) {
    let sides = [1, 2].map(|k| -> [f64; 3] { std::array::from_fn(|axis| root[k][axis] - root[0][axis]) });
    let across: [f64; 3] = std::array::from_fn(|k| {
        let [i, j] = [(k + 1) % 3, (k + 2) % 3];
        sides[0][i] * sides[1][j] - sides[0][j] * sides[1][i]
    });
    let size = across.iter().map(|x| x * x).sum::<f64>().sqrt();
    let middle = [0, 1].map(|k| root.iter().map(|place| place[k]).sum::<f64>());
    let outwards = if across[0] * middle[0] + across[1] * middle[1] < 0.0 { -1.0 } else { 1.0 };
    let out = across.map(|x| outwards * x / size);
    // a substructure of the mast has six bays, and so has one of a wing
    let module =
        Module::bent(super::module::FRAMES, |f, c| std::array::from_fn(|k| root[c][k] + f as f64 * out[k]));
    let mut before = hub;
    for k in 0..modules {
        let far = (super::module::FRAMES - 1) as f64 * k as f64;
        let origin = [far * out[0], far * out[1], z + far * out[2]];
        let part = builder.place(format!("{name}_{k}"), &module, origin, UPRIGHT);
        builder.join(format!("root of {name}_{k}"), before, Some((part, 0)));
        before = (part, 1);
    }
}
