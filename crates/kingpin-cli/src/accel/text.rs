//! The report of `kingpin accelerations` for people.

use super::solve::{Comparison, Outcome, Solution};
use crate::naming::{body_name, title, type_of};
use crate::table::{Align, Table};
use crate::words::{count, many, number};

/// What is smaller than this part of the greatest entry is round-off.
const ROUND_OFF: f64 = 1e-11;
/// Digits shown.
const DIGITS: usize = 6;

/// The whole report.
pub fn report(solution: &Solution) -> String {
    let (system, t) = (solution.ready.system(), solution.ready.start.t);
    let mut text = title(solution.ready.model()) + "\n";
    if system.masses() > 0 {
        text += &format!("\n  Accelerations of the centres of mass at t = {} s\n\n", number(t, 6));
        text += &bodies(solution).to_string();
    }
    if !system.layout.groups.is_empty() {
        text += "\n  Reactions of joints and drivers, at the joint point\n\n";
        text += &reactions(solution).to_string();
        text += "\n  Multipliers\n\n";
        text += &multipliers(solution).to_string();
        text += &redundancy(solution);
    }
    text += &match &solution.comparison {
        None => format!("\n  Solver: {}{}\n", solution.method.name(), iterations(solution.iterations, ", ")),
        Some(comparison) => solvers(solution, comparison),
    };
    text
}

/// Iterations of a solver, if it is an iterative one.
fn iterations(taken: Option<usize>, before: &str) -> String {
    taken.map_or(String::new(), |taken| format!("{before}{}", many(taken, "iteration")))
}

/// Numbers of one kind, round-off shown as zero.
struct Figures {
    least: f64,
}

impl Figures {
    fn of<'a>(all: impl Iterator<Item = &'a f64>) -> Figures {
        Figures { least: ROUND_OFF * all.fold(0.0_f64, |m, x| m.max(x.abs())) }
    }

    fn show(&self, x: f64) -> String {
        number(if x.abs() < self.least { 0.0 } else { x }, DIGITS)
    }
}

fn bodies(solution: &Solution) -> Table {
    let (system, acc) = (solution.ready.system(), &solution.result.acc);
    let turns = system.angular_accelerations(&solution.work, acc);
    let figures = Figures::of(acc.iter());
    let name = |b: usize| system.body_names[b].clone();
    let linear = |b: usize, k: usize| figures.show(system.nodes[b].along(acc, system.nodes[b].v, k));
    let turn = |b: usize, k: usize| figures.show(turns[b][k]);
    let body = ("body", Align::Left);
    let [x, y, z] = ["x'' [m/s^2]", "y'' [m/s^2]", "z'' [m/s^2]"].map(|name| (name, Align::Right));
    if system.dimensions() == 2 {
        let columns = [body, x, y, ("angle'' [rad/s^2]", Align::Right)];
        return Table::new(columns, system.masses(), |b| [name(b), linear(b, 0), linear(b, 1), turn(b, 2)]);
    }
    let [wx, wy, wz] =
        ["omega_x' [rad/s^2]", "omega_y' [rad/s^2]", "omega_z' [rad/s^2]"].map(|name| (name, Align::Right));
    Table::new([body, x, y, z, wx, wy, wz], system.masses(), |b| {
        [name(b), linear(b, 0), linear(b, 1), linear(b, 2), turn(b, 0), turn(b, 1), turn(b, 2)]
    })
}

fn reactions(solution: &Solution) -> Table {
    let (model, system) = (solution.ready.model(), solution.ready.system());
    let all = &solution.reactions;
    let figures = Figures::of(all.iter().flat_map(|r| r.force.iter().chain(&r.torque)));
    let group = |k: usize| &system.layout.groups[k];
    let words = |k: usize| {
        let on = body_name(system, all[k].body).to_string();
        [group(k).name.clone(), type_of(model, &group(k).subject), on]
    };
    let force = |k: usize, a: usize| figures.show(all[k].force[a]);
    let torque = |k: usize, a: usize| figures.show(all[k].torque[a]);
    let left = |name| (name, Align::Left);
    let right = |name| (name, Align::Right);
    let [joint, kind, on] = ["joint", "type", "on"].map(left);
    if system.dimensions() == 2 {
        let [fx, fy, t] = ["Fx [N]", "Fy [N]", "torque [N*m]"].map(right);
        return Table::new([joint, kind, on, fx, fy, t], all.len(), |k| {
            let [name, kind, on] = words(k);
            [name, kind, on, force(k, 0), force(k, 1), torque(k, 2)]
        });
    }
    let [fx, fy, fz, tx, ty, tz] =
        ["Fx [N]", "Fy [N]", "Fz [N]", "Tx [N*m]", "Ty [N*m]", "Tz [N*m]"].map(right);
    Table::new([joint, kind, on, fx, fy, fz, tx, ty, tz], all.len(), |k| {
        let [name, kind, on] = words(k);
        let [fx, fy, fz] = [0, 1, 2].map(|a| force(k, a));
        let [tx, ty, tz] = [0, 1, 2].map(|a| torque(k, a));
        [name, kind, on, fx, fy, fz, tx, ty, tz]
    })
}

fn multipliers(solution: &Solution) -> Table {
    let (system, lam) = (solution.ready.system(), &solution.result.lam);
    let figures = Figures::of(lam.iter());
    let columns = [("joint", Align::Left), ("equation", Align::Left), ("multiplier", Align::Right)];
    Table::new(columns, lam.len(), |row| {
        let name = system.row_name(row);
        [name.name, format!("{} {}", name.number, name.label), figures.show(lam[row])]
    })
}

/// That multipliers are not unique, where they are not.
fn redundancy(solution: &Solution) -> String {
    let diagnosis = &solution.ready.assembly().diagnosis;
    let redundant = diagnosis.redundant_equations();
    if redundant == 0 {
        return String::new();
    }
    let verb = if redundant == 1 { "is" } else { "are" };
    format!(
        "\n  {} of {} {verb} redundant: accelerations are unique, multipliers and reactions are \
             not. Shown are the\n  multipliers of least norm; the true distribution depends on the \
             flexibility of the parts.\n",
        count(redundant),
        many(solution.result.lam.len(), "equation")
    )
}

fn solvers(solution: &Solution, comparison: &Comparison) -> String {
    let shown = solution.method.name();
    let columns = [
        ("solver", Align::Left),
        ("accelerations", Align::Right),
        ("multipliers", Align::Right),
        ("note", Align::Left),
    ];
    let table = Table::new(columns, comparison.entries.len(), |k| {
        let entry = &comparison.entries[k];
        let name = entry.method.name().to_string();
        match &entry.outcome {
            Outcome::Solved(d) => {
                let note = if entry.method == solution.method {
                    "shown above".into()
                } else {
                    iterations(entry.iterations, "")
                };
                [name, number(d.accelerations, 2), number(d.multipliers, 2), note]
            }
            Outcome::Skipped(why) => [name, String::new(), String::new(), format!("skipped: {why}")],
            Outcome::Failed(why) => [name, String::new(), String::new(), format!("failed: {why}")],
        }
    });
    format!(
        "\n  Solvers: largest difference from `{shown}`, relative to the largest \
             entry\n\n{table}\n  Largest difference between any two: {} in accelerations, {} in \
             multipliers\n",
        number(comparison.greatest.accelerations, 2),
        number(comparison.greatest.multipliers, 2),
    )
}
