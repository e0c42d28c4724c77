//! The command, run as users run it.

use serde_json::Value;
use std::path::PathBuf;
use std::process::Command;

/// Where the command and the models are.
pub struct Kingpin {
    /// The binary.
    pub binary: PathBuf,
    /// The folder of the project.
    pub root: PathBuf,
}

/// A way to run a model: method and tolerance.
pub type Way<'a> = (&'a str, &'a str);

impl Kingpin {
    /// What a command prints as JSON.
    pub fn json(&self, args: &[&str]) -> Result<Value, String> {
        let text = self.text(args)?;
        serde_json::from_str(&text).map_err(|error| format!("kingpin {}: {error}", args.join(" ")))
    }

    /// What a command prints.
    pub fn text(&self, args: &[&str]) -> Result<String, String> {
        let output = Command::new(&self.binary).args(args).current_dir(&self.root).output();
        let output = output.map_err(|error| format!("{}: {error}", self.binary.display()))?;
        if !output.status.success() {
            let words = String::from_utf8_lossy(&output.stderr);
            return Err(format!("kingpin {}: {words}", args.join(" ")));
        }
        String::from_utf8(output.stdout).map_err(|error| error.to_string())
    }

    /// Values of channels at the frames of a run: times, and for each channel its values.
    pub fn frames(
        &self,
        model: &str,
        (method, tol): Way,
        (frame, t_end): (&str, &str),
        channels: &[&str],
    ) -> Result<(Vec<f64>, Vec<Vec<f64>>), String> {
        let list = channels.join(",");
        let report = self.json(&[
            "run", model, "--json", "--quiet", "--method", method, "--tol", tol, "--frame", frame, "--t-end",
            t_end, "--table", &list,
        ])?;
        let rows = report["frames"].as_array().ok_or("no frames")?;
        let of = |name: &str| -> Vec<f64> { rows.iter().filter_map(|row| row[name].as_f64()).collect() };
        Ok((of("t"), channels.iter().map(|name| of(name)).collect()))
    }
}

/// A number in JSON, by a path of keys.
pub fn number(value: &Value, path: &str) -> Result<f64, String> {
    value.pointer(path).and_then(Value::as_f64).ok_or_else(|| format!("no number at {path}"))
}
