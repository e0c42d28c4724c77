//! What several folders of results are told apart by.

use super::HEADER;
use std::path::Path;

/// Whether a path is a folder of results.
pub fn is_results(path: &Path) -> bool {
    path.join(HEADER).is_file()
}

/// Short names of folders: their last part, or all of the path where that is not their own.
pub fn labels<'a>(dirs: impl Iterator<Item = &'a Path>) -> Vec<String> {
    let dirs: Vec<&Path> = dirs.collect();
    let last = |dir: &Path| dir.file_name().map(|name| name.to_string_lossy().into_owned());
    let own = |dir: &&Path| dirs.iter().filter(|other| last(other) == last(dir)).count() == 1;
    let label = |dir: &&Path| last(dir).filter(|_| own(dir)).unwrap_or_else(|| dir.display().to_string());
    dirs.iter().map(label).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_short_where_they_can_be() {
        let of = |dirs: &[&str]| labels(dirs.iter().map(Path::new));
        assert_eq!(of(&["runs/a", "runs/b"]), ["a", "b"]);
        assert_eq!(of(&["one/a", "two/a", "b"]), ["one/a", "two/a", "b"]);
        assert_eq!(of(&["..", "a"]), ["..", "a"]);
    }
}
