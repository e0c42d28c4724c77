use crate::{Overrides, read_text};
use kingpin::expr::{Dim, Quantity};

const TEXT: &str = "[parameters]\nL = '2 m'\nhalf = 'L/2'\nk = 3\n";

#[test]
fn overrides_replace_and_carry_through() {
    let loaded = read_text("a.toml", TEXT, ".", &Overrides::new(["L = 30 cm", "k=half"]).set("k", 4.5));
    assert_eq!(loaded.parameters["half"], Quantity::known(0.15, Dim::LENGTH));
    assert_eq!(loaded.parameters["k"], Quantity::unknown(4.5));
    assert_eq!(loaded.sources.files().len(), 4);
}

#[test]
fn bad_overrides_are_shown_as_typed() {
    for (set, said) in
        [("M=1", "no parameter `M`"), ("L", "is not an assignment"), ("L=", "no value"), ("L=1 +", "missing")]
    {
        let loaded = read_text("a.toml", TEXT, ".", &Overrides::new([set]));
        assert!(loaded.model.is_none());
        let text = loaded.render(false);
        assert!(text.contains(said) && text.contains("--> --set:1:") && text.contains(set), "{text}");
    }
}
