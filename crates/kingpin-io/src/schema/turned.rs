//! The forms in which orientations are given.

use serde_json::{Map, Value as Json, json};

/// All of them.
pub(super) fn orientation() -> Json {
    let axis = json!({ "anyOf": [
        { "type": "array", "items": { "$ref": "#/$defs/number" }, "minItems": 3, "maxItems": 3 },
        { "type": "string", "minLength": 1 },
    ] });
    let parameters = json!({
        "description": "e0, e1, e2, e3",
        "type": "array", "items": { "$ref": "#/$defs/number" }, "minItems": 4, "maxItems": 4,
    });
    let form = |keys: &[&str]| {
        let value = |key: &str| match key {
            "euler_parameters" => parameters.clone(),
            "angle" => json!({ "$ref": "#/$defs/number" }),
            _ => axis.clone(),
        };
        let properties: Map<String, Json> = keys.iter().map(|key| (key.to_string(), value(key))).collect();
        json!({ "type": "object", "properties": properties, "required": keys, "additionalProperties": false })
    };
    json!({ "oneOf": [
        form(&["euler_parameters"]), form(&["axis", "angle"]),
        form(&["x", "y"]), form(&["x", "z"]), form(&["y", "z"]),
    ] })
}
