//! Data into the page.

use super::data::Data;

/// The block of the template that holds the data.
const OPEN: &str = r#"<script type="application/json" id="kingpin-data">"#;
const CLOSE: &str = "</script>";

/// The page with the data inside. Every `<` of the data is written `\u003c`, so that no text can end the block.
/// A page without the block, which no template is, comes back as it was.
pub fn embed(page: &str, data: &Data) -> String {
    let Some(at) = page.find(&format!("{OPEN}{CLOSE}")) else { return page.into() };
    let (before, after) = page.split_at(at + OPEN.len());
    // data of plain numbers and texts always have a JSON form
    let json = serde_json::to_string(data).unwrap_or_default().replace('<', "\\u003c");
    [before, &json, after].concat()
}
