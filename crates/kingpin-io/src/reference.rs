//! The reference page of the file format, in Markdown.

use crate::catalog::{self, ItemKind, Part, Section};
use crate::read::TOP;
use crate::suggest::listed;
use crate::write::value_text;
use kingpin::element::shape::material::MATERIALS;
use kingpin::expr::{CONSTANTS, FUNCTIONS, units};
use kingpin::model::describe::{Described, Field, Kind, Range, Spaces};
use kingpin::model::value::Value;
use kingpin::model::{Ends, Fitting, Space, Start};
use std::fmt::Write;

/// How expressions are read.
const EXPRESSIONS: &str = "\n## Expressions\n\nThe operators are `+ - * / ^`, comparisons, `&& || !`. A name directly after a \
     number or a closing parenthesis is a unit: `2 m`, `(a + b) mm`, `-5 deg`. The unit continues after \
     `*` or `/` as long as names are units, optionally with an integer exponent: `100 N/m`, `10 m/s^2`, \
     `5 N*m*s/rad`. In all other places a name is a parameter, an index, a variable or a measure: \
     `2*m`, `k*1 m`, `1/s`, `100 N/m*x`.\n\nThe meaning after a number does not depend on the names in \
     the file: with a parameter `m`, `100 N/m` is still a stiffness. A parameter, index or measure with \
     the name of a unit causes a warning. If both readings are possible, the expression is an error \
     that shows both: if the unit contains spaces (`5 N * s`), or if it is not the unit of a known \
     quantity (`2 kg*g`, `3 N/s`). Parentheses select the name: `2 kg*(g)`, `100 N/(m)`.\n";

/// What assemblies are, before and behind their fields.
const ASSEMBLIES: [&str; 2] = [
    "\n## `[[assembly]]`\n\nModel files that are used several times, each time with its own name \
         and position: a corner of a car, the leg of a robot. `include` is an array of files, as at the \
         top; `parameters = { length = \"2 m\" }` and `points = { foot = [...] }` override parameters \
         and points of these files, with expressions of those of the model. An assembly can be part of \
         a pattern: `name = \"leg{i}\"`.\n\n",
    "\nItems are called by the name of the assembly, a dot and their own name: `left.hub`. In the \
         files of an assembly, names mean its own items, parameters, points and measures first, and \
         those of the model around it else, so a corner may be joined to `chassis`. On the command \
         line, `--set left.length=2` sets a parameter of an assembly. Name, description, gravity and \
         simulation of its files count only where they are read by themselves.\n\nThe files describe \
         the assembly about an origin and axes of their own: `mirror` reflects it there, then \
         `orientation` (or `angle`) turns it and `position` moves it. All that is said in global axes \
         (`position`, `at`, `axis`, `velocity`, global markers, directions of forces, places on \
         `ground`) goes along; what is said in the axes of a body of the assembly stays. Coordinates \
         that drivers, measures and joints name (`coordinate = \"z\"`), `fixed`, roads and gravity are \
         those of the model. Places on a body outside of the assembly are given by `at1` or `at2`, for \
         its axes do not know where the assembly stands.\n\nIn a mirror image, positions and directions \
         are reflected, centres of mass, points and products of inertia in the axes of bodies change \
         sign along the mirrored axis, and bodies are turned such that these axes are right-handed \
         again. Axes of rotation are pseudo-vectors: the mirror image of a hinge turns by the same \
         angle, so that drivers, springs and stops keep their numbers, as do displacements along the \
         axis of a joint that slides. Where a joint both turns and slides (`cylindrical`, `screw`), the \
         angle keeps its sense and the displacement changes its sign; a screw becomes left-handed. In \
         planar models angles change their sense. Beams, superelements and structures cannot be \
         mirrored.\n\n## `[override]`\n\n`[override.body.chassis]` with `mass = 3` or `com.z = \"10 \
         cm\"` below changes single fields of an item of an included file or of an assembly \
         (`[override.body.left.hub]`). What it says is in the axes of the model, wherever the assembly \
         stands.\n",
];

