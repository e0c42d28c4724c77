//! Breaks model files: bytes, words, numbers, lines, tables, and pieces of two models put together.

use super::random::Random;
use super::shelf::Shelf;

/// A broken model: the name of the file to read, and all files.
pub struct Broken {
    pub name: String,
    pub texts: Vec<(String, String)>,
}

/// The model of a trial.
pub fn model(shelf: &Shelf, random: &mut Random) -> Broken {
    let main = shelf.models[random.below(shelf.models.len())];
    let name = shelf.files[main].0.clone();
    let folder = name.rsplit_once('/').map_or("", |(folder, _)| folder);
    // the files beside and below it, which it may include or name
    let near = |(other, _): &&(String, String)| other.starts_with(folder);
    let mut texts: Vec<(String, String)> = shelf.files.iter().filter(near).cloned().collect();
    let other = &shelf.files[shelf.models[random.below(shelf.models.len())]].1;
    // mostly the model itself is broken, sometimes what it includes
    let includes = texts.iter().position(|(part, _)| texts_include(&shelf.files[main].1, part));
    let target = match includes {
        Some(part) if random.one_in(2) => part,
        _ => texts.iter().position(|(text, _)| *text == name).unwrap_or(0),
    };
    let mut text = texts[target].1.clone();
    for _ in 0..1 + random.below(3) * random.below(2) {
        text = broken(&text, other, random);
    }
    texts[target].1 = text;
    let main = &shelf.files[main].1;
    texts.retain(|(text, _)| *text == name || main.contains("include") || texts_include(main, text));
    Broken { name, texts }
}

fn texts_include(text: &str, part: &str) -> bool {
    let file = part.rsplit('/').next().unwrap_or(part);
    let names = |line: &str| line.starts_with("include") || line.starts_with("mesh");
    text.lines().any(|line| names(line) && line.contains(file))
}

/// The text with one fault.
fn broken(text: &str, other: &str, random: &mut Random) -> String {
    match random.below(16) {
        0 => bytes(text, random),
        1 => words(text, random),
        2..=5 => numbers(text, random),
        6 | 7 => lines(text, random),
        8..=10 => tables(text, other, random),
        11 | 12 => values(text, random),
        13 => strings(text, random),
        14 => take_line(text, other, random),
        _ => settings(text, random),
    }
}

