//! A TOML document as a tree of values with their places, keys in the order of the file.

use crate::source::Span;
use toml::Spanned;
use toml::de::{DeInteger, DeTable, DeValue};

/// A value and its place.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Node {
    /// Where it stands; for a table with a header of its own, the header.
    pub span: Span,
    /// The value.
    pub data: Data,
}

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Data {
    Text(String),
    Integer(i64),
    Number(f64),
    Flag(bool),
    Date,
    Array(Vec<Node>),
    Table(Table),
}

/// Keys and values in the order of the file.
#[derive(Clone, Debug, PartialEq, Default)]
pub(crate) struct Table {
    pub entries: Vec<Entry>,
}

/// A key and its value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Entry {
    pub key: String,
    pub key_span: Span,
    pub value: Node,
}

impl Table {
    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entries.iter().find(|entry| entry.key == key).map(|entry| &entry.value)
    }
}

impl Data {
    /// What it is, for messages: "a string".
    pub fn noun(&self) -> &'static str {
        match self {
            Data::Text(_) => "a string",
            Data::Integer(_) | Data::Number(_) => "a number",
            Data::Flag(_) => "a flag",
            Data::Date => "a date",
            Data::Array(_) => "an array",
            Data::Table(_) => "a table",
        }
    }

    /// The text of a string.
    pub fn text(&self) -> Option<&str> {
        match self {
            Data::Text(text) => Some(text),
            _ => None,
        }
    }

    /// A number that is not written as an expression.
    pub fn number(&self) -> Option<f64> {
        match *self {
            Data::Integer(n) => Some(n as f64),
            Data::Number(x) => Some(x),
            _ => None,
        }
    }
}

/// The tree of a parsed document.
pub(crate) fn table(parsed: DeTable<'_>) -> Table {
    let entries = parsed.into_iter().map(|(key, value)| {
        let key_span = span(&key);
        Entry { key: key.into_inner().into_owned(), key_span, value: node(value) }
    });
    let mut entries: Vec<Entry> = entries.collect();
    entries.sort_by_key(|entry| entry.key_span);
    Table { entries }
}

fn node(value: Spanned<DeValue<'_>>) -> Node {
    let span = span(&value);
    let data = match value.into_inner() {
        DeValue::String(text) => Data::Text(text.into_owned()),
        DeValue::Integer(n) => integer(&n),
        DeValue::Float(x) => Data::Number(x.as_str().parse().unwrap_or(f64::NAN)),
        DeValue::Boolean(flag) => Data::Flag(flag),
        DeValue::Datetime(_) => Data::Date,
        DeValue::Array(items) => Data::Array(items.into_iter().map(node).collect()),
        DeValue::Table(entries) => Data::Table(table(entries)),
    };
    Node { span, data }
}

/// Integers too great for 64 bits become numbers.
fn integer(n: &DeInteger<'_>) -> Data {
    match i64::from_str_radix(n.as_str(), n.radix()) {
        Ok(n) => Data::Integer(n),
        Err(_) if n.radix() == 10 => Data::Number(n.as_str().parse().unwrap_or(f64::NAN)),
        Err(_) => Data::Number(i128::from_str_radix(n.as_str(), n.radix()).map_or(f64::NAN, |n| n as f64)),
    }
}

fn span<T>(spanned: &Spanned<T>) -> Span {
    Span::new(spanned.span().start, spanned.span().end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Table {
        table(DeTable::parse(text).unwrap().into_inner())
    }

    #[test]
    fn keys_keep_the_order_of_the_file() {
        let tree = parse("b = 1\na = [0x10, 2.5, -inf]\n[c]\nd = 'x'\n");
        let keys: Vec<_> = tree.entries.iter().map(|e| e.key.as_str()).collect();
        assert_eq!(keys, ["b", "a", "c"]);
        let Some(Data::Array(items)) = tree.get("a").map(|n| &n.data) else { panic!() };
        assert_eq!(items[0].data, Data::Integer(16));
        assert_eq!(items[1].data.number(), Some(2.5));
        assert_eq!(items[2].data.number(), Some(f64::NEG_INFINITY));
        assert_eq!(tree.get("c").unwrap().data.noun(), "a table");
    }

    #[test]
    fn great_integers_become_numbers() {
        let tree = parse("a = 10000000000000000000000\nb = 0xffffffffffffffffff\n");
        assert_eq!(tree.get("a").unwrap().data.number(), Some(1e22));
        assert_eq!(tree.get("b").unwrap().data.number(), Some(2f64.powi(72) - 1.0));
    }
}
