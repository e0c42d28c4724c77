//! The document under way.

use std::fmt::Write;

/// How the document begins.
pub const HEAD: &str = "# Validation

What the command computes, beside every reference value that the project knows, and beside tables and figures of the
documents it is built on. Made by `make validation` from the commands themselves; the first part is checked by the
tests, the second was measured on one machine.

The documents: *Serban 1997* (R. Serban, D. Negrut, E. J. Haug, F. A. Potra, A topology-based approach for exploiting
sparsity in multibody dynamics), *Negrut TBLS* (D. Negrut, R. Serban, F. A. Potra, the same in Cartesian coordinates
with isolation and elimination), *thesis* (D. Negrut, On the implicit integration of differential-algebraic equations
of multibody dynamics, University of Iowa, 1998). Two further documents, on structures of flexible parts, are about
what the project does not do yet.

";
/// Where the part begins that tests compare.
pub const QUICK: &str = "## Values and counts\n\n";
/// Where the part begins that depends on the machine.
pub const MEASURED: &str = "## Measured\n\nOn one machine, with times that another will not have.\n\n";

/// Text and charts.
#[derive(Debug, Default)]
pub struct Page {
    /// The text so far.
    pub text: String,
    /// Charts: name of the file, and its content.
    pub charts: Vec<(String, String)>,
}

impl Page {
    /// A heading.
    pub fn heading(&mut self, title: &str) {
        let _ = write!(self.text, "### {title}\n\n");
    }

    /// A paragraph.
    pub fn says(&mut self, words: &str) {
        let _ = write!(self.text, "{words}\n\n");
    }

    /// A table; numbers are in the columns behind the first.
    pub fn table(&mut self, columns: &[&str], rows: &[Vec<String>]) {
        let mut line = |cells: &mut dyn Iterator<Item = &str>| {
            let cells: Vec<&str> = cells.collect();
            let _ = writeln!(self.text, "| {} |", cells.join(" | "));
        };
        line(&mut columns.iter().copied());
        let rules: Vec<&str> = (0..columns.len()).map(|k| if k == 0 { "---" } else { "---:" }).collect();
        line(&mut rules.iter().copied());
        for row in rows {
            line(&mut row.iter().map(String::as_str));
        }
        self.text.push('\n');
    }

    /// A chart, in a file of its own.
    pub fn chart(&mut self, name: &str, about: &str, svg: String) {
        let _ = write!(self.text, "![{about}](validation/{name}.svg)\n\n");
        self.charts.push((format!("{name}.svg"), svg));
    }
}

/// An error: one digit and its power.
pub fn error(x: f64) -> String {
    if x == 0.0 { "0".into() } else { format!("{x:.0e}") }
}
