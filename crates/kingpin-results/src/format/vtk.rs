//! VTK: a file of triangles per frame, and a list of them with their times that ParaView opens.

mod fields;

use super::{Export, Writing};
use super::Output;
use crate::base64::encode;
use crate::error::Error;
use crate::scene::{Form, Mesh, Scene, Solid};
use fields::Surfaces;
use crate::store::{Choice, Reader};
use kingpin::spatial::euler;
use std::fmt::Write;
use std::path::Path;

pub(super) const EXPORT: Export = Export {
    name: "vtk",
    about: "The animation for ParaView: a file and a folder of frames",
    ending: "pvd",
    write: Writing::Motion(vtk),
    beside: Some(|path| path.with_extension("")),
    missing: None,
};

/// All triangles of a scene; the same in every frame.
struct Triangles {
    /// Corners in the axes of their bodies; one list per body, ground last.
    corners: Vec<Vec<[f64; 3]>>,
    /// The part of the file that stays the same.
    fixed: String,
    points: usize,
    triangles: usize,
    beams: Surfaces,
    /// All points in the first frame of the results.
    start: Vec<[f64; 3]>,
}

/// Writes `path` (`.pvd`) and beside it a folder of the same name with a `.vtp` file per frame. Cells carry the
/// number of their body (-1 is the ground; of a beam the nearest node, of a structure a corner that moves) and its colour.
/// Where there are beams, superelements or structures, cells also carry the number of their beam (-1 for none), and of
/// their superelement or structure, and points displacement since the first frame of the results, strain and stress
/// along the beam, and the equivalent stress of superelements; these are not numbers where there are none.
pub fn vtk(reader: &Reader, scene: &Scene, choice: &Choice, path: &Path) -> Result<(), Error> {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let folder = path.with_file_name(&stem);
    let mut triangles = Triangles::new(scene);
    if let Some(first) = reader.rows()?.next_row()? {
        triangles.start = triangles.places(scene, first);
    }
    let mut rows = reader.selected(choice)?;
    let mut list = String::from(HEAD);
    list += "<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n<Collection>\n";
    let mut number = 0;
    while let Some(row) = rows.next_row()? {
        let name = format!("{stem}_{number:06}.vtp");
        let mut out = Output::one_of_many(&folder.join(&name))?;
        out.text(&triangles.frame(scene, row))?;
        out.finish()?;
        let shown = escaped(&format!("{stem}/{name}"));
        // writing to memory cannot fail
        let _ = writeln!(list, "<DataSet timestep=\"{:?}\" part=\"0\" file=\"{shown}\"/>", row[0]);
        number += 1;
    }
    list += "</Collection>\n</VTKFile>\n";
    let mut out = Output::file(path)?;
    out.text(&list)?;
    out.finish()
}

const HEAD: &str = "<?xml version=\"1.0\"?>\n";

