//! Meshes that shapes are drawn as: their files are read, scaled, mirrored, and turned outwards.

mod gltf;
mod obj;
mod stl;

use crate::load::Files;
use crate::source::SourceMap;
use kingpin::element::shape::surface::{Surface, Triangles, Turned};
use kingpin::element::shape::{Mesh, ShapeKind};
use kingpin::model::{Finding, Model, Subject, Vec3};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Corners of triangles as a file has them.
type Corners = Vec<[Vec3; 3]>;

/// What is wrong with a file, and what to do.
#[derive(Clone, Debug)]
struct FileFault(String, Option<String>);

impl FileFault {
    fn new(message: impl Into<String>) -> FileFault {
        FileFault(message.into(), None)
    }

    fn hint(self, hint: impl Into<String>) -> FileFault {
        FileFault(self.0, Some(hint.into()))
    }
}

/// A surface, or what is wrong with its file; with a warning perhaps.
type Read = Result<(Arc<Triangles>, Option<String>), FileFault>;

/// Reads the files of all meshes that do not hold their triangles already. `folder` is that of the model.
pub(crate) fn read_all(model: &mut Model, map: &SourceMap, files: &Files, folder: &Path) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut known: HashMap<(PathBuf, u64, Vec<String>), Read> = HashMap::new();
    for (k, shape) in model.shapes.iter_mut().enumerate() {
        let ShapeKind::Mesh(own) = &mut shape.kind else { continue };
        if own.surface.0.is_some() {
            continue;
        }
        let path = folder_of(map.file_of(&Subject::Shape(k), "file"), files, folder).join(&own.file);
        let key = (path.clone(), own.scale.to_bits(), own.mirror.clone());
        let read = known.entry(key).or_insert_with(|| surface(own, &path, files));
        match read.clone() {
            Ok((triangles, warning)) => {
                own.surface = Surface(Some(triangles));
                findings.extend(
                    warning.map(|text| Finding::warning("mesh-turned", Subject::Shape(k), "file", text)),
                );
            }
            Err(FileFault(message, hint)) => {
                let finding = Finding::error(Subject::Shape(k), "file", message);
                findings.push(Finding { hint, ..finding });
            }
        }
    }
    findings
}

/// The folder of the file that names a mesh.
fn folder_of(file: Option<u32>, files: &Files, folder: &Path) -> PathBuf {
    let parent = |file: u32| {
        let source = files.sources.get(file as usize)?;
        Path::new(&source.name).parent()
    };
    let (Some(main), Some(own)) = (parent(0), file.and_then(parent)) else { return folder.into() };
    own.strip_prefix(main).map_or_else(|_| own.into(), |inside| folder.join(inside))
}

fn surface(own: &Mesh, path: &Path, files: &Files) -> Read {
    let shown = own.file.escape_debug();
    let told = |FileFault(message, hint)| FileFault(format!("`{shown}`: {message}"), hint);
    let end = path.extension().map(|end| end.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    if !["stl", "obj", "gltf", "glb"].contains(&end.as_str()) {
        let message = format!("`{shown}` is not a supported mesh file");
        return Err(FileFault::new(message).hint("supported are `.stl`, `.obj`, `.gltf` and `.glb`"));
    }
    let bytes =
        files.bytes_of(path).map_err(|why| FileFault::new(format!("cannot read `{shown}`: {why}")))?;
    let corners = match end.as_str() {
        "stl" => stl::read(&bytes),
        "obj" => obj::read(&bytes),
        _ => gltf::read(&bytes, &|name| files.bytes_of(&path.with_file_name(name))),
    };
    let corners = corners.map_err(told)?;
    if corners.is_empty() {
        return Err(told(FileFault::new("it contains no triangles")));
    }
    if !corners.iter().flatten().all(|corner| corner.iter().all(|x| x.is_finite())) {
        return Err(told(FileFault::new("some of its numbers are not finite")));
    }
    let sign = |axis: &str| if own.mirror.iter().any(|own| own == axis) { -own.scale } else { own.scale };
    let mut triangles = Triangles::new(corners).stretched(&Vec3::new(sign("x"), sign("y"), sign("z")));
    let turned = match triangles.turn_outwards() {
        Turned::None => None,
        Turned::All => {
            Some(format!("`{shown}` is inside out: the orientation of all its triangles was reversed"))
        }
        Turned::Some(count) => {
            Some(format!("{count} triangles of `{shown}` point inwards: their orientation was reversed"))
        }
    };
    let twice = match triangles.doubled() {
        0 => None,
        1 => Some("a shell inside another one points outwards, so its volume is counted twice"),
        _ => Some("shells inside others point outwards, so their volume is counted twice"),
    };
    let warning = match (turned, twice) {
        (turned, None) => turned,
        (None, Some(twice)) => Some(format!("in `{shown}` {twice}")),
        (Some(turned), Some(twice)) => Some(format!("{turned}; {twice}")),
    };
    Ok((Arc::new(triangles), warning))
}

/// A text of a file, or that it is none.
fn text_of(bytes: &[u8]) -> Result<&str, FileFault> {
    std::str::from_utf8(bytes).map_err(|_| FileFault::new("it is not text"))
}

#[cfg(test)]
mod tests;
