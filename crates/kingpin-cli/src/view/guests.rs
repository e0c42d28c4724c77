//! Who is connected. Room is limited, and made by sending away those who keep it longest for nothing.

use super::serve::Limits;
use std::io;
use std::net::{IpAddr, Shutdown, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Time that those sent away are given to end before others are let in.
const GRACE: Duration = Duration::from_millis(500);

/// How far a connection has come; the first of them must leave first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// Its request has not come yet.
    Asking,
    /// It is being answered.
    Answered,
    /// Its answer is being made.
    Working,
    /// It follows a run or a model.
    Following,
}

struct Seat {
    number: u64,
    client: IpAddr,
    stage: Stage,
    /// When it came so far.
    since: Instant,
    stream: TcpStream,
}

#[derive(Default)]
struct Room {
    /// In the order in which they came.
    seats: Vec<Seat>,
    numbers: u64,
    /// Connections that have not ended, those of guests sent away included.
    threads: usize,
}

/// All connections.
pub struct Guests {
    limits: Limits,
    room: Mutex<Room>,
    /// One has left.
    left: Condvar,
}

impl Guests {
    /// None yet.
    pub fn new(limits: Limits) -> Arc<Guests> {
        Arc::new(Guests { limits, room: Mutex::default(), left: Condvar::new() })
    }

    fn room(&self) -> MutexGuard<'_, Room> {
        self.room.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets a connection in. If its client, or all together, have too many, the one that waits longest for nothing
    /// is closed. Nothing comes back while too many of those sent away still work on their last answer.
    pub fn admit(self: &Arc<Self>, stream: &TcpStream) -> io::Result<Option<Guest>> {
        let (client, handle) = (stream.peer_addr()?.ip(), stream.try_clone()?);
        let most = 2 * self.limits.connections;
        let waited = self.left.wait_timeout_while(self.room(), GRACE, |room| room.threads >= most);
        let (mut room, _) = waited.unwrap_or_else(PoisonError::into_inner);
        if room.threads >= most {
            return Ok(None);
        }
        let own = room.seats.iter().filter(|seat| seat.client == client).count();
        if own >= self.limits.per_client {
            room.dismiss(|seat| seat.client == client);
        } else if room.seats.len() >= self.limits.connections {
            room.dismiss(|_| true);
        }
        room.numbers += 1;
        room.threads += 1;
        let number = room.numbers;
        room.seats.push(Seat { number, client, stage: Stage::Asking, since: Instant::now(), stream: handle });
        Ok(Some(Guest { guests: self.clone(), number }))
    }
}

impl Room {
    /// Closes the connection at the earliest stage, among those the oldest.
    fn dismiss(&mut self, which: impl Fn(&Seat) -> bool) {
        let all = self.seats.iter().enumerate().filter(|(_, seat)| which(seat));
        if let Some((place, _)) = all.min_by_key(|(_, seat)| seat.stage) {
            // its task learns of it at its next read or write; a connection that is gone cannot be closed
            let _ = self.seats.remove(place).stream.shutdown(Shutdown::Both);
        }
    }
}

/// A connection that was let in; it leaves when this is dropped.
pub struct Guest {
    guests: Arc<Guests>,
    number: u64,
}

impl Guest {
    /// Whether it follows a run or a model.
    pub fn follows(&self) -> bool {
        let room = self.guests.room();
        room.seats.iter().any(|seat| seat.number == self.number && seat.stage == Stage::Following)
    }

    /// Whether it has had so much time to take its answer, and has not.
    pub fn is_overdue(&self, patience: Duration) -> bool {
        let room = self.guests.room();
        let mut own = room.seats.iter().filter(|seat| seat.number == self.number);
        own.any(|seat| seat.stage == Stage::Answered && seat.since.elapsed() > patience)
    }

    /// Closes its connection.
    pub fn dismiss(&self) {
        let number = self.number;
        self.guests.room().dismiss(|seat| seat.number == number);
    }

    /// It has come so far.
    pub fn reached(&self, stage: Stage) {
        let mut room = self.guests.room();
        if let Some(seat) = room.seats.iter_mut().find(|seat| seat.number == self.number) {
            (seat.stage, seat.since) = (stage, Instant::now());
        }
    }
}

impl Drop for Guest {
    fn drop(&mut self) {
        let mut room = self.guests.room();
        room.seats.retain(|seat| seat.number != self.number);
        room.threads -= 1;
        self.guests.left.notify_one();
    }
}
