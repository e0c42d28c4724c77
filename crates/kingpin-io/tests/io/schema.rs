//! The schema accepts good model files and refuses what a schema can refuse.

use serde_json::{Map, Value as Json, json};
use std::path::Path;
use toml::de::{DeTable, DeValue};

/// Whether `value` fits `schema`: the part of JSON Schema that the schema uses.
fn fits(value: &Json, schema: &Json, root: &Json) -> bool {
    let Json::Object(schema) = schema else { return schema != &json!(false) };
    schema.iter().all(|(key, rule)| keyword(value, key, rule, schema, root))
}

fn keyword(value: &Json, key: &str, rule: &Json, schema: &Map<String, Json>, root: &Json) -> bool {
    let among = |rule: &Json| rule.as_array().unwrap().iter().filter(|s| fits(value, s, root)).count();
    let number = |rule: &Json| rule.as_f64().unwrap();
    match key {
        "$ref" => {
            let path = rule.as_str().unwrap().strip_prefix('#').unwrap();
            fits(value, root.pointer(path).unwrap_or_else(|| panic!("no {path}")), root)
        }
        "type" => match rule {
            Json::Array(types) => types.iter().any(|t| is_type(value, t.as_str().unwrap())),
            one => is_type(value, one.as_str().unwrap()),
        },
        "const" => value == rule,
        "enum" => rule.as_array().unwrap().contains(value),
        "not" => !fits(value, rule, root),
        "anyOf" => among(rule) > 0,
        "oneOf" => among(rule) == 1,
        "required" => value
            .as_object()
            .is_none_or(|v| rule.as_array().unwrap().iter().all(|key| v.contains_key(key.as_str().unwrap()))),
        "properties" => value.as_object().is_none_or(|v| {
            v.iter().all(|(key, value)| rule.get(key).is_none_or(|schema| fits(value, schema, root)))
        }),
        "additionalProperties" => value.as_object().is_none_or(|v| {
            let known = |key: &str| schema.get("properties").is_some_and(|p| p.get(key).is_some());
            v.iter().all(|(key, value)| known(key) || fits(value, rule, root))
        }),
        "items" => value.as_array().is_none_or(|v| v.iter().all(|item| fits(item, rule, root))),
        "minItems" => value.as_array().is_none_or(|v| v.len() as f64 >= number(rule)),
        "maxItems" => value.as_array().is_none_or(|v| v.len() as f64 <= number(rule)),
        "minLength" => value.as_str().is_none_or(|v| v.len() as f64 >= number(rule)),
        "minimum" => value.as_f64().is_none_or(|v| v >= number(rule)),
        "maximum" => value.as_f64().is_none_or(|v| v <= number(rule)),
        "exclusiveMinimum" => value.as_f64().is_none_or(|v| v > number(rule)),
        "else" => fits(value, &schema["if"], root) || fits(value, rule, root),
        "if" | "$schema" | "$defs" | "title" | "description" | "default" | "propertyNames" => true,
        other => panic!("the schema uses `{other}`, which this test does not know"),
    }
}

fn is_type(value: &Json, name: &str) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "number" => value.is_number(),
        "integer" => value.is_i64(),
        other => panic!("type {other}"),
    }
}

fn json_of(text: &str) -> Json {
    fn table(table: &DeTable<'_>) -> Json {
        table.iter().map(|(key, value)| (key.get_ref().to_string(), node(value.get_ref()))).collect()
    }
    fn node(value: &DeValue<'_>) -> Json {
        match value {
            DeValue::Integer(n) => json!(n.as_str().parse::<i64>().unwrap()),
            DeValue::Float(x) => json!(x.as_str().parse::<f64>().unwrap()),
            DeValue::Array(items) => items.iter().map(|item| node(item.get_ref())).collect(),
            DeValue::Table(inner) => table(inner),
            DeValue::Boolean(flag) => json!(flag),
            DeValue::String(text) => json!(text),
            DeValue::Datetime(date) => json!(date.to_string()),
        }
    }
    table(DeTable::parse(text).unwrap().get_ref())
}

#[test]
fn good_files_fit() {
    let schema = kingpin_io::schema();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/good");
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            let value = json_of(&std::fs::read_to_string(&path).unwrap());
            assert!(fits(&value, &schema, &schema), "{}", path.display());
        }
    }
}

#[test]
fn bad_files_do_not_fit() {
    let schema = kingpin_io::schema();
    let body = "[[body]]\nname = 'a'\nmass = 1\ninertia = [1, 1, 1]\n";
    assert!(fits(&json_of(body), &schema, &schema));
    for bad in [
        "mas = 3",
        "[[body]]\nname = 'b'\nmass = 1\npoint = false",
        "position = [1]",
        "position = 3",
        "fixed = ['w']",
        "orientation = { axis = [1, 0, 0] }",
        "orientation = { axis = [1, 0, 0], angle = 1, x = [1, 0, 0] }",
        "[[body]]\nname = 'b'",
        "[[joint]]\nname = 'j'\ntype = 'magic'",
        "[[joint]]\nname = 'j'",
        "[[joint]]\nname = 'j'\ntype = 'screw'\npitch = 0",
        "[[pattern]]\nfrom = 1",
        "[[pattern]]\nto = 1\n[[pattern.road]]\nname = 'r'",
        "[simulation]\ntol = -1",
        "[parameters]\na = [1]",
    ] {
        assert!(!fits(&json_of(&format!("{body}{bad}\n")), &schema, &schema), "{bad}");
    }
}

#[test]
fn it_says_what_it_is() {
    let schema = kingpin_io::schema();
    assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
    assert_eq!(schema["title"], "Kingpin model");
    assert!(schema.get("$id").is_none());
    let mass = &schema["$defs"]["body"]["properties"]["mass"];
    assert_eq!(mass["description"], "Mass; not needed for a point that is attached to bars with mass. [kg]");
    assert_eq!(mass["exclusiveMinimum"], 0);
    let tags: Vec<&str> = schema["$defs"]["road"]["oneOf"]
        .as_array()
        .unwrap()
        .iter()
        .map(|kind| kind["properties"]["type"]["const"].as_str().unwrap())
        .collect();
    let listed: Vec<&str> = kingpin::element::road::RoadKind::LIST.iter().map(|entry| entry.tag).collect();
    assert_eq!(tags, listed);
    assert!(tags.starts_with(&["flat", "bump", "table", "expression"]));
}
