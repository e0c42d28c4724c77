//! The names an expression may use.

use super::dim::Dim;
use super::error::closest;
use super::quantity::{Quantity, Unitness};
use std::collections::BTreeMap;

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Binding {
    /// A number known when the expression is read, such as a parameter.
    Constant(Quantity),
    /// A value given at evaluation, by its index.
    Variable {
        /// Position in the slice of values.
        index: u32,
        /// Its dimension.
        unit: Unitness,
    },
}

/// Names and what they stand for; local names can be laid over those of another scope.
#[derive(Clone, Debug, Default)]
pub struct Scope<'p> {
    parent: Option<&'p Scope<'p>>,
    names: BTreeMap<String, Binding>,
}

impl<'p> Scope<'p> {
    /// A scope without names.
    pub fn new() -> Self {
        Scope::default()
    }

    /// A scope that sees all names of this one and may add or shadow some. Costs nothing per name seen.
    pub fn child(&'p self) -> Scope<'p> {
        Scope { parent: Some(self), names: BTreeMap::new() }
    }

    /// Adds a constant.
    pub fn constant(&mut self, name: impl Into<String>, quantity: Quantity) -> &mut Self {
        self.names.insert(name.into(), Binding::Constant(quantity));
        self
    }

    /// Adds a variable; without a dimension it fits everything.
    pub fn variable(&mut self, name: impl Into<String>, index: u32, dim: Option<Dim>) -> &mut Self {
        let unit = dim.map_or(Unitness::Unknown, Unitness::Known);
        self.names.insert(name.into(), Binding::Variable { index, unit });
        self
    }

    /// What a name stands for, the innermost binding first.
    pub fn lookup(&self, name: &str) -> Option<Binding> {
        let mut scope = Some(self);
        while let Some(here) = scope {
            if let Some(binding) = here.names.get(name) {
                return Some(*binding);
            }
            scope = here.parent;
        }
        None
    }

    /// Whether a name is bound.
    pub fn contains(&self, name: &str) -> bool {
        self.lookup(name).is_some()
    }

    /// All names, innermost first; a shadowed name occurs twice.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        std::iter::successors(Some(self), |scope| scope.parent)
            .flat_map(|scope| scope.names.keys().map(String::as_str))
    }

    /// The name that may be meant by one that is not bound.
    pub fn suggest(&self, name: &str) -> Option<&str> {
        closest(name, self.names())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn children_see_and_shadow() {
        let mut outer = Scope::new();
        outer.constant("k", Quantity::bare(1.0)).variable("gap.rate", 3, Some(Dim::VELOCITY));
        let mut inner = outer.child();
        inner.constant("i", Quantity::bare(2.0)).constant("k", Quantity::unknown(5.0));
        assert_eq!(inner.lookup("k"), Some(Binding::Constant(Quantity::unknown(5.0))));
        assert_eq!(
            inner.lookup("gap.rate"),
            Some(Binding::Variable { index: 3, unit: Unitness::Known(Dim::VELOCITY) })
        );
        assert!(outer.lookup("i").is_none());
        assert_eq!(inner.suggest("gap.rte"), Some("gap.rate"));
        assert_eq!(inner.names().count(), 4);
    }
}
