//! The numbers of a glTF file, and the container around everything.

use serde_json::{Value, json};

const FLOAT: u32 = 5126;
const UNSIGNED_SHORT: u32 = 5123;
const UNSIGNED_INT: u32 = 5125;
const VERTICES: u32 = 34962;
const INDICES: u32 = 34963;

/// One buffer, with views and accessors into it.
#[derive(Default)]
pub(super) struct Binary {
    pub bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl Binary {
    /// Positions or normals of corners.
    pub fn corners(&mut self, list: &[[f32; 3]]) -> usize {
        let (min, max) = bounds(list);
        self.add(
            list.as_flattened(),
            Some(VERTICES),
            json!({ "type": "VEC3", "min": min, "max": max }),
            list.len(),
        )
    }

    /// Corners of triangles.
    pub fn triangles(&mut self, list: &[[u32; 3]]) -> usize {
        let start = self.bytes.len();
        self.bytes.extend(list.as_flattened().iter().flat_map(|k| k.to_le_bytes()));
        self.views.push(json!({
            "buffer": 0, "byteOffset": start, "byteLength": self.bytes.len() - start, "target": INDICES,
        }));
        self.accessors.push(json!({
            "bufferView": self.views.len() - 1, "componentType": UNSIGNED_INT, "count": 3 * list.len(),
            "type": "SCALAR",
        }));
        self.accessors.len() - 1
    }

    /// Times of an animation, which must have bounds.
    pub fn times(&mut self, times: &[f32]) -> usize {
        let bound = |x: Option<&f32>| x.map_or(0.0, |x| f64::from(*x));
        let kind = json!({ "type": "SCALAR", "min": [bound(times.first())], "max": [bound(times.last())] });
        self.add(times, None, kind, times.len())
    }

    pub fn vectors(&mut self, list: &[[f32; 3]]) -> usize {
        self.add(list.as_flattened(), None, json!({ "type": "VEC3" }), list.len())
    }

    /// Weights of morph targets, those of a frame one behind the other.
    pub fn weights(&mut self, list: &[f32]) -> usize {
        self.add(list, None, json!({ "type": "SCALAR" }), list.len())
    }

    pub fn quaternions(&mut self, list: &[[f32; 4]]) -> usize {
        self.add(list.as_flattened(), None, json!({ "type": "VEC4" }), list.len())
    }

    /// Matrices column by column.
    pub fn matrices(&mut self, list: &[[f32; 16]]) -> usize {
        self.add(list.as_flattened(), None, json!({ "type": "MAT4" }), list.len())
    }

    /// Corners that follow one joint of a skin each: the accessors of joints and of weights.
    pub fn bound(&mut self, joints: &[u16]) -> [usize; 2] {
        let start = self.bytes.len();
        self.bytes.extend(joints.iter().flat_map(|k| [*k, 0, 0, 0]).flat_map(u16::to_le_bytes));
        self.views.push(json!({
            "buffer": 0, "byteOffset": start, "byteLength": self.bytes.len() - start, "target": VERTICES,
        }));
        self.accessors.push(json!({
            "bufferView": self.views.len() - 1, "componentType": UNSIGNED_SHORT, "count": joints.len(),
            "type": "VEC4",
        }));
        let weights = vec![[1.0, 0.0, 0.0, 0.0]; joints.len()];
        let weights = self.add(weights.as_flattened(), Some(VERTICES), json!({ "type": "VEC4" }), joints.len());
        [weights - 1, weights]
    }

    fn add(&mut self, numbers: &[f32], target: Option<u32>, mut accessor: Value, count: usize) -> usize {
        let start = self.bytes.len();
        self.bytes.extend(numbers.iter().flat_map(|x| x.to_le_bytes()));
        let mut view = json!({ "buffer": 0, "byteOffset": start, "byteLength": self.bytes.len() - start });
        if let Some(target) = target {
            view["target"] = json!(target);
        }
        self.views.push(view);
        accessor["bufferView"] = json!(self.views.len() - 1);
        accessor["componentType"] = json!(FLOAT);
        accessor["count"] = json!(count);
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    /// Adds buffer, views and accessors to a document; empty lists are not allowed there.
    pub fn describe(&mut self, document: &mut Value) {
        if !self.bytes.is_empty() {
            document["buffers"] = json!([{ "byteLength": self.bytes.len() }]);
            document["bufferViews"] = json!(std::mem::take(&mut self.views));
            document["accessors"] = json!(std::mem::take(&mut self.accessors));
        }
    }
}

/// Least and greatest components, as the doubles that the floats are.
fn bounds(list: &[[f32; 3]]) -> ([f64; 3], [f64; 3]) {
    let fold =
        |k: usize, f: fn(f32, f32) -> f32| f64::from(list.iter().map(|p| p[k]).reduce(f).unwrap_or(0.0));
    ([0, 1, 2].map(|k| fold(k, f32::min)), [0, 1, 2].map(|k| fold(k, f32::max)))
}

/// The binary container: header, a chunk of JSON, a chunk of numbers. Nothing if it would be too large.
pub(super) fn container(document: &Value, bytes: &[u8]) -> Option<Vec<u8>> {
    let mut text = document.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    let padded = bytes.len().next_multiple_of(4);
    let total = 12 + 8 + text.len() + if bytes.is_empty() { 0 } else { 8 + padded };
    let mut out = Vec::with_capacity(total);
    out.extend(b"glTF");
    out.extend(2_u32.to_le_bytes());
    out.extend(u32::try_from(total).ok()?.to_le_bytes());
    out.extend((text.len() as u32).to_le_bytes());
    out.extend(b"JSON");
    out.extend(text);
    if !bytes.is_empty() {
        out.extend((padded as u32).to_le_bytes());
        out.extend(b"BIN\0");
        out.extend(bytes);
        out.resize(total, 0);
    }
    Some(out)
}
