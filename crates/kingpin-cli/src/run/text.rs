//! The report of `kingpin run` for people.

use super::journey::{Journey, Results};
use super::progress::{duration, speed};
use super::scales;
use crate::domains::DomainReport;
use crate::naming::title;
use crate::report::entry;
use crate::table::{Align, Table};
use crate::words::{count, many, number, quantity};
use kingpin::accel::Iterations;
use kingpin::dynamics::{Coordinates, End, Matrices, Method, Stabilisation};
use kingpin::results::{Channels, Group};

/// Values at the end that are shown.
const SHOWN: usize = 12;
/// Events that are shown.
const EVENTS: usize = 10;
/// Digits of values.
const DIGITS: usize = 7;

/// The whole report: frames first, if asked for, then the summary.
pub fn report(journey: &Journey) -> String {
    let mut text = String::new();
    if !journey.picked.places().is_empty() {
        text += &format!("{}\n", frames(journey));
    }
    text += &title(journey.ready.model());
    text += &format!("\n{}\n\n", headline(journey));
    summary(journey, &mut text);
    text += &last_values(journey);
    if let Some(results) = &journey.results {
        text += &files(journey, results);
    }
    text
}

/// Where everything is.
fn files(journey: &Journey, results: &Results) -> String {
    let mut list = Vec::new();
    if let Some(page) = &results.page {
        list.push((page.clone(), "open it in a browser".to_string()));
    }
    for table in &results.tables {
        let channels = many(journey.channels.len(), "channel");
        list.push((table.clone(), format!("{} of {channels}", many(results.frames as usize, "frame"))));
    }
    let wide = list.iter().map(|(path, _)| path.display().to_string().len()).max().unwrap_or(0);
    let mut text = String::from("\n");
    for (path, about) in list {
        text += &format!("  {:<wide$}  {about}\n", path.display().to_string());
    }
    if journey.interrupted() {
        text += "\n  Repeat the command with `--resume` to continue.\n";
    }
    text
}

fn headline(journey: &Journey) -> String {
    let (start, reached, end) = (journey.ready.start.t, journey.run.state.t, journey.settings.t_end);
    let simulated = reached - start;
    let how_far = match &journey.failure {
        Some(_) => format!("Failed at t = {} s of {} s", number(reached, 6), number(end, 6)),
        None => match &journey.run.end {
            End::Stopped => {
                format!("Interrupted at t = {} s of {} s", number(reached, 6), number(end, 6))
            }
            End::Event(event) => format!("Stopped by {} after {}", event.what, quantity(simulated, "s")),
            _ => format!("{} simulated", quantity(simulated, "s")),
        },
    };
    let wall = journey.wall;
    if simulated > 0.0 && wall > 0.0 {
        format!("{how_far} in {}, {}", duration(wall), speed(simulated, wall))
    } else {
        format!("{how_far} in {}", duration(wall))
    }
}

fn summary(journey: &Journey, text: &mut String) {
    let (run, settings) = (&journey.run, &journey.settings);
    let statistics = &run.statistics;
    methods(journey, text);
    if journey.ready.model().simulation.starts_at_equilibrium() {
        entry(text, "start", "equilibrium", "with the given velocities");
    }
    if !settings.method.has_fixed_step() {
        scales::entries(journey, text);
    }
    let sizes = journey.steps.map_or(String::new(), |(least, most)| {
        format!(", of {} to {}", quantity(least, "s"), quantity(most, "s"))
    });
    entry(
        text,
        "steps",
        &count(statistics.steps),
        &format!("{} rejected{sizes}", count(statistics.rejected)),
    );
    let chosen = if journey.solver == settings.solver { "" } else { ", chosen by predicted time" };
    entry(text, "accelerations", &count(run.accelerations), &format!("{}{chosen}", journey.solver.name()));
    if journey.threads > 1 {
        let chosen = if settings.threads.is_none() { "by predicted time" } else { "" };
        entry(text, "threads", &count(journey.threads), chosen);
    }
    if let Some(iterations) = &run.iterations {
        entry(text, "solver iterations", &number(iterations.mean(), 2), &remark(iterations));
    }
    if settings.stabilisation != Stabilisation::default() {
        entry(text, "stabilisation", settings.stabilisation.name(), &corrections(journey));
    }
    if statistics.jacobians > 0 {
        let remark = format!(
            "{}, {}",
            many(statistics.factorisations, "factorisation"),
            many(statistics.newton_iterations, "Newton iteration")
        );
        entry(text, "Jacobians", &count(statistics.jacobians), &remark);
        if journey.is_sparse() {
            let chosen = if settings.matrices == Matrices::Auto { ", by predicted time" } else { "" };
            entry(text, "matrices", "sparse", &format!("of all coordinates, in the tangent plane{chosen}"));
        } else if journey.coordinates() == Coordinates::Tangent {
            entry(text, "coordinates", "tangent", &many(run.repartitions, "further tangent plane"));
        } else {
            entry(text, "repartitions", &count(run.repartitions), "changes of the independent coordinates");
        }
    }
    if let Some(domains) = DomainReport::of(journey.ready.system().subdivision.as_ref()) {
        let (count, remark) = domains.words();
        entry(text, "sub-domains", &count, &remark);
    }
    entry(text, "position residual", &number(run.position_residual, 2), "largest of all steps");
    entry(text, "velocity residual", &number(run.velocity_residual, 2), "");
    events(journey, text);
    let remark = match run.energy.turned() {
        0.0 => "no motion".into(),
        turned => format!("of the energy exchanged, {} J", number(turned, 4)),
    };
    entry(text, "energy drift", &number(run.energy.drift(), 2), &remark);
    let (all, recorded) = (Channels::count(journey.ready.system()), journey.channels.len());
    if recorded < all {
        let remark = format!("of {}: measures, energies, and those of `--channels`", count(all));
        entry(text, "channels", &count(recorded), &remark);
    }
}

