//! `kingpin list`: elements, methods, solvers and so on, one line each.

use crate::examples;
use crate::output::{Exit, print};
use clap::ValueEnum;
use kingpin::accel;
use kingpin::dynamics::Method;
use kingpin::element::driver::DriverKind;
use kingpin::element::force::ForceKind;
use kingpin::element::joint::JointKind;
use kingpin::element::measure::MeasureKind;
use kingpin::element::road::RoadKind;
use kingpin::element::shape::ShapeKind;
use kingpin::element::shape::material::{MATERIALS, Material};
use kingpin::expr::{CONSTANTS, FUNCTIONS, ListedUnit, units};
use kingpin::model::ControllerKind;
use kingpin::model::list::ElementEntry;
use serde_json::{Map, Value, json};
use std::io;

/// List elements, methods, solvers, functions, units, materials and examples
#[derive(clap::Args)]
pub struct Args {
    /// Section to list [default: all]
    #[arg(value_enum)]
    section: Option<Section>,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
    /// Print Markdown tables instead of text
    #[arg(long, conflicts_with = "json")]
    markdown: bool,
}

/// What there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Section {
    /// Shipped models, for `kingpin new NAME --from EXAMPLE`
    #[value(alias = "example")]
    Examples,
    /// Types of `[[joint]]`
    #[value(alias = "joint")]
    Joints,
    /// Types of `[[driver]]`
    #[value(alias = "driver")]
    Drivers,
    /// Types of `[[force]]`
    #[value(alias = "force")]
    Forces,
    /// Types of `[[measure]]`
    #[value(alias = "measure")]
    Measures,
    /// Types of `[[controller]]`
    #[value(alias = "controller")]
    Controllers,
    /// Types of `[[road]]`
    #[value(alias = "road")]
    Roads,
    /// Types of `[[shape]]`
    #[value(alias = "shape")]
    Shapes,
    /// Integration methods, for `kingpin run --method`
    #[value(alias = "method")]
    Methods,
    /// Solvers for accelerations, for `--solver`
    #[value(alias = "solver")]
    Solvers,
    /// Functions and constants in expressions
    #[value(alias = "function")]
    Functions,
    /// Units in expressions
    #[value(alias = "unit")]
    Units,
    /// Materials of bodies
    #[value(alias = "material")]
    Materials,
}