/// A page that lists every section, kind and field of model files, with units, defaults and meaning.
pub fn reference_markdown() -> String {
    let mut page = String::from(
        "# Model files: reference\n\nNumbers are in SI units, or strings with an expression of \
             parameters, optionally with units: `\"L/2\"`, `\"12 kN/mm\"`. Vectors have two numbers in \
             planar models and three in spatial ones.\n\n## Top level\n\n",
    );
    table(&mut page, TOP.iter().map(|field| (field, field.default.to_string())));
    page.push_str(
        "\n`include` is an array of model files, relative to the file; their items come first. \
             `[parameters]` holds numbers and expressions by name. `[[pattern]]` repeats items for each \
             value of its `index` (default `i`), from `from` (default 1) to `to`; it contains lists of \
             items like the top level. Their expressions can use the index; in names and references, an \
             expression in braces such as `{i - 1}` is replaced by its value. `[[assembly]]` uses files \
             several times, see below.\n\n`[ranges]` defines the ranges of the sliders on the page of \
             `kingpin view`, such as `spring = [\"10 kN/m\", \"40 kN/m\"]`, or with a step: `cells = \
             [4, 40, 1]`. It has no other effect: `--set` and studies accept all values.\n\n`[points]` \
             holds points and vectors by name: an array of numbers and expressions, or an expression of \
             other points. All vectors can be given as expressions of points: `at = \"A + 0.5*(B - \
             A)\"`, `axis = \"B - A\"`. Components are `A.x`, `A.y`, `A.z`; vectors can be added, and \
             multiplied or divided by numbers.\n\nA function can be a table `{ t = [...], value = [...] \
             }` of its first variable, interpolated by a monotone cubic. Tables and curves accept \
             `join`: `\"monotone\"`, `\"spline\"` (a cubic spline, whose curvature is continuous), \
             `\"linear\"`, or `\"step\"` (each value is used until the next; not for curves). They \
             accept `ends`: the slopes at the first and last point, or `\"natural\"` for zero \
             curvature, and for splines also `\"not-a-knot\"` or `\"periodic\"`; by default the slopes \
             are those of the parabolas through the three outermost points, and splines are \
             not-a-knot.\n\nThe columns can be read from a file: `{ file = \"lift.csv\", t = \"time\", \
             value = \"lift.stroke\" }`, relative to the file that names it. Its first line contains \
             the names of the columns, optionally with a unit in brackets (`stroke [mm]`); cells are \
             separated by commas, semicolons or tabs, and lines that begin with `#` are ignored. By \
             default the first column is the variable, and the second of two columns the value. \
             Exported results of runs are such files.\n",
    );
    page.push_str(EXPRESSIONS);
    functions(&mut page);
    page.push_str("\nFunctions of vectors: ");
    let functions = crate::vectors::FUNCTIONS.iter().map(|(_, call, about)| format!("`{call}`, {about}"));
    let _ = writeln!(page, "{}.", functions.collect::<Vec<_>>().join("; "));
    page.push_str(ASSEMBLIES[0]);
    table(&mut page, crate::assembly::FIELDS.iter().map(|field| (field, field.default.to_string())));
    page.push_str(ASSEMBLIES[1]);
    page.push_str("\n## Materials\n\nValues of `material` of a body, with densities in kg/m^3: ");
    let materials = MATERIALS.iter().map(|material| format!("`{}` {}", material.name, material.density));
    let _ = writeln!(page, "{}.", materials.collect::<Vec<_>>().join(", "));
    page.push_str("\n## `[simulation]`\n\n");
    kind_table(&mut page, catalog::simulation());
    // writing to a string does not fail
    let _ = write!(page, "\n## Places\n\n{}\n\n", paragraphs(Ends::doc()).join("\n"));
    table(&mut page, Ends::fields().iter().map(|field| (field, String::new())));
    let _ = write!(page, "\n## Start of joints\n\n{}\n\n", paragraphs(Start::doc()).join("\n"));
    table(&mut page, Start::fields().iter().map(|field| (field, String::new())));
    let _ = write!(page, "\n## Fittings of joints\n\n{}\n\n", paragraphs(Fitting::doc()).join("\n"));
    table(&mut page, Fitting::fields().iter().map(|field| (field, String::new())));
    for section in Section::ALL {
        let _ = write!(page, "\n## `[[{}]]`\n\n{}\n", section.word(), section.doc());
        for kind in section.kinds() {
            if section.has_types() {
                let _ = write!(page, "\n### `type = \"{}\"`{}\n", kind.tag, note(kind.spaces));
            }
            let _ = write!(page, "\n{}\n\n", paragraphs(kind.doc).join("\n"));
            kind_table(&mut page, kind);
        }
    }
    page
}

