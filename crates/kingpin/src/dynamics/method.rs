//! The methods of integration, by name.

/// How a motion is integrated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Method {
    /// Explicit while that pays, implicit once the problem shows itself stiff.
    #[default]
    Auto,
    /// Adams, orders 1 to 13.
    Adams,
    /// Dormand and Prince, order 5.
    Dopri5,
    /// Dormand and Prince, order 8.
    Dop853,
    /// State space, trapezoidal rule.
    SspTrap,
    /// Descriptor form, trapezoidal rule.
    InflTrap,
    /// Descriptor form, SDIRK4/16.
    InflSdirk,
    /// First-order reduction, SDIRK4/15.
    ForSdirk,
    /// First-order reduction, Rosenbrock–Nyström.
    ForRosen,
    /// Newmark's rule with a fixed step.
    Newmark,
    /// Hilber, Hughes and Taylor with a fixed step.
    Hht,
}

impl Method {
    /// All of them, the default first.
    pub const ALL: [Method; 11] = [
        Method::Auto,
        Method::Adams,
        Method::Dopri5,
        Method::Dop853,
        Method::SspTrap,
        Method::InflTrap,
        Method::InflSdirk,
        Method::ForSdirk,
        Method::ForRosen,
        Method::Newmark,
        Method::Hht,
    ];

    /// The name users give.
    pub fn name(self) -> &'static str {
        match self {
            Method::Auto => "auto",
            Method::Adams => "adams",
            Method::Dopri5 => "dopri5",
            Method::Dop853 => "dop853",
            Method::SspTrap => "ssp-trap",
            Method::InflTrap => "infl-trap",
            Method::InflSdirk => "infl-sdirk",
            Method::ForSdirk => "for-sdirk",
            Method::ForRosen => "for-rosen",
            Method::Newmark => "newmark",
            Method::Hht => "hht",
        }
    }

    /// One line on what it does.
    pub fn about(self) -> &'static str {
        match self {
            Method::Auto => "starts explicit, detects stiffness, goes on implicit (default)",
            Method::Adams => "Adams predictor-corrector of variable order and step, explicit",
            Method::Dopri5 => "Dormand-Prince of order 5, explicit",
            Method::Dop853 => "Dormand-Prince of order 8, explicit: smooth motions at tight tolerances",
            Method::SspTrap => "trapezoidal rule on the state-space form, order 2, stiff",
            Method::InflTrap => "trapezoidal rule on the descriptor form, order 2, stiff",
            Method::InflSdirk => "SDIRK4/16 on the descriptor form, order 4, stiff",
            Method::ForSdirk => "SDIRK4/15 on the first-order form, order 4, stiff",
            Method::ForRosen => "Rosenbrock-Nystrom with exact Jacobians, order 4, stiff",
            Method::Newmark => "Newmark's average acceleration with a fixed step, order 2",
            Method::Hht => "Hilber-Hughes-Taylor with a fixed step, order 2",
        }
    }

    /// The method of that name.
    pub fn named(name: &str) -> Option<Method> {
        Method::ALL.into_iter().find(|m| m.name() == name)
    }

    /// Whether its steps have a fixed size that the user must give.
    pub fn has_fixed_step(self) -> bool {
        matches!(self, Method::Newmark | Method::Hht)
    }
}
