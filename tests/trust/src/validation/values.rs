//! Reference values: exact, published, or computed by others.

use super::command::{Kingpin, number};
use super::page::{Page, error};

/// Values of one model over time.
struct Known {
    model: &'static str,
    /// Where the values come from.
    source: &'static str,
    method: &'static str,
    tol: &'static str,
    frame: &'static str,
    t_end: &'static str,
    channels: &'static [&'static str],
    /// Greatest difference that is allowed.
    allowed: f64,
    /// Time, then a value for each channel.
    rows: &'static [&'static [f64]],
}

const KNOWN: &[Known] = &[
    Known {
        model: "pendulum",
        source: "exact: elliptic functions (IFToMM benchmark A01)",
        method: "dop853",
        tol: "1e-11",
        frame: "0.5",
        t_end: "10",
        channels: &["bob_x", "bob_y"],
        allowed: 1e-8,
        rows: &[
            &[0.5, -0.3910487915505, -0.9203699487852],
            &[1.0, 0.9862917511319, -0.1650108531255],
            &[2.0, -0.7935661953433, -0.6084839304438],
            &[5.0, -0.9423054350438, -0.3347543384140],
            &[10.0, -0.2750874625761, -0.9614192050991],
        ],
    },
    Known {
        model: "door",
        source: "exact: t exp(-t)",
        method: "dop853",
        tol: "1e-11",
        frame: "0.5",
        t_end: "5",
        channels: &["opening"],
        allowed: 1e-8,
        rows: &[
            &[0.5, 0.716531310574],
            &[1.5, 1.103638323514],
            &[3.0, 0.812011699420],
            &[5.0, 0.356739933473],
        ],
    },
    Known {
        model: "andrews",
        source: "published (Test Set for IVP Solvers) and computed at 1e-13",
        method: "dop853",
        tol: "1e-12",
        frame: "0.01",
        t_end: "0.05",
        // beta, beta + Theta, gamma, Phi + delta, delta, epsilon
        channels: &["angle_K1", "angle_K2", "angle_K3", "angle_K4", "angle_K5", "angle_K7"],
        allowed: 1e-7,
        rows: &[
            &[0.01, 2.16011313153, 0.27674890042, 0.15851675800, 0.19651369963, 0.52515477480, 1.06842720463],
            &[0.02, 8.18490588966, 0.29440052593, 0.20953691338, 0.28421132056, 0.52253691716, 1.08627510860],
            &[
                0.03,
                15.810771195154,
                0.054400136742,
                0.040822240120,
                -0.010320150462,
                0.524409965880,
                1.048080741042,
            ],
            &[0.04, 24.375304972, -0.195856251, 0.410629176, 0.630759480, 0.496702150, 1.197848311],
            &[0.05, 33.825867767, 0.242436249, 0.113395074, 0.118207579, 0.526060445, 1.056902429],
        ],
    },
    Known {
        model: "andrews_spatial",
        source: "the planar mechanism",
        method: "dop853",
        tol: "1e-11",
        frame: "0.01",
        t_end: "0.03",
        channels: &["crank_angle", "E_x", "E_y"],
        allowed: 1e-7,
        rows: &[
            &[0.01, 2.221827021546, -0.030825119277, -0.001831187668],
            &[0.02, 8.246619779676, -0.029069756243, -0.001504457069],
            &[0.03, 15.872485085168, -0.034921618395, -0.002240841082],
        ],
    },
    Known {
        model: "double_pendulum_stiff",
        source: "independent: Radau IIA at 1e-11",
        method: "for-sdirk",
        tol: "1e-9",
        frame: "0.25",
        t_end: "2",
        channels: &["theta_1", "theta_2"],
        allowed: 1e-6,
        rows: &[
            &[0.25, 4.540953409, 4.482643401],
            &[0.50, 3.833374509, 3.820139342],
            &[1.00, 5.055276118, 5.054750944],
            &[1.50, 4.691026933, 4.690939731],
            &[2.00, 4.601880532, 4.601889040],
        ],
    },
    Known {
        model: "four_bar",
        source: "independent, at 1e-12",
        method: "dop853",
        tol: "1e-11",
        frame: "0.25",
        t_end: "2",
        channels: &["crank_angle", "rocker_angle"],
        allowed: 1e-7,
        rows: &[
            &[0.25, 6.910896899, 1.671473858],
            &[0.50, 12.707708263, 1.729895427],
            &[1.00, 24.569235383, 2.006574428],
            &[1.50, 36.404210010, 2.299428976],
            &[2.00, 47.835298645, 2.497409225],
        ],
    },
    Known {
        model: "slider_crank",
        source: "independent, at 1e-12 (IFToMM benchmark)",
        method: "dop853",
        tol: "1e-11",
        frame: "0.5",
        t_end: "5",
        channels: &["slider_x", "crank_angle"],
        allowed: 1e-6,
        rows: &[
            &[0.5, 0.184952629778, 5.5837625533],
            &[1.0, 0.211721661394, 10.9135907299],
            &[2.0, 0.289085197066, 21.0727445227],
            &[3.0, 0.228484813696, 32.0083277557],
            &[5.0, 0.240719573740, 54.3333321681],
        ],
    },
    Known {
        model: "chain50",
        source: "independent: articulated-body recursion at 1e-12",
        method: "dop853",
        tol: "1e-10",
        frame: "1",
        t_end: "1",
        channels: &["tip_x", "tip_z"],
        allowed: 1e-7,
        rows: &[&[1.0, 48.760913411252, -4.905]],
    },
    Known {
        model: "hmmwv14_stiff",
        source: "independent: Radau IIA, all digits correct",
        method: "for-rosen",
        tol: "1e-6",
        frame: "0.02",
        t_end: "0.7",
        channels: &["chassis_z", "fl.wheel_z", "rl.wheel_z"],
        allowed: 2e-5,
        rows: &[
            &[0.50, 0.710001, 0.445116, 0.446334],
            &[0.52, 0.710473, 0.458155, 0.446250],
            &[0.54, 0.712539, 0.479795, 0.445712],
            &[0.56, 0.716083, 0.494185, 0.444808],
            &[0.58, 0.720013, 0.493156, 0.444148],
            &[0.60, 0.722810, 0.473814, 0.444334],
            &[0.62, 0.723517, 0.454167, 0.445571],
            &[0.70, 0.719499, 0.443365, 0.448719],
        ],
    },
];

