//! Superelements: what reports say of them, a line each.

use crate::table::{Align, Table};
use crate::words::{count, number};
use kingpin::model::{Model, ReducedBody, SuperelementFields};
use serde::Serialize;

fn all(model: &Model) -> Vec<(&SuperelementFields, &ReducedBody)> {
    let own = model.superelements.iter();
    own.filter_map(|own| Some((&own.fields, own.reduced.as_deref()?))).collect()
}

/// Whether bending shortens it.
fn shortens(fields: &SuperelementFields, body: &ReducedBody) -> bool {
    fields.foreshortening.unwrap_or(true) && body.foreshortening.is_some()
}

fn slowest(body: &ReducedBody) -> f64 {
    body.hertz.iter().copied().fold(f64::INFINITY, f64::min)
}

fn fastest(body: &ReducedBody) -> f64 {
    body.hertz.iter().copied().fold(0.0, f64::max)
}

/// One line per superelement.
pub fn table(model: &Model) -> Table {
    let columns = [
        ("superelement", Align::Left),
        ("nodes", Align::Right),
        ("interfaces", Align::Right),
        ("modes", Align::Right),
        ("from [Hz]", Align::Right),
        ("to [Hz]", Align::Right),
        ("mass [kg]", Align::Right),
        ("bending", Align::Left),
    ];
    let all = all(model);
    Table::new(columns, all.len(), |k| {
        let (fields, body) = all[k];
        let bending = if shortens(fields, body) { "shortens" } else { "keeps length" };
        let [nodes, interfaces, modes] = [body.nodes, body.interfaces.len(), body.amplitudes()].map(count);
        let [from, to, mass] = [slowest(body), fastest(body), body.whole_mass].map(|x| number(x, 4));
        [fields.name.clone(), nodes, interfaces, modes, from, to, mass, bending.into()]
    })
}

/// A superelement as JSON; frequencies are those of the free body, in Hz.
#[derive(Serialize)]
pub struct SuperelementSize<'a> {
    name: &'a str,
    nodes: usize,
    interfaces: Vec<&'a str>,
    modes: usize,
    slowest: f64,
    fastest: f64,
    mass: f64,
    bending_shortens: bool,
}

/// All superelements of a model.
pub fn json(model: &Model) -> Vec<SuperelementSize<'_>> {
    fn size<'a>((fields, body): (&'a SuperelementFields, &'a ReducedBody)) -> SuperelementSize<'a> {
        SuperelementSize {
            name: &fields.name,
            nodes: body.nodes,
            interfaces: body.interfaces.iter().map(|own| own.name.as_str()).collect(),
            modes: body.amplitudes(),
            slowest: slowest(body),
            fastest: fastest(body),
            mass: body.whole_mass,
            bending_shortens: shortens(fields, body),
        }
    }
    all(model).into_iter().map(size).collect()
}
