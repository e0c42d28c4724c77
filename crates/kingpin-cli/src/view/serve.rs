//! Answers the requests of pages, each on a thread of its own.

use super::http::{self, Refusal, Wish};
use super::source::{Message, News, PAUSE, Source};
use std::io::{self, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Connections at a time; a page has one or two.
const MOST: usize = 64;
/// Silence after which a comment is sent, to learn whether anybody listens.
const SILENCE: Duration = Duration::from_secs(5);

/// What is shown.
#[derive(Clone)]
pub struct Served {
    source: Arc<dyn Source>,
    connections: Arc<AtomicUsize>,
}

impl Served {
    /// To be served.
    pub fn new(source: Box<dyn Source>) -> Served {
        Served { source: source.into(), connections: Arc::default() }
    }
}

/// Serves until the process ends.
pub fn serve(listener: &TcpListener, port: u16, template: &'static str, served: Served) -> io::Result<()> {
    loop {
        // a connection that broke before it was taken is nobody's loss
        let Ok((stream, _)) = listener.accept() else { continue };
        let served = served.clone();
        if served.connections.fetch_add(1, Ordering::Relaxed) >= MOST {
            served.connections.fetch_sub(1, Ordering::Relaxed);
            continue;
        }
        thread::spawn(move || {
            // a page that has gone away needs no answer
            let _ = respond(&stream, port, template, served.source.as_ref());
            served.connections.fetch_sub(1, Ordering::Relaxed);
        });
    }
}

fn respond(stream: &TcpStream, port: u16, template: &str, source: &dyn Source) -> io::Result<()> {
    match http::read(stream, port)? {
        Ok(Wish::Page) => http::answer(stream, (200, "OK"), "text/html; charset=utf-8", template.as_bytes()),
        Ok(Wish::Data) => match source.data() {
            Ok(json) => http::answer(stream, (200, "OK"), "application/json", &json),
            Err(why) => {
                let text = "text/plain; charset=utf-8";
                http::answer(stream, (422, "Unprocessable Content"), text, why.as_bytes())
            }
        },
        Ok(Wish::Live(frames)) => follow(stream, source, frames),
        Err(Refusal(code, words)) => http::answer(stream, (code, words), "text/plain", words.as_bytes()),
    }
}

/// Sends messages as long as the page listens.
fn follow(mut stream: &TcpStream, source: &dyn Source, frames: u64) -> io::Result<()> {
    http::begin(stream, "text/event-stream")?;
    // a browser that lost us looks again soon
    stream.write_all(b"retry: 1000\n\n")?;
    let mut follower = source.follow(frames);
    let mut spoken = Instant::now();
    loop {
        let (messages, last) = match follower.look() {
            News::Nothing => (Vec::new(), false),
            News::Messages(messages) => (messages, false),
            News::Last(messages) => (messages, true),
        };
        for Message { event, data } in &messages {
            write!(stream, "event: {event}\ndata: {data}\n\n")?;
            spoken = Instant::now();
        }
        if last {
            return stream.flush();
        }
        if spoken.elapsed() > SILENCE {
            stream.write_all(b": still here\n\n")?;
            spoken = Instant::now();
        }
        stream.flush()?;
        thread::sleep(PAUSE);
    }
}