/// Writes all values.
pub fn write(kingpin: &Kingpin, page: &mut Page) -> Result<(), String> {
    for known in KNOWN {
        over_time(kingpin, page, known)?;
    }
    instants(kingpin, page)
}

fn over_time(kingpin: &Kingpin, page: &mut Page, known: &Known) -> Result<(), String> {
    let model = format!("models/{}.toml", known.model);
    let (t, values) =
        kingpin.frames(&model, (known.method, known.tol), (known.frame, known.t_end), known.channels)?;
    let mut rows = Vec::new();
    for row in known.rows {
        let place = t.iter().position(|t| (t - row[0]).abs() < 1e-9);
        let place = place.ok_or_else(|| format!("{}: no frame at {}", known.model, row[0]))?;
        for (k, (channel, &right)) in known.channels.iter().zip(&row[1..]).enumerate() {
            let ours = values[k][place];
            let off = (ours - right).abs();
            if off.is_nan() || off > known.allowed {
                return Err(format!("{} at {}: {channel} is {ours}, not {right}", known.model, row[0]));
            }
            rows.push(vec![
                row[0].to_string(),
                (*channel).into(),
                right.to_string(),
                format!("{ours:.12}"),
                error(off),
            ]);
        }
    }
    page.heading(&format!("`{}`", known.model));
    page.says(&format!(
        "Source: {}. Ours: `--method {} --tol {}`. Allowed: {}.",
        known.source,
        known.method,
        known.tol,
        error(known.allowed)
    ));
    page.table(&["t [s]", "channel", "reference", "ours", "error"], &rows);
    Ok(())
}

/// Accelerations, eigenvalues, rest.
fn instants(kingpin: &Kingpin, page: &mut Page) -> Result<(), String> {
    let mut rows = Vec::new();
    let mut add = |what: &str, source: &str, right: f64, ours: f64, allowed: f64| -> Result<(), String> {
        let off = (ours - right).abs();
        if off.is_nan() || off > allowed {
            return Err(format!("{what} is {ours}, not {right}"));
        }
        let cells = [
            what.into(),
            source.into(),
            right.to_string(),
            format!("{ours:.10}"),
            error(off),
            error(allowed),
        ];
        rows.push(cells.to_vec());
        Ok(())
    };
    let start = kingpin.json(&["accel", "models/andrews.toml", "--json"])?;
    let spin = |k: usize| number(&start, &format!("/bodies/{k}/angular_acceleration"));
    add("andrews: beta'' at 0", "published", 14222.4439199541, spin(0)?, 1e-8)?;
    add("andrews: Theta'' at 0", "published", -10666.8329399656, spin(1)? - spin(0)?, 1e-8)?;
    let modes = kingpin.json(&["modes", "models/double_pendulum_stiff.toml", "--json"])?;
    let real = |k: usize| number(&modes, &format!("/modes/{k}/real"));
    add("double pendulum: fastest eigenvalue", "thesis: about -1e5; independent", -9.987e4, real(0)?, 5.0)?;
    let rest = kingpin.json(&["static", "models/hmmwv14.toml", "--json"])?;
    let at = |name: &str| rest["final"][name].as_f64().ok_or_else(|| format!("no channel {name}"));
    add("hmmwv14 at rest: chassis_z", "independent", 0.710200, at("chassis_z")?, 1e-6)?;
    add("hmmwv14 at rest: fl.wheel_z", "independent", 0.445012, at("fl.wheel_z")?, 1e-6)?;
    add("hmmwv14 at rest: rl.wheel_z", "independent", 0.446333, at("rl.wheel_z")?, 1e-6)?;
    page.heading("Single instants");
    page.table(&["quantity", "source", "reference", "ours", "error", "allowed"], &rows);
    Ok(())
}
