//! Archives of arrays of NumPy, matrices of SciPy among them.

use super::market::{MOST_EMPTY, symmetric};
use super::npy::{NpyArray, fault};
use super::{Fault, ReadError};
use crate::structure::SymmetricMatrix;
use std::collections::BTreeMap;

/// Bytes that the arrays of any archive may take, unpacked or as numbers of 64 bits.
const ROOM: usize = 64 << 20;
/// How many times their packed size arrays may take beyond that: zeros pack a thousand times, matrices hardly twenty.
const DENSEST: usize = 20;

/// Numbers of 16 and 32 bits at places of bytes.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn part(&self, start: usize, length: usize) -> Result<&[u8], ReadError> {
        let end = start.checked_add(length);
        end.and_then(|end| self.0.get(start..end))
            .ok_or_else(|| fault(Fault::Wants("more bytes of an archive")))
    }

    fn number(&self, start: usize, width: usize) -> Result<usize, ReadError> {
        let bytes = self.part(start, width)?;
        Ok(bytes.iter().rev().fold(0, |sum, &byte| sum << 8 | usize::from(byte)))
    }

    /// Where the directory begins, and how many entries it has: told at the end of the archive, before a comment.
    fn directory(&self) -> Result<(usize, usize), ReadError> {
        let most = self.0.len().saturating_sub(22);
        let found =
            (most.saturating_sub(65_536)..=most).rev().find(|&k| self.0[k..].starts_with(b"PK\x05\x06"));
        let end = found.ok_or_else(|| fault(Fault::Wants("an archive of arrays")))?;
        Ok((self.number(end + 16, 4)?, self.number(end + 10, 2)?))
    }

    /// Sizes and place of an entry: those of 64 bits stand in a field of their own.
    fn sizes(&self, entry: usize) -> Result<[usize; 3], ReadError> {
        let mut sizes =
            [self.number(entry + 24, 4)?, self.number(entry + 20, 4)?, self.number(entry + 42, 4)?];
        let (name, extra) = (self.number(entry + 28, 2)?, self.number(entry + 30, 2)?);
        let (mut at, end) = (entry + 46 + name, entry + 46 + name + extra);
        while at + 4 <= end {
            let (kind, length) = (self.number(at, 2)?, self.number(at + 2, 2)?);
            let mut field = at + 4;
            if kind == 1 {
                for size in sizes.iter_mut().filter(|size| **size == u32::MAX as usize) {
                    *size = self.number(field, 8)?;
                    field += 8;
                }
            }
            at += 4 + length;
        }
        // nothing lies beyond the end
        if sizes[1].max(sizes[2]) > self.0.len() {
            return Err(fault(Fault::Wants("more bytes of an archive")));
        }
        Ok(sizes)
    }
}

fn too_large(most: usize) -> ReadError {
    fault(Fault::NotSupported(format!(
        "an archive with more than {} MiB of such strong compression: save its arrays without compression",
        most >> 20
    )))
}

/// Reads all arrays of an archive by their names. What they take in memory is limited by the size of the archive.
pub fn npz_arrays(bytes: &[u8]) -> Result<BTreeMap<String, NpyArray>, ReadError> {
    let bytes = Bytes(bytes);
    let (mut entry, count) = bytes.directory()?;
    let mut arrays = BTreeMap::new();
    // what is packed may be a thousand times as large: the sizes that are told come first, then what the arrays take
    let most = ROOM.max(bytes.0.len().saturating_mul(DENSEST));
    let mut room = most;
    for _ in 0..count {
        let [size, packed, place] = bytes.sizes(entry)?;
        let lengths = [28, 30, 32].map(|field| bytes.number(entry + field, 2));
        let [name, extra, comment] = [lengths[0].clone()?, lengths[1].clone()?, lengths[2].clone()?];
        let text = String::from_utf8_lossy(bytes.part(entry + 46, name)?).to_string();
        let start = place + 30 + bytes.number(place + 26, 2)? + bytes.number(place + 28, 2)?;
        let own = bytes.part(start, packed)?;
        if size > room {
            return Err(too_large(most));
        }
        let plain = match bytes.number(entry + 10, 2)? {
            0 => own.to_vec(),
            8 => miniz_oxide::inflate::decompress_to_vec_with_limit(own, size)
                .map_err(|_| fault(Fault::Wants("an archive whose parts can be unpacked")))?,
            other => return Err(fault(Fault::NotSupported(format!("packing of kind {other}")))),
        };
        let name_of_array = text.strip_suffix(".npy").unwrap_or(&text);
        let array = NpyArray::read_within(&plain, room / size_of::<f64>())?;
        let array = array.ok_or_else(|| too_large(most))?;
        room -= size_of::<f64>() * array.values.len();
        arrays.insert(name_of_array.to_string(), array);
        entry += 46 + name + extra + comment;
    }
    Ok(arrays)
}

/// Reads a symmetric matrix that SciPy saved by rows, by columns or by entries.
pub fn npz_matrix(bytes: &[u8]) -> Result<SymmetricMatrix, ReadError> {
    let arrays = npz_arrays(bytes)?;
    let array = |name: &str, what: &'static str| arrays.get(name).ok_or_else(|| fault(Fault::Wants(what)));
    let indices = |name: &str, what| -> Result<Vec<usize>, ReadError> {
        Ok(array(name, what)?.values.iter().map(|&x| x as usize).collect())
    };
    let shape = indices("shape", "shape of a matrix")?;
    let [n, columns] = shape[..] else { return Err(fault(Fault::Wants("two sizes of a matrix"))) };
    if n != columns {
        return Err(fault(Fault::Wants("a square matrix")));
    }
    let values = &array("data", "data of a matrix")?.values;
    let (rows, columns) = match array("format", "format of a matrix")?.text.as_deref() {
        // a symmetric matrix is the same by rows and by columns
        Some("csr" | "csc") => {
            let (rows, starts) = (indices("indices", "indices")?, indices("indptr", "indptr")?);
            let columns = starts.windows(2).enumerate();
            let columns =
                columns.flat_map(|(j, pair)| std::iter::repeat_n(j, pair[1].saturating_sub(pair[0])));
            (rows, columns.take(values.len() + 1).collect())
        }
        Some("coo") => (indices("row", "rows")?, indices("col", "columns")?),
        _ => return Err(fault(Fault::NotSupported("a matrix that is not csr, csc or coo".into()))),
    };
    let fits =
        rows.len() == values.len() && columns.len() == values.len() && n <= MOST_EMPTY * (values.len() + 1);
    if !fits || rows.iter().chain(&columns).any(|&k| k >= n) || values.iter().any(|x| !x.is_finite()) {
        return Err(fault(Fault::Wants("entries that fit the size of the matrix")));
    }
    let entries = rows.into_iter().zip(columns).zip(values).map(|((i, j), &x)| (i, j, x));
    symmetric(n, entries.collect()).map_err(fault)
}
