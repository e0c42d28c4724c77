//! Self-describing records: a struct whose fields are the file format.
//!
//! [`described!`] declares a struct together with the table of its fields (name, kind, unit, range,
//! default, documentation). Reader, writer, schema, reference pages and range checks all follow from
//! that table, so a new element needs no code outside its own file.
//!
//! Units are SI texts such as `N/m`; an empty unit means a pure number, `*` any unit.

use super::value::{FieldType, Value};

/// What a field holds and, for numbers, the SI unit it is kept in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// The name this item is known by.
    Name,
    /// The name of another item.
    Refer(Target),
    /// Free text.
    Text,
    /// `true` or `false`.
    Flag,
    /// A whole number, 1 or more.
    Count,
    /// A number in the given unit.
    Number(&'static str),
    /// As many numbers as space has dimensions.
    Vector(&'static str),
    /// A vector of which only the direction counts; it must not vanish.
    Direction,
    /// A number in planar models, three numbers in spatial ones (body-fixed axes).
    Spin(&'static str),
    /// Moment of inertia (planar), or principal moments, six entries or a 3 by 3 matrix (spatial).
    Inertia,
    /// Euler parameters, axis and angle, or two axes.
    Orientation,
    /// One word out of a list.
    Choice(&'static [&'static str]),
    /// Some words out of a list.
    Choices(&'static [&'static str]),
    /// Some words.
    Words,
    /// A number, an expression, or a table `{ t = [...], value = [...] }`.
    /// The expression may use the variables listed and, where `measures` is set, every measure of the model.
    Function {
        /// Unit of the result.
        unit: &'static str,
        /// Variables with their units, in the order in which the function takes them.
        variables: &'static [(&'static str, &'static str)],
        /// Whether the names of measures (and `name.rate`) may be used too.
        measures: bool,
    },
    /// Several of them.
    Functions {
        /// Unit of the results.
        unit: &'static str,
        /// Variables with their units.
        variables: &'static [(&'static str, &'static str)],
        /// Whether the names of measures may be used too.
        measures: bool,
    },
    /// Some numbers in the given unit.
    Numbers(&'static str),
    /// Rows of numbers, all as long.
    Matrix,
    /// A table `{ x = [...], y = [...] }`.
    Curve {
        /// Unit of the abscissa.
        x: &'static str,
        /// Unit of the ordinate.
        y: &'static str,
    },
    /// Points, each as many numbers as space has dimensions.
    Path(&'static str),
    /// Names of places with numbers, `{ mid = 0.5 }`.
    Places,
    /// Names of sets with whole numbers, `{ base = [1, 2, 3] }`.
    Sets,
    /// Whole numbers, 1 or more.
    Counts,
    /// A matrix of the section of a beam: its diagonal or its rows, six each, or three in the plane. The units are those
    /// of forces by strains, of forces by curvatures and of moments by curvatures, or what takes their places. Or a table of
    /// such at stations, `{ x = [...], value = [...] }`.
    Section([&'static str; 3]),
}

/// The kinds of items that can be referred to by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A body, or `ground`.
    Body,
    /// A marker.
    Marker,
    /// A joint.
    Joint,
    /// A driver.
    Driver,
    /// A road.
    Road,
}

impl Target {
    /// The word used in messages.
    pub fn word(self) -> &'static str {
        match self {
            Target::Body => "body",
            Target::Marker => "marker",
            Target::Joint => "joint",
            Target::Driver => "driver",
            Target::Road => "road",
        }
    }
}

/// The values a number may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Range {
    /// Any finite number.
    Any,
    /// Greater than zero.
    Positive,
    /// Zero or more.
    NonNegative,
    /// Anything but zero.
    NonZero,
    /// Greater than zero, at most a tenth: how accurate something shall be.
    Accuracy,
    /// From zero to one.
    Share,
}

/// Numbers of a model are less than this in size, so that products of a few of them stay finite.
pub const LARGEST: f64 = 1e60;
/// Numbers that are divided by exceed this in size.
pub const SMALLEST: f64 = 1e-60;

impl Range {
    /// What is wrong with `x`, if anything is.
    pub fn complaint(self, x: f64) -> Option<&'static str> {
        let divides = matches!(self, Range::Positive | Range::NonZero);
        match self {
            _ if !x.is_finite() => Some("must be a finite number"),
            Range::Positive if x <= 0.0 => Some("must be greater than zero"),
            Range::NonNegative if x < 0.0 => Some("must not be negative"),
            Range::Accuracy if x <= 0.0 => Some("must be greater than zero"),
            Range::Accuracy if x > 0.1 => Some("must be at most 0.1 (1e-4 is a fast choice)"),
            Range::Share if !(0.0..=1.0).contains(&x) => Some("must be between 0 and 1"),
            Range::NonZero if x == 0.0 => Some("must not be zero"),
            _ if x.abs() > LARGEST => Some("must not exceed 1e60 in size"),
            _ if divides && x.abs() < SMALLEST => Some("must not be less than 1e-60 in size"),
            _ => None,
        }
    }
}

