//! A JSON schema of model files, for editors.

mod turned;

use crate::catalog::{self, ItemKind, Section};
use crate::read::TOP;
use crate::reference::{first_paragraph, note, prose};
use kingpin::expr::Join;
use kingpin::model::describe::{Field, Kind, Range};
use kingpin::model::value::Value;
use serde_json::{Map, Value as Json, json};
use turned::orientation;

/// JSON Schema 2020-12 of model files, from the same tables as the reader.
///
/// Numbers may be written as expressions, so a schema cannot check all that the reader checks: units, ranges of
/// computed values, lengths of vectors in planar and spatial models, and names are left to the reader.
pub fn schema() -> Json {
    let mut properties = Map::new();
    for field in &TOP {
        properties.insert(field.name.into(), with_doc(kind_schema(field), prose(field)));
    }
    properties.insert(
        "include".into(),
        json!({
            "description": "Model files to include, relative to this file; their items come before those of this \
                 file.",
            "type": "array", "items": { "type": "string" },
        }),
    );
    properties.insert(
        "parameters".into(),
        json!({
            "description": "Named numbers and expressions, which expressions can use.",
            "type": "object",
            "propertyNames": { "pattern": "^[A-Za-z_][A-Za-z0-9_]*$" },
            "additionalProperties": { "$ref": "#/$defs/number" },
        }),
    );
    properties.insert(
        "points".into(),
        json!({
            "description": "Named points and vectors, which expressions can use; their components are written \
                 `A.x`.",
            "type": "object",
            "propertyNames": { "pattern": "^[A-Za-z_][A-Za-z0-9_]*$" },
            "additionalProperties": point(),
        }),
    );
    properties.insert("ranges".into(), ranges());
    properties.insert("assembly".into(), assemblies());
    properties.insert(
        "override".into(),
        json!({
            "description": "New values of single fields of items of included files or assemblies: \
                 `[override.body.chassis]`. Components of vectors are written `com.z`.",
            "type": "object",
            "additionalProperties": { "type": "object", "additionalProperties": { "type": "object" } },
        }),
    );
    properties.extend(sections());
    properties.insert("simulation".into(), item_schema(catalog::simulation()));
    properties.insert("pattern".into(), patterns());
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Kingpin model",
        "type": "object",
        "properties": properties,
        "additionalProperties": false,
        "$defs": definitions(),
    })
}

/// Between which values parameters are moved.
fn ranges() -> Json {
    json!({
        "description": "Ranges of the sliders for parameters on the page of `kingpin view`: `[minimum, maximum]` \
             or `[minimum, maximum, step]`.",
        "type": "object",
        "propertyNames": { "pattern": "^[A-Za-z_][A-Za-z0-9_]*$" },
        "additionalProperties": {
            "type": "array", "items": { "$ref": "#/$defs/number" }, "minItems": 2, "maxItems": 3,
        },
    })
}

/// The lists of items.
fn sections() -> Map<String, Json> {
    let list = |section: Section| {
        let items = json!({ "$ref": format!("#/$defs/{}", section.word()) });
        (section.word().to_string(), json!({ "description": section.doc(), "type": "array", "items": items }))
    };
    Section::ALL.into_iter().map(list).collect()
}

fn patterns() -> Json {
    json!({
        "description": "Items that are repeated for each value of an index.",
        "type": "array", "items": { "$ref": "#/$defs/pattern" },
    })
}

fn assemblies() -> Json {
    json!({
        "description": "Model files that are used several times, each time with a name, a position and parameter \
             values.",
        "type": "array", "items": { "$ref": "#/$defs/assembly" },
    })
}

/// A point: its numbers, or an expression of points.
fn point() -> Json {
    json!({ "anyOf": [
        { "type": "array", "items": { "$ref": "#/$defs/number" }, "minItems": 2, "maxItems": 3 },
        { "type": "string" },
    ] })
}

