//! Answers the requests of pages: routes of axum over connections of hyper, whose number and time are limited.

use super::access::{Access, Shown, parameter};
use super::guests::{Guest, Guests, Stage};
use super::source::{Message, News, PAUSE, Source};
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Extension, Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::{self, Next};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use serde_json::Value;
use std::convert::Infallible;
use std::io;
use std::net::{TcpListener, TcpStream};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::thread;
use std::time::Duration;
use tokio::runtime::{self, Handle};
use tokio::sync::mpsc;
use tokio::time::{sleep, timeout};

/// Silence after which a comment is sent, to learn whether anybody listens.
const SILENCE: Duration = Duration::from_secs(5);
/// Time between two looks whether an answer is taken.
const LOOK: Duration = Duration::from_secs(1);
/// Bytes of a wish at most.
const WISH: usize = 65_536;
/// Bytes of the head of a request at most; a browser sends less than a tenth.
const MOST: usize = 32_768;
/// What those read who do not show the token.
const CLOSED: &str = "This page needs the complete address printed by `kingpin view`, including its token.\n";
/// The answer to a first visit: the browser takes the cookie, and goes on to the address without the token. A redirection by
/// status would count as one from outside, to which browsers send no such cookie.
const EXCHANGE: &str = "<!doctype html><meta charset=\"utf-8\"><meta http-equiv=\"refresh\" content=\"0; url=./\">\
    <link rel=\"icon\" href=\"data:,\"><title>kingpin</title>\n";

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
    access: Arc<Access>,
}

impl Served {
    /// To be served.
    pub fn new(source: Box<dyn Source>, access: Arc<Access>) -> Served {
        Served { source: source.into(), limits: Limits::default(), access }
    }
}

/// Serves until the process ends.
pub fn serve(listener: &TcpListener, port: u16, template: &'static str, served: &Served) -> io::Result<()> {
    let runtime = runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let (guests, routes) = (Guests::new(served.limits), routes(port, template, served));
    loop {
        let Ok((stream, _)) = listener.accept() else {
            // a connection that broke before it was taken is nobody's loss; a system without room may find some
            thread::sleep(PAUSE);
            continue;
        };
        // likewise
        let Ok(Some(guest)) = guests.admit(&stream) else { continue };
        runtime.spawn(attend(stream, routes.clone(), Arc::new(guest), served.limits));
    }
}

/// All that may be asked for.
fn routes(port: u16, template: &'static str, served: &Served) -> Router {
    let page = move || async move { ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], template) };
    Router::new()
        .route("/", get(page))
        .route("/data.json", get(data))
        .route("/live", get(live))
        .route("/change", post(change))
        .layer(middleware::from_fn_with_state((port, served.access.clone()), guard))
        .layer(middleware::map_response_with_state(served.access.clone(), finished))
        .with_state(served.clone())
}

/// One connection, which is one request. What is not asked for or taken in time ends it.
async fn attend(stream: TcpStream, routes: Router, guest: Arc<Guest>, limits: Limits) {
    let asynchronous = stream.set_nonblocking(true).and_then(|()| tokio::net::TcpStream::from_std(stream));
    // a page that has gone away needs no answer
    let Ok(stream) = asynchronous else { return };
    let service = TowerToHyperService::new(routes.layer(Extension(guest.clone())));
    let mut protocol = http1::Builder::new();
    protocol
        .keep_alive(false)
        .timer(TokioTimer::new())
        .header_read_timeout(limits.request)
        .max_buf_size(MOST);
    let connection = protocol.serve_connection(TokioIo::new(stream), service);
    tokio::pin!(connection);
    loop {
        tokio::select! {
            _ = &mut connection => return,
            () = sleep(limits.answer.min(LOOK)) => if guest.is_overdue(limits.answer) { return },
        }
    }
}

/// Lets nobody in who was sent here by another address, as pages of other servers ask with the names of theirs, and nobody
/// who does not know the token.
async fn guard(State((port, access)): State<(u16, Arc<Access>)>, request: Request, next: Next) -> Response {
    if let Some(status) = refused(port, request.headers()) {
        return plain(status);
    }
    let first_visit = request.method() == Method::GET && request.uri().path() == "/" && !access.framed();
    match access.shown(request.uri(), request.headers()) {
        None => return (StatusCode::FORBIDDEN, CLOSED).into_response(),
        Some(Shown::Address) if first_visit => return exchange(&access),
        Some(_) => {}
    }
    let guest = request.extensions().get::<Arc<Guest>>().cloned();
    let tell = |stage| guest.iter().for_each(|guest| guest.reached(stage));
    tell(Stage::Working);
    let response = next.run(request).await;
    if !guest.as_ref().is_some_and(|guest| guest.follows()) {
        tell(Stage::Answered);
    }
    response
}

