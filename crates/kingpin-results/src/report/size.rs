//! How long data are in a page, without holding them as text.

use serde::Serialize;
use std::io::{self, Write};

/// Letters that a `<` takes beyond itself.
const ESCAPE: usize = 5;

/// Bytes of JSON in a page.
pub(super) fn of(value: &impl Serialize) -> usize {
    let mut counter = Counter(0);
    // counting does not fail, and plain data always have a JSON form
    let _ = serde_json::to_writer(&mut counter, value);
    counter.0
}

struct Counter(usize);

impl Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() + ESCAPE * bytes.iter().filter(|b| **b == b'<').count();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn sizes_are_those_of_the_page() {
        assert_eq!(super::of(&("ab", 1.5)), r#"["ab",1.5]"#.len());
        assert_eq!(super::of(&"a<b"), r#""a\u003cb""#.len());
    }
}
