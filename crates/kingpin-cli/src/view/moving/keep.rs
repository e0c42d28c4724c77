//! A chosen value becomes that of the file. Nothing else in the file changes, comments and blanks included.

use super::control::Place;
use kingpin_results::store::replace;
use std::fs;
use std::path::Path;

/// Writes a value such as `2.5 kN/m` where a parameter stands.
pub fn write(place: &Place, value: &str) -> Result<(), String> {
    let path = Path::new(&place.file);
    let shown = path.display();
    let now = fs::read_to_string(path).map_err(|error| format!("cannot read `{shown}`: {error}"))?;
    let mark = now.strip_prefix('\u{feff}').map_or("", |_| "\u{feff}");
    if now[mark.len()..] != place.text {
        return Err(format!("`{shown}` has been saved since it was run; choose the value again"));
    }
    let text = rewritten(&place.text, place.bytes.clone(), value);
    let text = text.ok_or_else(|| format!("`{}` does not stand in `{shown}` as it was read", place.name))?;
    let dir = path.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let name =
        path.file_name().and_then(|name| name.to_str()).ok_or_else(|| format!("`{shown}` is no file"))?;
    replace(dir, name, format!("{mark}{text}").as_bytes()).map_err(|error| error.to_string())
}

/// The text with another value: a plain number stays one, what has quotes keeps its kind of quotes.
fn rewritten(text: &str, bytes: std::ops::Range<usize>, value: &str) -> Option<String> {
    let old = text.get(bytes.clone())?;
    let quote = old.chars().next().filter(|c| matches!(c, '"' | '\''));
    let new = match quote {
        Some(quote) => format!("{quote}{value}{quote}"),
        None if value.parse::<f64>().is_ok() => value.to_string(),
        None => format!("\"{value}\""),
    };
    Some(format!("{}{new}{}", &text[..bytes.start], &text[bytes.end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_else_changes() {
        let text = "[parameters]\nk = \"2 N/m\"   # soft\nn=3 # é\n";
        let at = |old: &str| text.find(old).map(|k| k..k + old.len()).expect("there");
        assert_eq!(
            rewritten(text, at("\"2 N/m\""), "2.5 N/m").as_deref(),
            Some("[parameters]\nk = \"2.5 N/m\"   # soft\nn=3 # é\n")
        );
        assert_eq!(
            rewritten(text, at("3"), "4.5").as_deref(),
            Some("[parameters]\nk = \"2 N/m\"   # soft\nn=4.5 # é\n")
        );
        assert_eq!(rewritten(text, 3..999, "4.5"), None);
    }
}
