use super::*;
use kingpin::model::Mat3;

/// Sides of a unit cube, by the numbers of corners whose bits are x, y, z.
const SIDES: [[usize; 4]; 6] =
    [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];

fn corner(k: usize) -> [f32; 3] {
    [0, 1, 2].map(|i| (k >> i & 1) as f32)
}

fn triangles() -> Vec<[usize; 3]> {
    SIDES.iter().flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]]).collect()
}

fn bytes(x: [f32; 3]) -> impl Iterator<Item = u8> {
    x.into_iter().flat_map(f32::to_le_bytes)
}

fn binary_stl() -> Vec<u8> {
    let mut file = vec![b' '; 80];
    file.extend(12_u32.to_le_bytes());
    for own in triangles() {
        file.extend(bytes([0.0; 3]));
        own.iter().for_each(|k| file.extend(bytes(corner(*k))));
        file.extend([0, 0]);
    }
    file
}

fn ascii_stl() -> String {
    let facet = |own: &[usize; 3]| {
        let vertex =
            |k: &usize| format!("vertex {:?} {:e} {}\n", corner(*k)[0], corner(*k)[1], corner(*k)[2]);
        let three: String = own.iter().map(vertex).collect();
        format!("facet normal 0 0 0\nouter loop\n{three}endloop\nendfacet\n")
    };
    format!("solid cube\n{}endsolid cube\n", triangles().iter().map(facet).collect::<String>())
}

fn obj() -> String {
    let points: String = (0..8).map(corner).map(|[x, y, z]| format!("v {x} {y} {z}\n")).collect();
    let face = |side: &[usize; 4]| {
        format!("f {}/1/1 {}//2 {} {}\n", side[0] + 1, side[1] + 1, side[2] + 1, side[3] as i64 - 8)
    };
    format!("# a cube\no cube\n{points}{}", SIDES.iter().map(face).collect::<String>())
}

/// A cube of half the size by its node, twice as far along y, and the bytes of its buffer.
fn gltf(uri: Option<&str>) -> (String, Vec<u8>) {
    let mut buffer: Vec<u8> = (0..8).flat_map(|k| bytes(corner(k))).collect();
    buffer.extend(triangles().iter().flatten().flat_map(|k| (*k as u16).to_le_bytes()));
    let uri = uri.map_or(String::new(), |uri| format!("\"uri\": \"{uri}\", "));
    let text = format!(
        r#"{{ "asset": {{ "version": "2.0" }}, "scene": 0, "scenes": [{{ "nodes": [0] }}],
        "nodes": [{{ "children": [1], "scale": [0.5, 0.5, 0.5] }}, {{ "mesh": 0, "translation": [0, 2, 0] }}],
        "meshes": [{{ "primitives": [{{ "attributes": {{ "POSITION": 0 }}, "indices": 1 }}] }}],
        "accessors": [
            {{ "bufferView": 0, "componentType": 5126, "count": 8, "type": "VEC3" }},
            {{ "bufferView": 1, "componentType": 5123, "count": 36, "type": "SCALAR" }}],
        "bufferViews": [
            {{ "buffer": 0, "byteLength": 96 }}, {{ "buffer": 0, "byteOffset": 96, "byteLength": 72 }}],
        "buffers": [{{ {uri}"byteLength": 168 }}] }}"#
    );
    (text, buffer)
}

fn glb() -> Vec<u8> {
    let (mut text, buffer) = gltf(None);
    while text.len() % 4 != 0 {
        text.push(' ');
    }
    let mut file = b"glTF".to_vec();
    file.extend(2_u32.to_le_bytes());
    file.extend((28 + text.len() as u32 + buffer.len() as u32).to_le_bytes());
    file.extend((text.len() as u32).to_le_bytes());
    file.extend(b"JSON");
    file.extend(text.bytes());
    file.extend((buffer.len() as u32).to_le_bytes());
    file.extend(b"BIN\0");
    file.extend(buffer);
    file
}

fn nothing(_: &str) -> Result<Vec<u8>, String> {
    Err("there is no such file".into())
}

#[test]
fn all_files_of_a_cube_say_a_cube() {
    let (text, buffer) = gltf(Some("cube.bin"));
    let beside = move |name: &str| if name == "cube.bin" { Ok(buffer.clone()) } else { nothing(name) };
    let files = [
        (1.0, 0.0, stl::read(&binary_stl())),
        (1.0, 0.0, stl::read(ascii_stl().as_bytes())),
        (1.0, 0.0, obj::read(obj().as_bytes())),
        (0.5, 1.0, gltf::read(text.as_bytes(), &beside)),
        (0.5, 1.0, gltf::read(&glb(), &nothing)),
    ];
    for (number, (side, y, corners)) in files.into_iter().enumerate() {
        let mut own = Triangles::new(corners.unwrap());
        assert_eq!((own.gap(), own.turn_outwards()), (None, Turned::None), "{number}");
        let (volume, half): (_, f64) = (own.volume(), 0.5 * side);
        assert!((volume.volume - side.powi(3)).abs() < 1e-15, "{number}");
        assert!(
            (volume.centre - Vec3::new(half, y + half, half)).norm() < 1e-15,
            "{number} {}",
            volume.centre
        );
        let exact = Mat3::from_diagonal_element(side.powi(5) / 6.0);
        assert!((volume.inertia - exact).amax() < 1e-15, "{number}");
    }
}

#[test]
fn what_is_wrong_with_a_file_is_told() {
    let said = |read: Result<Corners, FileFault>| read.unwrap_err().0;
    assert_eq!(said(stl::read(b"nothing")), "it is not an STL file");
    let cut = &binary_stl()[..500];
    assert_eq!(said(stl::read(cut)), "its header gives 12 triangles, but it has 500 bytes instead of 684");
    let bad = ascii_stl().replacen("vertex 0.0", "vertex x", 1);
    assert_eq!(said(stl::read(bad.as_bytes())), "line 4 must have three numbers after `vertex`");
    let short = ascii_stl().replacen("vertex 0.0", "edge", 1);
    assert_eq!(said(stl::read(short.as_bytes())), "it ends within a triangle");
    assert_eq!(
        said(obj::read(b"v 0 0 0\nf 1 2 3")),
        "line 2: a face must refer to points of preceding lines"
    );
    assert_eq!(said(obj::read(b"v 0 0 0\nf 1 1")), "line 2: a face must have at least three corners");
    assert_eq!(said(obj::read(b"v 0 0")), "line 1: a point must have three numbers");
    assert_eq!(said(obj::read(&[255])), "it is not text");
    assert!(said(gltf::read(b"{", &nothing)).starts_with("it is not a glTF file: "));
    let (text, _) = gltf(Some("cube.bin"));
    assert_eq!(said(gltf::read(text.as_bytes(), &nothing)), "cannot read `cube.bin`: there is no such file");
    let far = text.replace("cube.bin", "data:application/octet-stream;base64,AAAA");
    assert_eq!(
        said(gltf::read(far.as_bytes(), &nothing)),
        "its triangles cannot be read: the file is damaged"
    );
    let packed = text.replacen('{', "{ \"extensionsRequired\": [\"KHR_draco_mesh_compression\"],", 1);
    assert!(said(gltf::read(packed.as_bytes(), &nothing)).contains("KHR_draco_mesh_compression"));
}
