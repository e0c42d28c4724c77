//! Which matrices implicit methods use.

/// How the linear systems of implicit methods are solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Matrices {
    /// Whichever are predicted to take less time: dense ones for less than 100 degrees of freedom, sparse ones beyond 2,000.
    #[default]
    Auto,
    /// Dense matrices of independent coordinates.
    Dense,
    /// Sparse matrices of all coordinates and multipliers: motions in the tangent plane.
    Sparse,
}

impl Matrices {
    /// The names users give, in the order of the choices.
    pub const NAMES: &'static [&'static str] = &["auto", "dense", "sparse"];

    /// All of them, the default first.
    pub const ALL: [Matrices; 3] = [Matrices::Auto, Matrices::Dense, Matrices::Sparse];

    /// The name users give.
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// One line on what it does.
    pub fn about(self) -> &'static str {
        match self {
            Matrices::Auto => "the kind with the lower predicted time (default)",
            Matrices::Dense => "dense matrices of the size of the degrees of freedom",
            Matrices::Sparse => "sparse matrices of all coordinates and multipliers, for any size",
        }
    }

    /// The choice of that name.
    pub fn named(name: &str) -> Option<Matrices> {
        Matrices::ALL.into_iter().find(|way| way.name() == name)
    }
}