/// An assembly.
fn assembly_schema() -> Json {
    let mut properties = Map::new();
    for field in &crate::assembly::FIELDS {
        properties.insert(field.name.into(), with_doc(kind_schema(field), prose(field)));
    }
    properties.insert(
        "include".into(),
        json!({
            "description": "Its model files, relative to this file.",
            "type": "array", "items": { "type": "string" },
        }),
    );
    properties.insert(
        "parameters".into(),
        json!({
            "description": "Values of parameters of these files.",
            "type": "object", "additionalProperties": { "$ref": "#/$defs/number" },
        }),
    );
    properties.insert(
        "points".into(),
        json!({
            "description": "Values of points of these files.",
            "type": "object", "additionalProperties": point(),
        }),
    );
    json!({
        "type": "object", "properties": properties, "required": ["name", "include"],
        "additionalProperties": false,
    })
}

/// What is referred to from several places.
fn definitions() -> Json {
    let mut all = Map::new();
    all.insert(
        "number".into(),
        json!({
            "description": "A number in SI units, or an expression of parameters, optionally with units.",
            "type": ["number", "string"],
        }),
    );
    all.insert("numbers".into(), json!({ "type": "array", "items": { "$ref": "#/$defs/number" } }));
    all.insert("orientation".into(), orientation());
    for key in TABLE_PARTS {
        all.insert(key.into(), table_part(key));
    }
    all.insert("curve".into(), columns("x", "y"));
    all.insert("table".into(), columns("t", "value"));
    for section in Section::ALL {
        all.insert(section.word().into(), section_schema(section));
    }
    let mut inside = sections();
    inside.insert(
        "index".into(),
        json!({ "type": "string", "description": "Name of the index.", "default": "i" }),
    );
    inside.insert(
        "from".into(),
        json!({ "$ref": "#/$defs/number", "description": "First value.", "default": 1 }),
    );
    inside.insert("to".into(), json!({ "$ref": "#/$defs/number", "description": "Last value." }));
    inside.insert("pattern".into(), patterns());
    inside.insert("assembly".into(), assemblies());
    all.insert("assembly".into(), assembly_schema());
    all.insert(
        "pattern".into(),
        json!({
            "type": "object", "properties": inside, "required": ["to"], "additionalProperties": false,
        }),
    );
    Json::Object(all)
}

/// The items of a section: told apart by their type.
fn section_schema(section: Section) -> Json {
    match section.kinds() {
        [only] if !section.has_types() => item_schema(only),
        kinds => json!({ "oneOf": kinds.iter().map(item_schema).collect::<Vec<_>>() }),
    }
}

fn item_schema(kind: &ItemKind) -> Json {
    let mut properties = Map::new();
    let mut required = Vec::new();
    if !kind.tag.is_empty() {
        properties
            .insert("type".into(), json!({ "const": kind.tag, "description": first_paragraph(kind.doc) }));
        required.push("type");
    }
    for (_, field) in &kind.fields {
        let own = if field.name == "atol" { by_kind(kind_schema(field)) } else { kind_schema(field) };
        let mut schema = with_doc(own, prose(field));
        if let (Some(default), Json::Object(schema)) = (default_json(kind, field), &mut schema) {
            schema.insert("default".into(), default);
        }
        properties.insert(field.name.into(), schema);
        if field.required && field.unless.is_empty() {
            required.push(field.name);
        }
    }
    for name in kind.tables() {
        let fields = kind.table(name).into_iter();
        let inner: Map<String, Json> =
            fields.map(|(key, field)| (key.into(), with_doc(kind_schema(field), prose(field)))).collect();
        let doc = format!("The fields whose names begin with `{name}_`, as a table.");
        let table = json!({ "type": "object", "properties": inner, "additionalProperties": false });
        properties.insert(name.into(), with_doc(table, doc));
    }
    let mut schema = json!({
        "description": format!("{}{}", prose_of(kind), note(kind.spaces)),
        "type": "object", "properties": properties, "additionalProperties": false,
    });
    if let (false, Json::Object(schema)) = (required.is_empty(), &mut schema) {
        schema.insert("required".into(), json!(required));
    }
    let spared = || kind.fields.iter().map(|(_, field)| field).filter(|field| !field.unless.is_empty());
    if let (Some(first), Json::Object(schema)) = (spared().next(), &mut schema) {
        // one flag spares all of them
        let names = spared().map(|field| field.name).collect::<Vec<_>>();
        let spares = |key: &str| {
            let flag = kind.fields.iter().any(|(_, field)| field.name == key && field.kind == Kind::Flag);
            match flag {
                true => json!({ "properties": { key: { "const": true } }, "required": [key] }),
                false => json!({ "required": [key] }),
            }
        };
        schema
            .insert("if".into(), json!({ "anyOf": first.unless.split('|').map(spares).collect::<Vec<_>>() }));
        schema.insert("else".into(), json!({ "required": names }));
    }
    schema
}

