//! The page: a file that loads nothing, in which hostile text stays text, and a live view that answers its owner only.
//!
//! With `PAGE_FULL=1`, 10,000 records have to be drawn within a second; otherwise within a time that a busy machine
//! keeps.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use regex::Regex;
use serde_json::Value;
use support::programs::audit_logger;

use super::{Home, claude, silent};

#[test]
fn a_report_is_counts_for_the_terminal_and_a_page_for_the_browser() {
    let home = Home::new();
    silent(&home.hook(claude("toolu_1", "git push --force origin main")));
    let _ = home.block(claude("toolu_1", "git push --force origin main"));
    let answer = home.people(&["report"]);
    assert_eq!(answer.exit, Some(0), "{answer:?}");
    assert!(answer.stdout.contains("Denied, by rule") && answer.stdout.contains("file:///"), "{answer:?}");
    let page = home.path().join(".local/state/policy-hooks/report.html");
    let html = fs::read_to_string(&page).unwrap();
    assert!(html.contains("git.push-force") && html.contains("\"state\":\"intact\""));
    assert_eq!(fs::metadata(&page).unwrap().permissions().mode() & 0o777, 0o600);
    // The same again writes over it; what is not a report stays.
    assert_eq!(home.people(&["report"]).exit, Some(0));
    let mine = home.path().join("mine.html");
    fs::write(&mine, "mine").unwrap();
    let refused = home.people(&["report", "--out", mine.to_str().unwrap()]);
    assert_eq!((refused.exit, fs::read_to_string(&mine).unwrap().as_str()), (Some(2), "mine"), "{refused:?}");
    let piped = home.people(&["report", "--out", "-", "--decision", "deny"]).stdout;
    assert!(piped.starts_with("<!doctype html>") && piped.ends_with("</html>\n"));
    assert!(piped.contains("--decision=deny"));
    // As before there was a page.
    assert_eq!(home.people(&["report", "--json"]).stdout, home.people(&["stats", "--json"]).stdout);
    assert_eq!(home.people(&["report", "--rule", "git.push-forse"]).exit, Some(2));
    fs::write(home.log(), home.text().replace("origin", "orijin")).unwrap();
    home.people(&["report"]);
    assert!(fs::read_to_string(&page).unwrap().contains("\"state\":\"broken\""));
}

/// A live view, ended with the test.
struct Live {
    child: Child,
    port: u16,
    token: String,
}

impl Live {
    fn of(home: &Home) -> Self {
        let mut child = Command::new(audit_logger())
            .args(["report", "--serve"])
            .env("HOME", home.path())
            .env("XDG_STATE_HOME", "")
            .env("AUDIT_LOG", "")
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("http://127.0.0.1:").unwrap_or_else(|| panic!("{line}"));
        let (port, token) = address.split_once("/#token=").unwrap();
        Self { child, port: port.parse().unwrap(), token: token.to_owned() }
    }

    /// The answer to a request as it is written: status line, headers and body.
    fn ask(&self, request: &str) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        let request =
            request.replace("HOST", &format!("127.0.0.1:{}", self.port)).replace("TOKEN", &self.token);
        stream.write_all(request.replace('\n', "\r\n").as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        String::from_utf8_lossy(&answer).into_owned()
    }