/// In which kind of model a field or element makes sense.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spaces {
    /// Planar and spatial models.
    Both,
    /// Planar models only.
    Planar,
    /// Spatial models only.
    Spatial,
}

impl Spaces {
    /// Whether models of `space` are among them.
    pub fn contain(self, space: super::Space) -> bool {
        match self {
            Spaces::Both => true,
            Spaces::Planar => space == super::Space::Planar,
            Spaces::Spatial => space == super::Space::Spatial,
        }
    }
}

/// One field of a described record.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Its key in a model file.
    pub name: &'static str,
    /// What it holds.
    pub kind: Kind,
    /// Whether a model file must give it.
    pub required: bool,
    /// The flag that, set, makes it needless all the same; empty if there is none.
    pub unless: &'static str,
    /// The values allowed (numbers only).
    pub range: Range,
    /// Where it makes sense.
    pub spaces: Spaces,
    /// One sentence.
    pub doc: &'static str,
    /// The default as a model file would write it, if it has one worth stating.
    pub default: &'static str,
}

/// A record of named values on its way between a file and a struct.
pub type FieldValues = Vec<(&'static str, Value)>;

/// A struct declared by [`described!`].
pub trait Described: Sized {
    /// Its fields.
    fn fields() -> &'static [Field];
    /// Built from values that were checked against the fields; absent ones take their default.
    /// `None` if a required value is missing or has the wrong kind.
    fn from_values(values: &mut FieldValues) -> Option<Self>;
    /// The values of all fields that are set.
    fn values(&self) -> FieldValues;
    /// The doc comment, one paragraph a line.
    fn doc() -> &'static str;
}

/// Takes the value of `name` out of `values`.
pub fn take<T: FieldType>(values: &mut FieldValues, name: &str) -> Option<Option<T>> {
    match values.iter().position(|(n, _)| *n == name) {
        Some(k) => T::from_value(values.swap_remove(k).1).map(Some),
        None => Some(None),
    }
}

/// Declares a struct and the description of its fields.
///
/// ```text
/// described! {
///     /// What it is.
///     pub struct Spring {
///         /// Force per length.
///         stiffness: f64 [Kind::Number("N/m"), range = Range::NonNegative] = 0.0;
///         /// Length without load.
///         rest_length: f64 [Kind::Number("m")];          // required: no default
///     }
/// }
/// ```
#[macro_export]
macro_rules! described {
    (
        $(#[doc = $doc:literal])*
        pub struct $Name:ident {
            $(
                $(#[doc = $fdoc:literal])*
                $field:ident $(as $key:literal)? : $ty:ty [$kind:expr $(, $opt:ident = $val:expr)*] $(= $default:expr)? ;
            )*
        }
    ) => {
        $(#[doc = $doc])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct $Name {
            $( $(#[doc = $fdoc])* pub $field: $ty, )*
        }

        impl Default for $Name {
            fn default() -> Self {
                $Name { $( $field: $crate::described!(@default $($default)?), )* }
            }
        }

        impl $crate::model::describe::Described for $Name {
            fn fields() -> &'static [$crate::model::describe::Field] {
                #[allow(unused_imports)]
                use $crate::model::describe::{Field, Kind, Range, Spaces, Target};
                const FIELDS: &[Field] = &[ $( {
                    #[allow(unused_mut)]
                    let mut field = Field {
                        name: $crate::described!(@key $field $($key)?),
                        kind: $kind,
                        required: $crate::described!(@required $($default)?),
                        unless: "",
                        range: Range::Any,
                        spaces: Spaces::Both,
                        doc: concat!($($fdoc, "\n"),*),
                        default: $crate::described!(@shown $($default)?),
                    };
                    $( field.$opt = $val; )*
                    field
                } ),* ];
                FIELDS
            }
            #[allow(unused_variables)]
            fn from_values(values: &mut $crate::model::describe::FieldValues) -> Option<Self> {
                Some($Name { $( $field: match $crate::model::describe::take::<$ty>(values, $crate::described!(@key $field $($key)?))? {
                    Some(value) => value,
                    None => $crate::described!(@absent $($default)?),
                }, )* })
            }
            fn values(&self) -> $crate::model::describe::FieldValues {
                #[allow(unused_mut)]
                let mut all = $crate::model::describe::FieldValues::new();
                $( if let Some(value) = $crate::model::value::FieldType::to_value(&self.$field) {
                    all.push(($crate::described!(@key $field $($key)?), value));
                } )*
                all
            }
            fn doc() -> &'static str {
                concat!($($doc, "\n"),*)
            }
        }
    };
    (@default $default:expr) => { $default };
    (@default) => { Default::default() };
    (@absent $default:expr) => { $default };
    (@absent) => { return None };
    (@required $default:expr) => { false };
    (@required) => { true };
    (@shown $default:expr) => { stringify!($default) };
    (@shown) => { "" };
    (@key $field:ident $key:literal) => { $key };
    (@key $field:ident) => { stringify!($field) };
}
pub use crate::described;
