//! `kingpin view MODEL` and studies: what pages may ask to be changed.

use crate::run::{folder, root, run};
use crate::view::{Server, body, until};
use serde_json::{Value, json};
use std::fs;

fn change(server: &Server, wish: &Value, more: &str) -> String {
    let text = wish.to_string();
    let head = server.request("POST", "/change");
    server.ask(&format!(
        "{}Content-Length: {}\r\n{more}\r\n{text}",
        head.trim_end_matches("\r\n").to_string() + "\r\n",
        text.len()
    ))
}

fn wish(server: &Server, wish: &Value) -> String {
    change(server, wish, "Content-Type: application/json\r\n")
}

fn data(server: &Server) -> Value {
    serde_json::from_str(body(&server.get("/data.json"))).expect("JSON")
}

/// The value of a parameter of the run that is shown, once it is a run.
fn shown(server: &Server, name: &str) -> Option<f64> {
    let data = data(server);
    let moving = data["frames"]["count"].as_u64() > Some(1);
    let list = data["model"]["parameters"].as_array()?.clone();
    list.iter().find(|p| p["name"] == name)?["value"].as_f64().filter(|_| moving)
}

#[test]
fn a_parameter_is_moved_and_kept() {
    let file = folder("view-answers").join("pendulum.toml");
    let text = fs::read_to_string(root().join("models/pendulum.toml")).expect("a model");
    fs::write(&file, &text).expect("written");
    let server = Server::new(&file.display().to_string());
    until(|| shown(&server, "l") == Some(1.0));
    let controls = data(&server)["controls"].clone();
    let named =
        |name: &str| controls.as_array().and_then(|all| all.iter().find(|c| c["name"] == name)).cloned();
    let expected = json!({ "name": "l", "about": "length of the simple pendulum", "unit": "m", "value": 1.0, "own": 1.0, "min": 0.0, "max": 2.0, "changed": false });
    assert_eq!(named("l"), Some(expected));
    // what follows from others has its expression
    let computed = named("rod_mass").expect("a parameter");
    assert_eq!((computed["text"].is_string(), &computed["text"]), (true, &computed["own_text"]));

    assert!(wish(&server, &json!({ "set": { "l": "1.5 m" } })).starts_with("HTTP/1.1 200 "));
    until(|| shown(&server, "l") == Some(1.5));
    assert_eq!(fs::read_to_string(&file).expect("a model"), text, "nothing is written yet");

    // what cannot be run is told, and the last good picture stays
    wish(&server, &json!({ "set": { "l": "0 m" } }));
    until(|| {
        let mut said = String::new();
        use std::io::{Read, Write};
        let mut stream = std::net::TcpStream::connect(("127.0.0.1", server.port)).expect("connected");
        stream.write_all(server.request("GET", "/live?from=0").as_bytes()).expect("sent");
        let mut some = [0; 4096];
        while let Ok(count @ 1..) = stream.read(&mut some) {
            said += &String::from_utf8_lossy(&some[..count]);
            if said.contains("event: update") {
                break;
            }
        }
        said.contains("event: trouble") && said.contains("inertia")
    });
    assert_eq!(shown(&server, "l"), Some(1.5));

    // back to the value of the file, and nothing is left to write
    wish(&server, &json!({ "back": "l" }));
    until(|| shown(&server, "l") == Some(1.0));
    assert_eq!(data(&server)["controls"][0]["changed"], false);
    assert!(wish(&server, &json!({ "keep": "l" })).contains("`l` is unchanged"));
    let quoted = wish(&server, &json!({ "set": { "l": "1 m\" # \n" } }));
    assert!(quoted.starts_with("HTTP/1.1 422 ") && quoted.contains("cannot contain quotes"), "{quoted}");

    wish(&server, &json!({ "set": { "l": "1.25 m" } }));
    until(|| shown(&server, "l") == Some(1.25));
    let kept = wish(&server, &json!({ "keep": "l" }));
    assert!(kept.starts_with("HTTP/1.1 200 "), "{kept}");
    let expected = text.replace("l = \"1 m\" ", "l = \"1.25 m\" ");
    assert_ne!(expected, text);
    assert_eq!(fs::read_to_string(&file).expect("a model"), expected, "comments and all");
    until(|| data(&server)["controls"][0]["own"] == 1.25);
}

#[test]
fn ranges_of_the_file_are_those_of_sliders() {
    let file = folder("view-ranges").join("pendulum.toml");
    let text = fs::read_to_string(root().join("models/pendulum.toml")).expect("a model");
    fs::write(&file, text + "\n[ranges]\nl = [\"50 cm\", 3, 0.25]\n").expect("written");
    let server = Server::new(&file.display().to_string());
    until(|| shown(&server, "l") == Some(1.0));
    let control = data(&server)["controls"][0].clone();
    let ends = ["name", "min", "max", "step"].map(|key| control[key].clone());
    assert_eq!(ends, [json!("l"), json!(0.5), json!(3.0), json!(0.25)]);
    // it binds sliders alone
    wish(&server, &json!({ "set": { "l": "4 m" } }));
    until(|| shown(&server, "l") == Some(4.0));
}

