//! Who may ask: those who know the token that the command has printed. A first visit exchanges it for a cookie, so that the
//! address in the browser carries none.

use axum::http::{HeaderMap, Uri, header};
use std::fmt::Write;
use std::io;

/// Bytes of a token.
const LENGTH: usize = 16;
/// The parameter of an address that holds the token.
const TOKEN: &str = "token";

/// The token of one process. Every page that it serves, at whatever port, takes the same one.
pub struct Access {
    token: String,
    /// Name of the cookie. Cookies are sent to all ports of a host, so every process has a name of its own.
    cookie: String,
    /// Whether the page may stand in a frame of another page. Then there is no cookie, which the browser would also send for
    /// frames of strangers; each request carries the token.
    framed: bool,
}

/// How a request has shown the token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// In its address.
    Address,
    /// In its cookie.
    Cookie,
}

impl Access {
    /// With a token from the random numbers of the system.
    pub fn new(framed: bool) -> io::Result<Access> {
        Ok(Access { token: random(LENGTH)?, cookie: format!("kingpin-{}", random(4)?), framed })
    }

    /// Whether the page may stand in a frame of another page.
    pub fn framed(&self) -> bool {
        self.framed
    }

    /// The address to open first.
    pub fn address(&self, port: u16) -> String {
        format!("http://127.0.0.1:{port}/?{TOKEN}={}", self.token)
    }

    /// The address to give to a page that has been let in.
    pub fn further_address(&self, port: u16) -> String {
        if self.framed { self.address(port) } else { format!("http://127.0.0.1:{port}/") }
    }

    /// What makes the browser show the token with every further request to this host, and with those of no other page.
    pub fn set_cookie(&self) -> String {
        format!("{}={}; Path=/; HttpOnly; SameSite=Strict", self.cookie, self.token)
    }

    /// Whether a request shows the token, and where.
    pub fn shown(&self, uri: &Uri, headers: &HeaderMap) -> Option<Shown> {
        if parameter(uri, TOKEN).is_some_and(|token| self.fits(token)) {
            return Some(Shown::Address);
        }
        let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
        let mut pairs =
            cookies.flat_map(|text| text.split(';')).filter_map(|pair| pair.trim().split_once('='));
        let shown = pairs.any(|(name, value)| name == self.cookie && self.fits(value));
        (shown && !self.framed).then_some(Shown::Cookie)
    }

    /// Compares in a time that does not depend on how many characters agree.
    fn fits(&self, token: &str) -> bool {
        let differing = self.token.bytes().zip(token.bytes()).fold(0, |sum, (a, b)| sum | (a ^ b));
        self.token.len() == token.len() && std::hint::black_box(differing) == 0
    }
}

/// A parameter in the query of an address.
pub fn parameter<'a>(uri: &'a Uri, name: &str) -> Option<&'a str> {
    let mut pairs = uri.query()?.split('&').filter_map(|pair| pair.split_once('='));
    pairs.find(|(other, _)| *other == name).map(|(_, value)| value)
}

/// Random bytes as hexadecimal digits.
fn random(bytes: usize) -> io::Result<String> {
    let mut numbers = vec![0; bytes];
    getrandom::fill(&mut numbers).map_err(|error| io::Error::other(error.to_string()))?;
    let mut text = String::with_capacity(2 * bytes);
    for number in numbers {
        // writing into a string cannot fail
        let _ = write!(text, "{number:02x}");
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(access: &Access, target: &str, cookie: &str) -> Option<Shown> {
        let mut headers = HeaderMap::new();
        headers.insert(header::COOKIE, cookie.parse().unwrap());
        access.shown(&target.parse().unwrap(), &headers)
    }

    #[test]
    fn only_the_token_opens() {
        let access = Access::new(false).unwrap();
        let token = access.token.clone();
        assert_eq!(token.len(), 2 * LENGTH);
        assert_eq!(shown(&access, &format!("/live?from=3&token={token}"), ""), Some(Shown::Address));
        let cookie = format!("other=1; {}={token}", access.cookie);
        assert_eq!(shown(&access, "/", &cookie), Some(Shown::Cookie));
        for (target, cookie) in [
            ("/".to_string(), String::new()),
            (format!("/?token={}", &token[1..]), String::new()),
            (format!("/?token={token}0"), String::new()),
            (format!("/?tokens={token}"), String::new()),
            ("/?token=".into(), format!("kingpin={token}")),
            ("/".into(), format!("{}=", access.cookie)),
        ] {
            assert_eq!(shown(&access, &target, &cookie), None, "{target} {cookie}");
        }
        assert_ne!(Access::new(false).unwrap().token, token);
    }

    #[test]
    fn a_page_in_a_frame_has_no_cookie() {
        let access = Access::new(true).unwrap();
        let cookie = format!("{}={}", access.cookie, access.token);
        assert_eq!(shown(&access, "/", &cookie), None);
        assert!(access.further_address(1).ends_with(&access.token));
    }
}
