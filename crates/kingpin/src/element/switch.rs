//! Switches: scalar functions g(t, q, v) whose edges cut the motion into pieces on which all forces are smooth.
//!
//! Forces are evaluated on the piece that a state holds, never on the one that g would choose now, so the
//! equations stay smooth beyond an edge and whoever integrates them can find the crossing and switch over.

use super::bar_law::BarLaw;
use super::basic::Basic;
use super::friction_law::STICKS;
use super::hold::{AT_REST, LEAVES, RESTS, RigidStop, TOUCHES};
use super::law::TyreLaw;
use super::stop_law::Stop;
use crate::expr::{Edges, Site, whole};
use crate::model::event::{EventAction, EventDirection};
use crate::model::function::Function;
use crate::scalar::Scalar;

/// A scalar function with edges. Piece i holds for e_(i-1) <= g < e_i.
#[derive(Clone, Debug, PartialEq)]
pub struct Switch {
    /// What g is.
    pub gauge: Gauge,
    /// What g depends on besides time.
    pub inputs: Vec<Basic>,
    /// Events whose variables it uses; their values follow those of the inputs.
    pub flags: Vec<Flag>,
    /// Earlier switches whose pieces it depends on.
    pub reads: Vec<usize>,
    /// Name of the tyre, cable, joint, event, force or driver.
    pub name: String,
    /// Name of the road; empty for events and for the flat ground of models without a road.
    pub road: String,
}

/// The kinds of switches. Variables: t, then value and rate of each input.
#[derive(Clone, Debug, PartialEq)]
pub enum Gauge {
    /// The horizontal position of a wheel centre, with edges where the wheel meets and leaves a bump.
    /// Pieces: before, on, behind.
    Bump([f64; 2]),
    /// A tyre that may lift off. Pieces: off, in contact.
    Contact(TyreLaw),
    /// A cable. Pieces: slack, taut.
    Taut(BarLaw),
    /// A stop of a joint that yields. Pieces: free, met.
    Stop(Stop),
    /// A rigid stop of a joint. Pieces: free, at rest on it, moving away from it, at it while others hold.
    Strike(RigidStop),
    /// Friction of a joint that may stick. Pieces: slides down, slides up, sticks, is idle, leans down, leans up.
    Slide,
    /// An event of the user. Pieces: negative, positive and, where it latches, [`HAPPENED`].
    Event {
        /// The function whose zero it is.
        when: Function,
        /// Which crossings count.
        direction: EventDirection,
        /// What it does.
        action: EventAction,
    },
    /// The points of a table over time. The piece is their number so far, modulo 256.
    Knots {
        /// The points.
        x: Vec<f64>,
        /// Whether it prescribes a motion.
        drives: bool,
        /// Whether its values jump there.
        steps: bool,
    },
    /// Sharp bends of a curve over the value or the rate of the first input. The piece is how many of them lie below,
    /// modulo 256.
    Bends {
        /// Where they are.
        x: Vec<f64>,
        /// Its variable.
        variable: usize,
        /// Whose curve it is, such as «force `stop`».
        of: String,
        /// Whether forces jump there, rather than their slopes.
        jumps: bool,
    },
    /// A place where an expression is not smooth, found by itself. It is no event, but forces change there.
    Site {
        /// The place.
        site: Site,
        /// Whose expression it is, such as «force `brake`».
        of: String,
        /// Whether it prescribes a motion.
        drives: bool,
    },
}

/// The piece of an event that has happened for good: a switch with a direction. It has no edges.
pub const HAPPENED: u8 = 2;

/// A variable of a function that depends on neither time nor state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flag {
    /// 1 on one piece of a switch and 0 on all others.
    Piece {
        /// The switch.
        switch: usize,
        /// The piece.
        piece: u8,
    },
    /// An input of the model.
    Input(usize),
}

impl Flag {
    /// Its value.
    #[inline]
    pub fn value(self, pieces: &[u8], inputs: &[f64]) -> f64 {
        match self {
            Flag::Piece { switch, piece } => f64::from(u8::from(pieces[switch] == piece)),
            Flag::Input(k) => inputs[k],
        }
    }

    /// The switch that it depends on.
    pub fn switch(self) -> Option<usize> {
        match self {
            Flag::Piece { switch, .. } => Some(switch),
            Flag::Input(_) => None,
        }
    }
}

