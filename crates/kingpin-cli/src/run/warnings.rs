//! What is doubtful about a run that went well otherwise, laid out.

use kingpin::mechanism;
use kingpin_results::store::Warning;

/// As results keep them.
pub fn kept(warnings: Vec<mechanism::Warning>) -> Vec<Warning> {
    let kept =
        |mechanism::Warning { code, what, why, advice }| Warning { code: code.into(), what, why, advice };
    warnings.into_iter().map(kept).collect()
}

/// A warning as text.
pub fn text(warning: &Warning) -> String {
    let mut text = format!("warning[{}]: {}\n", warning.code, warning.what);
    if let Some(why) = &warning.why {
        text += &format!("\n  why: {why}\n");
    }
    if let Some(advice) = &warning.advice {
        text += &format!("\n  help: {advice}\n");
    }
    text
}
