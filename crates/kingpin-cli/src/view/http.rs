//! As much of HTTP as one page on one computer needs.

use std::io::{self, BufRead, BufReader, Read, Write};

/// Bytes of a request at most; a browser sends less than a tenth.
const MOST: u64 = 32_768;

/// What may be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// The page.
    Page,
    /// Its data.
    Data,
    /// What comes after so many frames.
    Live(u64),
}

/// Why a request is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refusal(pub u16, pub &'static str);

/// Reads a request from a connection.
pub fn read(stream: impl Read, port: u16) -> io::Result<Result<Wish, Refusal>> {
    let mut lines = Vec::new();
    for line in BufReader::new(stream.take(MOST)).lines() {
        let line = line?;
        if line.is_empty() {
            return Ok(understand(&lines, port));
        }
        lines.push(line);
    }
    Ok(Err(Refusal(400, "Bad Request")))
}

/// The wish of a request. Only pages of this very address may ask: another site that has its name point here
/// (DNS rebinding) still sends its own name as host.
fn understand(lines: &[String], port: u16) -> Result<Wish, Refusal> {
    let mut words = lines.first().map_or("", String::as_str).split(' ');
    let (Some(method), Some(target), Some(version)) = (words.next(), words.next(), words.next()) else {
        return Err(Refusal(400, "Bad Request"));
    };
    if !version.starts_with("HTTP/1.") {
        return Err(Refusal(400, "Bad Request"));
    }
    let hosts: Vec<&str> = lines[1..]
        .iter()
        .filter_map(|line| line.split_once(':'))
        .filter(|(name, _)| name.eq_ignore_ascii_case("host"))
        .map(|(_, value)| value.trim())
        .collect();
    let own = ["127.0.0.1", "localhost"].map(|name| format!("{name}:{port}"));
    let [host] = hosts[..] else { return Err(Refusal(400, "Bad Request")) };
    // browsers leave the usual port out
    let usual = port == 80 && ["127.0.0.1", "localhost"].contains(&host);
    if !usual && !own.iter().any(|name| name.eq_ignore_ascii_case(host)) {
        return Err(Refusal(403, "Forbidden"));
    }
    if method != "GET" {
        return Err(Refusal(405, "Method Not Allowed"));
    }
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    match path {
        "/" | "/index.html" => Ok(Wish::Page),
        "/data.json" => Ok(Wish::Data),
        "/live" => {
            let from = query.split('&').find_map(|pair| pair.strip_prefix("from="));
            Ok(Wish::Live(from.and_then(|n| n.parse().ok()).unwrap_or(0)))
        }
        _ => Err(Refusal(404, "Not Found")),
    }
}

/// Sends a whole answer.
pub fn answer(mut stream: impl Write, status: (u16, &str), kind: &str, body: &[u8]) -> io::Result<()> {
    let length = format!("Content-Length: {}\r\n", body.len());
    stream.write_all(head(status, kind, &length).as_bytes())?;
    stream.write_all(body)?;
    stream.flush()
}

/// Begins an answer that goes on.
pub fn begin(mut stream: impl Write, kind: &str) -> io::Result<()> {
    stream.write_all(head((200, "OK"), kind, "").as_bytes())?;
    stream.flush()
}

fn head((code, words): (u16, &str), kind: &str, more: &str) -> String {
    format!(
        "HTTP/1.1 {code} {words}\r\nContent-Type: {kind}\r\n{more}Cache-Control: no-store\r\n\
         X-Content-Type-Options: nosniff\r\nCross-Origin-Resource-Policy: same-origin\r\n\
         Connection: close\r\n\r\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wish(lines: &[&str]) -> Result<Wish, u16> {
        let lines: Vec<String> = lines.iter().map(|line| line.to_string()).collect();
        understand(&lines, 8080).map_err(|refusal| refusal.0)
    }

    #[test]
    fn only_known_paths_of_this_very_address() {
        let get = |target: &str| wish(&[&format!("GET {target} HTTP/1.1"), "hOST: localhost:8080"]);
        assert_eq!(get("/"), Ok(Wish::Page));
        assert_eq!(get("/data.json"), Ok(Wish::Data));
        assert_eq!(get("/live?from=12"), Ok(Wish::Live(12)));
        assert_eq!(get("/live?from=-1"), Ok(Wish::Live(0)));
        for path in ["/../etc/passwd", "/etc/passwd", "//", "data.json", "/data.json/", "http://a/"] {
            assert_eq!(get(path), Err(404), "{path}");
        }
        assert_eq!(wish(&["POST / HTTP/1.1", "Host: 127.0.0.1:8080"]), Err(405));
        for host in ["evil.example", "evil.example:8080", "127.0.0.1:81", "127.0.0.1", "127.0.0.1.evil:8080"]
        {
            assert_eq!(wish(&["GET / HTTP/1.1", &format!("Host: {host}")]), Err(403), "{host}");
        }
        assert_eq!(wish(&["GET / HTTP/1.1"]), Err(400));
        assert_eq!(wish(&["GET / HTTP/1.1", "Host: localhost:8080", "Host: evil"]), Err(400));
        assert_eq!(wish(&["GET /"]), Err(400));
        assert_eq!(wish(&[]), Err(400));
    }
}
