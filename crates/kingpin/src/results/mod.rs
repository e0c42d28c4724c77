//! Named numbers of an instant: what tables, plots and checks of a simulation are made of.
//!
//! A [`Channels`] is built once from a system and turns an evaluated instant into numbers. All are in SI units:
//!
//! | item | channels |
//! |---|---|
//! | spatial body | `x y z`, `e0 e1 e2 e3`, `vx vy vz`, `wx wy wz`, `ax ay az`, `alphax alphay alphaz` |
//! | planar body | `x y angle`, `vx vy omega`, `ax ay alpha` |
//! | point | `x y z`, `vx vy vz`, `ax ay az`; in the plane `x y`, `vx vy`, `ax ay` |
//! | amplitude of a superelement | its value under its own name, such as `arm.mode1` |
//! | joint | its coordinates with their rates, such as `angle angle_rate displacement displacement_rate` |
//! | | `angle1 angle2` (universal), `displacement_x displacement_y angle` (planar), `rotation_x rotation_y rotation_z` (spherical) |
//! | driver | `stroke speed power`, and `force` or `torque` |
//! | joint, driver | reaction `fx fy fz tx ty tz`, in the plane `fx fy t` |
//! | force | such as `length rate force power` (spring), `angle rate torque power`, `stroke speed force power` (actuator), `deflection deflection_rate force` (tyre) |
//! | node of a structure | its place: `x y z` |
//! | structure | strain energy and largest equivalent stress: `energy stress` |
//! | element of a beam | resultants in its middle: `axial shear_y shear_z torsion bending_y bending_z`, in the plane `axial shear bending` |
//! | measure | its value under its own name, and `rate` |
//! | state, output of a controller | its value under its own name |
//! | `energy` | `kinetic potential total`; of a run also `dissipated work balance` |
//!
//! A channel is called `item.channel`, such as `crank.wz`. Where two items of different kinds would make the same
//! name, the later one in the order of the table says its kind first, as in `joint.crank.angle`.
//!
//! Positions, velocities and accelerations are those of the body frame as the model gives it (not of the centre of
//! mass), in global axes. Angular velocities and accelerations are in the axes of the body, as initial conditions
//! are; `alphax` is the rate of `wx`. Euler parameters turn the axes of the body into global ones.
//! The force of a driver or actuator is positive where it pushes on what it acts on, that of a spring where it draws
//! together; powers are what each gives to the mechanism. Strokes are lengths or angles.
//! Reactions are what a joint or driver exerts on its second body, at its point on that body, in global axes; a
//! driver on a joint has the ends of that joint. A rack and pinion acts on the rack, gears act on the body of the
//! first joint they name, at its centre of mass. Components of a bushing are in the axes of its first frame, positive where they draw the frames
//! together. Angles are counted over full turns, from reference angles that `System::count_turns` moves on.

mod build;
mod choose;
mod fill;

use crate::expr::closest;
use crate::model::Subject;
use crate::system::System;
use fill::Source;

/// What a channel is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Group {
    /// Position of a body.
    Position,
    /// Orientation of a body.
    Orientation,
    /// Velocity of a body, angular velocity included.
    Velocity,
    /// Acceleration of a body, angular acceleration included.
    Acceleration,
    /// Coordinate of a joint, or its rate.
    JointCoordinate,
    /// What a joint or driver exerts.
    Reaction,
    /// A force element: what it feels and what it exerts.
    Force,
    /// A measure, or its rate; a state or an output of a controller.
    Measure,
    /// An energy of the whole mechanism.
    Energy,
}

impl Group {
    /// All groups with their headings, in the order of the channels.
    const HEADINGS: [(Group, &'static str); 9] = [
        (Group::Position, "Positions"),
        (Group::Orientation, "Orientations"),
        (Group::Velocity, "Velocities"),
        (Group::Acceleration, "Accelerations"),
        (Group::JointCoordinate, "Joint coordinates"),
        (Group::Reaction, "Reactions"),
        (Group::Force, "Forces"),
        (Group::Measure, "Measures"),
        (Group::Energy, "Energy"),
    ];

    /// Its heading in lists.
    pub fn heading(self) -> &'static str {
        Group::HEADINGS.iter().find(|(group, _)| *group == self).map_or("", |(_, heading)| heading)
    }

    /// The group with a heading.
    pub fn with_heading(heading: &str) -> Option<Group> {
        Group::HEADINGS.iter().find(|(_, own)| *own == heading).map(|(group, _)| *group)
    }
}

/// What a channel is to its item.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Role {
    /// One of its numbers.
    #[default]
    Value,
    /// The rate of the channel before it.
    Rate,
    /// What a force exerts.
    Strength,
}

/// One named number.
#[derive(Clone, Debug, PartialEq)]
pub struct Channel {
    /// Its name, such as `crank.wz`; no two channels share it.
    pub name: String,
    /// Its unit; empty for pure numbers.
    pub unit: &'static str,
    /// What it is about.
    pub group: Group,
    /// The item it belongs to.
    pub subject: Subject,
    /// What it is to that item.
    pub role: Role,
    /// What it is, in words.
    pub about: &'static str,
}

/// All channels of a system, ready to be filled.
#[derive(Clone, Debug, Default)]
pub struct Channels {
    list: Vec<Channel>,
    /// Where the numbers come from, each source for a run of channels, in order, and which of its numbers are shown.
    sources: Vec<(Source, u32)>,
    /// The channels by name.
    by_name: Vec<u32>,
}

impl Channels {
    /// The channels of a system: bodies, joints, drivers, forces, measures, energies, each in the order of the
    /// model.
    pub fn new(system: &System) -> Channels {
        Channels::built(system, false)
    }

    /// The same, and the account of energy that a run keeps: what was dissipated, the work of drivers and applied
    /// forces, and what is missing in the balance.
    pub fn of_run(system: &System) -> Channels {
        Channels::built(system, true)
    }

    fn built(system: &System, run: bool) -> Channels {
        let (list, sources) = build::build(system, run);
        Channels::from_parts(list, sources.into_iter().map(|source| (source, u32::MAX)).collect())
    }

    fn from_parts(list: Vec<Channel>, sources: Vec<(Source, u32)>) -> Channels {
        let mut by_name: Vec<u32> = (0..list.len() as u32).collect();
        by_name.sort_unstable_by_key(|&k| list[k as usize].name.as_str());
        Channels { list, sources, by_name }
    }

    /// The channels.
    pub fn list(&self) -> &[Channel] {
        &self.list
    }

    /// How many there are: the length of what [`Channels::fill`] fills.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The place of the channel of that name. O(log n).
    pub fn find(&self, name: &str) -> Option<usize> {
        let of = |k: &u32| self.list[*k as usize].name.as_str();
        let found = self.by_name.binary_search_by(|k| of(k).cmp(name)).ok()?;
        Some(self.by_name[found] as usize)
    }

    /// The channel whose name is most like `name`, for messages: of the same item if there is one. O(n).
    pub fn closest(&self, name: &str) -> Option<&str> {
        let names = || self.list.iter().map(|channel| channel.name.as_str());
        let Some((item, part)) = name.rsplit_once('.') else { return closest(name, names()) };
        let own = || names().filter_map(|own| own.rsplit_once('.').filter(|(owner, _)| *owner == item));
        if own().next().is_none() {
            return closest(name, names());
        }
        let meant = closest(part, own().map(|(_, part)| part))?;
        names().find(|own| own.rsplit_once('.') == Some((item, meant)))
    }
}
