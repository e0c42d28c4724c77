//! The document under way.

use std::fmt::Write;

/// How the document begins.
pub const HEAD: &str = "# Validation

Computed values, compared with all reference values that the project has, and with tables and figures of the documents
it is based on. `make validation` generates this page from the output of the commands. The first part is checked by the
tests; the second part was measured on one machine.

The documents: *Serban 1997* (R. Serban, D. Negrut, E. J. Haug, F. A. Potra, A topology-based approach for exploiting
sparsity in multibody dynamics), *Negrut TBLS* (D. Negrut, R. Serban, F. A. Potra, the same in Cartesian coordinates
with isolation and elimination), *thesis* (D. Negrut, On the implicit integration of differential-algebraic equations
of multibody dynamics, University of Iowa, 1998). Two further documents treat structures of flexible parts in
sub-domains: see [structures.md](structures.md) and [masts.md](masts.md) for the comparison with them.

";
/// Where the part begins that tests compare.
pub const QUICK: &str = "## Values and counts\n\n";
/// Where the part begins that depends on the machine.
pub const MEASURED: &str =
    "## Measured\n\nMeasured on a machine shared with other programs; times on other machines differ.\n\n";

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
