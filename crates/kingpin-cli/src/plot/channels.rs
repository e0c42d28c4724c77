//! The channels of results, by what they are about.

use crate::words::{count, plain};
use kingpin::results::Group;
use kingpin_results::Reader;
use kingpin_results::store::ChannelInfo;

/// Items shown of a group.
const SHOWN: usize = 16;

/// Groups, their items, and what can be plotted of each.
pub fn list(reader: &Reader) -> String {
    let header = reader.header();
    let mut text = format!(
        "{}: {} channels, {} frames\n",
        plain(&header.model),
        count(header.channels.len()),
        count(reader.frames() as usize)
    );
    let mut groups: Vec<Group> = Vec::new();
    for channel in &header.channels {
        if !groups.contains(&channel.group) {
            groups.push(channel.group);
        }
    }
    for group in groups {
        text += &format!("\n  {}\n", group.heading());
        let items = items(header.channels.iter().filter(|channel| channel.group == group));
        let width = items.iter().take(SHOWN).map(|(item, _)| item.chars().count()).max().unwrap_or(0);
        for (item, parts) in items.iter().take(SHOWN) {
            text += &format!("    {:<width$}  {}\n", plain(item), parts.join(" "));
        }
        if items.len() > SHOWN {
            text += &format!("    … and {} more\n", count(items.len() - SHOWN));
        }
    }
    let example = header.channels.first().map_or("", |channel| channel.name.as_str());
    text += &format!(
        "\nTo plot the channel `{}`: kingpin plot {} {}\n",
        plain(example),
        reader.dir().display(),
        plain(example)
    );
    text
}

/// Items in their order, each with the ends of its channels.
fn items<'a>(channels: impl Iterator<Item = &'a ChannelInfo>) -> Vec<(String, Vec<String>)> {
    let mut items: Vec<(String, Vec<String>)> = Vec::new();
    for channel in channels {
        let (item, part) = match channel.name.rsplit_once('.') {
            Some((item, part)) => (item, format!(".{part}")),
            // a measure is a channel itself
            None => (channel.name.as_str(), "itself".into()),
        };
        match items.last_mut() {
            Some((last, parts)) if last == item => parts.push(part),
            _ => items.push((item.into(), vec![part])),
        }
    }
    items
}