fn bytes(text: &str, random: &mut Random) -> String {
    let mut bytes = text.as_bytes().to_vec();
    if bytes.is_empty() {
        return "\u{0}".into();
    }
    let at = random.below(bytes.len());
    match random.below(4) {
        0 => bytes[at] = random.next() as u8,
        1 => drop(bytes.remove(at)),
        2 => bytes.insert(at, random.next() as u8),
        _ => drop(bytes.drain(at..(at + random.below(30)).min(bytes.len()))),
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Texts that are likely to hurt.
const WORDS: &[&str] = &[
    "nan",
    "inf",
    "-inf",
    "-1",
    "0",
    "1e308",
    "1e-320",
    "99999999999999999999",
    "0x7f",
    "\"",
    "'",
    "\"\"\"",
    "[",
    "]",
    "[[",
    "]]",
    "{",
    "}",
    "{i}",
    "{i/0}",
    "=",
    "\n",
    "\\",
    "\\u0000",
    "\\ud800",
    "#",
    "\u{0}",
    "é",
    "\u{feff}",
    "\u{202e}",
    "true",
    "[]",
    "{}",
    "2024-01-01",
    "\"1/0\"",
    "\"sqrt(-1)\"",
    "\"i\"",
    "\"t\"",
    "\"gap.rate\"",
    "\"((((((\"",
    "\"1 kg^99\"",
    "\"ground\"",
    "[[pattern]]\n",
    "[[body]]\n",
    "[parameters]\n",
    "to = 3\n",
    "\r\n",
    "include = [\"..\"]\n",
    "space = \"planar\"\n",
    "type = \"gear\"\n",
    "name = \"\"\n",
    ".",
    ",",
    "-",
    "_",
    "rate",
    "\"exp(t)^40\"",
    "\"1/t\"",
    "\"if(t > 1e-4, 1e9, 0)\"",
    "\"sign(sin(1e5*t))\"",
    "m = 4\n",
    "a.a.a.a.a.a.a.a = 1\n",
];

/// The words and signs of a text, white space included.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut start = 0;
    for (at, c) in text.char_indices() {
        if !(c.is_alphanumeric() || c == '_') {
            tokens.extend([&text[start..at], &text[at..at + c.len_utf8()]]);
            start = at + c.len_utf8();
        }
    }
    tokens.push(&text[start..]);
    tokens.retain(|token| !token.is_empty());
    tokens
}

fn words(text: &str, random: &mut Random) -> String {
    let mut all = tokens(text);
    if all.is_empty() {
        return random.pick(WORDS).into();
    }
    let (a, b) = (random.below(all.len()), random.below(all.len()));
    let word = random.pick(WORDS);
    match random.below(5) {
        0 => all[a] = word,
        1 => all.insert(a, word),
        2 => all.swap(a, b),
        3 => all[a] = all[b],
        _ => drop(all.remove(a)),
    }
    all.concat()
}

/// Numbers that are likely to hurt.
const NUMBERS: &[&str] = &[
    "0",
    "-0.0",
    "1",
    "-1",
    "2",
    "1e-9",
    "-1e-9",
    "1e-15",
    "1e-30",
    "1e-59",
    "1e-200",
    "1e-320",
    "1e9",
    "1e15",
    "1e30",
    "1e59",
    "1e200",
    "1e308",
    "-1e59",
    "0.1",
    "100",
    "-100",
    "1000000",
    "4611686018427387904",
    "9223372036854775807",
    "3.141592653589793",
    "1.5707963267948966",
    "inf",
    "nan",
];

/// Places of numbers outside names.
fn number_places(text: &str) -> Vec<std::ops::Range<usize>> {
    let bytes = text.as_bytes();
    let mut places = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at].is_ascii_alphabetic() || bytes[at] == b'_' || bytes[at] == b'#' {
            let stop = |byte: &u8| {
                if bytes[at] == b'#' {
                    *byte == b'\n'
                } else {
                    !byte.is_ascii_alphanumeric() && *byte != b'_'
                }
            };
            at += bytes[at..].iter().position(stop).unwrap_or(bytes.len() - at);
        } else if bytes[at].is_ascii_digit() {
            let stop = |byte: &u8| !byte.is_ascii_digit() && *byte != b'.' && *byte != b'e';
            let end = at + bytes[at..].iter().position(stop).unwrap_or(bytes.len() - at);
            places.push(at..end);
            at = end;
        } else {
            at += 1;
        }
    }
    places
}

fn numbers(text: &str, random: &mut Random) -> String {
    let places = number_places(text);
    if places.is_empty() {
        return text.into();
    }
    let (place, other) = (&places[random.below(places.len())], &places[random.below(places.len())]);
    let old = &text[place.clone()];
    let scaled = |by: f64| old.parse::<f64>().map_or(old.to_string(), |x| format!("{:?}", x * by));
    let new = match random.below(8) {
        0..=2 => random.pick(NUMBERS).to_string(),
        3 => text[other.clone()].to_string(),
        4 => format!("-{old}"),
        5 => scaled(10f64.powi(random.below(13) as i32 - 6)),
        6 => scaled(1.0 + 1e-9 * random.below(1000) as f64),
        _ => format!("{}", random.below(2000)),
    };
    format!("{}{new}{}", &text[..place.start], &text[place.end..])
}

fn lines(text: &str, random: &mut Random) -> String {
    let mut all: Vec<&str> = text.lines().collect();
    if all.is_empty() {
        return text.into();
    }
    let (a, b) = (random.below(all.len()), random.below(all.len()));
    match random.below(4) {
        0 | 1 => drop(all.remove(a)),
        2 => all.insert(b, all[a]),
        _ => all.swap(a, b),
    }
    all.join("\n") + "\n"
}

