//! The report of `kingpin equilibrium` for people.

use crate::domains::DomainReport;
use crate::figures::Figures;
use crate::naming::title;
use crate::ready::Ready;
use crate::report::{entry, list};
use crate::table::{Align, Table};
use crate::words::{count, many, number, quantity};
use kingpin::dynamics::Equilibrium;
use kingpin::results::{Channels, Group};

/// Digits shown.
const DIGITS: usize = 6;
/// Unstable directions listed.
const LISTED: usize = 5;

/// All channels at rest.
pub fn figures<'a>(ready: &Ready, equilibrium: &Equilibrium, channels: &'a Channels) -> Figures<'a> {
    let mut work = ready.system().work();
    ready.system().set_state(&mut work, &equilibrium.state);
    ready.system().evaluate_constraints(&mut work);
    ready.system().evaluate_forces(&mut work);
    Figures::new(channels, ready.system(), &work, &equilibrium.accelerations)
}

/// The whole report.
pub fn report(ready: &Ready, equilibrium: &Equilibrium) -> String {
    let channels = Channels::new(ready.system());
    let figures = figures(ready, equilibrium, &channels);
    let mut text = title(ready.model()) + "\n";
    if ready.system().masses() > 0 {
        let t = number(equilibrium.state.t, DIGITS);
        text += &format!("\n  Centres of mass in equilibrium at t = {t} s\n\n{}", bodies(ready, equilibrium));
    }
    for (group, heading) in [(Group::Force, "Forces"), (Group::Measure, "Measures")] {
        let all = figures.at_rest(group);
        if !all.is_empty() {
            text += &format!("\n  {heading}\n\n{}", table(&all));
        }
    }
    text += "\n";
    entry(&mut text, "Newton steps", &count(equilibrium.iterations), "");
    if equilibrium.sparse {
        entry(&mut text, "matrices", "sparse", "of all coordinates");
    }
    if let Some(domains) = DomainReport::of(ready.system().subdivision.as_ref()) {
        let (count, remark) = domains.words();
        entry(&mut text, "sub-domains", &count, &remark);
    }
    entry(&mut text, "residual", &number(equilibrium.residual, 2), "m/s^2, largest acceleration");
    if equilibrium.free > 0 {
        let what = "without stiffness and force: position unchanged";
        entry(&mut text, "free directions", &count(equilibrium.free), what);
    }
    if equilibrium.unstable.is_empty() {
        entry(&mut text, "stable", "yes", "");
    } else {
        let n = equilibrium.unstable_directions;
        entry(&mut text, "stable", "no", &format!("negative stiffness in {}", many(n, "direction")));
        let lines = equilibrium.unstable.iter().map(|u| {
            format!(
                "time constant of growth {} without damping, mainly body `{}`",
                quantity(1.0 / u.rate, "s"),
                u.body
            )
        });
        list(&mut text, "Unstable modes", n, LISTED, lines);
    }
    text
}

/// Where the bodies are, and how far they have come.
fn bodies(ready: &Ready, equilibrium: &Equilibrium) -> Table {
    let system = ready.system();
    let d = system.dimensions();
    let (q, start) = (&equilibrium.state.q, &ready.start.q);
    let largest = system.nodes.split_q(q).flat_map(|(place, _)| place).fold(1e-3_f64, |m, x| m.max(x.abs()));
    let shown = |x: f64| number(if x.abs() < 1e-9 * largest { 0.0 } else { x }, DIGITS);
    let name = |b: usize| system.body_names[b].clone();
    let place = |b: usize, k: usize| match &system.nodes[b] {
        node if k < d => shown(node.along(q, node.q, k)),
        node => q[node.q()].get(k).map_or_else(|| "-".into(), |x| shown(*x)),
    };
    let apart = |range: std::ops::Range<usize>| {
        let each = range.map(|k| (q[k] - start[k]) * (q[k] - start[k]));
        each.sum::<f64>().sqrt()
    };
    let first = |b: usize| system.nodes[b].q;
    let small = |x: f64, unit: &str| if x < 1e-9 { "0".into() } else { quantity(x, unit) };
    let moved = |b: usize| small(apart(first(b)..first(b) + system.nodes[b].places), "m");
    // half the turn is the angle between unit Euler parameters
    let turned = |b: usize| {
        let range = first(b) + system.nodes[b].places..system.nodes.q(b).end;
        small(apart(range) * if d == 3 { 2.0 } else { 1.0 }, "rad")
    };
    let right = |header| (header, Align::Right);
    let ends = [right("moved by"), right("rotated by")];
    if d == 2 {
        let columns =
            [("body", Align::Left), right("x [m]"), right("y [m]"), right("angle [rad]"), ends[0], ends[1]];
        return Table::new(columns, system.masses(), |b| {
            [name(b), place(b, 0), place(b, 1), place(b, 2), moved(b), turned(b)]
        });
    }
    let columns = [("body", Align::Left), right("x [m]"), right("y [m]"), right("z [m]"), ends[0], ends[1]];
    Table::new(columns, system.masses(), |b| {
        [name(b), place(b, 0), place(b, 1), place(b, 2), moved(b), turned(b)]
    })
}

fn table(all: &[(&str, &'static str, f64)]) -> Table {
    let largest = all.iter().fold(0.0_f64, |m, x| m.max(x.2.abs()));
    let columns = [("channel", Align::Left), ("value", Align::Right), ("unit", Align::Left)];
    Table::new(columns, all.len(), |k| {
        let (name, unit, value) = all[k];
        let value = if value.abs() < 1e-11 * largest { 0.0 } else { value };
        [name.into(), number(value, DIGITS), unit.into()]
    })
}
