//! A beam of hexahedra as the text of a mesh.

/// Elements along x, y and z, and the extents of all together; sets `x0`, `x1` of its ends, `mid` of its middle. Nodes
/// begin at `x`.
pub fn beam([nx, ny, nz]: [usize; 3], [lx, ly, lz]: [f64; 3], x: f64) -> String {
    let number = |i: usize, j: usize, k: usize| 1 + k + (nz + 1) * (j + (ny + 1) * i);
    let mut text = String::from("*NODE\n");
    for i in 0..=nx {
        for j in 0..=ny {
            for k in 0..=nz {
                let part = |i: usize, n: usize| i as f64 / n as f64;
                let place = [x + lx * part(i, nx), ly * (part(j, ny) - 0.5), lz * (part(k, nz) - 0.5)];
                text += &format!("{}, {}, {}, {}\n", number(i, j, k), place[0], place[1], place[2]);
            }
        }
    }
    text += "*ELEMENT, TYPE=C3D8I, ELSET=all\n";
    let mut element = 0;
    for i in 0..nx {
        for j in 0..ny {
            for k in 0..nz {
                element += 1;
                let around =
                    |k| [number(i, j, k), number(i + 1, j, k), number(i + 1, j + 1, k), number(i, j + 1, k)];
                let nodes = [around(k), around(k + 1)].concat();
                let nodes: Vec<String> = nodes.iter().map(usize::to_string).collect();
                text += &format!("{element}, {}\n", nodes.join(", "));
            }
        }
    }
    for (name, i) in [("x0", 0), ("mid", nx / 2), ("x1", nx)] {
        let face: Vec<String> =
            (0..=ny).flat_map(|j| (0..=nz).map(move |k| number(i, j, k).to_string())).collect();
        text += &format!("*NSET, NSET={name}\n{}\n", face.join(", "));
    }
    text
}