/// A function that is positive on one side of its zero.
fn sided<T: Scalar>(piece: u8, g: T) -> [Option<T>; 2] {
    match piece {
        0 => [Some(-g), None],
        1 => [Some(g), None],
        _ => [None; 2],
    }
}

impl Switch {
    /// The value of g; the pieces are those of other switches that it depends on.
    pub fn value(&self, vars: &[f64], pieces: &[u8]) -> f64 {
        match &self.gauge {
            Gauge::Bump(_) => vars[1],
            Gauge::Contact(tyre) => tyre.contact(vars, pieces),
            Gauge::Taut(cable) => cable.taut(vars),
            Gauge::Stop(stop) => stop.contact(vars),
            Gauge::Strike(stop) => stop.clearance(vars, pieces),
            Gauge::Slide => vars[2],
            Gauge::Event { when, .. } => when.eval(vars),
            Gauge::Knots { .. } => vars[0],
            Gauge::Bends { variable, .. } => vars[*variable],
            Gauge::Site { site, .. } => site.gauge.eval_on(vars, pieces),
        }
    }

    /// Whether one crossing is enough: the piece then stays.
    fn latches(&self) -> bool {
        match &self.gauge {
            Gauge::Event { direction, action, .. } => {
                *action == EventAction::Switch && *direction != EventDirection::Any
            }
            _ => false,
        }
    }

    /// The place where an expression is not smooth, if it is one.
    pub fn site(&self) -> Option<&Site> {
        if let Gauge::Site { site, .. } = &self.gauge { Some(site) } else { None }
    }

    /// Reads its variables at other places.
    pub(crate) fn renumber(&mut self, place: impl Fn(usize) -> usize) {
        match &mut self.gauge {
            Gauge::Event { when, .. } => when.renumbered(place),
            Gauge::Site { site, .. } => site.gauge = site.gauge.renumber(place),
            _ => {}
        }
    }

    /// Whether it depends on nothing but time: its crossings are known before the run.
    pub fn is_timed(&self) -> bool {
        self.site().map_or(matches!(self.gauge, Gauge::Knots { .. }), |site| site.timed)
    }

    /// Whether forces or motions jump where it is crossed, rather than their slopes.
    pub fn jumps(&self) -> bool {
        match &self.gauge {
            Gauge::Site { site, drives, .. } => *drives || !site.continuous,
            Gauge::Knots { drives, steps, .. } => *drives || *steps,
            Gauge::Bends { jumps, .. } => *jumps,
            Gauge::Taut(cable) => cable.damping > 0.0,
            Gauge::Stop(stop) => stop.damping > 0.0,
            _ => true,
        }
    }

    /// Whether it belongs to a prescribed motion.
    pub fn drives(&self) -> bool {
        matches!(self.gauge, Gauge::Site { drives: true, .. } | Gauge::Knots { drives: true, .. })
    }

    /// The edges below and above a piece near g; infinite where there is none.
    fn edges(&self, piece: u8, g: f64) -> [f64; 2] {
        const NONE: f64 = f64::INFINITY;
        if let Some(site) = self.site() {
            return match (site.edges, piece) {
                (Edges::Whole, _) => [whole(g, piece), whole(g, piece) + 1.0],
                (_, 0) => [-NONE, 0.0],
                (_, 1) => [0.0, NONE],
                _ => [0.0, 0.0],
            };
        }
        match (&self.gauge, piece) {
            (Gauge::Bump([a, _]), 0) => [-NONE, *a],
            (Gauge::Bump([a, b]), 1) => [*a, *b],
            (Gauge::Bump([_, b]), _) => [*b, NONE],
            (Gauge::Bends { x, .. }, _) => {
                let part = whole(x.partition_point(|&bend| bend <= g) as f64, piece);
                let part = part.clamp(0.0, x.len() as f64) as usize;
                let below = part.checked_sub(1).and_then(|k| x.get(k));
                [below.map_or(-NONE, |x| *x), x.get(part).map_or(NONE, |x| *x)]
            }
            (_, 0) => [-NONE, 0.0],
            (_, 1) => [0.0, NONE],
            _ => [-NONE, NONE],
        }
    }

