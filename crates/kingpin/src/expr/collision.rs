//! Names of the scope that are also units, where both could be meant.
//!
//! Directly behind a number or `)` a name is a unit: `2 m`. Behind `*` or `/` of a unit it is a unit too, but there a
//! name of the scope could be meant as well: `100 N/m` with a parameter `m`. The unit is taken without a word
//! if the text looks like one unit, that is, if it is written without spaces and its dimension is one that
//! has a name: `100 N/m` is a stiffness, `2 kg*m^2` a moment of inertia. Anything else could be either and is an
//! error: `5 N * s`, `2 kg*g`.

use super::error::{ExprError, quoted};
use super::parser::{Operand, Parser};
use super::token::Tok;
use super::unit::Unit;
use std::ops::Range;

impl Parser<'_> {
    /// Looks for names of the scope among the units behind `node`, which are the tokens `run`.
    pub(super) fn check_collision(&mut self, node: &Operand, run: Range<usize>, unit: Unit) {
        let is_name = |k: &usize| matches!(self.tokens[*k].tok, Tok::Name(name) if self.scope.contains(name));
        // the first unit follows a number or `)`, where no name can stand; the last name is the likeliest to be meant
        let Some(at) = run.clone().skip(1).rev().find(is_name) else { return };
        let joined = self.tokens[run.clone()].windows(2).all(|pair| pair[0].span.end == pair[1].span.start);
        if joined && unit.dim().has_name() {
            self.read_as_unit = Some(self.text[self.tokens[at].span.clone()].into());
            return;
        }
        let error = self.two_readings(node, run, at, unit);
        self.errors.push(error);
    }

    /// The error for the name at token `at` in the units `run` behind `node`.
    fn two_readings(&self, node: &Operand, run: Range<usize>, at: usize, unit: Unit) -> ExprError {
        let span =
            |tokens: Range<usize>| self.tokens[tokens.start].span.start..self.tokens[tokens.end - 1].span.end;
        let name = &self.text[span(at..at + 1)];
        // the factor with its exponent ends before the next operator
        let more = |k: &usize| matches!(self.tokens[*k].tok, Tok::Star | Tok::Slash);
        let end = (at..run.end).find(more).unwrap_or(run.end);
        let factor = &self.text[span(at..end)];
        let whole = node.span.start..self.tokens[run.end - 1].span.end;
        let before = node.span.start..self.tokens[at - 2].span.end;
        let inverse = self.tokens[at - 1].tok == Tok::Slash;
        let (word, sign) = if inverse { ("divided by", '/') } else { ("times", '*') };
        let message = format!(
            "`{name}` is both a unit and a name defined here, so {} can be {}, or {} {word} `{factor}`",
            quoted(self.text, &whole),
            unit.dim().noun(),
            quoted(self.text, &before),
        );
        let exponent = &factor[name.len()..];
        let as_name = format!("{}{sign}({name}){exponent}", &self.text[before]);
        let joined: String = self.text[span(run)].chars().filter(|c| !c.is_whitespace()).collect();
        let hint = if unit.dim().has_name() {
            let number = self.text[node.span.clone()].trim();
            format!("write `{number} {joined}` without spaces for the unit, or `{as_name}` for the name")
        } else {
            format!("write `{as_name}` for the name; to use the unit, rename `{name}`")
        };
        ExprError::new(self.tokens[at].span.clone(), message).with_hint(hint)
    }
}