    fn get(&self, path: &str, more: &str) -> String {
        self.ask(&format!("GET {path} HTTP/1.1\nHost: HOST\nConnection: close\n{more}\n"))
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        // The logger waits for the runner, which listens.
        let children = format!("/proc/{0}/task/{0}/children", self.child.id());
        for child in fs::read_to_string(children).unwrap_or_default().split_whitespace() {
            let _ = Command::new("kill").arg(child).status();
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn status(answer: &str) -> u16 {
    answer.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or_else(|| panic!("{answer}"))
}

#[cfg(target_os = "linux")]
#[test]
fn the_live_view_answers_its_owner_and_no_one_else() {
    let home = Home::new();
    silent(&home.hook(claude("toolu_1", "ls")));
    let live = Live::of(&home);
    let page = live.get("/", "");
    assert!(status(&page) == 200 && page.contains("frame-ancestors 'none'"), "{page}");
    // The page itself knows nothing.
    assert!(!page.contains("toolu_1") && !page.contains(&live.token));
    let authorized = "Authorization: Bearer TOKEN\n";
    let data = live.get("/data", authorized);
    assert!(status(&data) == 200 && data.contains("toolu_1"), "{data}");
    for (more, expected) in [
        ("", 401),
        ("Authorization: Bearer 0\n", 401),
        ("Authorization: Bearer TOKEN\nOrigin: https://evil.example\n", 403),
        ("Authorization: Bearer TOKEN\nSec-Fetch-Site: cross-site\n", 403),
        ("Authorization: Bearer TOKEN\nHost: evil.example\n", 403),
    ] {
        assert_eq!(status(&live.get("/data", more)), expected, "{more}");
    }
    assert_eq!(status(&live.get("/data?token=TOKEN", "")), 401);
    assert_eq!(status(&live.get("/../etc/passwd", authorized)), 404);
    let rebound = live
        .ask("GET /data HTTP/1.1\nHost: evil.example\nConnection: close\nAuthorization: Bearer TOKEN\n\n");
    assert_eq!(status(&rebound), 403, "{rebound}");
    for method in ["POST", "PUT", "DELETE", "OPTIONS"] {
        let answer = live.ask(&format!(
            "{method} /data HTTP/1.1\nHost: HOST\nConnection: close\nContent-Length: 0\nAuthorization: Bearer TOKEN\n\n"
        ));
        assert_eq!(status(&answer), 405, "{method}: {answer}");
        assert!(!answer.to_lowercase().contains("access-control"), "{answer}");
    }
    // What is known already is not sent again; what is new is.
    let etag = data.lines().find_map(|line| line.strip_prefix("ETag: ")).unwrap().trim().to_owned();
    assert_eq!(status(&live.get("/data", &format!("{authorized}If-None-Match: {etag}\n"))), 304);
    silent(&home.hook(claude("toolu_2", "ls -la")));
    let fresh = live.get("/data", &format!("{authorized}If-None-Match: {etag}\n"));
    assert!(status(&fresh) == 200 && fresh.contains("toolu_2"), "{fresh}");
}

/// The browser.
fn chromium() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap();
    let names = ["google-chrome", "chromium", "chromium-browser"];
    let found = names.iter().find_map(|name| {
        std::env::split_paths(&path).map(|folder| folder.join(name)).find(|program| program.is_file())
    });
    if found.is_none() {
        support::skipped(format_args!(
            "no Chromium here to show the page (Debian: `apt-get install chromium`)"
        ));
    }
    found
}

/// What the browser makes of a page: its document after the scripts have run.
fn document(chromium: &Path, address: &str) -> String {
    let profile = tempfile::tempdir().unwrap();
    let output = Command::new(chromium)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-background-networking",
            "--no-first-run",
        ])
        .args([
            "--disable-component-update",
            "--disable-dev-shm-usage",
            "--window-size=1280,4000",
            "--dump-dom",
        ])
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .arg(address)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Someone who waits for a page to call home.
struct Ear {
    port: u16,
    heard: Arc<AtomicUsize>,
}

impl Ear {
    fn open() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let heard = Arc::new(AtomicUsize::new(0));
        let (port, counter) = (listener.local_addr().unwrap().port(), Arc::clone(&heard));
        thread::spawn(move || {
            for stream in listener.incoming() {
                counter.fetch_add(1, Ordering::SeqCst);
                drop(stream);
            }
        });
        Self { port, heard }
    }

    fn heard(&self) -> usize {
        self.heard.load(Ordering::SeqCst)
    }
}

/// What would call home, or change the page, if any of it were more than text.
fn corpus(port: u16) -> Vec<String> {
    let home = format!("http://127.0.0.1:{port}");
    vec![
        format!("</script><script>document.title='pwned';fetch('{home}/1')</script>"),
        format!("<img src={home}/2 onerror=\"document.title='pwned'\">"),
        format!("\"><svg onload=\"document.title='pwned'\"><image href='{home}/3'/></svg>"),
        format!("<link rel=stylesheet href={home}/4><style>@import url({home}/5)</style>"),
        format!("<meta http-equiv=refresh content=\"0;url={home}/6\"><base href={home}/7>"),
        format!("<iframe src={home}/8></iframe><object data={home}/9></object>"),
        format!("<form action={home}/10><button autofocus onfocus=this.form.submit()>"),
        "<!--<script>".to_owned(),
        "]]>--></noscript></style></textarea></title>".to_owned(),
        "javascript:document.title='pwned'".to_owned(),
        "' onmouseover='document.title=1' x='`${document.title=2}`".to_owned(),
        "\u{202e}gpj.exe\u{2066}isolated\u{2069}\u{200b}\u{feff}".to_owned(),
        "nul\u{0}esc\u{1b}[2Jdel\u{7f}c1\u{9b}31m".to_owned(),
        "line\u{2028}paragraph\u{2029}end".to_owned(),
        "&lt;b&gt;&amp;&#60;script&#62;".to_owned(),
        "x".repeat(3000),
    ]
}

