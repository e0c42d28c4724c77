//! Thesis, sections 5.2 and 5.3: the stiff vehicle over a bump, runs of one to four seconds and longer. Tables 24 and
//! 30, Figures 22 to 25.

use super::chart::{Curve, Scale, chart};
use super::command::{Kingpin, number};
use super::page::Page;
use serde_json::Value;

const MODEL: &str = "models/hmmwv14_stiff.toml";
const LENGTHS: [&str; 4] = ["1", "2", "3", "4"];
/// Of short runs, the shortest of so many counts.
const REPEATS: usize = 3;

/// Writes them.
pub fn write(kingpin: &Kingpin, page: &mut Page) -> Result<(), String> {
    explicit(kingpin, page)?;
    lengths(kingpin, page)?;
    histories(kingpin, page)?;
    jacobians(kingpin, page)
}

/// A run at a tolerance with further options.
fn arguments<'a>(way: &[&'a str], tol: &'a str, t_end: &'a str) -> Vec<&'a str> {
    let mut all = vec!["run", MODEL, "--quiet", "--tol", tol, "--t-end", t_end, "--method"];
    all.extend(way);
    all
}

/// CPU time of runs: that of the command, less that of the same command for a run of no length, which reads the model
/// and finds the equilibrium it starts from.
struct Clock<'a> {
    kingpin: &'a Kingpin,
    way: &'a [&'a str],
    tol: &'a str,
    start: f64,
}

impl<'a> Clock<'a> {
    /// For runs with a method and options, at a tolerance.
    fn new(kingpin: &'a Kingpin, way: &'a [&'a str], tol: &'a str) -> Result<Clock<'a>, String> {
        let mut clock = Clock { kingpin, way, tol, start: 0.0 };
        clock.start = clock.time("1us", REPEATS)?.1;
        Ok(clock)
    }

    /// What the command prints, and the CPU seconds of the run: the fewest of some repeats.
    fn time(&self, t_end: &str, repeats: usize) -> Result<(Value, f64), String> {
        let mut args = arguments(self.way, self.tol, t_end);
        args.push("--json");
        let (report, mut least) = self.kingpin.timed(&args)?;
        for _ in 1..repeats {
            least = least.min(self.kingpin.timed(&args)?.1);
        }
        Ok((report, least - self.start))
    }
}

/// Table 24, an explicit multi-step method: tolerances, and printed seconds for runs of one to four seconds.
const EXPLICIT: [(&str, [f64; 4]); 4] = [
    ("1e-2", [3618.0, 7276.0, 10865.0, 14480.0]),
    ("1e-3", [3641.0, 7348.0, 11122.0, 14771.0]),
    ("1e-4", [3667.0, 7287.0, 10949.0, 14630.0]),
    ("1e-5", [3663.0, 7276.0, 10965.0, 14592.0]),
];

fn explicit(kingpin: &Kingpin, page: &mut Page) -> Result<(), String> {
    page.heading("Thesis, Table 24: the stiff HMMWV over a bump, explicit integration");
    let mut rows = Vec::new();
    let mut mean_steps = Vec::new();
    for (tol, printed) in EXPLICIT {
        let clock = Clock::new(kingpin, &["adams"], tol)?;
        for (length, printed) in LENGTHS.iter().zip(printed) {
            let (report, seconds) = clock.time(length, 1)?;
            let (steps, t_end) = (number(&report, "/steps")?, number(&report, "/t")?);
            mean_steps.push(t_end / steps);
            rows.push(vec![
                tol.into(),
                format!("{length} s"),
                format!("{printed:.0}"),
                format!("{seconds:.2}"),
                format!("{steps:.0}"),
            ]);
        }
    }
    page.says(&format!(
        "CPU seconds; ours of `--method adams`, measured on a shared machine. Stability limits the steps: neither the \
         tolerance nor the smooth road after the bump changes them much. Mean steps of the thesis are between 1e-6 and \
         1e-5 s, ours between {:.1e} and {:.1e} s.",
        mean_steps.iter().copied().fold(f64::INFINITY, f64::min),
        mean_steps.iter().copied().fold(0.0, f64::max)
    ));
    page.table(&["tolerance", "length", "printed [s]", "ours [s]", "our steps"], &rows);
    Ok(())
}

/// Seconds at a tolerance of 1e-3, Tables 25 to 29, for runs of one to four seconds.
const SECONDS: [(&str, &str, [f64; 4]); 5] = [
    ("Table 25", "ssp-trap", [54.0, 140.0, 168.0, 179.0]),
    ("Table 26", "infl-sdirk", [52.0, 124.0, 150.0, 155.0]),
    ("Table 27", "infl-trap", [61.0, 155.0, 189.0, 206.0]),
    ("Table 28", "for-sdirk", [21.0, 49.0, 58.0, 61.0]),
    ("Table 29", "for-rosen", [13.2, 32.6, 36.3, 37.0]),
];

