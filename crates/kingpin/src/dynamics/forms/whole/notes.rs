//! What is known of the stages of a step beyond what a stepper keeps of them.

/// Stages that are remembered: no method has more.
const STAGES: usize = 6;

/// Times that differ by less are those of one stage, reached in two ways.
const SAME: f64 = 4.0 * f64::EPSILON;

/// A stage at hand: how far it is from what the stepper asked for, and its multipliers.
#[derive(Clone, Debug, Default)]
pub(super) struct StageNote {
    t: f64,
    /// Normal parts, D times some numbers, of its coordinates, their rates and their accelerations.
    pub normal: [Vec<f64>; 3],
    /// Multipliers of the kept equations; whether they are no more than a guess.
    pub lam: Vec<f64>,
    pub guessed: bool,
}

/// The stages of a step by their times. Normal parts are what constraints that curve add to a motion in the tangent plane:
/// they begin with the square of the time, those of rates with the time, those of accelerations with a constant.
#[derive(Clone, Debug, Default)]
pub(super) struct StageNotes {
    list: Vec<StageNote>,
    known: usize,
    last: usize,
}

impl StageNotes {
    /// Forgets all stages.
    pub fn clear(&mut self) {
        self.known = 0;
    }

    /// What is known of a stage.
    pub fn find(&self, t: f64) -> Option<&StageNote> {
        self.list[..self.known].iter().find(|note| (note.t - t).abs() <= SAME * t.abs())
    }

    /// What is known of the stage nearest to a time, and how far from the start of the step `t0` that time is, as a part of
    /// how far the stage is.
    pub fn near(&self, t: f64, t0: f64) -> Option<(&StageNote, f64)> {
        let far = |note: &&StageNote| (note.t - t).abs();
        let note = self.list[..self.known].iter().min_by(|a, b| far(a).total_cmp(&far(b)))?;
        let ratio = if (note.t - t).abs() <= SAME * t.abs() { 1.0 } else { (t - t0) / (note.t - t0) };
        ratio.is_finite().then_some((note, ratio))
    }

    /// The note of a stage in a step that begins at `t0` with multipliers `lam`. One that is new is what the last one looked
    /// at says of its time.
    pub fn at(&mut self, t: f64, t0: f64, n: usize, lam: &[f64]) -> &mut StageNote {
        if let Some(place) = self.list[..self.known].iter().position(|note| note.t == t) {
            self.last = place;
            return &mut self.list[place];
        }
        let place = if self.known < STAGES { self.known } else { (self.last + 1) % STAGES };
        if self.list.len() == place {
            self.list.push(StageNote {
                normal: std::array::from_fn(|_| vec![0.0; n]),
                lam: lam.to_vec(),
                ..StageNote::default()
            });
        }
        let mut note = std::mem::take(&mut self.list[place]);
        (note.t, note.guessed) = (t, true);
        let before = self.list[..self.known].get(self.last);
        let ratio = before.map_or(0.0, |before| (t - t0) / (before.t - t0));
        match before.filter(|_| ratio.is_finite()) {
            Some(before) => {
                for (power, (to, from)) in note.normal.iter_mut().zip(&before.normal).enumerate() {
                    let weight = ratio.powi(2 - power as i32);
                    to.iter_mut().zip(from).for_each(|(to, from)| *to = weight * from);
                }
                note.lam.copy_from_slice(&before.lam);
            }
            None => {
                note.normal.iter_mut().for_each(|list| list.fill(0.0));
                note.lam.copy_from_slice(lam);
            }
        }
        self.list[place] = note;
        (self.known, self.last) = (self.known.max(place + 1), place);
        &mut self.list[place]
    }
}
