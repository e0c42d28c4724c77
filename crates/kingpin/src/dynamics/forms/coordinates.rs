//! Which coordinates implicit methods integrate.

/// In what the motions that constraints leave free are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Coordinates {
    /// Independent coordinates with dense matrices, the tangent plane with sparse ones.
    #[default]
    Auto,
    /// Independent ones among the coordinates: dense matrices alone have them.
    Partition,
    /// Those of the plane tangent to the constraints.
    Tangent,
}

impl Coordinates {
    /// The names users give, in the order of the choices.
    pub const NAMES: &'static [&'static str] = &["auto", "partition", "tangent"];

    /// All of them, the default first.
    pub const ALL: [Coordinates; 3] = [Coordinates::Auto, Coordinates::Partition, Coordinates::Tangent];

    /// The name users give.
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// One line on what it does.
    pub fn about(self) -> &'static str {
        match self {
            Coordinates::Auto => "`partition` with dense matrices, `tangent` with sparse ones (default)",
            Coordinates::Partition => "independent coordinate partitioning (dense only)",
            Coordinates::Tangent => "coordinates of the tangent plane of the constraint manifold",
        }
    }

    /// The choice of that name.
    pub fn named(name: &str) -> Option<Coordinates> {
        Coordinates::ALL.into_iter().find(|way| way.name() == name)
    }
}
