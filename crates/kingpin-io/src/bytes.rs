//! From bytes to text: what is read is a file that ends, and text.

use crate::load::identity;
use crate::source::MAX_FILE;
use std::io::Read;
use std::path::Path;

/// Largest file with a mesh or matrices.
const MAX_MESH: usize = 1 << 30;

/// The text of a file, or why there is none.
pub(crate) fn text_of(path: &Path) -> Result<String, String> {
    text_of_stream(file_of(path, MAX_FILE)?)
}

/// The bytes of a mesh or of matrices, or why there are none.
pub(crate) fn bytes_of(path: &Path) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let stream = file_of(path, MAX_MESH)?.take(MAX_MESH as u64);
    { stream }.read_to_end(&mut bytes).map_err(|error| reason(&error))?;
    Ok(bytes)
}

/// A file of a disk, if it is not too large.
fn file_of(path: &Path, most: usize) -> Result<std::fs::File, String> {
    let data = std::fs::metadata(path).map_err(|error| reason(&error))?;
    if !data.is_file() {
        return Err("it is not a file".into());
    }
    // such files say that they are empty, and may never end
    if ["/proc", "/sys", "/dev"].iter().any(|folder| identity(path).starts_with(folder)) {
        return Err("it is a device or a system interface, not a regular file".into());
    }
    if data.len() > most as u64 {
        return Err(too_large(most));
    }
    std::fs::File::open(path).map_err(|error| reason(&error))
}

/// The text of something that can be read once, or why there is none. It may be endless: what is too large for a
/// model file is refused.
pub fn text_of_stream(stream: impl Read) -> Result<String, String> {
    let mut bytes = Vec::new();
    stream.take(MAX_FILE as u64 + 1).read_to_end(&mut bytes).map_err(|error| reason(&error))?;
    if bytes.len() > MAX_FILE {
        return Err(too_large(MAX_FILE));
    }
    String::from_utf8(bytes).map_err(|error| not_utf8(error.as_bytes(), error.utf8_error().valid_up_to()))
}

fn too_large(most: usize) -> String {
    let kind = if most == MAX_FILE { "model" } else { "such" };
    format!("it is too large: {kind} files have up to {} MiB", most >> 20)
}

fn reason(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "there is no such file".into(),
        std::io::ErrorKind::PermissionDenied => "permission denied".into(),
        _ => error.to_string(),
    }
}

/// Where bytes cease to be text, and what they may be instead.
fn not_utf8(bytes: &[u8], at: usize) -> String {
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return "it is not UTF-8 text, but UTF-16: save it as UTF-8".into();
    }
    let before = &bytes[..at];
    let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
    let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |k| k + 1);
    // up to there it is text
    let column = String::from_utf8_lossy(&before[start..]).chars().count() + 1;
    let byte = bytes.get(at).copied().unwrap_or_default();
    format!(
        "it is not UTF-8 text: byte {at} is 0x{byte:02x}, in line {line}, column {column}; save it as UTF-8"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(bytes: &[u8]) -> String {
        text_of_stream(bytes).unwrap_err()
    }

    #[test]
    fn bytes_that_are_no_text_are_located() {
        assert_eq!(
            said(b"name = 'x'\n# \xc3\xa9\xe9\n"),
            "it is not UTF-8 text: byte 15 is 0xe9, in line 2, column 4; save it as UTF-8"
        );
        assert_eq!(
            said(b"\x80"),
            "it is not UTF-8 text: byte 0 is 0x80, in line 1, column 1; save it as UTF-8"
        );
        // cut off in the middle of a character
        assert!(
            said("a\né".as_bytes().split_last().unwrap().1).contains("byte 2 is 0xc3, in line 2, column 1")
        );
        assert_eq!(said(b"\xff\xfea\0"), "it is not UTF-8 text, but UTF-16: save it as UTF-8");
        assert_eq!(text_of_stream("é".as_bytes()).as_deref(), Ok("é"));
    }

    #[test]
    fn what_does_not_end_is_no_file() {
        for path in ["/proc/cpuinfo", "/proc/self/maps", "/dev/zero", "/sys/kernel/profiling"] {
            assert!(text_of(Path::new(path)).is_err(), "{path}");
        }
    }
}
