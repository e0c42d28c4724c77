//! A chosen value becomes that of the file. Nothing else in the file changes, comments and blanks included, and it keeps
//! its mode and the links that lead to it.

use super::control::Place;
use kingpin_files::rewrite;
use kingpin_io::{Draft, Overrides};
use kingpin_results::Error;
use std::fs;
use std::path::Path;

/// Whether a model can be read with this value of a parameter; else what is wrong with it.
pub fn check(model: &Path, assignments: &[String], name: &str, value: &str) -> Result<(), String> {
    let shown = value.escape_debug();
    let refused = |why: String| Err(format!("`{shown}` is not a valid value of `{name}`: {why}"));
    let draft = Draft::of_path(model).map_err(|_| format!("`{}` cannot be read", model.display()))?;
    let loaded = draft.into_loaded(&Overrides::new(assignments.iter().cloned()).set(name, value));
    match loaded.diagnostics.iter().find(|diagnostic| diagnostic.is_error()) {
        Some(diagnostic) => refused(diagnostic.message.clone()),
        None if loaded.model.is_none() => refused("the model has errors with this value".into()),
        None => Ok(()),
    }
}

/// Writes a value such as `2.5 kN/m` where a parameter stands.
pub fn write(place: &Place, value: &str) -> Result<(), String> {
    let path = Path::new(&place.file);
    let shown = path.display();
    let now = fs::read_to_string(path).map_err(|error| format!("cannot read `{shown}`: {error}"))?;
    let mark = now.strip_prefix('\u{feff}').map_or("", |_| "\u{feff}");
    if now[mark.len()..] != place.text {
        return Err(format!("`{shown}` was changed since the run; set the value again"));
    }
    let text = rewritten(place, value)?;
    rewrite(path, format!("{mark}{text}").as_bytes())
        .map_err(|error| Error::io("write", path, &error).to_string())
}

/// The text with another value, as the reader of model files understands it: a plain number stays one where TOML has
/// it, what has quotes keeps its kind of quotes where it can.
fn rewritten(place: &Place, value: &str) -> Result<String, String> {
    let (text, bytes) = (&place.text, &place.bytes);
    let gone = || format!("`{}` was not found in `{}`", place.name, place.file);
    let old = text.get(bytes.clone()).ok_or_else(gone)?;
    let quoted = old.starts_with(['"', '\'']);
    let single = old.starts_with('\'');
    let basic = || {
        let escaped: String = value.chars().flat_map(escape).collect();
        format!("\"{escaped}\"")
    };
    let forms = [
        (!quoted && is_toml_number(value)).then(|| value.to_string()),
        (single && !value.contains('\'')).then(|| format!("'{value}'")),
        Some(basic()),
    ];
    // the first form in which the file has that value, and nothing else
    for form in forms.into_iter().flatten() {
        let new = format!("{}{form}{}", &text[..bytes.start], &text[bytes.end..]);
        if reads_as(&new, place, &form, value) {
            return Ok(new);
        }
    }
    let shown = value.escape_debug();
    Err(format!(
        "`{shown}` is not a valid value of `{}`: give a number, optionally with a unit, or an expression",
        place.name
    ))
}

/// Whether TOML has a number in these words: `.5`, `5.` and `007` are none there.
fn is_toml_number(text: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let unsigned = |text: &'_ str| text.strip_prefix(['+', '-']).unwrap_or(text).to_string();
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (unsigned(mantissa), Some(unsigned(exponent))),
        None => (unsigned(text), None),
    };
    let (whole, part) = match mantissa.split_once('.') {
        Some((whole, part)) => (whole, Some(part)),
        None => (mantissa.as_str(), None),
    };
    let leads = whole.len() > 1 && whole.starts_with('0');
    digits(whole) && !leads && part.is_none_or(digits) && exponent.as_deref().is_none_or(digits)
}

/// Whether a file has this value for a parameter, at the same place.
fn reads_as(text: &str, place: &Place, form: &str, value: &str) -> bool {
    let at = place.bytes.start..place.bytes.start + form.len();
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
    let same = |own: &str| own == value || number(own).is_some_and(|own| Some(own) == number(value));
    let draft = Draft::of_text(&place.file, text, ".");
    draft.parameters().iter().any(|own| own.name == place.name && own.bytes == at && same(&own.text))
}