/// Functions, constants and units of expressions.
fn functions(page: &mut String) {
    page.push_str("\n| function | value |\n|---|---|\n");
    for function in FUNCTIONS {
        let call = format!("{}({})", function.name, function.shown_arguments());
        let _ = writeln!(page, "| `{call}` | {} |", function.about.replace('|', "\\|"));
    }
    let constants = CONSTANTS.iter().map(|(name, value)| format!("`{name}` = {value}"));
    let _ = writeln!(page, "\nConstants: {}.", constants.collect::<Vec<_>>().join(", "));
    page.push_str("\n| unit | of | in SI units | with prefixes |\n|---|---|---|---|\n");
    for unit in units() {
        let prefixed = unit.prefixes.chars().map(|letter| format!("`{letter}{}`", unit.name));
        let prefixed = prefixed.collect::<Vec<_>>().join(", ");
        let _ = writeln!(page, "| `{}` | {} | {} | {prefixed} |", unit.name, unit.noun(), unit.factor);
    }
}

fn kind_table(page: &mut String, kind: &ItemKind) {
    let default = |field: &Field| default_text(field, kind.default_of(field.name));
    let of = |part: Part| kind.fields.iter().filter(move |(p, _)| *p == part).map(|(_, field)| field);
    let end = |field: &Field| format!("`{}`{}", field.name, note(field.spaces));
    let ends: Vec<String> = of(Part::Ends).map(end).collect();
    if !ends.is_empty() {
        let _ = write!(page, "Places: {}.\n\n", ends.join(", "));
    }
    let start: Vec<String> = of(Part::Start).map(end).collect();
    if !start.is_empty() {
        let _ = write!(page, "Start: {}.\n\n", start.join(", "));
    }
    let fitting: Vec<String> = of(Part::Fitting).map(end).collect();
    if !fitting.is_empty() {
        let _ = write!(page, "Fittings: {}.\n\n", fitting.join(", "));
    }
    if of(Part::Own).next().is_some() {
        table(page, of(Part::Own).map(|field| (field, default(field))));
    }
}

/// The space in which a default is shown.
fn space_of(field: &Field) -> Space {
    if field.spaces == Spaces::Planar { Space::Planar } else { Space::Spatial }
}

fn default_text(field: &Field, value: Option<&Value>) -> String {
    value.map_or_else(String::new, |value| value_text(field, value, space_of(field)))
}

/// The default of a field as the page shows it, or that it is required.
pub(crate) fn shown_default(field: &Field, value: Option<&Value>) -> String {
    required_or(field, &default_text(field, value))
}

fn required_or(field: &Field, default: &str) -> String {
    match default {
        _ if field.required && !field.unless.is_empty() => {
            format!("required, unless {}", listed(field.unless.split('|'), "or"))
        }
        _ if field.required => "required".into(),
        "" => String::new(),
        text => format!("`{text}`"),
    }
}

fn table<'f>(page: &mut String, fields: impl Iterator<Item = (&'f Field, String)>) {
    page.push_str("| field | holds | default | meaning |\n|---|---|---|---|\n");
    for (field, default) in fields {
        let default = required_or(field, &default);
        let (holds, meaning) = (holds(field), meaning(field));
        let cells = [format!("`{}`", field.name), holds, default, meaning];
        let cells = cells.map(|cell| cell.replace('|', "\\|"));
        let _ = writeln!(page, "| {} |", cells.join(" | "));
    }
}

