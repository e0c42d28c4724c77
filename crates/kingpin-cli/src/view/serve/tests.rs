//! Clients that are slow on purpose, over real connections.

use super::*;
use crate::view::source::Follow;
use axum::body::Bytes;
use std::io::{BufRead, BufReader, Read, Write};
use std::sync::LazyLock;

const HOUR: Duration = Duration::from_secs(3600);
/// Larger than what systems keep of a connection that nobody reads.
const LARGE: usize = 64 << 20;

/// Large data, and news at every look.
struct Fake;

impl Source for Fake {
    fn data(&self) -> Result<Bytes, String> {
        Ok(vec![b' '; LARGE].into())
    }

    fn follow(&self, _: u64) -> Box<dyn Follow> {
        Box::new(Fake)
    }
}

impl Follow for Fake {
    fn look(&mut self) -> News {
        News::Messages(vec![Message { event: "tick", data: "null".into() }])
    }
}

/// Limits that nobody meets by chance.
fn wide() -> Limits {
    Limits { request: HOUR, answer: HOUR, connections: 8, per_client: 6 }
}

static ACCESS: LazyLock<Arc<Access>> = LazyLock::new(|| Arc::new(Access::new(false).unwrap()));

fn served(limits: Limits) -> Served {
    Served { source: Arc::new(Fake), limits, access: ACCESS.clone() }
}

/// The port of a server that runs until the tests end.
fn started(limits: Limits) -> u16 {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || serve(&listener, port, "the page", &served(limits)));
    port
}

fn connect(port: u16) -> TcpStream {
    TcpStream::connect(("127.0.0.1", port)).unwrap()
}

fn ask(port: u16, target: &str) -> TcpStream {
    let mut stream = connect(port);
    // one that was sent away at once learns of it when it reads
    let head =
        format!("GET {target} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nCookie: {}\r\n\r\n", ACCESS.set_cookie());
    let _ = stream.write_all(head.as_bytes());
    stream
}

/// Whether a page is served. While those sent away have not ended a request may find no room, but not for long.
fn page_comes(port: u16) -> bool {
    (0..600).any(|_| {
        let mut answer = String::new();
        let read = ask(port, "/").read_to_string(&mut answer);
        let came = read.is_ok() && answer.ends_with("\r\n\r\nthe page");
        if !came {
            thread::sleep(Duration::from_millis(100));
        }
        came
    })
}

#[test]
fn a_request_that_never_ends_is_given_up() {
    let port = started(Limits { request: Duration::from_millis(50), ..wide() });
    let mut stream = connect(port);
    stream.write_all(b"GET / HT").unwrap();
    // how the end is told differs between systems
    let mut answer = String::new();
    let _ = stream.read_to_string(&mut answer);
    assert!(!answer.contains("the page"), "{answer}");
}

#[test]
fn a_request_that_trickles_is_given_up() {
    let port = started(Limits { request: Duration::from_millis(50), ..wide() });
    let mut stream = connect(port);
    stream.write_all(b"GET / HTTP/1.1\r\n").unwrap();
    // every byte comes soon after the last, the whole never
    let sent = (0..4_000).take_while(|_| {
        thread::sleep(Duration::from_millis(5));
        stream.write_all(b"x").is_ok()
    });
    assert!(sent.count() < 4_000, "the connection is still open");
}

#[test]
fn an_answer_that_is_taken_slowly_is_given_up() {
    let port = started(Limits { answer: Duration::from_millis(50), ..wide() });
    let mut stream = ask(port, "/data.json");
    let (mut some, mut taken) = ([0; 1024], 0);
    for _ in 0..30 {
        taken += stream.read(&mut some).unwrap();
        thread::sleep(Duration::from_millis(5));
    }
    // what was under way still comes, no more; how the end is told differs between systems
    let mut rest = Vec::new();
    let _ = stream.read_to_end(&mut rest);
    assert!(taken + rest.len() < LARGE, "all of it came");
}

#[test]
fn idle_connections_keep_nobody_out() {
    let port = started(wide());
    let idle: Vec<TcpStream> = (0..40).map(|_| connect(port)).collect();
    assert!(page_comes(port));
    // the oldest ones were sent away
    assert!(!matches!((&idle[0]).read(&mut [0]), Ok(1..)));
}

#[test]
fn connections_that_read_nothing_keep_nobody_out() {
    let port = started(wide());
    let deaf: Vec<TcpStream> = (0..20).map(|_| ask(port, "/data.json")).collect();
    assert!(page_comes(port));
    drop(deaf);
}

#[test]
fn a_page_that_follows_stays_while_others_push() {
    let port = started(wide());
    let mut live = BufReader::new(ask(port, "/live?from=0"));
    let mut tick = || {
        let mut line = String::new();
        while line.trim() != "event: tick" {
            line.clear();
            assert!(live.read_line(&mut line).unwrap() > 0, "the page was sent away");
        }
    };
    tick();
    let idle: Vec<TcpStream> = (0..40).map(|_| connect(port)).collect();
    assert!(page_comes(port));
    tick();
    tick();
    drop(idle);
}
