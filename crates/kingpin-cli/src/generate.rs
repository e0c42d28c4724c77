//! `kingpin generate`: model files of any size, for trying things out and for measuring.

use crate::output::{Exit, complain, print};
use clap::ValueEnum;
use std::io;

/// Print a model file of a scalable test mechanism
#[derive(clap::Args)]
pub struct Args {
    /// Mechanism
    #[arg(value_enum)]
    shape: Shape,
    /// Size N (its meaning depends on the shape, see above)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    size: u32,
    /// Elements along each side of a sub-domain of a sheet or box
    #[arg(long, value_name = "E", value_parser = clap::value_parser!(u32).range(1..))]
    elements: Option<u32>,
    /// Planar or spatial mechanism
    #[arg(long, value_enum, default_value = "spatial")]
    space: Space,
}

/// The kinds of mechanisms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Shape {
    /// N rods connected by hinges
    Chain,
    /// N arms hinged to a hub
    Star,
    /// N rods in a binary tree, connected by hinges
    Tree,
    /// N closed loops in a row
    Ladder,
    /// N rods connected by hinges with stiff springs
    Cable,
    /// N by N blocks on stiff bushings
    Lattice,
    /// N coupled cars on bogies
    Train,
    /// N truss modules of 63 degrees of freedom in a row, clamped
    Mast,
    /// N by N points connected by bars, a swinging curtain
    Net,
    /// A space station with attitude control: trusses of N frames, flexible solar arrays
    Station,
    /// A planar sheet of N by N sub-domains, clamped at one edge and pulled at the other
    Sheet,
    /// A box of N by N by N sub-domains, clamped at one face and pulled at the other
    Box,
}

impl Shape {
    /// Whether it cannot be in the plane.
    fn is_spatial(self) -> bool {
        matches!(self, Shape::Mast | Shape::Net | Shape::Station | Shape::Box)
    }

    /// Whether it is made of sub-domains.
    fn has_elements(self) -> bool {
        matches!(self, Shape::Sheet | Shape::Box)
    }
}

/// Two or three dimensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Space {
    /// Bodies move in the x-y plane
    Planar,
    /// Bodies move in space
    Spatial,
}

/// The line of a template that says how large the mechanism is.
const SIZE: &str = "n = 3 ";
/// That of the cells of a sub-domain.
const ELEMENTS: &str = "\ne = 1 ";
/// How many there are where nobody says.
const CELLS: u32 = 4;

/// Runs the command.
pub fn run(args: &Args) -> io::Result<Exit> {
    if args.shape.is_spatial() && args.space == Space::Planar {
        complain("error: this shape has no planar form\n\n  help: omit `--space planar`\n");
        return Ok(Exit::Usage);
    }
    let mut text = model(args.shape, args.space, args.size);
    if args.shape.has_elements() {
        text = text.replacen(ELEMENTS, &format!("\ne = {} ", args.elements.unwrap_or(CELLS)), 1);
    } else if args.elements.is_some() {
        complain("error: `--elements` applies to sheets and boxes only\n\n  help: omit it\n");
        return Ok(Exit::Usage);
    }
    print(&text)?;
    Ok(Exit::Good)
}

/// The model file: patterns make it equally short for every size.
pub fn model(shape: Shape, space: Space, size: u32) -> String {
    template(shape, space).replacen(SIZE, &format!("n = {size} "), 1)
}

/// A model file of size three.
fn template(shape: Shape, space: Space) -> &'static str {
    match (shape, space) {
        (Shape::Chain, Space::Planar) => include_str!("generate/chain_planar.toml"),
        (Shape::Chain, Space::Spatial) => include_str!("generate/chain_spatial.toml"),
        (Shape::Star, Space::Planar) => include_str!("generate/star_planar.toml"),
        (Shape::Star, Space::Spatial) => include_str!("generate/star_spatial.toml"),
        (Shape::Tree, Space::Planar) => include_str!("generate/tree_planar.toml"),
        (Shape::Tree, Space::Spatial) => include_str!("generate/tree_spatial.toml"),
        (Shape::Ladder, Space::Planar) => include_str!("generate/ladder_planar.toml"),
        (Shape::Ladder, Space::Spatial) => include_str!("generate/ladder_spatial.toml"),
        (Shape::Cable, Space::Planar) => include_str!("generate/cable_planar.toml"),
        (Shape::Cable, Space::Spatial) => include_str!("generate/cable_spatial.toml"),
        (Shape::Lattice, Space::Planar) => include_str!("generate/lattice_planar.toml"),
        (Shape::Lattice, Space::Spatial) => include_str!("generate/lattice_spatial.toml"),
        (Shape::Mast, _) => include_str!("generate/mast_spatial.toml"),
        (Shape::Sheet, _) => include_str!("generate/sheet_planar.toml"),
        (Shape::Box, _) => include_str!("generate/box_spatial.toml"),
        (Shape::Net, _) => include_str!("generate/net_spatial.toml"),
        (Shape::Station, _) => include_str!("generate/station_spatial.toml"),
        (Shape::Train, Space::Planar) => include_str!("generate/train_planar.toml"),
        (Shape::Train, Space::Spatial) => include_str!("generate/train_spatial.toml"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_size_stands_once_in_every_template() {
        for &shape in Shape::value_variants() {
            for &space in Space::value_variants() {
                assert_eq!(template(shape, space).matches(SIZE).count(), 1, "{shape:?} {space:?}");
                let text = model(shape, space, 41);
                assert!(text.contains("\nn = 41 "), "{text}");
                assert_eq!(text.matches(ELEMENTS).count(), usize::from(shape.has_elements()), "{shape:?}");
            }
        }
    }
}
