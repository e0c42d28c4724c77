//! Points of a path at which stiffness vanishes in some direction.

use super::LoadPointKind;
use super::follow::LoadWalk;
use super::point::{PathPoint, softest};

/// Bisections to a point.
const BISECTIONS: usize = 40;

impl LoadWalk<'_> {
    /// The point between one and another that is a step of that length away, at which the number of unstable directions
    /// changes, and what it is: where the load grows on one side and falls on the other, its limit.
    pub(super) fn critical(
        &mut self,
        from: &PathPoint,
        step: f64,
        to: &PathPoint,
    ) -> Option<(PathPoint, LoadPointKind)> {
        let (mut low, mut high, mut found) = (0.0, step, None);
        for _ in 0..BISECTIONS {
            let middle = 0.5 * (low + high);
            let Some((factor, _)) = self.advance(from, middle) else { break };
            // a singular matrix is the point itself
            let Some(point) = PathPoint::at(&mut self.mechanism, &self.metric, factor, Some(&from.direction))
            else {
                break;
            };
            if point.negatives == from.negatives {
                low = middle
            } else {
                high = middle
            }
            found = Some(point);
        }
        let point = found?;
        let pencil = self.mechanism.pencil().ok()?;
        let body = softest(&self.mechanism, &pencil);
        let turns = from.rate * to.rate < 0.0;
        Some((point, if turns { LoadPointKind::Limit(body) } else { LoadPointKind::Branching(body) }))
    }
}
