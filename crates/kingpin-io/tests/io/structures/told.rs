//! What is wrong with structures.

use super::{meshed, sheet};
use kingpin_io::{Overrides, read_text};

fn said(text: &str) -> String {
    let mut loaded = read_text("a.toml", text, ".", &Overrides::none());
    loaded.compile();
    assert!(loaded.has_errors());
    loaded.render(false)
}

#[test]
fn bad_input_is_told_where_it_stands() {
    let good = sheet(2, 1e6);
    let with = |from: &str, to: &str| {
        let text = good.replacen(from, to, 1);
        assert_ne!(text, good);
        said(&text)
    };
    insta::assert_snapshot!("unknown_set", with("['x0']", "['x2']"));
    insta::assert_snapshot!("half_a_cell", with("cells = [2, 2]", "cells = [2, 1.5]"));
    insta::assert_snapshot!("too_many_cells", with("cells = [2, 2]", "cells = [1e5, 1e5]"));
    insta::assert_snapshot!("no_size", with("size = [1, 1]\n", ""));
    insta::assert_snapshot!("no_density", with("density = 2700\n", ""));
    insta::assert_snapshot!("no_direction", with("load_direction = [0, 1]\n", ""));
    insta::assert_snapshot!("no_material", with("youngs_modulus = 73e9\n", ""));
    insta::assert_snapshot!("incompressible", with("density", "poissons_ratio = 0.5\ndensity"));
    insta::assert_snapshot!("unknown_point", with("density", "points = { tip = 7 }\ndensity"));
    insta::assert_snapshot!("load_on_what_is_held", with("load_on = ['x1']", "load_on = ['x0']"));
    // other errors do not make points unknown
    insta::assert_snapshot!("something_else", with("coordinate = 'x'", "coordinate = 'w'"));
    let text = "[[structure]]\nname = 'arm'\nmesh = 'arm.inp'\nyoungs_modulus = 1e9\ndensity = 1000\n";
    insta::assert_snapshot!("empty_mesh", meshed("", text));
}