/// A name and what it is.
type Row = (&'static str, String);

/// Runs the command.
pub fn run(args: &Args) -> io::Result<Exit> {
    let sections = Section::value_variants().iter().filter(|s| args.section.is_none_or(|only| only == **s));
    if args.json {
        let all: Map<String, Value> = sections.map(|&section| (name(section), listed(section))).collect();
        print(&format!("{:#}\n", Value::Object(all)))?;
    } else {
        let print_as = if args.markdown { table } else { block };
        let blocks: Vec<String> = sections.map(|&section| print_as(section)).collect();
        print(&blocks.join("\n"))?;
    }
    Ok(Exit::Good)
}

fn name(section: Section) -> String {
    format!("{section:?}").to_lowercase()
}

fn listed(section: Section) -> Value {
    rows(section).iter().map(|(name, about)| json!({ "name": name, "about": about })).collect()
}

/// The lines of one section, below its name.
fn block(section: Section) -> String {
    let use_of = match section {
        Section::Examples => "kingpin new NAME --from EXAMPLE",
        Section::Joints => "[[joint]]",
        Section::Drivers => "[[driver]]",
        Section::Forces => "[[force]]",
        Section::Measures => "[[measure]]",
        Section::Controllers => "[[controller]]",
        Section::Roads => "[[road]]",
        Section::Shapes => "[[shape]]",
        Section::Methods => "kingpin run MODEL --method NAME",
        Section::Solvers => "kingpin run MODEL --solver NAME",
        Section::Functions => "\"sin(2*pi*t)\"",
        Section::Units => "\"12 kN/mm\"",
        Section::Materials => "[[body]]",
    };
    let rows = rows(section);
    let width = rows.iter().map(|(tag, _)| tag.len()).max().unwrap_or(0);
    let mut text = format!("{}: {use_of}\n", name(section));
    let mut compares = false;
    for (tag, doc) in &rows {
        // the methods for comparison come last, below a heading of their own
        if section == Section::Methods && is_for_comparison(tag) && !compares {
            compares = true;
            text += COMPARISON;
        }
        text += &format!("  {tag:<width$}  {doc}\n");
    }
    text
}

/// The heading above the methods for comparison.
const COMPARISON: &str = "for comparison (methods of the literature and of other programs):\n";

fn is_for_comparison(method: &str) -> bool {
    Method::named(method).is_some_and(Method::is_for_comparison)
}

/// One section as a table of a page: methods are compared, all others have a name and what they are.
fn table(section: Section) -> String {
    if section == Section::Methods {
        let row = |method: Method| {
            let [order, kind, suits] = method.compared();
            format!("| `{}` | {order} | {kind} | {suits} |\n", method.name())
        };
        let table = |compared: bool| {
            let methods = Method::ALL.into_iter().filter(|method| method.is_for_comparison() == compared);
            format!(
                "| method | order | kind | good for |\n|---|---|---|---|\n{}",
                methods.map(row).collect::<String>()
            )
        };
        return format!(
            "{}\nFor comparison, methods of the literature and of other programs:\n\n{}",
            table(false),
            table(true)
        );
    }
    let rows: String = rows(section).iter().map(|(tag, about)| format!("| `{tag}` | {about} |\n")).collect();
    format!("| {} | |\n|---|---|\n{rows}", name(section))
}

/// Names of all types, methods, solvers and functions.
pub fn names() -> Vec<&'static str> {
    use Section::{
        Controllers, Drivers, Forces, Functions, Joints, Measures, Methods, Roads, Shapes, Solvers,
    };
    let sections =
        [Joints, Drivers, Forces, Measures, Controllers, Roads, Shapes, Methods, Solvers, Functions];
    sections.into_iter().flat_map(rows).map(|(name, _)| name).collect()
}

fn rows(section: Section) -> Vec<Row> {
    match section {
        Section::Examples => examples::ALL.iter().map(|example| (example.name, example.about())).collect(),
        Section::Joints => of(JointKind::LIST),
        Section::Drivers => of(DriverKind::LIST),
        Section::Forces => of(ForceKind::LIST),
        Section::Measures => of(MeasureKind::LIST),
        Section::Controllers => of(ControllerKind::LIST),
        Section::Roads => of(RoadKind::LIST),
        Section::Shapes => of(ShapeKind::LIST),
        Section::Methods => Method::ALL.map(|method| (method.name(), method.about().into())).into(),
        Section::Solvers => {
            accel::Solver::choices().map(|method| (method.name(), method.about().into())).collect()
        }
        Section::Functions => {
            let functions = FUNCTIONS.iter().map(|function| {
                (
                    function.name,
                    format!("{}({}): {}", function.name, function.shown_arguments(), function.about),
                )
            });
            let vectors = kingpin_io::VECTOR_FUNCTIONS.iter();
            let vectors = vectors.map(|(name, call, about)| (*name, format!("{call}: {about}")));
            let constants = CONSTANTS.iter().map(|(name, value)| (*name, format!("the number {value}")));
            functions.chain(vectors).chain(constants).collect()
        }
        Section::Units => units().map(|unit| (unit.name, about_unit(&unit))).collect(),
        Section::Materials => {
            MATERIALS.iter().map(|material| (material.name, about_material(material))).collect()
        }
    }
}

fn of<K>(list: &[ElementEntry<K>]) -> Vec<Row> {
    list.iter().map(|entry| (entry.tag, first_sentence((entry.doc)()))).collect()
}

fn about_unit(unit: &ListedUnit) -> String {
    let prefixes: Vec<String> =
        unit.prefixes.chars().map(|letter| format!("{letter}{}", unit.name)).collect();
    let also = if prefixes.is_empty() { String::new() } else { format!("; also {}", prefixes.join(", ")) };
    format!("{}, {}{also}", unit.noun(), unit.factor)
}

fn about_material(material: &Material) -> String {
    let about = if material.about.is_empty() { String::new() } else { format!(", {}", material.about) };
    format!("{} kg/m^3{about}", material.density)
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