/// A character in a basic string of TOML.
fn escape(c: char) -> Vec<char> {
    match c {
        '"' | '\\' => vec!['\\', c],
        c if c.is_control() => format!("\\u{:04X}", u32::from(c)).chars().collect(),
        c => vec![c],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(text: &str, old: &str) -> Place {
        let at = text.find(old).map(|k| k..k + old.len()).expect("there");
        let name = text[..at.start].rsplit('\n').next().and_then(|line| line.split('=').next());
        Place {
            name: name.expect("a name").trim().into(),
            file: "a.toml".into(),
            text: text.into(),
            bytes: at,
        }
    }

    #[test]
    fn nothing_else_changes() {
        let text = "[parameters]\nk = \"2 N/m\"   # soft\nn=3 # é\n";
        assert_eq!(
            rewritten(&place(text, "\"2 N/m\""), "2.5 N/m").as_deref(),
            Ok("[parameters]\nk = \"2.5 N/m\"   # soft\nn=3 # é\n")
        );
        assert_eq!(
            rewritten(&place(text, "3"), "4.5").as_deref(),
            Ok("[parameters]\nk = \"2 N/m\"   # soft\nn=4.5 # é\n")
        );
        let gone = Place { bytes: 3..999, ..place(text, "3") };
        assert!(rewritten(&gone, "4.5").is_err());
    }

    /// What TOML cannot have as a number is written as a text, whose value is the same.
    #[test]
    fn what_is_written_can_be_read() {
        let text = "[parameters]\nn = 3\nm = '3'\n";
        for (value, written) in [
            (".5", "\".5\""),
            ("5.", "\"5.\""),
            ("007", "\"007\""),
            ("1e1", "1e1"),
            ("+5", "+5"),
            ("-2.5", "-2.5"),
            ("2*m", "\"2*m\""),
            ("a\"b", "\"a\\\"b\""),
            ("1 # one", "\"1 # one\""),
            ("inf", "\"inf\""),
            ("true", "\"true\""),
            ("1\nk = 2", "\"1\\u000Ak = 2\""),
        ] {
            let new = rewritten(&place(text, "3"), value).unwrap();
            assert_eq!(new, format!("[parameters]\nn = {written}\nm = '3'\n"), "{value}");
        }
        assert_eq!(rewritten(&place(text, "'3'"), "it's").unwrap(), "[parameters]\nn = 3\nm = \"it's\"\n");
    }

    /// Mode and links stay, and what another program has changed meanwhile is not lost.
    #[cfg(unix)]
    #[test]
    fn a_file_stays_what_it_is() {
        use std::os::unix::fs::PermissionsExt;
        let dir = kingpin_results::store::scratch().unwrap();
        let (text, real, link) = ("[parameters]\nn = 3\n", dir.join("real.toml"), dir.join("link.toml"));
        fs::write(&real, text).unwrap();
        fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
        std::os::unix::fs::symlink("real.toml", &link).unwrap();
        let place = Place { file: link.display().to_string(), ..place(text, "3") };
        write(&place, "4").unwrap();
        assert_eq!(fs::read_to_string(&real).unwrap(), "[parameters]\nn = 4\n");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
        assert!(write(&place, "5").unwrap_err().contains("was changed since the run"));
        assert_eq!(fs::read_dir(&dir).unwrap().count(), 2);
        fs::remove_dir_all(&dir).unwrap();
    }

    #[test]
    fn values_are_those_that_the_reader_takes() {
        let dir = kingpin_results::store::scratch().unwrap();
        let model = dir.join("m.toml");
        fs::write(&model, "[parameters]\nn = 3\nm = 'n'\n[[body]]\nname = 'a'\nmass = 'n*m'\n").unwrap();
        for value in ["2", ".5", "1e1", "+5", "2*m", "007"] {
            let set = Draft::of_path(&model).unwrap().into_loaded(&Overrides::none().set("n", value));
            assert_eq!(check(&model, &[], "n", value).is_ok(), set.model.is_some(), "{value}");
        }
        for value in ["infinity", "any text", "", "2 +", "inf", "2 parsecs", "\"", "1e999"] {
            assert!(check(&model, &[], "n", value).is_err(), "{value}");
        }
        fs::remove_dir_all(&dir).unwrap();
    }
}
