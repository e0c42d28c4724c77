//! Which part of results a command takes.

use crate::folder::told;
use crate::output::{Exit, complain};
use crate::run::options::time;
use crate::words::number;
use kingpin_results::Reader;
use kingpin_results::store::Choice;

/// Between which times.
#[derive(clap::Args)]
pub struct WindowArgs {
    /// First time to include, in seconds or with a unit, such as `50ms`
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub from: Option<f64>,
    /// Last time to include
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub to: Option<f64>,
}

impl WindowArgs {
    /// All frames of some channels within the window; that there is none, or no such channel, is told.
    pub fn choice(&self, reader: &Reader, channels: &[String]) -> Result<Choice, Exit> {
        let names = channels.iter().map(|name| name.trim()).filter(|name| !name.is_empty());
        let places = reader.find_all(names).map_err(told)?;
        let channels = (!places.is_empty()).then_some(places);
        let choice = Choice { channels, from: self.from, to: self.to, ..Choice::default() };
        if reader.selected(&choice).map_err(told)?.is_empty() {
            return Err(self.nothing(reader));
        }
        Ok(choice)
    }

    fn nothing(&self, reader: &Reader) -> Exit {
        let times = || -> Result<(f64, f64), kingpin_results::Error> {
            let mut ends = reader.thinned(2)?;
            let first = ends.next_row()?.map_or(f64::NAN, |row| row[0]);
            Ok((first, ends.next_row()?.map_or(first, |row| row[0])))
        };
        let dir = reader.dir().display();
        let message = match (reader.frames(), times()) {
            (0, _) => format!(
                "`{dir}` contains no frame\n\n  help: the run has not written one yet, or failed at its start"
            ),
            (_, Err(error)) => error.to_string(),
            (_, Ok((first, last))) => format!(
                "there is no frame between these times\n\n  help: the results cover t = {} s to t = {} s",
                number(first, 6),
                number(last, 6)
            ),
        };
        complain(&format!("error: {message}\n"));
        Exit::Usage
    }
}
