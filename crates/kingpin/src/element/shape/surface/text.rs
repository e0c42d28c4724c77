//! Surfaces as text: counts, points and corners one after the other, little-endian, in base 64.

use super::Triangles;
use crate::model::value::Vec3;

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// A surface as text.
pub(super) fn written(own: &Triangles) -> String {
    let mut bytes = Vec::with_capacity(8 + 24 * own.points.len() + 12 * own.triangles.len());
    bytes.extend((own.points.len() as u32).to_le_bytes());
    bytes.extend((own.triangles.len() as u32).to_le_bytes());
    bytes.extend(own.points.iter().flat_map(|point| [point.x, point.y, point.z]).flat_map(f64::to_le_bytes));
    bytes.extend(own.triangles.iter().flatten().flat_map(|corner| corner.to_le_bytes()));
    encoded(&bytes)
}

/// The surface that a text says; `None` if it is none.
pub(super) fn read(text: &str) -> Option<Triangles> {
    let bytes = decoded(text)?;
    let mut rest = bytes.as_slice();
    let mut words = |count: usize| -> Option<&[u8]> {
        let (own, others) = rest.split_at_checked(count)?;
        rest = others;
        Some(own)
    };
    let number = |four: &[u8]| four.iter().rev().fold(0_u32, |sum, byte| sum << 8 | u32::from(*byte));
    let (points, triangles) = (number(words(4)?) as usize, number(words(4)?) as usize);
    let double = |eight: &[u8]| {
        f64::from_bits(eight.iter().rev().fold(0_u64, |sum, byte| sum << 8 | u64::from(*byte)))
    };
    let coordinates: Vec<f64> = words(points.checked_mul(24)?)?.chunks_exact(8).map(double).collect();
    let corners: Vec<u32> = words(triangles.checked_mul(12)?)?.chunks_exact(4).map(number).collect();
    if corners.iter().any(|corner| *corner as usize >= points) || !coordinates.iter().all(|x| x.is_finite()) {
        return None;
    }
    Some(Triangles {
        points: coordinates.chunks_exact(3).map(Vec3::from_column_slice).collect(),
        triangles: corners.chunks_exact(3).map(|three| [three[0], three[1], three[2]]).collect(),
    })
}

fn encoded(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let word =
            three.iter().fold(0_u32, |word, byte| word << 8 | u32::from(*byte)) << (8 * (3 - three.len()));
        (0..4).for_each(|k| text.push(char::from(ALPHABET[(word >> (18 - 6 * k) & 63) as usize])));
    }
    text
}

/// Bytes of a text, up to two more than were written; `None` for other signs.
fn decoded(text: &str) -> Option<Vec<u8>> {
    let mut places = [255_u8; 256];
    ALPHABET.iter().enumerate().for_each(|(k, sign)| places[usize::from(*sign)] = k as u8);
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    for four in text.as_bytes().chunks(4) {
        let mut word = 0_u32;
        for sign in four {
            let place = places[usize::from(*sign)];
            if place == 255 || four.len() < 4 {
                return None;
            }
            word = word << 6 | u32::from(place);
        }
        bytes.extend([(word >> 16) as u8, (word >> 8) as u8, word as u8]);
    }
    Some(bytes)
}
