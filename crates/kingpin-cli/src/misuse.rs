//! What is said of a command line that is not understood: which word, and what to write instead.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, Error};
use kingpin::elsewhere::meant_here;
use kingpin::expr::closest;
use std::ffi::OsString;

/// The command with numbers below zero taken for values of options: what they mean is up to these.
pub fn lenient(command: Command) -> Command {
    let own = |arg: Arg| {
        let takes = !arg.is_positional() && arg.get_action().takes_values();
        if takes { arg.allow_negative_numbers(true) } else { arg }
    };
    command.mut_args(own).mut_subcommands(lenient)
}

/// The message in place of that of the parser, where more can be said.
pub fn message(refused: &Error, command: &Command, line: &[OsString]) -> Option<String> {
    match refused.kind() {
        ErrorKind::InvalidSubcommand => unknown_command(refused, command),
        ErrorKind::UnknownArgument => unknown_argument(refused, command, line),
        ErrorKind::InvalidValue => unknown_value(refused, command, line),
        ErrorKind::ValueValidation => refused_value(refused),
        _ => None,
    }
}

fn text(refused: &Error, kind: ContextKind) -> Option<&str> {
    match refused.get(kind)? {
        ContextValue::String(text) => Some(text),
        _ => None,
    }
}

/// A command that is nearly one of ours, or what others call so.
fn unknown_command(refused: &Error, command: &Command) -> Option<String> {
    let word = text(refused, ContextKind::InvalidSubcommand)?;
    let shown = word.escape_debug();
    let names = || command.get_subcommands().map(Command::get_name);
    let advice = match closest(word, names()) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None if word.ends_with(".toml") => format!("give a command, such as `kingpin run {shown}`"),
        None => format!("the commands are {}; see `kingpin --help`", names().collect::<Vec<_>>().join(", ")),
    };
    Some(format!("error: there is no command `{shown}`\n\n  help: {advice}\n"))
}

/// The command of a line.
fn chosen<'c>(command: &'c Command, line: &[OsString]) -> &'c Command {
    let mut words = line.iter().skip(1).filter_map(|word| word.to_str());
    words.find_map(|word| command.find_subcommand(word)).unwrap_or(command)
}

/// An option that others call so, or a word behind a value that has lost its quotes.
fn unknown_argument(refused: &Error, command: &Command, line: &[OsString]) -> Option<String> {
    let word = text(refused, ContextKind::InvalidArg)?;
    let shown = word.escape_debug();
    let command = chosen(command, line);
    let name = command.get_name();
    let message = |what: &str, advice: &str| format!("error: {what}\n\n  help: {advice}\n");
    if let Some(option) = word.strip_prefix("--") {
        let option = option.split_once('=').map_or(option, |(option, _)| option);
        let known = || command.get_arguments().filter_map(Arg::get_long);
        let what = format!("`kingpin {name}` has no option `--{}`", option.escape_debug());
        let advice = match closest(option, known()).or_else(|| meant_here(&option.replace('-', "_"), known()))
        {
            _ if ["dt", "step", "steps", "timestep", "step-size", "stepsize"].contains(&option)
                && known().any(|own| own == "tol") =>
            {
                "the step size follows from the tolerance, `--tol`; `--frame` is the output \
                     interval, `--h-max` the maximum step size"
                    .into()
            }
            Some(meant) => format!("did you mean `--{meant}`?"),
            None => format!("see `kingpin {name} --help`"),
        };
        return Some(message(&what, &advice));
    }
    if word.starts_with('-') {
        return None;
    }
    // `--set k=3 kg`: the shell has made two words of a value
    let place = line.iter().position(|other| other.to_str() == Some(word))?;
    let before = line.get(place.checked_sub(1)?)?.to_str()?;
    let option =
        place.checked_sub(2).and_then(|at| line.get(at)?.to_str()).filter(|word| word.starts_with('-'));
    let value = before.contains('=') || before.starts_with(|c: char| c.is_ascii_digit() || c == '-');
    if value && (option.is_some() || before.starts_with("--")) {
        let lead = option.map_or(String::new(), |option| format!("{option} "));
        let what = format!("`{shown}` is a separate argument: the shell splits values at blanks");
        return Some(message(
            &what,
            &format!("put the value in quotes: `{lead}\"{} {shown}\"`", before.escape_debug()),
        ));
    }
    let what = format!("unexpected argument `{shown}` of `kingpin {name}`");
    Some(message(&what, &format!("see `kingpin {name} --help`")))
}

/// A value that makes no sense, and what the option takes.
fn refused_value(refused: &Error) -> Option<String> {
    let (option, value) =
        (text(refused, ContextKind::InvalidArg)?, text(refused, ContextKind::InvalidValue)?);
    let name = option.split([' ', '=']).next()?;
    let why = std::error::Error::source(refused)?.to_string();
    let shown = value.escape_debug();
    Some(format!("error: `{name}` cannot be `{shown}`\n\n  help: {why}\n"))
}

/// A value that others call so.
fn unknown_value(refused: &Error, command: &Command, line: &[OsString]) -> Option<String> {
    let (option, value) =
        (text(refused, ContextKind::InvalidArg)?, text(refused, ContextKind::InvalidValue)?);
    let long = option.strip_prefix("--")?.split([' ', '=']).next()?;
    let command = chosen(command, line);
    let arg = command.get_arguments().find(|arg| arg.get_long() == Some(long))?;
    let values = arg.get_possible_values();
    let known: Vec<&str> = values.iter().map(|own| own.get_name()).collect();
    if known.is_empty() || value.is_empty() {
        return None;
    }
    let list = known.join(", ");
    let advice = match closest(value, known.iter().copied()) {
        Some(meant) => format!("did you mean `{meant}`? The values are {list}"),
        None => format!("there are {list}"),
    };
    let shown = value.escape_debug();
    Some(format!("error: `--{long}` cannot be `{shown}`\n\n  help: {advice}\n"))
}
