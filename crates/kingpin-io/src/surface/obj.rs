//! OBJ: points, and faces by the numbers of points. What else a file says is not needed.

use super::{Corners, FileFault, text_of};
use kingpin::model::Vec3;

/// Corners of the triangles of a file; faces with more corners are fans of triangles.
pub(super) fn read(bytes: &[u8]) -> Result<Corners, FileFault> {
    let (mut points, mut all) = (Vec::new(), Vec::new());
    for (line, text) in text_of(bytes)?.lines().enumerate() {
        let fault = |what: &str| FileFault::new(format!("line {}: {what}", line + 1));
        let mut words = text.split_ascii_whitespace();
        match words.next() {
            Some("v") => {
                let numbers: Vec<f64> = words.map_while(|word| word.parse().ok()).take(3).collect();
                let [x, y, z] = numbers[..] else { return Err(fault("a point must have three numbers")) };
                points.push(Vec3::new(x, y, z));
            }
            Some("f") => {
                let corners: Option<Vec<Vec3>> = words.map(|word| corner(word, &points)).collect();
                let corners =
                    corners.ok_or_else(|| fault("a face must refer to points of preceding lines"))?;
                if corners.len() < 3 {
                    return Err(fault("a face must have at least three corners"));
                }
                all.extend((1..corners.len() - 1).map(|k| [corners[0], corners[k], corners[k + 1]]));
            }
            _ => {}
        }
    }
    Ok(all)
}

/// The point that `12/3/4` names: the twelfth, or the twelfth from the last for -12.
fn corner(word: &str, points: &[Vec3]) -> Option<Vec3> {
    let number: i64 = word.split('/').next()?.parse().ok()?;
    let at = if number > 0 { number - 1 } else { points.len() as i64 + number };
    points.get(usize::try_from(at).ok().filter(|_| number != 0)?).copied()
}
