//! Names that are near another.

/// Changes of single letters that make one name of the other. O(letters^2)
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().flat_map(char::to_lowercase).collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().flat_map(char::to_lowercase).enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let change = corner + usize::from(x != *y);
            corner = row[j + 1];
            row[j + 1] = change.min(corner + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

/// Up to three names that are near the one wanted, the nearest first.
pub(crate) fn near<'a>(wanted: &str, names: impl Iterator<Item = &'a String>) -> Vec<String> {
    let most = wanted.chars().count().div_ceil(3);
    let mut found: Vec<(usize, &String)> = names.map(|name| (distance(wanted, name), name)).collect();
    found.retain(|(distance, _)| *distance <= most);
    found.sort();
    found.into_iter().take(3).map(|(_, name)| name.clone()).collect()
}

/// What to write behind a name that is not known.
pub(crate) fn did_you_mean(near: &[String]) -> String {
    match near {
        [] => String::new(),
        names => format!(
            "; did you mean {}?",
            names.iter().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(" or ")
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_comes_first() {
        let names = ["left face", "right", "Left", "lift"].map(String::from);
        assert_eq!(near("left", names.iter()), ["Left", "lift"]);
        assert_eq!(did_you_mean(&near("leftt", names.iter())), "; did you mean `Left` or `lift`?");
        assert!(near("bore", names.iter()).is_empty());
    }
}