    /// Signed distance of g to the nearest edge of the piece: positive inside, negative once it is crossed,
    /// infinite if the piece has no edge.
    pub fn margin(&self, piece: u8, g: f64) -> f64 {
        if let Gauge::Strike(_) = self.gauge {
            return if matches!(piece, RESTS | TOUCHES) { f64::INFINITY } else { g };
        }
        if let (Gauge::Slide, 0 | 1) = (&self.gauge, piece) {
            return if piece == 1 { g } else { -g } + AT_REST;
        }
        let [low, high] = self.edges(piece, g);
        let (below, above) = (g - low, high - g);
        // NaN must not look like a comfortable distance
        if below < above || below.is_nan() { below } else { above }
    }

    /// Functions that are positive inside a piece, at most two; `None` where there is more to it. For any scalar, so
    /// that their ranges over a step can be told.
    pub fn bounds<T: Scalar>(&self, piece: u8, vars: &[T], pieces: &[u8]) -> [Option<T>; 2] {
        let n = T::from_f64;
        match &self.gauge {
            Gauge::Bump([a, _]) if piece == 0 => [Some(n(*a) - vars[1]), None],
            Gauge::Bump([a, b]) if piece == 1 => [Some(vars[1] - n(*a)), Some(n(*b) - vars[1])],
            Gauge::Bump([_, b]) => [Some(vars[1] - n(*b)), None],
            Gauge::Bends { variable, .. } => {
                let g = vars[*variable];
                let [low, high] = self.edges(piece, g.value());
                [
                    Some(low).filter(|x| x.is_finite()).map(|x| g - n(x)),
                    Some(high).filter(|x| x.is_finite()).map(|x| n(x) - g),
                ]
            }
            Gauge::Contact(tyre) if piece == 1 => tyre.presses(vars, pieces).map(Some),
            Gauge::Taut(cable) if piece == 1 => cable.pulls(vars).map(Some),
            // taut the cable is as soon as it is longer than at rest, whatever else it waits for
            Gauge::Taut(cable) => [Some(-cable.pulls(vars)[0]), None],
            Gauge::Stop(stop) if piece == 1 => stop.presses(vars).map(Some),
            // likewise
            Gauge::Stop(stop) => [Some(-stop.presses(vars)[0]), None],
            Gauge::Strike(_) if matches!(piece, RESTS | TOUCHES) => [None; 2],
            Gauge::Strike(stop) => [Some(stop.clearance(vars, pieces)), None],
            Gauge::Slide => {
                let [one, other] = sided(piece, vars[2]);
                [one.map(|g| g + n(AT_REST)), other]
            }
            Gauge::Contact(_) | Gauge::Knots { .. } => [None; 2],
            Gauge::Event { when, .. } => sided(piece, when.eval(vars)),
            Gauge::Site { site, .. } => {
                let g = site.gauge.eval_on(vars, pieces);
                if site.edges == Edges::Whole {
                    let count = whole(g.value(), piece);
                    return [Some(g - n(count)), Some(n(count + 1.0) - g)];
                }
                sided(piece, g)
            }
        }
    }

    /// The piece that g chooses. What has happened for good stays.
    pub fn settle(&self, piece: u8, g: f64) -> u8 {
        match self.gauge {
            _ if self.latches() && piece == HAPPENED => HAPPENED,
            Gauge::Bump([a, b]) => u8::from(g >= a) + u8::from(g >= b),
            Gauge::Knots { ref x, .. } | Gauge::Bends { ref x, .. } => {
                x.partition_point(|&knot| knot <= g) as u8
            }
            // what holds does so until a run finds that it does not
            Gauge::Strike(_) => RigidStop::kept(piece),
            Gauge::Slide if piece >= STICKS => piece,
            Gauge::Slide if g == 0.0 => STICKS,
            Gauge::Site { site: Site { edges: Edges::Sign, .. }, .. } if g == 0.0 => 2,
            Gauge::Site { site: Site { edges: Edges::Whole, .. }, .. } => g.floor().rem_euclid(256.0) as u8,
            _ => u8::from(g >= 0.0),
        }
    }