/// One number, or one for each kind of error.
fn by_kind(one: Json) -> Json {
    let names = ["position", "angle", "velocity", "angular_velocity"];
    let properties: Map<String, Json> = names.into_iter().map(|name| (name.into(), one.clone())).collect();
    json!({ "anyOf": [one, { "type": "object", "properties": properties, "additionalProperties": false }] })
}

fn prose_of(kind: &ItemKind) -> String {
    crate::reference::paragraphs(kind.doc).join(" ")
}

fn with_doc(mut schema: Json, doc: String) -> Json {
    if let Json::Object(schema) = &mut schema {
        schema.insert("description".into(), doc.into());
    }
    schema
}

/// Defaults that JSON can say.
fn default_json(kind: &ItemKind, field: &Field) -> Option<Json> {
    Some(match kind.default_of(field.name)? {
        Value::Number(x) => json!(x),
        Value::Flag(flag) => json!(flag),
        Value::Count(n) => json!(n),
        Value::Text(text) => json!(text),
        Value::Texts(texts) => json!(texts),
        _ => return None,
    })
}

/// What a field holds.
fn kind_schema(field: &Field) -> Json {
    let number = || number_schema(field.range);
    let array = || json!({ "type": "array", "items": number(), "minItems": 2, "maxItems": 3 });
    let vector = || json!({ "anyOf": [array(), { "type": "string", "minLength": 1 }] });
    match field.kind {
        Kind::Name | Kind::Refer(_) => json!({ "type": "string", "minLength": 1 }),
        Kind::Text => json!({ "type": "string" }),
        Kind::Flag => json!({ "type": "boolean" }),
        Kind::Count => json!({ "type": ["integer", "string"], "minimum": 1 }),
        Kind::Number(_) => number(),
        Kind::Vector(_) | Kind::Direction => vector(),
        Kind::Spin(_) => json!({ "anyOf": [number(), array(), { "type": "string", "minLength": 1 }] }),
        Kind::Inertia => json!({ "anyOf": [
            { "$ref": "#/$defs/number" },
            { "type": "array", "items": { "$ref": "#/$defs/number" }, "minItems": 3, "maxItems": 3 },
            { "type": "array", "items": { "$ref": "#/$defs/number" }, "minItems": 6, "maxItems": 6 },
            { "type": "array", "minItems": 3, "maxItems": 3, "items":
                { "type": "array", "items": { "$ref": "#/$defs/number" }, "minItems": 3, "maxItems": 3 } },
        ] }),
        Kind::Orientation => json!({ "$ref": "#/$defs/orientation" }),
        Kind::Choice(words) => json!({ "enum": words }),
        Kind::Words => json!({ "type": "array", "items": { "type": "string" } }),
        Kind::Choices(words) => json!({ "type": "array", "items": { "enum": words } }),
        Kind::Function { variables, .. } => {
            let first = variables.first().map_or("t", |(name, _)| name);
            json!({ "anyOf": [{ "$ref": "#/$defs/number" }, function_table(first)] })
        }
        Kind::Functions { variables, .. } => {
            let first = variables.first().map_or("t", |(name, _)| name);
            let one = json!({ "anyOf": [{ "$ref": "#/$defs/number" }, function_table(first)] });
            json!({ "type": "array", "items": one })
        }
        Kind::Numbers(_) => json!({ "type": "array", "items": number() }),
        Kind::Matrix => json!({ "type": "array", "items": { "type": "array", "items": number() } }),
        Kind::Curve { .. } => json!({ "$ref": "#/$defs/curve" }),
        Kind::Path(_) => json!({ "type": "array", "items": vector(), "minItems": 2 }),
        Kind::Places => json!({ "type": "object", "additionalProperties": number() }),
        Kind::Counts => json!({ "type": "array", "items": { "type": "integer", "minimum": 1 } }),
        Kind::Sets => {
            let set = json!({ "type": "array", "items": { "type": "integer", "minimum": 1 } });
            json!({ "type": "object", "additionalProperties": set })
        }
        Kind::Section(_) => {
            let row = json!({ "type": "array", "items": number(), "minItems": 3, "maxItems": 6 });
            let matrix =
                json!({ "anyOf": [row, { "type": "array", "items": row, "minItems": 3, "maxItems": 6 }] });
            json!({ "anyOf": [matrix, stations(&matrix)] })
        }
    }
}