/// A line of another model in place of one with the same key: another type, another place, another name.
fn take_line(text: &str, other: &str, random: &mut Random) -> String {
    let mut all: Vec<&str> = text.lines().collect();
    let key = |line: &&str| line.split('=').next().unwrap_or("").trim().to_string();
    let a = random.below(all.len());
    let same: Vec<&str> = other
        .lines()
        .chain(text.lines())
        .filter(|line| key(line) == all.get(a).map_or(String::new(), key))
        .collect();
    if let Some(line) = all.get_mut(a)
        && !same.is_empty()
    {
        *line = same[random.below(same.len())];
    }
    all.join("\n") + "\n"
}

/// The text cut in front of each header.
fn blocks(text: &str) -> Vec<&str> {
    let mut cuts: Vec<usize> = text.match_indices("\n[").map(|(at, _)| at + 1).collect();
    cuts.insert(0, 0);
    cuts.push(text.len());
    cuts.windows(2).map(|pair| &text[pair[0]..pair[1]]).collect()
}

fn tables(text: &str, other: &str, random: &mut Random) -> String {
    let (mut all, theirs) = (blocks(text), blocks(other));
    let (a, b) = (random.below(all.len()), random.below(all.len()));
    let foreign = theirs[random.below(theirs.len())];
    let glued;
    match random.below(6) {
        0 | 1 => drop(all.remove(a)),
        2 => {
            // with another name, so that it is not a mere double
            glued = all[a].replacen("name = \"", "name = \"other_", 1);
            all.insert(b, &glued);
        }
        3 => all.swap(a, b),
        4 => all.insert(a, foreign),
        _ => all[a] = foreign,
    }
    all.concat()
}

/// Values of two lines change places; mostly of lines with the same key.
fn values(text: &str, random: &mut Random) -> String {
    let mut all: Vec<String> = text.lines().map(String::from).collect();
    let split = |line: &str| line.split_once('=').map(|(key, value)| (key.to_string(), value.to_string()));
    let with: Vec<usize> = (0..all.len()).filter(|&k| all[k].contains('=')).collect();
    if with.is_empty() {
        return text.into();
    }
    let a = with[random.below(with.len())];
    let key = split(&all[a]).map(|(key, _)| key);
    let same: Vec<usize> =
        with.iter().copied().filter(|&k| split(&all[k]).map(|(key, _)| key) == key).collect();
    let b = if random.one_in(5) { with[random.below(with.len())] } else { same[random.below(same.len())] };
    if let (Some((key_a, value_a)), Some((key_b, value_b))) = (split(&all[a]), split(&all[b])) {
        all[a] = format!("{key_a}={value_b}");
        all[b] = format!("{key_b}={value_a}");
    }
    all.join("\n") + "\n"
}

/// One string becomes another string of the file, or ground.
fn strings(text: &str, random: &mut Random) -> String {
    let quotes: Vec<usize> = text.match_indices('"').map(|(at, _)| at).collect();
    let pairs: Vec<&[usize]> = quotes.chunks_exact(2).collect();
    if pairs.is_empty() {
        return text.into();
    }
    let (a, b) = (pairs[random.below(pairs.len())], pairs[random.below(pairs.len())]);
    let new = if random.one_in(6) { "ground" } else { &text[b[0] + 1..b[1]] };
    format!("{}{new}{}", &text[..=a[0]], &text[a[1]..])
}

/// Another setting of the simulation.
fn settings(text: &str, random: &mut Random) -> String {
    let lines = [
        "t_end = 0",
        "t_end = 1e-9",
        "t_end = 1e9",
        "start = \"equilibrium\"",
        "h = 1e-9",
        "h_max = 1e-12",
        "frame = 1e-3",
        "tol = 1e-12",
        "tol = 0.09",
        "atol = 1e-20",
        "rtol = 1e-14",
    ];
    let line = random.pick(&lines);
    let rest = text.split("[simulation]").next().unwrap_or("");
    format!("{rest}[simulation]\n{line}\n")
}
