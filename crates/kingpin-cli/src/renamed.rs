//! Options that were renamed: the old name works for one version, with a note on standard error.

use std::ffi::OsString;

/// The version in which the old names end.
const UNTIL: &str = "0.3";

/// An option that was renamed: the commands that have it, its old name, its new one.
struct Renamed {
    commands: &'static [&'static str],
    old: &'static str,
    new: &'static str,
}

const RENAMED: &[Renamed] = &[
    Renamed { commands: &["kinematics"], old: "--by", new: "--actuators" },
    Renamed { commands: &["kinematics"], old: "--of", new: "--motions" },
    Renamed { commands: &["kinematics"], old: "--show", new: "--channels" },
    Renamed { commands: &["sweep"], old: "--of", new: "--metric" },
    Renamed { commands: &["sweep"], old: "--out", new: "--output" },
    Renamed { commands: &["modes"], old: "--near", new: "--near-frequency" },
    Renamed { commands: &["equilibrium", "static"], old: "--path", new: "--load-path" },
    Renamed { commands: &["run"], old: "--portable", new: "--reproducible" },
    Renamed {
        commands: &["run", "modes", "equilibrium", "static"],
        old: "--structure-solver",
        new: "--domain-solver",
    },
];

/// Replaces old names of options by their new ones; also the notes that say so, one line each. The first argument is the
/// name of the program, the second the command.
pub fn replace_old_names(arguments: Vec<OsString>) -> (Vec<OsString>, String) {
    let command = arguments.get(1).cloned().unwrap_or_default();
    let mut notes = String::new();
    let mut is_option = true;
    let mut replaced = |argument: OsString| {
        // what follows `--` is not an option
        is_option &= argument != "--";
        let Some(text) = argument.to_str().filter(|_| is_option) else { return argument };
        let (name, value) = text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value)));
        let of_command = |renamed: &&Renamed| renamed.commands.iter().any(|own| command == *own);
        let found = RENAMED.iter().filter(of_command).find(|renamed| renamed.old == name);
        let Some(Renamed { old, new, .. }) = found else { return argument };
        let note = format!("note: `{old}` is now called `{new}`; the old name works until version {UNTIL}\n");
        if !notes.contains(&note) {
            notes += &note;
        }
        value.map_or((*new).into(), |value| format!("{new}={value}").into())
    };
    let arguments = arguments.into_iter().map(&mut replaced).collect();
    (arguments, notes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn replaced(line: &str) -> (String, String) {
        let (words, notes) = replace_old_names(line.split(' ').map(OsString::from).collect());
        let words: Vec<String> = words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
        (words.join(" "), notes)
    }

    #[test]
    fn an_old_name_means_what_it_meant_in_its_command() {
        let (line, notes) =
            replaced("kingpin kinematics a.toml --by m1,m2 --of=x --show m1.torque --show m2.torque");
        assert_eq!(
            line,
            "kingpin kinematics a.toml --actuators m1,m2 --motions=x --channels m1.torque --channels m2.torque"
        );
        assert_eq!(notes.lines().count(), 3, "{notes}");
        let (line, notes) = replaced("kingpin sweep a.toml --of max(x) --out a");
        assert_eq!(line, "kingpin sweep a.toml --metric max(x) --output a");
        assert!(notes.starts_with("note: `--of` is now called `--metric`"), "{notes}");
    }

    #[test]
    fn other_words_stay() {
        for line in
            ["kingpin run a.toml --of x", "kingpin sweep -- --of x", "kingpin", "kingpin sweep --out-of-it"]
        {
            assert_eq!(replaced(line), (line.into(), String::new()));
        }
    }
}
