//! Which part of the results is wanted.

use super::reader::stride;
use crate::error::Error;

/// Which channels and frames an export or a plot takes; by default all.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Choice {
    /// Places of the channels.
    pub channels: Option<Vec<usize>>,
    /// Frames at most: every n-th is taken, and the last.
    pub frames: Option<usize>,
    /// Every so many frames one is taken, and the last.
    pub every: Option<u64>,
    /// No frames before this time, s.
    pub from: Option<f64>,
    /// No frames after this time, s.
    pub to: Option<f64>,
}

impl Choice {
    /// All frames of some channels.
    pub fn channels(places: &[usize]) -> Choice {
        Choice { channels: Some(places.to_vec()), ..Choice::default() }
    }

    /// The first frame and the one after the last, among so many frames in the order of time. Frames that miss an end
    /// by round-off count.
    pub(super) fn places(
        &self,
        count: u64,
        mut time_of: impl FnMut(u64) -> Result<f64, Error>,
    ) -> Result<(u64, u64), Error> {
        if count == 0 || (self.from.is_none() && self.to.is_none()) {
            return Ok((0, count));
        }
        let slack = 1e-9 * (time_of(count - 1)? - time_of(0)?).abs();
        let mut first_after = |t: f64| {
            let (mut low, mut high) = (0, count);
            while low < high {
                let middle = low + (high - low) / 2;
                if time_of(middle)? < t { low = middle + 1 } else { high = middle }
            }
            Ok::<u64, Error>(low)
        };
        let first = self.from.map_or(Ok(0), |from| first_after(from - slack))?;
        let end = self.to.map_or(Ok(count), |to| first_after((to + slack).next_up()))?;
        Ok((first.min(end), end))
    }

    pub(super) fn stride(&self, count: u64) -> u64 {
        self.every.unwrap_or(1).max(stride(count, self.frames.unwrap_or(usize::MAX)))
    }
}

#[cfg(test)]
mod tests {
    use super::Choice;

    #[test]
    fn frames_between_two_times() {
        let places = |from, to| {
            let choice = Choice { from, to, ..Choice::default() };
            choice.places(11, |row| Ok(0.1 * row as f64)).unwrap()
        };
        assert_eq!(places(None, None), (0, 11));
        // 0.1 * 3 is a little more than 0.3
        assert_eq!(places(Some(0.3), Some(0.7)), (3, 8));
        assert_eq!(places(Some(0.31), None), (4, 11));
        assert_eq!(places(None, Some(0.3)), (0, 4));
        assert_eq!(places(Some(5.0), None), (11, 11));
        assert_eq!(places(None, Some(-1.0)), (0, 0));
        assert_eq!(places(Some(0.7), Some(0.3)), (4, 4));
    }
}
