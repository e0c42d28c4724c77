//! The command, run as users run it.

use serde_json::Value;
use std::path::{Path, PathBuf};
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

    /// What a command prints as JSON, and the seconds of CPU time it takes.
    pub fn timed(&self, args: &[&str]) -> Result<(Value, f64), String> {
        let before = cpu_of_children()?;
        let value = self.json(args)?;
        Ok((value, cpu_of_children()? - before))
    }

    /// Columns of the accepted steps that a run records, in the order of `columns`.
    pub fn steps(&self, args: &[&str], columns: &[&str]) -> Result<Vec<Vec<f64>>, String> {
        let folder = std::env::temp_dir().join(format!("kingpin-validation-{}", std::process::id()));
        let place = folder.display().to_string();
        let mut all = args.to_vec();
        all.extend(["-o", &place]);
        let steps = self.text(&all).and_then(|_| recorded_steps(&folder, columns));
        let _ = std::fs::remove_dir_all(&folder);
        steps
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

/// Columns of `steps.f64` in a folder of results; `channels.json` names them.
fn recorded_steps(folder: &Path, columns: &[&str]) -> Result<Vec<Vec<f64>>, String> {
    let read = |name: &str| std::fs::read(folder.join(name)).map_err(|error| format!("{name}: {error}"));
    let header: Value = serde_json::from_slice(&read("channels.json")?).map_err(|error| error.to_string())?;
    let names: Vec<&str> =
        header["steps"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let bytes = read("steps.f64")?;
    let (eights, _) = bytes.as_chunks::<8>();
    let numbers: Vec<f64> = eights.iter().map(|&eight| f64::from_le_bytes(eight)).collect();
    let column = |name: &&str| -> Result<Vec<f64>, String> {
        let place = names.iter().position(|known| known == name);
        let place = place.ok_or_else(|| format!("steps have no column {name}"))?;
        Ok(numbers.iter().skip(place).step_by(names.len()).copied().collect())
    };
    columns.iter().map(column).collect()
}

/// Seconds of CPU time that all commands run so far have taken.
#[cfg(unix)]
fn cpu_of_children() -> Result<f64, String> {
    use nix::sys::resource::{UsageWho, getrusage};
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).map_err(|error| error.to_string())?;
    let times = [usage.user_time(), usage.system_time()];
    Ok(times.iter().map(|time| time.tv_sec() as f64 + 1e-6 * time.tv_usec() as f64).sum())
}

#[cfg(not(unix))]
fn cpu_of_children() -> Result<f64, String> {
    Err("CPU times of commands are measured on Unix only".into())
}
