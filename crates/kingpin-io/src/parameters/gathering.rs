//! Parameters and points as files define them.

use super::*;

/// What files define.
pub(super) struct Gathered {
    pub definitions: Vec<Definition>,
    /// Names of points, those from outside too.
    pub points: Vec<String>,
}

/// The table of a file called `parameters`, `points` or `ranges`.
pub(super) fn table_of<'d>(content: &'d Document, key: &str, report: &mut Report) -> &'d [Entry] {
    match content.tree.get(key).map(|node| (&node.data, node.span)) {
        Some((Data::Table(table), _)) => &table.entries,
        Some((other, span)) => {
            let place = Location { file: content.file, span };
            let message = format!("`{key}` must be a table, not {}", other.noun());
            report.push(Diagnostic::error(place, message).hint(format!("write `[{key}]`")));
            &[]
        }
        None => &[],
    }
}

/// The definitions of all files; a file may define anew what its includes define.
pub(super) fn gather(
    documents: &[Document],
    space: Space,
    outside: &[&str],
    report: &mut Report,
) -> Gathered {
    let mut definitions: Vec<Definition> = Vec::new();
    let mut index: HashMap<String, usize> = HashMap::new();
    let mut points: Vec<String> = outside.iter().map(|name| name.to_string()).collect();
    for content in documents {
        let own = content.tree.get("points").map(|node| &node.data);
        let Some(Data::Table(table)) = own else { continue };
        points.extend(table.entries.iter().map(|entry| entry.key.clone()));
    }
    let is_point = |name: &str| points.iter().any(|point| point == name);
    let vectors = Vectors { space, is_point: &is_point };
    for (document, content) in documents.iter().enumerate() {
        let mut found = Vec::new();
        for entry in table_of(content, "parameters", report) {
            found.extend(definition(entry, content.file, document, &vectors, report));
        }
        for entry in table_of(content, "points", report) {
            found.extend(point(entry, content.file, document, &vectors, report));
        }
        for new in found {
            match index.get(&new.name) {
                None => {
                    index.insert(new.name.clone(), definitions.len());
                    definitions.push(new);
                }
                // the file it was defined in is included here: ours wins
                Some(&k) if definitions[k].document >= content.first => definitions[k] = new,
                Some(&k) => {
                    // of a point the first component says it
                    let (name, what) = match new.name.split_once('.') {
                        Some((point, "x")) => (point, "point"),
                        Some(_) => continue,
                        None => (new.name.as_str(), "parameter"),
                    };
                    let message = format!("the {what} `{name}` is defined in two files");
                    let first = definitions[k].key;
                    report.push(Diagnostic::error(new.key, message).related(first, "first defined here"));
                }
            }
        }
    }
    for (name, place) in definitions.iter().filter_map(|d| Some((d.name.strip_suffix(".x")?, d.key))) {
        if let Some(&k) = index.get(name) {
            let message = format!("`{name}` is a parameter and a point");
            report.push(Diagnostic::error(place, message).related(definitions[k].key, "the parameter"));
        }
    }
    Gathered { definitions, points }
}