    /// The piece beyond the nearer edge of a piece; the piece itself if it has no edges.
    pub fn beyond(&self, piece: u8, g: f64) -> u8 {
        if matches!(self.gauge, Gauge::Knots { .. }) {
            return piece.wrapping_add(1);
        }
        if let Gauge::Strike(_) = self.gauge {
            return if piece == LEAVES { 0 } else { LEAVES };
        }
        let [low, high] = self.edges(piece, g);
        if let Some(site) = self.site() {
            return match site.edges {
                _ if g.is_nan() => piece,
                Edges::Whole if g - low < high - g => piece.wrapping_sub(1),
                Edges::Whole => piece.wrapping_add(1),
                _ if piece > 1 => self.settle(piece, g),
                _ => 1 - piece,
            };
        }
        if (low.is_infinite() && high.is_infinite()) || g.is_nan() {
            return piece;
        }
        let next = if g - low < high - g { piece.wrapping_sub(1) } else { piece.wrapping_add(1) };
        if self.latches() && self.happens(piece, next) { HAPPENED } else { next }
    }

    /// Whether a crossing is what an event waits for; crossings of tyres and cables always count.
    pub fn happens(&self, from: u8, to: u8) -> bool {
        match &self.gauge {
            Gauge::Event { direction, .. } => match direction {
                EventDirection::Rising => from == 0 && to != 0,
                EventDirection::Falling => from == 1 && to != 1,
                EventDirection::Any => from != to,
            },
            // how a bounce goes on is no event
            Gauge::Strike(_) => RigidStop::happens(from, to),
            // nor is who of several holds
            Gauge::Slide if from >= STICKS && to >= STICKS => false,
            _ => from != to,
        }
    }

    /// Whether it belongs to what may hold a coordinate.
    pub fn holds(&self) -> bool {
        matches!(self.gauge, Gauge::Strike(_) | Gauge::Slide)
    }

    /// What happens from one piece to another, in words.
    pub fn describe(&self, from: u8, to: u8) -> String {
        let name = &self.name;
        match &self.gauge {
            Gauge::Bump(_) => {
                let verb = if to == 1 { "meets" } else { "leaves" };
                format!("tyre `{name}` {verb} the bump of road `{}`", self.road)
            }
            Gauge::Contact(_) => {
                format!("tyre `{name}` {} the ground", if to == 1 { "touches" } else { "leaves" })
            }
            Gauge::Taut(_) => format!("cable `{name}` goes {}", if to == 1 { "taut" } else { "slack" }),
            Gauge::Stop(stop) => {
                let verb = if to == 1 { "meets" } else { "leaves" };
                format!("joint `{name}` {verb} its {} stop", stop.word())
            }
            Gauge::Strike(stop) => {
                format!("joint `{name}` {} its {} stop", RigidStop::verb(from, to), stop.word())
            }
            Gauge::Slide if to >= STICKS => format!("joint `{name}` sticks"),
            Gauge::Slide if from >= STICKS => format!("joint `{name}` slides"),
            Gauge::Slide => format!("joint `{name}` reverses its sliding direction"),
            Gauge::Event { .. } if self.happens(from, to) => format!("event `{name}`"),
            Gauge::Event { .. } => format!("event `{name}` is re-armed"),
            Gauge::Knots { .. } | Gauge::Bends { .. } | Gauge::Site { .. } => self.title(),
        }
    }

    /// Whose it is, in words.
    pub fn owner(&self) -> String {
        match &self.gauge {
            Gauge::Site { of, .. } | Gauge::Bends { of, .. } => of.clone(),
            _ => self.title(),
        }
    }

    /// What it is, in words.
    pub fn title(&self) -> String {
        let (name, road) = (&self.name, &self.road);
        match &self.gauge {
            Gauge::Bump(_) => format!("tyre `{name}` on the bump of road `{road}`"),
            Gauge::Contact(_) if road.is_empty() => format!("tyre `{name}` on the ground"),
            Gauge::Contact(_) => format!("tyre `{name}` on road `{road}`"),
            Gauge::Taut(_) => format!("cable `{name}`"),
            Gauge::Stop(stop) => format!("{} stop of joint `{name}`", stop.word()),
            Gauge::Strike(stop) => format!("{} stop of joint `{name}`", stop.word()),
            Gauge::Slide => format!("friction of joint `{name}`"),
            Gauge::Event { .. } => format!("event `{name}`"),
            Gauge::Knots { .. } => format!("table of `{name}`"),
            Gauge::Bends { of, .. } => format!("a kink of a curve of {of}"),
            Gauge::Site { site, of, .. } => format!("`{}` in `{}` of {of}", site.word, site.gauge.text()),
        }
    }
}