/// Why a request is not for us.
fn refused(port: u16, headers: &HeaderMap) -> Option<StatusCode> {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    let ours = |host: &str| {
        ["127.0.0.1", "localhost"].iter().any(|name| host.eq_ignore_ascii_case(&format!("{name}:{port}")))
    };
    let foreign = |origin: &str| !origin.strip_prefix("http://").is_some_and(ours);
    match text(header::HOST) {
        None => Some(StatusCode::BAD_REQUEST),
        Some(host) if !ours(host) => Some(StatusCode::FORBIDDEN),
        Some(_) => text(header::ORIGIN).filter(|origin| foreign(origin)).map(|_| StatusCode::FORBIDDEN),
    }
}

/// A cookie for the token.
fn exchange(access: &Access) -> Response {
    let kind = (header::CONTENT_TYPE, "text/html; charset=utf-8".to_string());
    ([kind, (header::SET_COOKIE, access.set_cookie())], EXCHANGE).into_response()
}

/// Nothing of it is kept by browsers, nothing is taken for what it is not, no other page shows it in a frame or reads it, and
/// no other server is told its address.
async fn finished(State(access): State<Arc<Access>>, mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert("cross-origin-resource-policy", HeaderValue::from_static("same-origin"));
    if !access.framed() {
        headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static("frame-ancestors 'none'"));
        headers.insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    }
    response
}

fn plain(status: StatusCode) -> Response {
    (status, status.canonical_reason().unwrap_or_default()).into_response()
}

/// Something that may take its time, beside the answers to others.
async fn aside<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Response> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|_| plain(StatusCode::INTERNAL_SERVER_ERROR))
}

async fn data(State(served): State<Served>) -> Response {
    match aside(move || served.source.data()).await {
        Ok(Ok(json)) => ([(header::CONTENT_TYPE, "application/json")], json).into_response(),
        Ok(Err(why)) => (StatusCode::UNPROCESSABLE_ENTITY, why).into_response(),
        Err(response) => response,
    }
}

/// A wish of the page: a parameter, the end of a run. Forms of other pages cannot send this type of content.
async fn change(State(served): State<Served>, headers: HeaderMap, body: Body) -> Response {
    let body = match timeout(served.limits.request, to_bytes(body, WISH)).await {
        Ok(Ok(body)) => body,
        Ok(Err(_)) => return plain(StatusCode::PAYLOAD_TOO_LARGE),
        Err(_) => return plain(StatusCode::REQUEST_TIMEOUT),
    };
    let json = headers
        .get(header::CONTENT_TYPE)
        .is_some_and(|kind| kind.as_bytes().starts_with(b"application/json"));
    let wish: Value = match serde_json::from_slice(&body) {
        Ok(wish) if json => wish,
        _ => return plain(StatusCode::BAD_REQUEST),
    };
    match aside(move || served.source.change(&wish)).await {
        Ok(Ok(said)) => ([(header::CONTENT_TYPE, "application/json")], said.to_string()).into_response(),
        Ok(Err(why)) => (StatusCode::UNPROCESSABLE_ENTITY, why).into_response(),
        Err(response) => response,
    }
}

/// Messages as long as the page listens.
async fn live(State(served): State<Served>, Extension(guest): Extension<Arc<Guest>>, uri: Uri) -> Response {
    let frames = parameter(&uri, "from").and_then(|text| text.parse().ok());
    let Some(frames) = frames else { return plain(StatusCode::BAD_REQUEST) };
    guest.reached(Stage::Following);
    let (send, receive) = mpsc::channel::<Result<Event, Infallible>>(1);
    // a browser that lost us looks again soon
    let _ = send.try_send(Ok(Event::default().retry(Duration::from_secs(1))));
    let handle = Handle::current();
    let started = thread::Builder::new().spawn(move || follow(&served, frames, &send, &handle, &guest));
    if started.is_err() {
        return plain(StatusCode::SERVICE_UNAVAILABLE);
    }
    Sse::new(Messages(receive))
        .keep_alive(KeepAlive::new().interval(SILENCE).text("still here"))
        .into_response()
}

/// Messages to a page, as they come.
struct Messages(mpsc::Receiver<Result<Event, Infallible>>);

impl futures_core::Stream for Messages {
    type Item = Result<Event, Infallible>;
    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_recv(context)
    }
}

/// Looks what has happened, and hands it on.
fn follow(
    served: &Served,
    frames: u64,
    send: &mpsc::Sender<Result<Event, Infallible>>,
    handle: &Handle,
    guest: &Guest,
) {
    let mut follower = served.source.follow(frames);
    while !send.is_closed() {
        let (messages, last) = match follower.look() {
            News::Nothing => (Vec::new(), false),
            News::Messages(messages) => (messages, false),
            News::Last(messages) => (messages, true),
        };
        for Message { event, data } in messages {
            let message = Ok(Event::default().event(event).data(data));
            match handle.block_on(async { timeout(served.limits.answer, send.send(message)).await }) {
                Ok(Ok(())) => {}
                // it has left
                Ok(Err(_)) => return,
                // it does not read
                Err(_) => return guest.dismiss(),
            }
        }
        if last {
            return;
        }
        follower.pause();
    }
}

#[cfg(test)]
mod tests;
