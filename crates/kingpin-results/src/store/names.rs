//! Channels by their names.

use super::Reader;
use crate::error::{Error, ErrorKind};
use kingpin::expr::closest;

impl Reader {
    /// The place of a channel.
    pub fn find(&self, name: &str) -> Result<usize, Error> {
        let channels = &self.header().channels;
        if let Some(place) = channels.iter().position(|channel| channel.name == name) {
            return Ok(place);
        }
        let names = || channels.iter().map(|channel| channel.name.as_str());
        let item = name.rsplit_once('.').map_or(name, |(item, _)| item);
        let own: Vec<&str> =
            names().filter(|n| n.rsplit_once('.').is_some_and(|(owner, _)| owner == item)).collect();
        let advice = match closest(name, names()) {
            // of an item that is known, the channels of others are not meant
            _ if !own.is_empty() => {
                let part = |name: &str| name.rsplit_once('.').map_or(name, |(_, part)| part).to_string();
                let parts: Vec<String> = own.iter().map(|own| part(own)).collect();
                match closest(&part(name), parts.iter().map(String::as_str)) {
                    Some(near) => format!("did you mean `{item}.{near}`?"),
                    None => format!("`{item}` has {}", own.join(", ")),
                }
            }
            Some(near) => format!("did you mean `{near}`?"),
            None => {
                format!("examples of channels: {}", names().take(6).collect::<Vec<_>>().join(", "))
            }
        };
        let message = format!("there is no channel `{name}`");
        Err(Error::new(ErrorKind::UnknownChannel, self.dir(), message, advice))
    }

    /// The places of channels given by names or patterns, each once, in the order asked for. `*` stands for any
    /// letters, `?` for one.
    pub fn find_all<'a>(&self, patterns: impl IntoIterator<Item = &'a str>) -> Result<Vec<usize>, Error> {
        let mut places = Vec::new();
        for pattern in patterns {
            let known = places.len();
            if pattern.contains(['*', '?']) {
                let names = self.header().channels.iter().map(|channel| channel.name.as_bytes());
                places.extend(
                    (0..).zip(names).filter(|(_, name)| fits(pattern.as_bytes(), name)).map(|(k, _)| k),
                );
            } else {
                places.push(self.find(pattern)?);
            }
            if places.len() == known {
                return Err(self.nothing_fits(pattern));
            }
        }
        let mut seen = vec![false; self.header().channels.len()];
        places.retain(|&place| !std::mem::replace(&mut seen[place], true));
        Ok(places)
    }

    fn nothing_fits(&self, pattern: &str) -> Error {
        // what stands behind the last dot is known for most patterns
        let ends = |name: &str| name.rsplit_once('.').map(|(_, end)| end.to_string());
        let wanted = ends(pattern).unwrap_or_else(|| pattern.into());
        let all: Vec<String> = self.header().channels.iter().filter_map(|c| ends(&c.name)).collect();
        let advice = match closest(&wanted, all.iter().map(String::as_str)) {
            Some(near) if near != wanted => format!("some channels end in `.{near}`"),
            _ => {
                let some: Vec<&str> =
                    self.header().channels.iter().take(6).map(|c| c.name.as_str()).collect();
                format!("examples of channels: {}", some.join(", "))
            }
        };
        let message = format!("no channel matches `{pattern}`");
        Error::new(ErrorKind::UnknownChannel, self.dir(), message, advice)
    }
}

/// Whether a name fits a pattern; at most as many steps as the product of their lengths.
fn fits(pattern: &[u8], name: &[u8]) -> bool {
    let (mut p, mut n) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while n < name.len() {
        match pattern.get(p) {
            Some(b'*') => {
                star = Some((p, n));
                p += 1;
            }
            Some(&letter) if letter == b'?' || letter == name[n] => (p, n) = (p + 1, n + 1),
            _ => match star {
                // the last star takes one letter more
                Some((at, taken)) => {
                    star = Some((at, taken + 1));
                    (p, n) = (at + 1, taken + 1);
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|&letter| letter == b'*')
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn stars_and_question_marks() {
        let cases = [
            ("*", "crank.x", true),
            ("*.x", "crank.x", true),
            ("*.x", "crank.vx", false),
            ("crank.*", "crank.x", true),
            ("c*k.?x", "crank.vx", true),
            ("c*k.?x", "crank.x", false),
            ("*a*b*", "xxaxxbxx", true),
            ("*a*b", "ab.ba", false),
            ("", "", true),
            ("**", "", true),
            ("?", "", false),
        ];
        for (pattern, name, expected) in cases {
            assert_eq!(fits(pattern.as_bytes(), name.as_bytes()), expected, "{pattern} {name}");
        }
    }
}
