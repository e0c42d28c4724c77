//! STL: triangles by their corners, binary or as text.

use super::{Corners, FileFault, text_of};
use kingpin::model::Vec3;

/// Bytes before the triangles of a binary file, and of each triangle.
const HEAD: usize = 84;
const EACH: usize = 50;

/// Corners of the triangles of a file.
pub(super) fn read(bytes: &[u8]) -> Result<Corners, FileFault> {
    let count = bytes
        .get(80..HEAD)
        .map(|four| four.iter().rev().fold(0_usize, |n, byte| n << 8 | usize::from(*byte)));
    let text = bytes.trim_ascii_start().starts_with(b"solid");
    match count {
        Some(count) if bytes.len() == HEAD + EACH * count => Ok(binary(&bytes[HEAD..])),
        _ if text => ascii(text_of(bytes)?),
        Some(count) => {
            let message = format!(
                "its header gives {count} triangles, but it has {} bytes instead of {}",
                bytes.len(),
                HEAD + EACH * count
            );
            Err(FileFault::new(message).hint("the file may have been cut off; save it again"))
        }
        None => Err(FileFault::new("it is not an STL file")),
    }
}

fn binary(bytes: &[u8]) -> Corners {
    let number = |four: &[u8]| {
        let bits = four.iter().rev().fold(0_u32, |n, byte| n << 8 | u32::from(*byte));
        f64::from(f32::from_bits(bits))
    };
    let corner = |own: &[u8]| Vec3::from_iterator(own.chunks_exact(4).map(number));
    // the normal comes first, two bytes that mean nothing last
    let triangle = |own: &[u8]| [&own[12..24], &own[24..36], &own[36..48]].map(corner);
    bytes.chunks_exact(EACH).map(triangle).collect()
}

fn ascii(text: &str) -> Result<Corners, FileFault> {
    let mut corners = Vec::new();
    for (line, words) in text.lines().enumerate() {
        let mut words = words.split_ascii_whitespace();
        if words.next() != Some("vertex") {
            continue;
        }
        let numbers: Vec<f64> = words.map_while(|word| word.parse().ok()).collect();
        let [x, y, z] = numbers[..] else {
            let line = line + 1;
            return Err(FileFault::new(format!("line {line} must have three numbers after `vertex`")));
        };
        corners.push(Vec3::new(x, y, z));
    }
    if corners.len() % 3 != 0 {
        return Err(
            FileFault::new("it ends within a triangle").hint("the file may have been cut off; save it again")
        );
    }
    Ok(corners.chunks_exact(3).map(|three| [three[0], three[1], three[2]]).collect())
}
