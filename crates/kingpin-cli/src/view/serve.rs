//! Answers the requests of pages, each on a thread of its own.

use super::guests::{Guest, Guests, Stage};
use super::http::{self, Refusal, Wish};
use super::source::{Message, News, PAUSE, Source};
use super::timed::Timed;
use std::io::{self, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

/// Silence after which a comment is sent, to learn whether anybody listens.
const SILENCE: Duration = Duration::from_secs(5);

/// What one client may take, so that none can keep the others waiting.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Time in which a request must have come as a whole.
    pub request: Duration,
    /// Time in which an answer, or a message to a page that follows, must have been taken as a whole.
    pub answer: Duration,
    /// Connections at a time.
    pub connections: usize,
    /// Connections at a time from one address; a browser has at most six.
    pub per_client: usize,
}

impl Default for Limits {
    fn default() -> Self {
        let (request, answer) = (Duration::from_secs(10), Duration::from_secs(60));
        Limits { request, answer, connections: 64, per_client: 24 }
    }
}

/// What is shown.
#[derive(Clone)]
pub struct Served {
    source: Arc<dyn Source>,
    limits: Limits,
}

impl Served {
    /// To be served.
    pub fn new(source: Box<dyn Source>) -> Served {
        Served { source: source.into(), limits: Limits::default() }
    }
}

/// Serves until the process ends.
pub fn serve(listener: &TcpListener, port: u16, template: &'static str, served: &Served) -> io::Result<()> {
    let guests = Guests::new(served.limits);
    loop {
        let Ok((stream, _)) = listener.accept() else {
            // a connection that broke before it was taken is nobody's loss; a system without room may find some
            thread::sleep(PAUSE);
            continue;
        };
        // likewise
        let Ok(Some(guest)) = guests.admit(&stream) else { continue };
        let served = served.clone();
        let started = thread::Builder::new().spawn(move || {
            // a page that has gone away needs no answer
            let _ = respond(&stream, port, template, &served, &guest);
        });
        drop(started);
    }
}

fn respond(stream: &TcpStream, port: u16, template: &str, served: &Served, guest: &Guest) -> io::Result<()> {
    let Served { source, limits } = served;
    let wish = match http::read(Timed::new(stream, limits.request), port) {
        Err(error) if error.kind() == io::ErrorKind::TimedOut => Err(Refusal(408, "Request Timeout")),
        other => other?,
    };
    guest.reached(if matches!(wish, Ok(Wish::Live(_))) { Stage::Following } else { Stage::Answered });
    let text = "text/plain; charset=utf-8";
    let send = |status: (u16, &str), kind: &str, body: &[u8]| {
        http::answer(Timed::new(stream, limits.answer), status, kind, body)
    };
    match wish {
        Ok(Wish::Page) => send((200, "OK"), "text/html; charset=utf-8", template.as_bytes()),
        Ok(Wish::Data) => match source.data() {
            Ok(json) => send((200, "OK"), "application/json", &json),
            Err(why) => send((422, "Unprocessable Content"), text, why.as_bytes()),
        },
        Ok(Wish::Live(frames)) => follow(stream, source.as_ref(), frames, limits.answer),
        Err(Refusal(code, words)) => send((code, words), text, words.as_bytes()),
    }
}

/// Sends messages as long as the page listens.
fn follow(stream: &TcpStream, source: &dyn Source, frames: u64, patience: Duration) -> io::Result<()> {
    let timed = || Timed::new(stream, patience);
    http::begin(timed(), "text/event-stream")?;
    // a browser that lost us looks again soon
    timed().write_all(b"retry: 1000\n\n")?;
    let mut follower = source.follow(frames);
    let mut spoken = Instant::now();
    loop {
        let (messages, last) = match follower.look() {
            News::Nothing => (Vec::new(), false),
            News::Messages(messages) => (messages, false),
            News::Last(messages) => (messages, true),
        };
        for Message { event, data } in &messages {
            timed().write_all(format!("event: {event}\ndata: {data}\n\n").as_bytes())?;
            spoken = Instant::now();
        }
        if last {
            return timed().flush();
        }
        if spoken.elapsed() > SILENCE {
            timed().write_all(b": still here\n\n")?;
            spoken = Instant::now();
        }
        timed().flush()?;
        thread::sleep(PAUSE);
    }
}

#[cfg(test)]
mod tests;
