//! The integration methods: one file each, with name, help, explanation and constructor. To add one, write its file and a
//! line below.

use super::engine::{Made, Setup};

/// A method as the other modules see it.
pub(in crate::dynamics) struct MethodEntry {
    /// The name users give.
    pub name: &'static str,
    /// One line on what it does.
    pub about: &'static str,
    /// Its order, as a table tells it.
    pub order: &'static str,
    /// What kind of method it is, on which form.
    pub kind: &'static str,
    /// What it is good for.
    pub suits: &'static str,
    /// Whether it integrates all coordinates and never solves for any.
    pub explicit: bool,
    /// Whether its steps have a fixed size that the user must give.
    pub fixed_step: bool,
    /// Where it looks within a step, in parts of it.
    pub nodes: &'static [f64],
    /// Sets it to work; an error if it cannot start in this configuration.
    pub make: MakeEngine,
    /// What `kingpin explain` says: its name with other words for it, lines, an example, what to see also.
    pub explained: &'static str,
}

/// Makes an engine.
type MakeEngine = for<'a> fn(Setup<'a, '_>) -> Made<'a>;

/// Nodes of methods that look at both ends.
const TRAPEZOID: &[f64] = &[0.0, 1.0];
/// Nodes of SDIRK4/15 and SDIRK4/16.
const SDIRK: &[f64] = &[0.25, 0.5, 0.75, 1.0];

/// Declares the modules of the methods, the enum over them and its lists; the first is the default. Behind the semicolon
/// are the methods of the documents and of other programs, which are there for comparison.
macro_rules! method_list {
    ($first:ident::$First:ident, $( $module:ident::$Variant:ident ),*; $( $compared:ident::$Compared:ident ),* $(,)?) => {
        mod $first;
        $( mod $module; )*
        $( mod $compared; )*

        /// The integration method.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
        pub enum Method {
            #[doc = concat!("`", stringify!($first), "`")]
            #[default]
            $First,
            $( #[doc = concat!("`", stringify!($module), "`, with dashes")] $Variant, )*
            $( #[doc = concat!("`", stringify!($compared), "`, with dashes")] $Compared, )*
        }

        const ENTRIES: &[MethodEntry] = &[$first::ENTRY, $( $module::ENTRY, )* $( $compared::ENTRY, )*];

        impl Method {
            /// All of them, the default first.
            pub const ALL: [Method; ENTRIES.len()] =
                [Method::$First, $( Method::$Variant, )* $( Method::$Compared, )*];
            const COMPARED: &[Method] = &[$( Method::$Compared ),*];
            /// Their names.
            pub const NAMES: &'static [&'static str] = &[$first::ENTRY.name, $( $module::ENTRY.name, )* $( $compared::ENTRY.name, )*];
        }
    };
}

method_list! {
    auto::Auto,
    dop853::Dop853,
    radau::Radau,
    for_rosen::ForRosen,
    dopri5::Dopri5,
    adams::Adams,
    esdirk::Esdirk,
    gen_alpha::GenAlpha;
    ssp_trap::SspTrap,
    infl_trap::InflTrap,
    infl_sdirk::InflSdirk,
    for_sdirk::ForSdirk,
    newmark::Newmark,
    hht::Hht,
}

impl Method {
    pub(in crate::dynamics) fn entry(self) -> &'static MethodEntry {
        &ENTRIES[self as usize]
    }

    /// The name users give.
    pub fn name(self) -> &'static str {
        self.entry().name
    }

    /// One line on what it does.
    pub fn about(self) -> &'static str {
        self.entry().about
    }

    /// Order, kind, and what it is good for: its row where methods are compared.
    pub fn compared(self) -> [&'static str; 3] {
        let entry = self.entry();
        [entry.order, entry.kind, entry.suits]
    }

    /// What `kingpin explain` says.
    #[doc(hidden)]
    pub fn explained(self) -> &'static str {
        self.entry().explained
    }

    /// The method of that name.
    pub fn named(name: &str) -> Option<Method> {
        Method::ALL.into_iter().find(|m| m.name() == name)
    }

    /// Whether it is a method of the documents or of other programs, for comparison.
    pub fn is_for_comparison(self) -> bool {
        Method::COMPARED.contains(&self)
    }

    /// Whether its steps have a fixed size that the user must give.
    pub fn has_fixed_step(self) -> bool {
        self.entry().fixed_step
    }

    /// Whether it integrates all coordinates and never solves for any.
    pub fn is_explicit(self) -> bool {
        self.entry().explicit
    }
}