/// As `--dump-dom` writes text.
fn dumped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[test]
fn hostile_text_stays_text_in_a_real_browser_and_nothing_leaves() {
    let Some(chromium) = chromium() else { return };
    let ear = Ear::open();
    let home = Home::new();
    silent(&home.hook(claude("first", "ls")));
    for (number, text) in corpus(ear.port).iter().enumerate() {
        let mut payload: Value =
            serde_json::from_str(&claude(&format!("call-{number}{text}"), text)).unwrap();
        payload["session_id"] = text.as_str().into();
        payload["cwd"] = format!("/p/{text}").into();
        payload["tool_name"] = text.as_str().into();
        payload["permission_mode"] = text.as_str().into();
        silent(&home.hook(payload.to_string()));
        payload["tool_name"] = "Bash".into();
        payload["tool_input"]["command"] = format!("rm -rf / # {text}").into();
        let _ = home.block(payload.to_string());
    }
    let page = home.path().join("page.html");
    assert_eq!(home.people(&["report", "--out", page.to_str().unwrap()]).exit, Some(0));
    let elements = |document: &str, name: &str| document.matches(&format!("<{name}")).count();
    let decision = |record: &&Value| record["kind"] == "decision";
    let records = home.records();
    let ids: Vec<&str> =
        records.iter().filter(decision).map(|record| record["id"].as_str().unwrap()).collect();
    assert!(ids.len() >= corpus(0).len(), "{ids:?}");
    let mut places: Vec<String> =
        ["sessions", "rules", "people", "records"].map(|view| format!("view={view}")).to_vec();
    // One call in full, of those with the most markup.
    places.extend(ids.iter().take(2).map(|id| format!("r={id}")));
    let attribute = Regex::new(r"\son\w+=|pwned").unwrap();
    for place in &places {
        let document = document(&chromium, &format!("file://{}#{place}", page.display()));
        assert!(document.contains("data-drawn="), "{place}: it was not drawn: {document:.500}");
        assert!(document.contains("<title>Audit report</title>"), "{place}");
        // The data and the program; what records hold is in neither.
        assert_eq!(elements(&document, "script"), 2, "{place}");
        for name in
            ["img", "image", "iframe", "object", "base", "link", "meta http-equiv=\"refresh", "textarea"]
        {
            assert_eq!(elements(&document, name), 0, "{place}: <{name}");
        }
        assert_eq!(elements(&document, "form"), 1, "{place}");
        // In text a `<` is written as `&lt;`: what begins with one is an element, and none of ours has such an attribute.
        let seen = document.split("id=\"data\"").next().unwrap();
        let tags = seen.split('<').skip(1).map(|rest| rest.split('>').next().unwrap());
        assert_eq!(tags.filter(|tag| attribute.is_match(tag)).collect::<Vec<_>>(), [""; 0], "{place}");
        let hidden = |c: char| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200b}' | '\0' | '\u{1b}');
        assert!(!seen.chars().any(hidden), "{place}");
    }
    let shown = document(&chromium, &format!("file://{}#view=records", page.display()));
    for text in corpus(ear.port).iter().filter(|text| text.is_ascii() && !text.contains(char::is_control)) {
        let beginning: String = text.chars().take(150).collect();
        assert!(shown.contains(&dumped(&beginning)), "{text}");
    }
    assert!(shown.contains("‹U+202E›gpj.exe"), "what steers the layout is shown by its number");
    assert_eq!(ear.heard(), 0, "the page called home");
    // The ear does hear: a page without our policy and our care calls.
    let bare = home.path().join("bare.html");
    fs::write(&bare, corpus(ear.port)[1].as_str()).unwrap();
    document(&chromium, &format!("file://{}", bare.display()));
    assert!(ear.heard() > 0, "no one would be heard");
}

/// Records of one machine, as many as are asked for.
fn many(count: usize) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_fleet-records")).arg(count.to_string()).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn ten_thousand_records_are_drawn_at_once() {
    let Some(chromium) = chromium() else { return };
    let home = Home::new();
    let log = home.path().join("large.jsonl");
    fs::write(&log, many(10_000)).unwrap();
    let page = home.path().join("page.html");
    let made = home.people(&["report", "--log", log.to_str().unwrap(), "--out", page.to_str().unwrap()]);
    assert_eq!(made.exit, Some(0), "{made:?}");
    let document = document(&chromium, &format!("file://{}", page.display()));
    let drawn = document.split_once("data-drawn=\"").unwrap().1;
    let drawn: u64 = drawn.split_once('"').unwrap().0.parse().unwrap();
    let limit = if std::env::var_os("PAGE_FULL").is_some() { 1_000 } else { 10_000 };
    assert!(drawn < limit, "it took {drawn} ms");
    // Only what is seen is in the document.
    let lines = document.matches("role=\"treeitem\"").count();
    assert!((10..400).contains(&lines), "{lines} lines");
    let count: usize = many(10_000).lines().filter(|line| !line.contains("\"kind\":\"begin\"")).count();
    let foot = document.split_once("id=\"foot\"").unwrap().1.replace(',', "");
    assert!(foot.contains(&format!("{count} records of")), "{foot:.200}");
}
