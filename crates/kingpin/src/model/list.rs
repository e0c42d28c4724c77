//! Lists of element kinds: one line per kind, everything else follows.

use super::describe::{Field, FieldValues};

/// One kind of element as reader, schema and reference pages see it.
pub struct ElementEntry<K: 'static> {
    /// The word behind `type =`.
    pub tag: &'static str,
    /// What it is.
    pub doc: fn() -> &'static str,
    /// Its own fields (without the header that all elements of the section share).
    pub fields: fn() -> &'static [Field],
    /// From checked values.
    pub build: fn(&mut FieldValues) -> Option<K>,
    /// An instance with all defaults, to ask questions that do not depend on data.
    pub blank: fn() -> K,
}

/// Declares the modules of a family of elements, the enum over them and its list of entries. Those
/// `made` of other items are on no list: no file can have them.
#[macro_export]
macro_rules! element_list {
    (
        $(#[doc = $doc:literal])*
        pub enum $Kind:ident: $Trait:path {
            $( $module:ident::$Variant:ident = $tag:literal ),* $(,)?
        }
        $( made { $( $hidden:ident::$Hidden:ident = $word:literal ),* $(,)? } )?
    ) => {
        $( mod $module; pub use $module::$Variant; )*
        $( $( mod $hidden; pub use $hidden::$Hidden; )* )?

        $(#[doc = $doc])*
        // a model has a few of each, so nobody minds the room
        #[allow(clippy::large_enum_variant)]
        #[derive(Clone, Debug, PartialEq)]
        pub enum $Kind {
            $( #[doc = concat!("`", $tag, "`")] $Variant($Variant), )*
            $( $( #[doc = concat!("`", $word, "`, expanded from other items")] $Hidden($Hidden), )* )?
        }

        impl $Kind {
            /// All kinds, in the order of documentation.
            pub const LIST: &'static [$crate::model::list::ElementEntry<$Kind>] = &[ $(
                $crate::model::list::ElementEntry {
                    tag: $tag,
                    doc: <$Variant as $crate::model::describe::Described>::doc,
                    fields: <$Variant as $crate::model::describe::Described>::fields,
                    build: |values| <$Variant as $crate::model::describe::Described>::from_values(values).map($Kind::$Variant),
                    blank: || $Kind::$Variant($Variant::default()),
                }
            ),* ];

            /// The word behind `type =`.
            pub fn tag(&self) -> &'static str {
                match self { $( $Kind::$Variant(_) => $tag, )* $( $( $Kind::$Hidden(_) => $word, )* )? }
            }

            /// The values of its own fields.
            pub fn values(&self) -> $crate::model::describe::FieldValues {
                match self {
                    $( $Kind::$Variant(x) => $crate::model::describe::Described::values(x), )*
                    $( $( $Kind::$Hidden(x) => $crate::model::describe::Described::values(x), )* )?
                }
            }

            /// Its own fields.
            pub fn fields(&self) -> &'static [$crate::model::describe::Field] {
                match self {
                    $( $Kind::$Variant(_) => <$Variant as $crate::model::describe::Described>::fields(), )*
                    $( $( $Kind::$Hidden(_) => <$Hidden as $crate::model::describe::Described>::fields(), )* )?
                }
            }

            /// The behaviour of the kind.
            pub fn element(&self) -> &dyn $Trait {
                match self { $( $Kind::$Variant(x) => x, )* $( $( $Kind::$Hidden(x) => x, )* )? }
            }
        }

        $( impl From<$Variant> for $Kind {
            fn from(x: $Variant) -> Self { $Kind::$Variant(x) }
        } )*
        $( $( impl From<$Hidden> for $Kind {
            fn from(x: $Hidden) -> Self { $Kind::$Hidden(x) }
        } )* )?
    };
}
pub use crate::element_list;