#[test]
fn only_our_own_page_may_wish() {
    let server = Server::new("models/pendulum.toml");
    let set = json!({ "set": { "l": "1.5 m" } });
    let answer = |more: &str| change(&server, &set, more)[9..12].to_string();
    assert_eq!(answer("Content-Type: text/plain\r\n"), "400");
    assert_eq!(answer("Content-Type: application/json\r\nOrigin: http://example.org\r\n"), "403");
    let port = server.port;
    assert_eq!(
        answer(&format!("Content-Type: application/json\r\nOrigin: http://127.0.0.1:{port}\r\n")),
        "200"
    );
    assert!(wish(&server, &json!({ "keep": "g" })).starts_with("HTTP/1.1 422 "));
    assert!(wish(&server, &json!({ "dance": 1 })).starts_with("HTTP/1.1 422 "));
    // what is no parameter is not remembered, and no value is longer than any quantity
    until(|| shown(&server, "l").is_some());
    let unknown = wish(&server, &json!({ "set": { "lenght": "1 m" } }));
    assert!(
        unknown.starts_with("HTTP/1.1 422 ") && unknown.ends_with("there is no parameter `lenght` to change")
    );
    let long = wish(&server, &json!({ "set": { "l": "1".repeat(2_000) } }));
    assert!(long.starts_with("HTTP/1.1 422 ") && long.contains("longer than 1000 characters"), "{long}");
    assert!(server.get("/change").starts_with("HTTP/1.1 405 "));
}

#[test]
fn a_study_is_served_and_its_points_are_opened() {
    let dir = folder("view-study").join("study").display().to_string();
    let args =
        ["--metric", "max(bob_x)", "--t-end", "0.5", "--channels", "bob_x", "--quiet", "--output", &dir];
    let ran = run(&[&["sweep", "models/pendulum.toml", "--vary", "l=[1, 2, 0] m"][..], &args].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    let server = Server::new(&dir);
    let study = data(&server);
    assert_eq!((&study["format"], &study["points"]), (&"kingpin-study".into(), &3.into()));
    assert_eq!(study["parameters"][0]["values"], json!([1.0, 2.0, 0.0]));
    assert!(study["scalars"][0]["values"][0].is_number() && study["scalars"][0]["values"][2].is_null());
    assert!(study["outcomes"][2].as_str().is_some_and(|said| said.starts_with("failed: ")));
    let answer = wish(&server, &json!({ "curves": [1, 7] }));
    let curves: Value = serde_json::from_str(body(&answer)).expect("JSON");
    assert_eq!((curves[0]["point"].as_u64(), &curves[1]), (Some(1), &Value::Null));
    let answer = wish(&server, &json!({ "open": 1 }));
    let opened: Value = serde_json::from_str(body(&answer)).expect("JSON");
    assert!(opened["url"].as_str().is_some_and(|url| url.starts_with("http://127.0.0.1:")), "{answer}");
    assert!(wish(&server, &json!({ "open": 9 })).starts_with("HTTP/1.1 422 "));
}

/// The page of a point of a study, once it moves.
fn opened(server: &Server, point: u64) -> (Value, Value) {
    let answer = wish(server, &json!({ "open": point }));
    let opened: Value = serde_json::from_str(body(&answer)).expect("JSON");
    let url = opened["url"].as_str().expect("an address");
    let port: u16 =
        url.trim_end_matches('/').rsplit(':').next().and_then(|port| port.parse().ok()).expect("a port");
    let get = || -> Value {
        let request =
            server.request("GET", "/data.json").replace(&server.port.to_string(), &port.to_string());
        let text = server.ask_at(port, &request);
        serde_json::from_str(body(&text)).expect("JSON")
    };
    until(|| get()["frames"]["count"].as_u64() > Some(1));
    (get(), opened["notice"].clone())
}

#[test]
fn a_point_is_run_as_the_study_ran_it_and_a_changed_model_is_told() {
    let home = folder("view-study-again");
    let file = home.join("pendulum.toml");
    let text = fs::read_to_string(root().join("models/pendulum.toml")).expect("a model");
    fs::write(&file, &text).expect("written");
    let (model, dir) = (file.display().to_string(), home.join("study").display().to_string());
    let vary = ["sweep", &model, "--vary", "l=[1, 2] m", "--metric", "last(bob_x)"];
    let ran = run(&[&vary[..], &["--t-end=0.5", "--frame", "50ms", "--quiet", "--output", &dir]].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    let server = Server::new(&dir);
    let (data, notice) = opened(&server, 1);
    // eleven frames: the end and the frames are those of the study
    assert_eq!((data["frames"]["count"].as_u64(), &notice), (Some(11), &Value::Null));

    fs::write(&file, text.replace("point_mass = \"1 kg\"", "point_mass = \"3 kg\"")).expect("written");
    let (_, notice) = opened(&server, 1);
    let said = notice.as_str().expect("a notice");
    assert!(said.ends_with("has changed since the study, so this run may differ from point 1."), "{said}");

    fs::remove_file(&file).expect("removed");
    let answer = wish(&server, &json!({ "open": 1 }));
    assert!(
        answer.starts_with("HTTP/1.1 422 ") && answer.contains("in the folder in which the study was run"),
        "{answer}"
    );
}
