//! `kingpin view`: what it refuses, and what it serves to whom.

use crate::run::{root, run, start};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::Child;

#[path = "../../page_parts.rs"]
mod page_parts;

fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    path
}

/// Waits until something is so; machines may be slow.
pub fn until(what: impl Fn() -> bool) {
    for _ in 0..1200 {
        if what() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    panic!("it has not happened");
}

/// A server that ends with the test.
pub struct Server {
    child: Child,
    pub port: u16,
    /// What it gives for the token in its address: `name=value`.
    pub cookie: String,
    pub token: String,
}

impl Server {
    pub fn new(path: &str) -> Server {
        let mut child = start(&["view", path, "--no-open"]);
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().expect("piped")).read_line(&mut line).expect("a line");
        let rest = line.split("http://127.0.0.1:").nth(1).unwrap_or_else(|| panic!("no address: {line}"));
        let (port, rest) = rest.split_once("/?token=").unwrap_or_else(|| panic!("no token: {line}"));
        let token = rest.split(' ').next().unwrap_or_default().to_string();
        assert_eq!(
            line,
            format!("`{path}` is shown at http://127.0.0.1:{port}/?token={token} (Ctrl-C to stop)\n")
        );
        let port = port.parse().expect("a port");
        let mut server = Server { child, port, cookie: String::new(), token };
        let entered = server.get(&format!("/?token={}", server.token));
        let cookie = head(&entered, "set-cookie").unwrap_or_else(|| panic!("no cookie: {entered}"));
        server.cookie = cookie.split(';').next().unwrap_or_default().to_string();
        server
    }

    pub fn ask(&self, request: &str) -> String {
        self.ask_at(self.port, request)
    }

    /// The same of a page that it serves at another port.
    pub fn ask_at(&self, port: u16, request: &str) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("connected");
        stream.write_all(request.as_bytes()).expect("sent");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        answer
    }

    pub fn get(&self, target: &str) -> String {
        self.ask(&self.request("GET", target))
    }

    /// A request without a body, with the cookie.
    pub fn request(&self, method: &str, target: &str) -> String {
        let Server { port, cookie, .. } = self;
        format!("{method} {target} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nCookie: {cookie}\r\n\r\n")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A line of the head of an answer.
pub fn head<'a>(answer: &'a str, name: &str) -> Option<&'a str> {
    let mut lines = answer.split("\r\n").take_while(|line| !line.is_empty());
    let line = lines.find(|line| line.to_ascii_lowercase().starts_with(&format!("{name}: ")))?;
    Some(&line[name.len() + 2..])
}

pub fn body(answer: &str) -> &str {
    answer.split_once("\r\n\r\n").expect("a head").1
}

#[test]
fn what_cannot_be_shown_is_said() {
    let taken = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
    let port = taken.local_addr().expect("an address").port().to_string();
    let torn = folder("view-torn");
    fs::create_dir_all(&torn).expect("made");
    fs::write(torn.join("channels.json"), "{").expect("written");
    let torn = torn.display().to_string();
    for (name, args) in [
        ("nothing", &["view", "nowhere", "--no-open"][..]),
        ("no_results", &["view", "models", "--no-open"]),
        ("torn", &["view", &torn, "--no-open"]),
        ("set_on_results", &["view", "models", "--set", "a=1", "--no-open"]),
        ("port", &["view", "models/door.toml", "--port", &port, "--no-open"]),
    ] {
        let ran = run(args);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{name}");
        let message = ran.err.replace(&torn, "FOLDER").replace(&port, "PORT");
        insta::assert_snapshot!(format!("view_{name}"), message);
    }
}

