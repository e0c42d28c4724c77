//! Coordinates at dead centres: their rate vanishes for an instant, no force along them moves anything, and yet they move, by
//! their curvature alone. Nothing holds them, and they go on the other way.

use super::Touch;
use super::bench::Bench;
use super::modes::{ROUNDING, held};
use crate::dynamics::instant::Trouble;
use crate::element::hold::{HoldKind, LEAVES};
use crate::system::State;

/// Lets go what moves although others seem to hold it; whether there was any, and the pieces that it is on.
pub(super) fn pass(
    bench: &mut Bench,
    state: &mut State,
    resting: &[Touch],
    passing: &mut Vec<(usize, u8)>,
) -> Result<bool, Trouble> {
    let idle = |touch: &&Touch| touch.hold.is_idle(&state.pieces);
    let idle: Vec<&Touch> = resting.iter().filter(idle).collect();
    if idle.is_empty() {
        return Ok(false);
    }
    let held = held(bench, state)?;
    // what forces would do if nothing answered them: of that accelerations are the rounding errors at rest
    let mut alone = vec![0.0; held.work.force.len()];
    held.system.inverse_mass_times(&held.work.force, &mut alone);
    let most = held.result.acc.iter().chain(&alone).fold(0.0_f64, |most, a| most.max(a.abs()));
    let mut found = false;
    for touch in idle {
        let rate = held.system.basic_value_and_rate(&touch.hold.probe, &held.work).1;
        let (second, size) = held.second_rate_here(touch.hold);
        // what accelerations make of a coordinate that is held are rounding errors
        let noise = touch.jolt + ROUNDING * (size + most);
        let way = match () {
            () if rate.abs() > 0.5 * touch.wander => rate,
            () if second.abs() > noise => second,
            () => continue,
        };
        let piece = match &touch.hold.kind {
            HoldKind::Friction(_) => u8::from(way > 0.0),
            HoldKind::Stop(stop) if stop.sign() * way > 0.0 => {
                let why = format!(
                    "its {} stop is at a singular position of the joint coordinate (dead centre), \
                         so it cannot be enforced",
                    stop.word()
                );
                return Err(Trouble::Held { joint: touch.hold.owner.clone(), why });
            }
            HoldKind::Stop(_) => LEAVES,
        };
        state.pieces[touch.hold.switch] = piece;
        passing.retain(|(number, _)| *number != touch.number);
        passing.push((touch.number, piece));
        found = true;
    }
    bench.solves += held.solves;
    Ok(found)
}
