//! `kingpin list`: the element types that model files may use.

use crate::output::{Exit, print};
use clap::ValueEnum;
use kingpin::element::driver::DriverKind;
use kingpin::element::force::ForceKind;
use kingpin::element::joint::JointKind;
use kingpin::element::measure::MeasureKind;
use kingpin::element::road::RoadKind;
use kingpin::element::shape::ShapeKind;
use kingpin::model::list::Entry;
use std::io;

/// List the types of joints, forces and other elements
#[derive(clap::Args)]
pub struct Args {
    /// Only this section of model files
    #[arg(value_enum)]
    section: Option<Section>,
}

/// The sections of a model file whose items have a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Section {
    Joint,
    Driver,
    Force,
    Measure,
    Road,
    Shape,
}

/// A type and what it is.
type Row = (&'static str, String);

/// Runs the command.
pub fn run(args: &Args) -> io::Result<Exit> {
    let sections = Section::value_variants().iter().filter(|s| args.section.is_none_or(|only| only == **s));
    let blocks: Vec<String> = sections.map(|&section| block(section)).collect();
    print(&blocks.join("\n"))?;
    Ok(Exit::Good)
}

/// The types of one section, below its name.
fn block(section: Section) -> String {
    let name = format!("{section:?}").to_lowercase();
    let rows = rows(section);
    let width = rows.iter().map(|(tag, _)| tag.len()).max().unwrap_or(0);
    let lines: String = rows.iter().map(|(tag, doc)| format!("  {tag:<width$}  {doc}\n")).collect();
    format!("[[{name}]]\n{lines}")
}

fn rows(section: Section) -> Vec<Row> {
    match section {
        Section::Joint => of(JointKind::LIST),
        Section::Driver => of(DriverKind::LIST),
        Section::Force => of(ForceKind::LIST),
        Section::Measure => of(MeasureKind::LIST),
        Section::Road => of(RoadKind::LIST),
        Section::Shape => of(ShapeKind::LIST),
    }
}

fn of<K>(list: &[Entry<K>]) -> Vec<Row> {
    list.iter().map(|entry| (entry.tag, first_sentence((entry.doc)()))).collect()
}

/// The first sentence of a doc comment, on one line.
fn first_sentence(doc: &str) -> String {
    let words: Vec<&str> = doc.split_whitespace().collect();
    let text = words.join(" ");
    match text.find(". ") {
        Some(end) => text[..=end].into(),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_sentence_is_enough() {
        assert_eq!(
            first_sentence(" A hinge: the points\n coincide. Two equations.\n"),
            "A hinge: the points coincide."
        );
        assert_eq!(first_sentence(" A sphere\n"), "A sphere");
    }
}