#[test]
fn a_model_is_served_to_this_address_only() {
    let server = Server::new("models/four_bar.toml");
    let page = server.get("/");
    assert!(page.starts_with("HTTP/1.1 200 OK\r\n"), "{}", &page[..100]);
    assert!(page.contains(r#"<script type="application/json" id="kingpin-data"></script>"#));
    let data: serde_json::Value = serde_json::from_str(body(&server.get("/data.json"))).expect("JSON");
    assert_eq!(data["live"], true);
    assert_eq!(data["model"]["name"], "four_bar");
    for (request, status) in [
        ("GET / HTTP/1.1\r\nHost: example.org\r\n\r\n", "403"),
        ("GET /data.json HTTP/1.1\r\nHost: example.org\r\n\r\n", "403"),
        ("GET / HTTP/1.1\r\n\r\n", "400"),
        ("nonsense\r\n\r\n", "400"),
    ] {
        assert!(server.ask(request).starts_with(&format!("HTTP/1.1 {status} ")), "{request}");
    }
    assert!(server.get("/Cargo.toml").starts_with("HTTP/1.1 404 "));
    let post = server.request("POST", "/").replace("127.0.0.1", "localhost");
    assert!(server.ask(&post).starts_with("HTTP/1.1 405 "));
}

#[test]
fn every_route_wants_the_token() {
    let server = Server::new("models/four_bar.toml");
    let (port, token) = (server.port, &server.token);
    let other = if token.starts_with('0') { "1" } else { "0" }.to_string() + &token[1..];
    let wish = r#"{"stop":true}"#;
    for target in ["/", "/data.json", "/live?from=0", "/change", "/Cargo.toml"] {
        let joined =
            |token: &str| format!("{target}{}token={token}", if target.contains('?') { "&" } else { "?" });
        for (target, cookie) in [
            (target.to_string(), String::new()),
            (joined(""), String::new()),
            (joined(&other), String::new()),
            (target.to_string(), format!("Cookie: {}\r\n", server.cookie.replace(token, &other))),
            (target.to_string(), format!("Cookie: kingpin={token}\r\n")),
        ] {
            for method in ["GET", "POST"] {
                let json = format!("Content-Type: application/json\r\nContent-Length: {}\r\n", wish.len());
                let answer = server.ask(&format!(
                    "{method} {target} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{cookie}{json}\r\n{wish}"
                ));
                assert!(answer.starts_with("HTTP/1.1 403 "), "{method} {target} {cookie}: {answer}");
                assert!(body(&answer).contains("the complete address printed by `kingpin view`"), "{answer}");
                assert_eq!(head(&answer, "set-cookie"), None, "{answer}");
            }
        }
    }
}

#[test]
fn the_token_becomes_a_cookie_and_leaves_the_address() {
    let server = Server::new("models/four_bar.toml");
    let first = server.get(&format!("/?token={}", server.token));
    let cookie = head(&first, "set-cookie").expect("a cookie");
    assert!(cookie.ends_with("; Path=/; HttpOnly; SameSite=Strict"), "{cookie}");
    // the page itself comes at an address without it
    assert!(body(&first).contains(r#"content="0; url=./""#), "{first}");
    assert!(!body(&first).contains(&server.token) && !server.get("/").contains(&server.token));
    for target in ["/", "/data.json", "/nowhere"] {
        let answer = server.get(target);
        assert_eq!(head(&answer, "content-security-policy"), Some("frame-ancestors 'none'"), "{target}");
        assert_eq!(head(&answer, "x-frame-options"), Some("DENY"), "{target}");
        assert_eq!(head(&answer, "referrer-policy"), Some("no-referrer"), "{target}");
    }
}

#[test]
fn a_page_for_frames_has_no_cookie() {
    let mut child = start(&["view", "models/four_bar.toml", "--no-open", "--embed"]);
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().expect("piped")).read_line(&mut line).expect("a line");
    let url = line.split_whitespace().find(|word| word.starts_with("http://")).expect("an address");
    let (port, token) = url["http://127.0.0.1:".len()..].split_once("/?token=").expect("a token");
    let port = port.parse().expect("a port");
    let server = Server { child, port, cookie: String::new(), token: token.into() };
    assert!(server.get("/").starts_with("HTTP/1.1 403 "));
    for target in ["/", "/data.json"] {
        let answer = server.get(&format!("{target}?token={token}"));
        assert!(answer.starts_with("HTTP/1.1 200 "), "{target}");
        assert_eq!(head(&answer, "set-cookie"), None, "{target}");
        assert_eq!(head(&answer, "content-security-policy"), None, "{target}");
    }
}

#[test]
fn a_faulty_model_is_explained_in_the_page() {
    let dir = folder("view-faulty");
    fs::create_dir_all(&dir).expect("made");
    let file = dir.join("model.toml");
    fs::write(&file, "space = \"flat\"\n").expect("written");
    let server = Server::new(&file.display().to_string());
    let answer = server.get("/data.json");
    assert!(answer.starts_with("HTTP/1.1 422 "), "{answer}");
    assert!(body(&answer).contains("flat"), "{answer}");
    // mended, it is shown
    fs::copy(root().join("models/four_bar.toml"), &file).expect("copied");
    until(|| server.get("/data.json").starts_with("HTTP/1.1 200 "));
}

#[test]
fn results_are_served_and_a_run_that_ended_says_so() {
    let dir = folder("view-results");
    let path = dir.display().to_string();
    let ran = run(&["run", "models/four_bar.toml", "-o", &path, "--t-end", "0.2", "--quiet"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let server = Server::new(&path);
    let data: serde_json::Value = serde_json::from_str(body(&server.get("/data.json"))).expect("JSON");
    let frames = data["frames"]["count"].as_u64().expect("a count");
    assert!(frames > 2 && data.get("live").is_none());
    let said = server.get(&format!("/live?from={frames}"));
    assert!(said.contains("event: solution\n") && said.contains("event: end\ndata: null\n\n"), "{said}");
    assert!(!said.contains("event: frames"));
    // a page of another run is told to begin anew
    assert!(server.get("/live?from=100000").contains("event: reload\ndata: null\n\n"));
    // and the report on the disk holds the same data
    let report = fs::read_to_string(dir.join("report.html")).expect("a report");
    assert!(report.contains(r#""name":"four_bar""#) && report.len() < 20_000_000);
}

#[test]
fn the_page_is_built_anew_when_its_parts_change_and_only_then() {
    let viewer = root().join("viewer");
    for part in page_parts::PAGE_PARTS {
        assert!(
            viewer.join(part).exists(),
            "`viewer/{part}` is watched, and not there: every build builds anew"
        );
    }
    // what the page is not made of
    let others = ["FORMAT.md", "biome.json", "dist", "node_modules", "test"];
    for entry in fs::read_dir(&viewer).expect("a folder") {
        let name = entry.expect("an entry").file_name().into_string().expect("a name");
        let known = page_parts::PAGE_PARTS.contains(&name.as_str()) || others.contains(&name.as_str());
        assert!(known || name.starts_with('.'), "`viewer/{name}` is not watched");
    }
}
