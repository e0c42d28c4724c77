//! Model files broken at random: whatever is in them, reading gives a model or messages, never a panic.

use kingpin_io::{Overrides, read_text};
use std::path::Path;

/// A small generator of random numbers (xorshift64*), so that every run breaks the files in the same way.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() >> 33) as usize % n.max(1)
    }
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
    "{",
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

/// The text with one to three faults.
fn broken(text: &str, random: &mut Random) -> String {
    let mut text = text.to_string();
    for _ in 0..=random.below(3) {
        text = if random.below(2) == 0 { break_bytes(&text, random) } else { break_tokens(&text, random) };
    }
    text
}

fn break_bytes(text: &str, random: &mut Random) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let at = random.below(bytes.len());
    match random.below(4) {
        0 => bytes[at] = random.next() as u8,
        1 => {
            bytes.remove(at);
        }
        2 => bytes.insert(at, random.next() as u8),
        _ => {
            let end = (at + random.below(30)).min(bytes.len());
            bytes.drain(at..end);
        }
    }
    bytes.push(b'\n');
    String::from_utf8_lossy(&bytes).into_owned()
}

fn break_tokens(text: &str, random: &mut Random) -> String {
    let mut all = tokens(text);
    let (a, b) = (random.below(all.len()), random.below(all.len()));
    let word = WORDS[random.below(WORDS.len())];
    match random.below(5) {
        0 => all[a] = word,
        1 => all.insert(a, word),
        2 => all.swap(a, b),
        3 => all[a] = all[b],
        _ => {
            all.remove(a);
        }
    }
    all.concat() + "\n"
}

#[test]
fn ten_thousand_broken_files_never_panic() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/good");
    let names = ["four_bar.toml", "quarter_car.toml", "chain.toml", "includes.toml"];
    let texts = names.map(|name| std::fs::read_to_string(folder.join(name)).unwrap());
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let (mut good, mut bad) = (0, 0);
    for turn in 0..10_000 {
        let text = broken(&texts[turn % texts.len()], &mut random);
        let name = names[turn % names.len()];
        let sets: &[&str] = if name == "chain.toml" { &["L=1"] } else { &[] };
        let mut loaded = read_text(name, &text, &folder, &Overrides::new(sets.iter().copied()));
        assert_eq!(loaded.model.is_none(), loaded.has_errors(), "{text}");
        if loaded.compile().is_some() {
            good += 1
        } else {
            bad += 1
        }
        assert_eq!(loaded.render(false).is_empty(), loaded.diagnostics.is_empty());
    }
    // both kinds must be there, or the test tests nothing
    assert!(good > 200 && bad > 5000, "{good} good, {bad} bad");
}
