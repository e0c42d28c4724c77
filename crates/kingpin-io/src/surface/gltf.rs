//! glTF 2.0, in one file or with buffers beside it: the triangles of all meshes, where the nodes of the scene have them.

use super::{Corners, FileFault};
use nalgebra::{Matrix4, Point3, Quaternion, UnitQuaternion, Vector3};
use serde_json::Value;

/// The mode of primitives that are triangles one by one.
const TRIANGLES: u64 = 4;
/// Deepest nesting of nodes.
const MAX_DEPTH: usize = 64;
/// Types of components.
const BYTE: u64 = 5121;
const SHORT: u64 = 5123;
const INT: u64 = 5125;
const FLOAT: u64 = 5126;

/// Reads another file by its name.
type Beside<'a> = &'a dyn Fn(&str) -> Result<Vec<u8>, String>;

struct File {
    document: Value,
    buffers: Vec<Vec<u8>>,
}

/// Corners of the triangles of a file.
pub(super) fn read(bytes: &[u8], beside: Beside) -> Result<Corners, FileFault> {
    let (text, binary) = match bytes.strip_prefix(b"glTF") {
        Some(_) => chunks(bytes).ok_or_else(|| FileFault::new("it is not a glTF file of version 2"))?,
        None => (bytes, None),
    };
    let document: Value = serde_json::from_slice(text)
        .map_err(|error| FileFault::new(format!("it is not a glTF file: {error}")))?;
    if let Some(name) = document["extensionsRequired"].as_array().and_then(|all| all.first()?.as_str()) {
        let message = format!("it needs the extension `{}`, which is not supported", name.escape_debug());
        return Err(FileFault::new(message).hint("save it without compression"));
    }
    let buffers = buffers(&document, binary, beside)?;
    let file = File { document, buffers };
    let mut all = Vec::new();
    let scene = file.document["scene"].as_u64().unwrap_or(0) as usize;
    match file.document["scenes"][scene]["nodes"].as_array() {
        Some(nodes) => {
            for node in nodes {
                file.node(node, &Matrix4::identity(), 0, &mut all)?;
            }
        }
        // a file without scenes is a library of meshes
        None => {
            for mesh in file.document["meshes"].as_array().into_iter().flatten() {
                file.mesh(mesh, &Matrix4::identity(), &mut all)?;
            }
        }
    }
    Ok(all)
}

/// The text and the binary chunk of a file in one.
fn chunks(bytes: &[u8]) -> Option<(&[u8], Option<Vec<u8>>)> {
    if number(bytes.get(4..8)?) != 2 {
        return None;
    }
    let length = number(bytes.get(12..16)?);
    let text = bytes.get(20..20_usize.checked_add(length)?)?;
    let rest = &bytes[20 + length..];
    let binary = rest.get(..4).map(number).and_then(|length| rest.get(8..length.checked_add(8)?));
    Some((text, binary.map(<[u8]>::to_vec)))
}

/// A whole number of a few bytes, the lowest first.
fn number(bytes: &[u8]) -> usize {
    bytes.iter().rev().fold(0, |n, byte| n << 8 | usize::from(*byte))
}

fn buffers(document: &Value, binary: Option<Vec<u8>>, beside: Beside) -> Result<Vec<Vec<u8>>, FileFault> {
    let mut binary = binary;
    let list = document["buffers"].as_array().into_iter().flatten();
    let one = |own: &Value| match own["uri"].as_str() {
        None => binary.take().ok_or_else(|| FileFault::new("one of its buffers is missing")),
        Some(uri) => match uri.strip_prefix("data:").and_then(|data| data.split_once(";base64,")) {
            Some((_, letters)) => {
                decoded(letters).ok_or_else(|| FileFault::new("one of its buffers is not encoded in base64"))
            }
            None => beside(uri)
                .map_err(|why| FileFault::new(format!("cannot read `{}`: {why}", uri.escape_debug()))),
        },
    };
    list.map(one).collect()
}

