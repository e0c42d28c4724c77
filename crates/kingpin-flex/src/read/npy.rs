//! An array of NumPy.

use super::{Fault, ReadError};

/// An array of numbers, the last index first, or a short text.
#[derive(Clone, Debug, PartialEq)]
pub struct NpyArray {
    /// Lengths along its axes.
    pub shape: Vec<usize>,
    /// Its numbers in the order of C; none of a text.
    pub values: Vec<f64>,
    /// The text, of an array of bytes.
    pub text: Option<String>,
}

/// What is wrong with bytes, which have no lines.
pub(super) fn fault(fault: Fault) -> ReadError {
    ReadError { line: 0, fault }
}

/// The value of a key in the head, up to the next key.
fn value<'a>(head: &'a str, key: &str) -> Result<&'a str, ReadError> {
    let start = head.find(key).ok_or_else(|| fault(Fault::Wants("descr, fortran_order and shape")))?;
    let rest = &head[start + key.len()..];
    Ok(rest.trim_start_matches(['\'', '"', ':', ' ']))
}

fn number<const N: usize>(bytes: &[u8], kind: char) -> Option<f64> {
    let bytes: [u8; N] = bytes.try_into().ok()?;
    let mut wide = [0; 8];
    wide[..N].copy_from_slice(&bytes);
    // the sign of short integers goes on
    if kind == 'i' && bytes[N - 1] >= 128 {
        wide[N..].fill(255);
    }
    Some(match (kind, N) {
        ('f', 8) => f64::from_le_bytes(wide),
        ('f', _) => f64::from(f32::from_le_bytes([wide[0], wide[1], wide[2], wide[3]])),
        ('u', _) => u64::from_le_bytes(wide) as f64,
        _ => i64::from_le_bytes(wide) as f64,
    })
}

impl NpyArray {
    /// From the bytes of a `.npy`; nothing of one that has more numbers than the most.
    pub(super) fn read_within(bytes: &[u8], most: usize) -> Result<Option<NpyArray>, ReadError> {
        let short = || fault(Fault::Wants("an array of NumPy"));
        let rest = bytes.strip_prefix(b"\x93NUMPY").ok_or_else(short)?;
        let wide = rest.first().is_some_and(|&version| version > 1);
        let (length, start) = match (wide, rest) {
            (false, [_, _, a, b, ..]) => (usize::from(*a) + 256 * usize::from(*b), 4),
            (true, [_, _, a, b, c, d, ..]) => (u32::from_le_bytes([*a, *b, *c, *d]) as usize, 6),
            _ => return Err(short()),
        };
        let head = rest.get(start..start + length).ok_or_else(short)?;
        let head = std::str::from_utf8(head).map_err(|_| short())?;
        let data = &rest[start + length..];
        let list = value(head, "shape")?.trim_start_matches('(');
        let list = list.split_once(')').ok_or_else(short)?.0;
        let axes = list.split(',').map(str::trim).filter(|word| !word.is_empty());
        let shape: Vec<usize> =
            axes.map(|word| word.parse().map_err(|_| short())).collect::<Result<_, _>>()?;
        let descr: String = value(head, "descr")?.chars().take_while(|&c| c != '\'' && c != '"').collect();
        let count =
            shape.iter().try_fold(1_usize, |count, &length| count.checked_mul(length)).ok_or_else(short)?;
        let mut array = NpyArray { shape, values: Vec::new(), text: None };
        match descr.as_str() {
            text if text.starts_with("|S") => {
                array.text = Some(String::from_utf8_lossy(data).trim_end_matches('\0').to_string());
                return Ok(Some(array));
            }
            text if text.starts_with("<U") => {
                let letters = data
                    .chunks_exact(4)
                    .filter_map(|c| char::from_u32(u32::from_le_bytes([c[0], c[1], c[2], c[3]])));
                array.text = Some(letters.filter(|&c| c != '\0').collect());
                return Ok(Some(array));
            }
            _ => {}
        }
        if count > most {
            return Ok(None);
        }
        array.values = numbers(&descr, data, count)?;
        if value(head, "fortran_order")?.starts_with("True") {
            array.turn();
        }
        Ok(Some(array))
    }

    /// From the order of Fortran to that of C.
    fn turn(&mut self) {
        let old = std::mem::take(&mut self.values);
        for place in 0..old.len() {
            let (mut rest, mut from, mut stride) = (place, 0, old.len());
            for &length in self.shape.iter().rev() {
                stride /= length.max(1);
                from += rest % length * stride;
                rest /= length;
            }
            self.values.push(old[from]);
        }
    }
}

fn numbers(descr: &str, data: &[u8], count: usize) -> Result<Vec<f64>, ReadError> {
    let other = || fault(Fault::NotSupported(format!("an array of type {descr}")));
    let mut letters = descr.chars();
    let (order, kind) = (letters.next().ok_or_else(other)?, letters.next().ok_or_else(other)?);
    let width: usize = letters.as_str().parse().map_err(|_| other())?;
    let read: fn(&[u8], char) -> Option<f64> = match (order, kind, width) {
        ('<', 'f' | 'i' | 'u', 8) => number::<8>,
        ('<', 'f' | 'i' | 'u', 4) => number::<4>,
        ('<', 'i' | 'u', 2) => number::<2>,
        ('|', 'i' | 'u' | 'b', 1) => number::<1>,
        _ => return Err(other()),
    };
    let bytes = count.checked_mul(width).and_then(|length| data.get(..length));
    let bytes = bytes.ok_or_else(|| fault(Fault::Wants("as many numbers as the array has")))?;
    bytes.chunks_exact(width).map(|bytes| read(bytes, kind).ok_or_else(other)).collect()
}
