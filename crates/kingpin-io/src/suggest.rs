//! Advice on words that are not known.

use kingpin::expr::closest;

/// "did you mean `mass`?", if one of the words is near enough.
pub(crate) fn suggest<'a>(wanted: &str, words: impl IntoIterator<Item = &'a str> + Clone) -> Option<String> {
    meant(wanted, words).map(|word| format!("did you mean `{word}`?"))
}

/// The word that is meant: near in letters, or the singular of what was written.
pub(crate) fn meant<'a>(wanted: &str, words: impl IntoIterator<Item = &'a str> + Clone) -> Option<&'a str> {
    let singular = match wanted.strip_suffix("ies") {
        Some(stem) => format!("{stem}y"),
        None => wanted.strip_suffix('s').unwrap_or(wanted).to_string(),
    };
    let lower = wanted.to_lowercase();
    let near = [wanted, &singular, &lower].into_iter().find_map(|form| closest(form, words.clone()));
    // or one is the beginning of the other
    let begins = |word: &&str| {
        word.len().min(wanted.len()) > 2 && (word.starts_with(wanted) || wanted.starts_with(word))
    };
    near.or_else(|| words.into_iter().find(begins))
}

/// "`a`, `b` and `c`".
pub(crate) fn listed<'a>(words: impl IntoIterator<Item = &'a str>, last: &str) -> String {
    let words: Vec<String> = words.into_iter().map(|word| format!("`{word}`")).collect();
    match words.split_last() {
        Some((end, start)) if !start.is_empty() => format!("{} {last} {end}", start.join(", ")),
        Some((end, _)) => end.clone(),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_by_letters_case_and_number() {
        let words = ["body", "marker", "mass", "x", "to"];
        assert_eq!(meant("bodies", words), Some("body"));
        assert_eq!(meant("Mas", words), Some("mass"));
        assert_eq!(meant("X", words), Some("x"));
        assert_eq!(meant("y", words), None);
        assert_eq!(meant("stiffness", words), None);
        assert_eq!(meant("tolerance", ["t_end", "tol"]), Some("tol"));
    }

    #[test]
    fn lists_read_as_sentences() {
        assert_eq!(listed(["a"], "and"), "`a`");
        assert_eq!(listed(["a", "b", "c"], "or"), "`a`, `b` or `c`");
        assert_eq!(listed([], "or"), "");
    }
}