/// Bytes of letters in base 64.
fn decoded(letters: &str) -> Option<Vec<u8>> {
    let (mut bytes, mut word, mut bits) = (Vec::new(), 0_u32, 0);
    for letter in letters.trim_end_matches('=').bytes() {
        let value = match letter {
            b'A'..=b'Z' => letter - b'A',
            b'a'..=b'z' => letter - b'a' + 26,
            b'0'..=b'9' => letter - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        (word, bits) = (word << 6 | u32::from(value), bits + 6);
        if bits >= 8 {
            bits -= 8;
            bytes.push((word >> bits) as u8);
        }
    }
    Some(bytes)
}

impl File {
    fn node(
        &self,
        node: &Value,
        outer: &Matrix4<f64>,
        depth: usize,
        all: &mut Corners,
    ) -> Result<(), FileFault> {
        let node = &self.document["nodes"][node.as_u64().unwrap_or(u64::MAX) as usize];
        if depth > MAX_DEPTH {
            return Err(FileFault::new(format!("its nodes are nested more than {MAX_DEPTH} levels deep")));
        }
        let here = outer * placed(node);
        if let Some(mesh) = node["mesh"].as_u64() {
            self.mesh(&self.document["meshes"][mesh as usize], &here, all)?;
        }
        for child in node["children"].as_array().into_iter().flatten() {
            self.node(child, &here, depth + 1, all)?;
        }
        Ok(())
    }

    fn mesh(&self, mesh: &Value, place: &Matrix4<f64>, all: &mut Corners) -> Result<(), FileFault> {
        for primitive in mesh["primitives"].as_array().into_iter().flatten() {
            if primitive["mode"].as_u64().unwrap_or(TRIANGLES) != TRIANGLES {
                return Err(FileFault::new("it contains lines, points or strips")
                    .hint("save it with plain triangles"));
            }
            let fault = || FileFault::new("its triangles cannot be read: the file is damaged");
            let points = self.points(&primitive["attributes"]["POSITION"]).ok_or_else(fault)?;
            let corners = match primitive["indices"].as_u64() {
                Some(_) => self.indices(&primitive["indices"]).ok_or_else(fault)?,
                None => (0..points.len()).collect(),
            };
            let turned = place.fixed_view::<3, 3>(0, 0).determinant() < 0.0;
            for three in corners.chunks_exact(3) {
                let at = |k: usize| points.get(three[k]).map(|point| place.transform_point(point).coords);
                let (Some(a), Some(b), Some(c)) = (at(0), at(1), at(2)) else { return Err(fault()) };
                all.push(if turned { [a, c, b] } else { [a, b, c] });
            }
        }
        Ok(())
    }

    /// The elements of an accessor, each of so many bytes.
    fn elements(&self, accessor: &Value, bytes: impl Fn(u64) -> Option<usize>) -> Option<Vec<&[u8]>> {
        let own = &self.document["accessors"][accessor.as_u64()? as usize];
        let view = &self.document["bufferViews"][own["bufferView"].as_u64()? as usize];
        let buffer = self.buffers.get(view["buffer"].as_u64()? as usize)?;
        let offset = |of: &Value| of["byteOffset"].as_u64().unwrap_or(0) as usize;
        let size = bytes(own["componentType"].as_u64()?)?;
        let stride = view["byteStride"].as_u64().map_or(size, |stride| stride as usize);
        let start = offset(view).checked_add(offset(own))?;
        let count = own["count"].as_u64()? as usize;
        let element = |k: usize| {
            let first = start.checked_add(k.checked_mul(stride)?)?;
            buffer.get(first..first.checked_add(size)?)
        };
        (0..count).map(element).collect()
    }

    fn points(&self, accessor: &Value) -> Option<Vec<Point3<f64>>> {
        let elements = self.elements(accessor, |kind| (kind == FLOAT).then_some(12))?;
        let coordinate = |four: &[u8]| f64::from(f32::from_bits(number(four) as u32));
        let point =
            |own: &[u8]| Point3::new(coordinate(&own[..4]), coordinate(&own[4..8]), coordinate(&own[8..]));
        Some(elements.into_iter().map(point).collect())
    }

    fn indices(&self, accessor: &Value) -> Option<Vec<usize>> {
        let size = |kind: u64| match kind {
            BYTE => Some(1),
            SHORT => Some(2),
            INT => Some(4),
            _ => None,
        };
        Some(self.elements(accessor, size)?.into_iter().map(number).collect())
    }
}

/// Where a node is in the one around it.
fn placed(node: &Value) -> Matrix4<f64> {
    let list = |key: &str| -> Option<Vec<f64>> {
        node[key].as_array().map(|all| all.iter().filter_map(Value::as_f64).collect())
    };
    if let Some(all) = list("matrix").filter(|all| all.len() == 16) {
        return Matrix4::from_column_slice(&all);
    }
    let vector = |key: &str, none: f64| match list(key).as_deref() {
        Some([x, y, z]) => Vector3::new(*x, *y, *z),
        _ => Vector3::from_element(none),
    };
    let turn = match list("rotation").as_deref() {
        Some([x, y, z, w]) => UnitQuaternion::from_quaternion(Quaternion::new(*w, *x, *y, *z)),
        _ => UnitQuaternion::identity(),
    };
    let scale = Matrix4::new_nonuniform_scaling(&vector("scale", 1.0));
    Matrix4::new_translation(&vector("translation", 0.0)) * turn.to_homogeneous() * scale
}