impl Triangles {
    fn new(scene: &Scene) -> Triangles {
        let all = scene.bodies.iter().flat_map(|body| &body.solids).chain(&scene.ground);
        let mut forms: Vec<Form> = all.map(|solid| solid.form).collect();
        forms.sort_unstable();
        forms.dedup();
        let meshes: Vec<(Form, Mesh)> = forms.into_iter().map(|form| (form, scene.mesh(form))).collect();
        let owners = scene.bodies.iter().map(|body| &body.solids).chain([&scene.ground]);
        let (mut corners, mut corner, mut ends) = (Vec::new(), Vec::<i64>::new(), Vec::<i64>::new());
        let (mut body, mut colour, mut points) = (Vec::<i32>::new(), Vec::<u8>::new(), 0);
        let mut opacity = Vec::<f32>::new();
        for (k, solids) in owners.enumerate() {
            let mut own = Vec::new();
            for solid in solids {
                let Some((_, mesh)) = meshes.iter().find(|(form, _)| *form == solid.form) else { continue };
                let first = points + own.len();
                own.extend(mesh.positions.iter().map(|p| Solid::place(solid, *p)));
                for triangle in &mesh.triangles {
                    corner.extend(triangle.map(|k| first as i64 + i64::from(k)));
                    ends.push(corner.len() as i64);
                    body.push(if k == scene.bodies.len() { -1 } else { k as i32 });
                    colour.extend(solid.look.colour);
                    opacity.push(solid.look.opacity as f32);
                }
            }
            points += own.len();
            corners.push(own);
        }
        let clear = opacity.iter().any(|own| *own < 1.0);
        let mut beam = vec![-1_i32; ends.len()];
        let beams = Surfaces::new(scene);
        for (number, skin) in beams.skins.iter().enumerate() {
            for (triangle, &ring) in skin.triangles.iter().zip(&skin.ring_of) {
                corner.extend(triangle.map(|k| points as i64 + i64::from(k)));
                ends.push(corner.len() as i64);
                body.push(scene.beams[number].nodes[skin.nearest(ring)] as i32);
                colour.extend(scene.beams[number].colour);
                beam.push(number as i32);
            }
            points += skin.corners().len();
        }
        let mut flexible = vec![-1_i32; ends.len()];
        for (number, surface) in scene.surfaces.iter().enumerate() {
            for triangle in &surface.triangles {
                corner.extend(triangle.map(|k| points as i64 + i64::from(k)));
                ends.push(corner.len() as i64);
                body.push(surface.body(triangle).map_or(-1, |body| body as i32));
                colour.extend(surface.colour);
                beam.push(-1);
                flexible.push(number as i32);
            }
            points += surface.count();
        }
        // beams and surfaces hide what is behind them
        opacity.resize(ends.len(), 1.0);
        let shares = |list: &[f32]| list.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>();
        let bytes = |list: &[i64]| list.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>();
        let numbers = |list: &[i32]| list.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>();
        let fixed = [
            "<Polys>\n",
            &array("Int64", "connectivity", 1, &bytes(&corner)),
            &array("Int64", "offsets", 1, &bytes(&ends)),
            "</Polys>\n<CellData Scalars=\"body\">\n",
            &array("Int32", "body", 1, &numbers(&body)),
            &if scene.beams.is_empty() { String::new() } else { array("Int32", "beam", 1, &numbers(&beam)) },
            &if scene.surfaces.is_empty() { String::new() } else { array("Int32", "flexible", 1, &numbers(&flexible)) },
            &array("UInt8", "colour", 3, &colour),
            &if clear { array("Float32", "opacity", 1, &shares(&opacity)) } else { String::new() },
            "</CellData>\n",
        ];
        Triangles { corners, fixed: fixed.concat(), points, triangles: ends.len(), beams, start: Vec::new() }
    }

    /// All points in a row of results.
    fn places(&self, scene: &Scene, row: &[f64]) -> Vec<[f64; 3]> {
        let mut out = Vec::with_capacity(self.points);
        for (k, corners) in self.corners.iter().enumerate() {
            let pose = scene.bodies.get(k).map(|body| body.pose(row));
            let (r, p) = pose.unwrap_or(([0.0; 3], [1.0, 0.0, 0.0, 0.0]));
            out.extend(corners.iter().map(|corner| {
                let turned = euler::rotate(&p, corner);
                [0, 1, 2].map(|k| r[k] + turned[k])
            }));
        }
        self.beams.places(scene, row, &mut out);
        scene.surfaces.iter().for_each(|surface| surface.places(scene, row, &mut out));
        out
    }

    /// The file of one frame.
    fn frame(&self, scene: &Scene, row: &[f64]) -> String {
        let places = self.places(scene, row);
        let bytes: Vec<u8> = places.as_flattened().iter().flat_map(|x| (*x as f32).to_le_bytes()).collect();
        let rigid = scene.beams.is_empty() && scene.surfaces.is_empty();
        let fields = if rigid { String::new() } else { self.fields(scene, row, &places) };
        [
            HEAD,
            "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<PolyData>\n",
            "<FieldData>\n<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">",
            &format!("{:?}</DataArray>\n</FieldData>\n", row[0]),
            &format!("<Piece NumberOfPoints=\"{}\" NumberOfPolys=\"{}\">\n", self.points, self.triangles),
            "<Points>\n",
            &array("Float32", "Points", 3, &bytes),
            "</Points>\n",
            &fields,
            &self.fixed,
            "</Piece>\n</PolyData>\n</VTKFile>\n",
        ]
        .concat()
    }
}

/// Numbers in base64, their length in bytes before them.
fn array(kind: &str, name: &str, components: usize, bytes: &[u8]) -> String {
    let mut all = (bytes.len() as u64).to_le_bytes().to_vec();
    all.extend(bytes);
    let head = format!(
        "<DataArray type=\"{kind}\" Name=\"{name}\" NumberOfComponents=\"{components}\" format=\"binary\">"
    );
    format!("{head}{}</DataArray>\n", encode(&all))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}
