//! Colours of shapes, as model files write them.

/// The CSS names that people use.
const NAMES: [(&str, u32); 32] = [
    ("black", 0x000000),
    ("white", 0xffffff),
    ("gray", 0x808080),
    ("grey", 0x808080),
    ("silver", 0xc0c0c0),
    ("lightgray", 0xd3d3d3),
    ("lightgrey", 0xd3d3d3),
    ("darkgray", 0xa9a9a9),
    ("darkgrey", 0xa9a9a9),
    ("dimgray", 0x696969),
    ("dimgrey", 0x696969),
    ("slategray", 0x708090),
    ("slategrey", 0x708090),
    ("red", 0xff0000),
    ("darkred", 0x8b0000),
    ("maroon", 0x800000),
    ("crimson", 0xdc143c),
    ("orange", 0xffa500),
    ("gold", 0xffd700),
    ("yellow", 0xffff00),
    ("green", 0x008000),
    ("darkgreen", 0x006400),
    ("lime", 0x00ff00),
    ("olive", 0x808000),
    ("teal", 0x008080),
    ("cyan", 0x00ffff),
    ("blue", 0x0000ff),
    ("navy", 0x000080),
    ("steelblue", 0x4682b4),
    ("purple", 0x800080),
    ("magenta", 0xff00ff),
    ("brown", 0xa52a2a),
];

/// `#rrggbb`, `#rgb`, or a common CSS name.
pub fn parse(text: &str) -> Option<[u8; 3]> {
    let split = |rgb: u32| [16, 8, 0].map(|shift| (rgb >> shift) as u8);
    if let Some(hex) = text.strip_prefix('#') {
        let number = u32::from_str_radix(hex, 16).ok()?;
        return match hex.len() {
            6 => Some(split(number)),
            3 => Some([8, 4, 0].map(|shift| (number >> shift & 15) as u8 * 17)),
            _ => None,
        };
    }
    let name = text.to_ascii_lowercase();
    NAMES.iter().find(|(known, _)| *known == name).map(|&(_, rgb)| split(rgb))
}

/// The names that are known.
pub fn names() -> impl Iterator<Item = &'static str> {
    NAMES.iter().map(|(name, _)| *name)
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn colours_as_models_write_them() {
        assert_eq!(parse("#c0392b"), Some([0xc0, 0x39, 0x2b]));
        assert_eq!(parse("#fa0"), Some([255, 170, 0]));
        assert_eq!(parse("SteelBlue"), Some([0x46, 0x82, 0xb4]));
        assert_eq!((parse("#12345"), parse("#éé"), parse("nothing")), (None, None, None));
    }
}
