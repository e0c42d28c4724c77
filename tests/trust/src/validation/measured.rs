//! What depends on the machine: work and precision, times, growth.

use super::chart::{Curve, logarithmic};
use super::command::Kingpin;
use super::page::{Page, error};
use serde_json::Value;

/// Writes it.
pub fn write(kingpin: &Kingpin, page: &mut Page) -> Result<(), String> {
    double_pendulum(kingpin, page)?;
    vehicle(kingpin, page)?;
    seven_bodies(kingpin, page)?;
    growth(kingpin, page)
}

fn records(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

fn number(record: &Value, key: &str) -> f64 {
    record[key].as_f64().unwrap_or(f64::NAN)
}

/// Printed errors of Tables 20 to 23 for tolerances 1e-2 to 1e-5.
const PRINTED: [(&str, &str, &str, [f64; 4]); 4] = [
    ("Table 20", "theta_1", "for-sdirk", [0.032796853043, 0.003786644530, 0.000754569135, 0.000170608670]),
    ("Table 21", "theta_1", "for-rosen", [0.005223114419, 0.000419882301, 0.000049169233, 0.000019027152]),
    (
        "Table 22",
        "theta_1.rate",
        "for-sdirk",
        [0.228908866004, 0.031312203070, 0.006406931668, 0.001485443259],
    ),
    (
        "Table 23",
        "theta_1.rate",
        "for-rosen",
        [0.040612124932, 0.003792150415, 0.000865201346, 0.000234309801],
    ),
];
const TOLS: [f64; 4] = [1e-2, 1e-3, 1e-4, 1e-5];

/// Thesis, Tables 20 to 23: largest errors of the stiff double pendulum.
fn double_pendulum(kingpin: &Kingpin, page: &mut Page) -> Result<(), String> {
    page.heading("Thesis, Tables 20 to 23: errors of the stiff double pendulum");
    page.says(
        "Largest error over 2 s against tolerance. Table 19 of the thesis has an initial rate of 10 rad/s for the second bar, a misprint: its results are those of zero, which is used here.",
    );
    let (mut rows, mut curves) = (Vec::new(), Vec::<Curve>::new());
    for (table, channel, method, printed) in PRINTED {
        let report = kingpin.json(&[
            "bench",
            "integrate",
            "models/double_pendulum_stiff.toml",
            "--methods",
            method,
            "--channel",
            channel,
            "--json",
        ])?;
        let ours: Vec<f64> = records(&report).iter().map(|r| number(r, "error")).collect();
        for ((tol, printed), (ours, record)) in
            TOLS.iter().zip(printed).zip(ours.iter().zip(records(&report)))
        {
            let steps = number(record, "steps");
            rows.push(vec![
                format!("{table}: {method}, {channel}"),
                error(*tol),
                format!("{printed:.2e}"),
                format!("{ours:.2e}"),
                steps.to_string(),
            ]);
        }
        if channel == "theta_1" {
            curves.push((format!("{method}, printed"), TOLS.into_iter().zip(printed).collect()));
            curves.push((format!("{method}, ours"), TOLS.into_iter().zip(ours).collect()));
        }
    }
    page.table(&["table", "tolerance", "printed", "ours", "our steps"], &rows);
    let title = "Stiff double pendulum: error of theta 1";
    page.chart("double_pendulum", title, logarithmic(title, ["tolerance", "largest error [rad]"], &curves));
    Ok(())
}

/// Printed seconds of Tables 25 to 29 for one second of the vehicle.
const SECONDS: [(&str, [f64; 4]); 5] = [
    ("ssp-trap", [42.0, 54.0, 122.0, 312.0]),
    ("infl-sdirk", [33.0, 52.0, 90.0, 170.0]),
    ("infl-trap", [42.0, 61.0, 158.0, 463.0]),
    ("for-sdirk", [10.1, 21.0, 33.0, 57.0]),
    ("for-rosen", [5.6, 13.2, 40.7, 172.0]),
];

/// Thesis, Tables 25 to 29 and Figure 21: one second of the stiff vehicle.
fn vehicle(kingpin: &Kingpin, page: &mut Page) -> Result<(), String> {
    let report = kingpin.json(&[
        "bench",
        "integrate",
        "models/hmmwv14_stiff.toml",
        "--t-end",
        "1",
        "--methods",
        "ssp-trap,infl-sdirk,infl-trap,for-sdirk,for-rosen",
        "--json",
    ])?;
    let (mut rows, mut curves) = (Vec::new(), Vec::<Curve>::new());
    let mut precision = Vec::<Curve>::new();
    for (method, printed) in SECONDS {
        let own: Vec<&Value> =
            records(&report).iter().filter(|r| r["method"].as_str() == Some(method)).collect();
        for (record, printed) in own.iter().zip(printed) {
            let [tol, off, steps, wall] = ["tol", "error", "steps", "wall_s"].map(|key| number(record, key));
            rows.push(vec![
                method.into(),
                error(tol),
                printed.to_string(),
                format!("{wall:.3}"),
                steps.to_string(),
                format!("{off:.1e}"),
            ]);
        }
        curves.push((format!("{method}, printed"), TOLS.into_iter().zip(printed).collect()));
        curves.push((
            format!("{method}, ours"),
            own.iter().map(|r| (number(r, "tol"), number(r, "wall_s"))).collect(),
        ));
        precision
            .push((method.into(), own.iter().map(|r| (number(r, "error"), number(r, "wall_s"))).collect()));
    }
    page.heading("Thesis, Tables 25 to 29 and Figure 21: the stiff HMMWV over a bump, 1 s");
    page.says("Times in seconds; those of the thesis on an SGI Onyx with R10000 processors. The thesis does not give the positions of the bushings: the model here has the same size and stiffness, but not the same numbers.");
    page.table(
        &["method", "tolerance", "printed [s]", "ours [s]", "our steps", "our error of positions"],
        &rows,
    );
    let title = "Stiff HMMWV, 1 s: time";
    page.chart("hmmwv_time", title, logarithmic(title, ["tolerance", "time [s]"], &curves));
    let title = "Stiff HMMWV, 1 s: work-precision diagram";
    page.chart(
        "hmmwv_precision",
        title,
        logarithmic(title, ["largest error of positions", "time [s]"], &precision),
    );
    Ok(())
}

/// [Serban 1997, Tables 1 to 3]: solvers of the acceleration problem, as ratios.
fn seven_bodies(kingpin: &Kingpin, page: &mut Page) -> Result<(), String> {
    let mut rows = Vec::new();
    for (model, name, printed) in [
        (
            "models/andrews.toml",
            "seven-body mechanism (Table 2; the thesis, Table 2, has its columns swapped)",
            5.59,
        ),
        ("models/hmmwv14.toml", "HMMWV (Table 3)", 4.111),
    ] {
        let report = kingpin.json(&["bench", "accel", model, "--json"])?;
        let ns = |solver: &str| {
            records(&report)
                .iter()
                .find(|r| r["solver"].as_str() == Some(solver))
                .map_or(f64::NAN, |r| number(r, "ns"))
        };
        let ratio = |solver: &str| format!("{:.2}", ns("augmented-sparse") / ns(solver));
        rows.push(vec![
            name.into(),
            printed.to_string(),
            ratio("reduced-envelope"),
            ratio("elimination"),
            ratio("recursive-sparse"),
        ]);
    }
    page.heading("Serban 1997, Tables 2 and 3: speed-up over the augmented system by sparse LU");
    page.table(
        &[
            "mechanism",
            "printed, band Cholesky",
            "ours, envelope",
            "ours, elimination",
            "ours, joint coordinates",
        ],
        &rows,
    );
    let numbering = kingpin.json(&["bench", "numbering", "--json"])?;
    let ratio = number(&numbering[1], "ratio");
    page.says(&format!(
        "Thesis, Table 4: a bad numbering of the chain of 50 costs 54.47/0.98 = 55.6 times as much as the good one; ours, with blocks instead of numbers, {ratio:.1} times."
    ));
    Ok(())
}

/// Negrut TBLS: operations of open chains grow linearly; so do our times.
fn growth(kingpin: &Kingpin, page: &mut Page) -> Result<(), String> {
    let report = kingpin.json(&["bench", "growth", "--json"])?;
    let (mut rows, mut curves) = (Vec::new(), Vec::<Curve>::new());
    for record in records(&report) {
        let (model, solver) =
            (record["model"].as_str().unwrap_or(""), record["solver"].as_str().unwrap_or(""));
        let (joints, ns) = (number(record, "joints"), number(record, "ns"));
        rows.push(vec![
            model.into(),
            solver.into(),
            joints.to_string(),
            format!("{:.3}", 1e-6 * ns),
            format!("{:.0}", ns / joints),
        ]);
        let shape: String = model.chars().filter(|c| c.is_alphabetic()).collect();
        let name = format!("{shape}, {solver}");
        match curves.iter_mut().find(|(known, _)| *known == name) {
            Some((_, points)) => points.push((joints, 1e-6 * ns)),
            None => curves.push((name, vec![(joints, 1e-6 * ns)])),
        }
    }
    page.heading("Growth: time of one solution against the number of joints");
    page.table(&["mechanism", "solver", "joints", "time [ms]", "per joint [ns]"], &rows);
    let title = "Time of one solution against joints";
    page.chart("growth", title, logarithmic(title, ["joints", "time [ms]"], &curves));
    Ok(())
}
