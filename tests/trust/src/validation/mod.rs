//! `docs/validation.md`: every reference value the project knows beside what the command computes, and tables and
//! figures of the documents it is built on, printed numbers beside ours.

pub mod bump;
pub mod chart;
pub mod command;
pub mod documents;
pub mod joint_coordinates;
pub mod measured;
pub mod page;
pub mod values;

pub use command::Kingpin;
pub use page::Page;

/// The part that does not depend on the machine and takes a moment: values and counts.
pub fn quick(kingpin: &Kingpin) -> Result<String, String> {
    let mut page = Page::default();
    values::write(kingpin, &mut page)?;
    documents::write(kingpin, &mut page)?;
    joint_coordinates::counts(kingpin, &mut page)?;
    Ok(page.text)
}

/// The whole document, and the charts by name. Times may be those of another build.
pub fn whole(kingpin: &Kingpin, timed: Option<&Kingpin>) -> Result<Page, String> {
    let mut page = Page::default();
    page.text += page::HEAD;
    page.text += page::QUICK;
    page.text += &quick(kingpin)?;
    page.text += page::MEASURED;
    if timed.is_some() {
        page.says("Times were measured with an earlier build than the values above; steps and errors here are those of that build.");
    }
    let timed = timed.unwrap_or(kingpin);
    measured::write(timed, &mut page)?;
    bump::write(timed, &mut page)?;
    joint_coordinates::times(timed, &mut page)?;
    Ok(page)
}

/// The part of a document that [`quick`] makes.
pub fn quick_part(document: &str) -> &str {
    let from = document.find(page::QUICK).map_or(0, |k| k + page::QUICK.len());
    let to = document.find(page::MEASURED).unwrap_or(document.len());
    &document[from..to]
}

/// What differs between two texts: lines, and numbers in them by more than errors at round-off can explain.
pub fn differences(old: &str, new: &str) -> Vec<String> {
    let mut list = Vec::new();
    let (mut left, mut right) = (old.lines(), new.lines());
    loop {
        match (left.next(), right.next()) {
            (None, None) => return list,
            (a, b) => {
                let (a, b) = (a.unwrap_or("(nothing)"), b.unwrap_or("(nothing)"));
                if !alike(a, b) {
                    list.push(format!("- {a}\n+ {b}"));
                }
            }
        }
    }
}

/// Whether two lines say the same: cells are equal, or numbers close to each other, or errors below the one allowed.
fn alike(a: &str, b: &str) -> bool {
    let cells = |line: &str| -> Vec<String> { line.split('|').map(|cell| cell.trim().to_string()).collect() };
    let (a, b) = (cells(a), cells(b));
    a.len() == b.len()
        && a.iter().zip(&b).all(|(x, y)| {
            x == y
                || match (x.parse::<f64>(), y.parse::<f64>()) {
                    // ours, or an error: of a size that the last line of its table allows
                    (Ok(x), Ok(y)) => {
                        (x - y).abs() <= 1e-5 * x.abs().max(y.abs()) || x.abs().max(y.abs()) < 1e-5
                    }
                    _ => false,
                }
        })
}