/// What is said of corrections.
fn corrections(journey: &Journey) -> String {
    let (done, weights) = (&journey.run.corrections, &journey.settings.stabilisation_weights);
    if done.systems == 0 {
        return "no step was corrected".into();
    }
    let mut remark =
        format!("{} by {}, {}", many(done.moved, "state"), weights.name(), many(done.systems, "system"));
    if done.solver_iterations > 0 {
        let mean = done.solver_iterations as f64 / done.systems as f64;
        remark += &format!(" of {} iterations each", number(mean, 2));
    }
    remark
}

/// What is said of iterations.
fn remark(iterations: &Iterations) -> String {
    let mut remark = format!("per solution, at most {}", count(iterations.most));
    if iterations.renewals > 0 {
        remark += &format!("; {} renewed", many(iterations.renewals, "factor"));
    }
    if iterations.rescues > 0 {
        remark +=
            &format!("; {} did not converge and were solved directly", many(iterations.rescues, "solution"));
    }
    remark
}

/// What happened on the way, the first and the last of it.
fn events(journey: &Journey, text: &mut String) {
    let all = &journey.run.events;
    let skipped = all.len().saturating_sub(EVENTS);
    for (k, event) in all.iter().enumerate() {
        if skipped > 0 && k == EVENTS / 2 {
            entry(text, "", "…", &many(skipped, "further event"));
        }
        if k < EVENTS / 2 || k >= EVENTS / 2 + skipped {
            let title = if k == 0 { "events" } else { "" };
            entry(text, title, &format!("{} s", number(event.t, 6)), &event.what);
        }
    }
}

/// The method, and when it changed.
fn methods(journey: &Journey, text: &mut String) {
    let methods = &journey.run.methods;
    let auto = journey.settings.method == Method::Auto;
    for (k, (t, method)) in methods.iter().enumerate() {
        let remark = match (k, auto) {
            (0, false) => String::new(),
            (0, true) => "chosen by `auto`".into(),
            _ => format!("from t = {} s on", number(*t, 4)),
        };
        entry(text, if k == 0 { "method" } else { "" }, method.name(), &remark);
    }
}

/// A few values at the end: measures, or else where the bodies are.
fn last_values(journey: &Journey) -> String {
    let list = journey.channels.list();
    let of = |wanted: &[Group]| -> Vec<usize> {
        (0..list.len()).filter(|&k| wanted.contains(&list[k].group)).collect()
    };
    let mut chosen = of(&[Group::Measure]);
    if chosen.is_empty() {
        chosen = of(&[Group::Position, Group::Orientation]);
    }
    if chosen.is_empty() {
        chosen = of(&[Group::Energy]);
    }
    let rest = list.len() - chosen.len().min(SHOWN);
    chosen.truncate(SHOWN);
    if chosen.is_empty() {
        return String::new();
    }
    let columns = [("channel", Align::Left), ("value", Align::Right), ("unit", Align::Left)];
    let table = Table::new(columns, chosen.len(), |row| {
        let channel = &list[chosen[row]];
        [channel.name.clone(), number(journey.last[chosen[row]], DIGITS), channel.unit.into()]
    });
    let t = number(journey.run.state.t, 6);
    let more = match rest {
        0 => String::new(),
        _ => format!(
            " ({}; `--json` prints all, `--table` prints selected channels over time)",
            many(rest, "further channel")
        ),
    };
    format!("\n  At t = {t} s{more}\n\n{table}")
}

fn frames(journey: &Journey) -> Table {
    let (rows, places) = (&journey.rows, journey.picked.places());
    let header = |k: &usize| {
        let channel = &journey.channels.list()[*k];
        let unit = if channel.unit.is_empty() { String::new() } else { format!(" [{}]", channel.unit) };
        (format!("{}{unit}", channel.name), Align::Right)
    };
    let mut columns = vec![("t [s]".to_string(), Align::Right)];
    columns.extend(places.iter().map(header));
    let row = |(t, values): (&f64, &[f64])| {
        let mut cells = vec![number(*t, DIGITS)];
        cells.extend(values.iter().map(|x| number(*x, DIGITS)));
        cells
    };
    Table::whole(columns, rows.t.iter().zip(rows.values.chunks_exact(places.len())).map(row).collect())
}
