//! `kingpin explain`: the words of messages and reports.

mod topics;

use crate::output::{Exit, complain, print};
use std::io;
use topics::{Topic, find, near, topics};

/// Explain a word that messages and reports use; without one, list them
#[derive(clap::Args)]
#[command(after_help = crate::output::EXIT_CODES)]
pub struct Args {
    /// The word, such as `redundant` or `for-rosen`
    #[arg(value_name = "TERM")]
    term: Vec<String>,
}

/// Columns of the list.
const WIDTH: usize = 96;

/// Runs the command.
pub fn run(args: &Args) -> io::Result<Exit> {
    let (all, term) = (topics(), args.term.join(" "));
    if term.is_empty() {
        print(&list(&all))?;
        return Ok(Exit::Good);
    }
    if let Some(topic) = find(&all, &term) {
        print(&text(topic))?;
        return Ok(Exit::Good);
    }
    let advice = match near(&all, &term)[..] {
        [] => "`kingpin explain` lists all terms".into(),
        [only] => format!("did you mean `{only}`?"),
        ref several => format!("close to it are {}", several.join(", ")),
    };
    complain(&format!("error: there is no explanation of `{}`\n\n  help: {advice}\n", term.escape_debug()));
    Ok(Exit::Usage)
}

fn text(topic: &Topic) -> String {
    let mut text = format!("{}\n\n", topic.name);
    text.extend(topic.lines.iter().map(|line| format!("  {line}").trim_end().to_string() + "\n"));
    text += &format!("\n  $ {}\n", topic.example);
    text += &format!("\n  See also: {}\n", topic.see_also.join(", "));
    text
}

fn list(all: &[Topic]) -> String {
    let mut text = String::from("What `kingpin explain TERM` explains:\n\n");
    let mut line = String::from(" ");
    for topic in all {
        if line.len() + topic.name.len() + 2 > WIDTH {
            text += &format!("{line}\n");
            line = String::from(" ");
        }
        line += &format!(" {},", topic.name);
    }
    text += line.trim_end_matches(',');
    text += "\n\nThe models in its examples are shipped: `kingpin new door --from door` writes door.toml.\n";
    text
}