/// The components of a point; nothing after a report.
fn point(
    entry: &Entry,
    file: u32,
    document: usize,
    vectors: &Vectors<'_>,
    report: &mut Report,
) -> Vec<Definition> {
    let axes = components(vectors.space);
    let at = |span: Span| Location { file, span };
    let (key, place) = (at(entry.key_span), at(entry.value.span));
    if !is_identifier(&entry.key) || entry.key.contains('.') {
        let message = format!("`{}` cannot be the name of a point", entry.key.escape_debug());
        let hint = "names consist of letters, digits and `_` and start with a letter";
        report.push(Diagnostic::error(key, message).hint(hint));
        return Vec::new();
    }
    let broken = |report: &mut Report, place: Location, message: String| {
        report.push(Diagnostic::error(place, message));
        // known all the same, so that nothing else is said
        let def = || ParamDef::Number(f64::NAN);
        axes.iter().map(|axis| (axis, def(), place, false, true)).collect::<Vec<_>>()
    };
    let found: Vec<(&&str, ParamDef, Location, bool, bool)> = match &entry.value.data {
        Data::Array(items) if items.len() == axes.len() => {
            let number = |(axis, item)| {
                let item: &Node = item;
                match &item.data {
                    Data::Text(text) => match scalar(text, vectors) {
                        Ok(Some(made)) => (axis, ParamDef::Text(made), at(item.span), true, false),
                        Ok(None) => (axis, ParamDef::Text(text.clone()), at(item.span), false, false),
                        Err((_, why)) => {
                            report.push(Diagnostic::error(at(item.span), why));
                            (axis, ParamDef::Number(f64::NAN), at(item.span), false, true)
                        }
                    },
                    data => {
                        let value = data.number();
                        if value.is_none() {
                            let message = format!(
                                "a component of a point must be a number or an expression, not {}",
                                data.noun()
                            );
                            report.push(Diagnostic::error(at(item.span), message));
                        }
                        let def = ParamDef::Number(value.unwrap_or(f64::NAN));
                        (axis, def, at(item.span), false, value.is_none())
                    }
                }
            };
            axes.iter().zip(items).map(number).collect()
        }
        Data::Array(items) => {
            let message =
                format!("a point has {} numbers in this model, but {} are given", axes.len(), items.len());
            broken(report, place, message)
        }
        Data::Text(text) => match vectors.read(text) {
            Ok(Term::Vector(own)) => axes
                .iter()
                .zip(own)
                .map(|(axis, own)| (axis, ParamDef::Text(own), place, true, false))
                .collect(),
            Ok(Term::Scalar(_)) => {
                let message =
                    "a point must be an array of numbers or an expression of points, but this is a number";
                broken(report, place, message.into())
            }
            Err((_, why)) => broken(report, place, why),
        },
        other => {
            let message = format!("a point must be an array or an expression, not {}", other.noun());
            broken(report, place, message)
        }
    };
    let whole = |(axis, def, place, made, broken): (&&str, ParamDef, Location, bool, bool)| {
        let quoted = matches!(def, ParamDef::Text(_)) && !made;
        Definition { name: format!("{}.{axis}", entry.key), def, place, key, document, quoted, made, broken }
    };
    found.into_iter().map(whole).collect()
}

/// A text in numbers alone, if there are points or functions of vectors in it.
fn scalar(text: &str, vectors: &Vectors<'_>) -> Result<Option<String>, VectorFault> {
    if !vectors.concern(text) {
        return Ok(None);
    }
    match vectors.read(text)? {
        Term::Scalar(made) => Ok(Some(made)),
        Term::Vector(_) => Err((0..text.len(), "a vector is given where a number is needed".into())),
    }
}

/// Warnings about parameters that have the name of a unit.
pub(super) fn warn_of_units(definitions: &[Definition], report: &mut Report) {
    let taken = |name: &str| definitions.iter().any(|definition| definition.name == name);
    for definition in definitions {
        if let Some((message, hint)) =
            unit_name("parameter", &definition.name, |name| other_name(name, taken))
        {
            report.push(Diagnostic::warning("name-of-a-unit", definition.key, message).hint(hint));
        }
        if ["pi", "tau"].contains(&definition.name.as_str()) {
            let message = format!("the parameter `{0}` hides the constant `{0}`", definition.name);
            report.push(Diagnostic::warning("hidden-constant", definition.key, message));
        }
    }
}

/// A definition in a file; `None` after a report if its name is no name.
fn definition(
    entry: &Entry,
    file: u32,
    document: usize,
    vectors: &Vectors<'_>,
    report: &mut Report,
) -> Option<Definition> {
    let key = Location { file, span: entry.key_span };
    let place = Location { file, span: entry.value.span };
    if !is_identifier(&entry.key) || entry.key.contains('.') {
        let message = format!("`{}` cannot be the name of a parameter", entry.key.escape_debug());
        let hint = "names consist of letters, digits and `_` and start with a letter";
        report.push(Diagnostic::error(key, message).hint(hint));
        return None;
    }
    let (def, quoted) = match &entry.value.data {
        Data::Text(text) => (ParamDef::Text(text.clone()), true),
        data => (ParamDef::Number(data.number().unwrap_or(f64::NAN)), false),
    };
    let broken = !quoted && entry.value.data.number().is_none();
    if broken {
        let found = entry.value.data.noun();
        let message = format!("a parameter must be a number or an expression, not {found}");
        report.push(Diagnostic::error(place, message));
    }
    let mut new =
        Definition { name: entry.key.clone(), def, place, key, document, quoted, made: false, broken };
    if let ParamDef::Text(text) = &new.def {
        match scalar(text, vectors) {
            Ok(Some(made)) => (new.def, new.quoted, new.made) = (ParamDef::Text(made), false, true),
            Ok(None) => {}
            Err((_, why)) => {
                report.push(Diagnostic::error(place, why));
                (new.def, new.broken) = (ParamDef::Number(f64::NAN), true);
            }
        }
    }
    Some(new)
}