/// Figure 22: time against the length of a run.
fn lengths(kingpin: &Kingpin, page: &mut Page) -> Result<(), String> {
    let (mut rows, mut curves) = (Vec::new(), Vec::<Curve>::new());
    for (table, method, printed) in SECONDS {
        let way = [method];
        let clock = Clock::new(kingpin, &way, "1e-3")?;
        let mut ours = Vec::new();
        for (length, printed) in LENGTHS.iter().zip(printed) {
            let (report, seconds) = clock.time(length, REPEATS)?;
            ours.push((number(&report, "/t")?, seconds));
            rows.push(vec![
                format!("{table}: {method}"),
                format!("{length} s"),
                printed.to_string(),
                format!("{seconds:.3}"),
                format!("{:.0}", number(&report, "/steps")?),
            ]);
        }
        let times = ours.iter().map(|point| point.0);
        curves.push((format!("{method}, printed"), times.zip(printed).collect()));
        curves.push((format!("{method}, ours"), ours));
    }
    page.heading("Thesis, Tables 25 to 29 and Figure 22: the stiff HMMWV over a bump, 1 to 4 s");
    page.says(
        "CPU seconds at a tolerance of 1e-3; ours measured on a shared machine, reading the model and its equilibrium \
         not counted.",
    );
    page.table(&["method", "length", "printed [s]", "ours [s]", "our steps"], &rows);
    let title = "Figure 22: CPU time against length of the run";
    let axes = [("length of the run [s]", Scale::Linear), ("CPU time [s]", Scale::Logarithmic)];
    page.chart("hmmwv_lengths", title, chart(title, axes, &curves));
    Ok(())
}

/// Steps between the events of a left and a right wheel, which differ by round-off, are shorter, others are not.
const BETWEEN_EVENTS: f64 = 1e-6;

/// Figures 23 to 25: steps, and iterations in them, over time.
fn histories(kingpin: &Kingpin, page: &mut Page) -> Result<(), String> {
    let history = |method: &str, column: &str, t_end: &str| -> Result<Curve, String> {
        // the thesis limits steps to 1 s
        let steps = kingpin.steps(&arguments(&[method, "--h-max", "1"], "1e-3", t_end), &["t", column])?;
        let points = steps[0].iter().zip(&steps[1]).map(|(t, value)| (*t, *value));
        Ok((method.into(), points.collect()))
    };
    page.heading("Thesis, Figures 23 to 25: steps and iterations of the stiff HMMWV over a bump");
    page.says(
        "`steps.f64` of runs at a tolerance of 1e-3, steps limited to 1 s as in the thesis. The front wheels meet the \
         bump at 0.50 s, the rear wheels at 1.24 s. Events of a left and a right wheel differ by round-off; the steps \
         between them, shorter than 1 µs, are not drawn. The thesis prints no numbers for these curves.",
    );
    let axes = [("time [s]", Scale::Linear), ("step [s]", Scale::Logarithmic)];
    for (name, title, methods, t_end) in [
        ("hmmwv_steps", "Figure 23: steps of for-sdirk and ssp-trap", ["for-sdirk", "ssp-trap"], "4"),
        ("hmmwv_long", "Figure 24: steps of for-rosen and infl-sdirk", ["for-rosen", "infl-sdirk"], "30"),
    ] {
        let mut curves = [history(methods[0], "h", t_end)?, history(methods[1], "h", t_end)?];
        curves.iter_mut().for_each(|(_, points)| points.retain(|point| point.1 > BETWEEN_EVENTS));
        for (method, points) in &curves {
            let sizes = || points.iter().map(|point| point.1);
            page.says(&format!(
                "`{method}`, {t_end} s: {} steps of {:.1e} to {:.1e} s.",
                points.len(),
                sizes().fold(f64::INFINITY, f64::min),
                sizes().fold(0.0, f64::max)
            ));
        }
        page.chart(name, title, chart(title, axes, &curves));
    }
    let iterations = history("ssp-trap", "newton", "10")?;
    let counts = || iterations.1.iter().map(|point| point.1);
    page.says(&format!(
        "`ssp-trap`, 10 s: {:.0} iterations in {} steps; at most {:.0} in a step and its rejected attempts.",
        counts().sum::<f64>(),
        iterations.1.len(),
        counts().fold(0.0, f64::max)
    ));
    let title = "Figure 25: iterations of ssp-trap";
    let axes = [("time [s]", Scale::Linear), ("iterations of a step", Scale::Linear)];
    page.chart("hmmwv_iterations", title, chart(title, axes, &[iterations]));
    Ok(())
}

/// Table 30: seconds with exact derivatives and with differences.
const JACOBIANS: [[f64; 4]; 2] = [[21.0, 49.0, 58.0, 61.0], [104.0, 229.0, 269.0, 278.0]];

fn jacobians(kingpin: &Kingpin, page: &mut Page) -> Result<(), String> {
    let exact = Clock::new(kingpin, &["for-sdirk", "--jacobian", "exact"], "1e-3")?;
    let differences = Clock::new(kingpin, &["for-sdirk", "--jacobian", "differences"], "1e-3")?;
    let mut rows = Vec::new();
    for (k, length) in LENGTHS.iter().enumerate() {
        let (with_exact, seconds) = exact.time(length, REPEATS)?;
        let (with_differences, longer) = differences.time(length, REPEATS)?;
        let steps = |report| number(report, "/steps");
        rows.push(vec![
            format!("{length} s"),
            format!("{}, {}", JACOBIANS[0][k], JACOBIANS[1][k]),
            format!("{:.1}", JACOBIANS[1][k] / JACOBIANS[0][k]),
            format!("{seconds:.3}, {longer:.3}"),
            format!("{:.1}", longer / seconds),
            format!("{:.0}, {:.0}", steps(&with_exact)?, steps(&with_differences)?),
        ]);
    }
    page.heading("Thesis, Table 30: for-sdirk with exact derivatives and with differences");
    page.says(
        "CPU seconds at a tolerance of 1e-3 with the Jacobian of the integration computed analytically and numerically \
         (`--jacobian exact`, `--jacobian differences`); ours measured on a shared machine.",
    );
    page.table(&["length", "printed [s]", "ratio", "ours [s]", "ratio", "our steps"], &rows);
    Ok(())
}