/// What a field holds, with its unit.
pub(crate) fn holds(field: &Field) -> String {
    let unit = |unit: &str| match unit {
        "" | "*" => String::new(),
        unit => format!(", {unit}"),
    };
    let range = match field.range {
        Range::Any => "",
        Range::Positive => " > 0",
        Range::NonNegative => " ≥ 0",
        Range::Accuracy => " > 0, ≤ 0.1",
        Range::Share => " ≥ 0, ≤ 1",
        Range::NonZero => " ≠ 0",
    };
    let words = |words: &[&str]| words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ");
    match field.kind {
        Kind::Name => "name".into(),
        Kind::Refer(target) => format!("name of a {}", target.word()),
        Kind::Text => "text".into(),
        Kind::Flag => "`true` or `false`".into(),
        Kind::Count => "integer ≥ 1".into(),
        Kind::Number(u) => format!("number{range}{}", unit(u)),
        Kind::Vector(u) => format!("vector{range}{}", unit(u)),
        Kind::Direction => "direction".into(),
        Kind::Spin(u) => format!("number (planar) or vector{range}{}", unit(u)),
        Kind::Inertia => "number (planar), 3, 6 or 3 × 3 numbers, kg*m^2".into(),
        Kind::Orientation => {
            "`{ euler_parameters = [...] }`, `{ axis = [...], angle = ... }`, or two of `{ x, y, z }`".into()
        }
        Kind::Choice(list) => format!("one of {}", words(list)),
        Kind::Words => "words".into(),
        Kind::Choices(list) => format!("some of {}", words(list)),
        Kind::Function { unit: u, variables, measures } => {
            let of: Vec<_> = variables.iter().map(|(name, u)| format!("`{name}`{}", in_unit(u))).collect();
            let measures = if measures { " and measures" } else { "" };
            format!("function of {}{measures}{}", of.join(", "), unit(u))
        }
        Kind::Functions { .. } => "functions of `t` and measures".into(),
        Kind::Numbers(u) => format!("numbers{}", unit(u)),
        Kind::Matrix => "rows of numbers".into(),
        Kind::Curve { x, y } => format!("`{{ x = [...], y = [...] }}`, {x} and {y}"),
        Kind::Path(u) => format!("points{}", unit(u)),
        Kind::Places => "`{ name = number, ... }`".into(),
        Kind::Sets => "`{ name = [number, ...], ... }`".into(),
        Kind::Counts => "integers ≥ 1".into(),
        Kind::Section([force, both, moment]) => {
            let table = "or `{ x = [...], value = [...] }` of such";
            format!("6 or 6 × 6 numbers (planar 3 or 3 × 3), {force}, {both} and {moment}, {table}")
        }
    }
}

fn in_unit(unit: &str) -> String {
    if unit.is_empty() { String::new() } else { format!(" ({unit})") }
}

/// The documentation of a field, with where it makes sense.
pub(crate) fn meaning(field: &Field) -> String {
    format!("{}{}", paragraphs(field.doc).join(" "), note(field.spaces))
}

/// Documentation and unit of a field in a sentence or two.
pub(crate) fn prose(field: &Field) -> String {
    let unit = match field.kind {
        Kind::Number(unit) | Kind::Vector(unit) | Kind::Spin(unit) | Kind::Function { unit, .. } => unit,
        Kind::Path(unit) => unit,
        Kind::Inertia => "kg*m^2",
        _ => "",
    };
    let unit = if matches!(unit, "" | "*") { String::new() } else { format!(" [{unit}]") };
    format!("{}{unit}", meaning(field))
}

/// "", or in which models alone something makes sense.
pub(crate) fn note(spaces: Spaces) -> &'static str {
    match spaces {
        Spaces::Both => "",
        Spaces::Planar => " (planar models only)",
        Spaces::Spatial => " (spatial models only)",
    }
}

/// A doc comment as lines, without their indentation.
pub(crate) fn paragraphs(doc: &str) -> Vec<&str> {
    doc.lines().map(str::trim).filter(|line| !line.is_empty()).collect()
}

/// The first sentence of a doc comment.
pub(crate) fn first_paragraph(doc: &str) -> String {
    let text = paragraphs(doc).join(" ");
    match text.split_once(". ") {
        Some((first, _)) => format!("{first}."),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_and_field_is_listed() {
        let page = reference_markdown();
        for section in Section::ALL {
            assert!(page.contains(&format!("## `[[{}]]`", section.word())));
            for kind in section.kinds() {
                assert!(kind.tag.is_empty() || page.contains(&format!("### `type = \"{}\"`", kind.tag)));
                for (part, field) in kind.fields.iter().filter(|(part, _)| *part != Part::Name) {
                    // those of fittings are listed once, whatever stands before their names
                    let listed = page.contains(&format!("| `{}` |", field.name));
                    assert!(
                        listed || *part == Part::Fitting && page.contains(&format!("`{}`", field.name)),
                        "{}",
                        field.name
                    );
                }
            }
        }
        assert!(
            page.contains(
                "| `mass` | number > 0, kg | required, unless `point`, `density` or `material` | Mass; "
            ),
            "{page}"
        );
        assert!(page.contains("| `position` | vector, m | `[0, 0, 0]` |"));
    }

    #[test]
    fn no_rust_shows_through() {
        let page = reference_markdown();
        for word in ["Vec3", "None", "Function::", "::"] {
            assert!(!page.contains(word), "{word}");
        }
    }
}
