//! How much memory there is for models and matrices.

use std::fs::read_to_string;

/// Bytes of memory that models and matrices may take, where somebody wants less than there is.
const VARIABLE: &str = "KINGPIN_MEMORY";

/// Bytes that can be had: what the system has to give, and no more than its group and the process may take (`ulimit -v`);
/// `None` where none of them is known.
pub fn available_memory() -> Option<u64> {
    let asked = std::env::var(VARIABLE).ok().and_then(|text| text.trim().parse().ok());
    asked.or_else(|| {
        let system = read_to_string("/proc/meminfo").ok().and_then(|text| available(&text));
        let group =
            read_to_string("/sys/fs/cgroup/memory.max").ok().and_then(|text| text.trim().parse().ok());
        let own = read_to_string("/proc/self/limits").ok().and_then(|text| address_space(&text));
        system.into_iter().chain(group).chain(own).min()
    })
}

/// What is available by the list of the system, which counts in kibibytes.
fn available(list: &str) -> Option<u64> {
    let line = list.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|number| 1024 * number)
}

/// The limit of the address space by the list of the process, if there is one.
fn address_space(list: &str) -> Option<u64> {
    let line = list.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_of_the_system_is_read() {
        let list = "MemTotal:       24589712 kB\nMemFree:         4482580 kB\nMemAvailable:   23344000 kB\n";
        assert_eq!(available(list), Some(23_344_000 * 1024));
        assert_eq!(available("MemTotal: 12 kB\n"), None);
        assert_eq!(available("MemAvailable: many\n"), None);
        let limits = "Limit         Soft Limit  Hard Limit  Units\nMax address space         8000000000  unlimited  bytes\n";
        assert_eq!(address_space(limits), Some(8_000_000_000));
        assert_eq!(address_space("Max address space  unlimited  unlimited  bytes\n"), None);
    }
}