/// A table of matrices at stations.
fn stations(matrix: &Json) -> Json {
    json!({
        "type": "object", "properties": {
            "x": { "$ref": "#/$defs/numbers" },
            "value": { "type": "array", "items": matrix, "minItems": 2 },
        }, "required": ["x", "value"],
        "additionalProperties": false,
    })
}

fn number_schema(range: Range) -> Json {
    match range {
        Range::Any => json!({ "$ref": "#/$defs/number" }),
        Range::Positive => json!({ "type": ["number", "string"], "exclusiveMinimum": 0 }),
        Range::NonNegative => json!({ "type": ["number", "string"], "minimum": 0 }),
        Range::Accuracy => json!({ "type": ["number", "string"], "exclusiveMinimum": 0, "maximum": 0.1 }),
        Range::Share => json!({ "type": ["number", "string"], "minimum": 0, "maximum": 1 }),
        Range::NonZero => json!({ "type": ["number", "string"], "not": { "const": 0 } }),
    }
}

/// Parts of tables that stand apart.
const TABLE_PARTS: [&str; 3] = ["column", "join", "ends"];

fn table_part(key: &str) -> Json {
    let joins: Vec<&str> = Join::NAMES.iter().map(|(name, _)| *name).collect();
    match key {
        "column" => json!({ "anyOf": [{ "$ref": "#/$defs/numbers" }, { "type": "string" }] }),
        "join" => json!({ "enum": joins }),
        _ => json!({ "anyOf": [
            { "enum": ["natural", "not-a-knot", "periodic"] },
            { "type": "array", "items": { "$ref": "#/$defs/number" }, "minItems": 2, "maxItems": 2 },
        ] }),
    }
}

fn columns(x: &str, y: &str) -> Json {
    let part = |key: &str| json!({ "$ref": format!("#/$defs/{key}") });
    json!({
        "type": "object", "properties": {
            x: part("column"), y: part("column"), "file": { "type": "string" },
            "join": part("join"), "ends": part("ends"),
        }, "anyOf": [{ "required": [x, y] }, { "required": ["file"] }],
        "additionalProperties": false,
    })
}

/// A table of functions of some variable.
fn function_table(variable: &str) -> Json {
    if variable == "t" { json!({ "$ref": "#/$defs/table" }) } else { columns(variable, "value") }
}
