//! Sites that open for people: a login in a form, at another site, or a click that proves that somebody is there.
//!
//! A door is put on a host by a test. Behind it are pages whose text the test knows; before it every page asks for a person.
//! Sessions are cookies; they can end after some pages, move on with each page, and be bound to the browser they were made in.

use std::collections::HashMap;

use crate::answer::{Answer, Request, escape};

/// What opens a form.
pub const PASSWORD: &str = "correct horse";
/// Where people sign in for doors of the kind [`DoorKind::Elsewhere`].
pub const SIGN_IN_HOST: &str = "id.test";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DoorKind {
    /// A form with status 200.
    Form,
    /// Another site asks who it is and sends back.
    Elsewhere,
    /// A box to be clicked, with status 403. The session is bound to what the browser calls itself.
    Click,
}

/// A site that opens for people.
#[derive(Debug, Clone)]
pub struct Door {
    pub kind: DoorKind,
    /// Pages that a session opens; `None`: any number.
    pub pages: Option<u32>,
    /// Each page gives a new cookie, and the one before opens nothing more.
    pub moves_on: bool,
}

impl Door {
    pub fn new(kind: DoorKind) -> Self {
        Self { kind, pages: None, moves_on: false }
    }

    /// The sentence that page `number` behind a door has, and nothing before it.
    pub fn sentence(number: u32) -> String {
        format!(
            "In field {number} the yield of rice fell by {} percent after the flood, and farmers who had planted early lost less \
             than farmers who had planted late.",
            number % 40 + 3
        )
    }
}

/// All doors of a small internet, and who may pass.
#[derive(Debug, Default)]
pub(crate) struct Doors {
    by_host: HashMap<String, Door>,
    /// By host and token: pages it has opened, and the browser it was given to.
    sessions: HashMap<(String, String), Session>,
    made: u32,
}

#[derive(Debug, Clone)]
struct Session {
    opened: u32,
    browser: String,
}

impl Doors {
    pub(crate) fn put(&mut self, host: &str, door: Door) {
        self.by_host.insert(host.to_owned(), door);
    }

    /// Nobody is signed in any more.
    pub(crate) fn close(&mut self, host: &str) {
        self.sessions.retain(|(it, _), _| it != host);
    }

    pub(crate) fn answer(&mut self, request: &Request) -> Option<Answer> {
        if request.host == SIGN_IN_HOST {
            return Some(self.sign_in(request));
        }
        let door = self.by_host.get(&request.host)?.clone();
        if request.path() == "/robots.txt" {
            return Some(Answer::new(200, "text/plain", "User-agent: *\nAllow: /\n"));
        }
        Some(match request.path() {
            "/enter" => self.enter(&door, request),
            _ => self.page(&door, request),
        })
    }

    fn page(&mut self, door: &Door, request: &Request) -> Answer {
        let token = cookie(request, "sid").unwrap_or_default();
        let key = (request.host.clone(), token);
        let browser = request.header("user-agent").unwrap_or_default();
        let open = self.sessions.get_mut(&key).filter(|it| {
            let bound = door.kind == DoorKind::Click;
            (!bound || it.browser == browser) && door.pages.is_none_or(|most| it.opened < most)
        });
        let Some(session) = open else { return before(door, request) };
        // A browser asks for a picture of the site beside the page.
        session.opened += u32::from(request.path().starts_with("/page/"));
        let number = request.path().rsplit('/').next().and_then(|it| it.parse().ok()).unwrap_or(0);
        let sentence = Door::sentence(number);
        let answer = Answer::html(
            200,
            format!(
                "<!doctype html><html lang=en><meta charset=utf-8><title>Field {number}</title>\
                 <main><article><h1>Field {number}</h1><p>{sentence}</p></article></main></html>"
            ),
        );
        if !door.moves_on {
            return answer;
        }
        let session = session.clone();
        self.sessions.remove(&key);
        let token = self.token(&request.host, session);
        answer.with("Set-Cookie", format!("sid={token}; Path=/; HttpOnly"))
    }

    fn token(&mut self, host: &str, session: Session) -> String {
        self.made += 1;
        let token = format!("token-{}-of-a-session", self.made);
        self.sessions.insert((host.to_owned(), token.clone()), session);
        token
    }

    fn enter(&mut self, door: &Door, request: &Request) -> Answer {
        let next = request.parameter("next").unwrap_or_else(|| "/".to_owned());
        let may = match door.kind {
            DoorKind::Form => request.parameter("password").as_deref() == Some(PASSWORD),
            DoorKind::Elsewhere => request.parameter("ticket").as_deref() == Some("from-id"),
            DoorKind::Click => request.method == "POST",
        };
        if !may {
            return before(door, request);
        }
        let browser = request.header("user-agent").unwrap_or_default().to_owned();
        let token = self.token(&request.host, Session { opened: 0, browser });
        Answer::redirect(302, next)
            .with("Set-Cookie", format!("sid={token}; Path=/; Max-Age=86400; HttpOnly"))
    }

    fn sign_in(&mut self, request: &Request) -> Answer {
        let back = request.parameter("back").unwrap_or_default();
        if request.parameter("password").as_deref() != Some(PASSWORD) {
            return form(&format!("/?back={}", escape(&back)), "");
        }
        let join = if back.contains('?') { '&' } else { '?' };
        Answer::redirect(302, format!("{back}{join}ticket=from-id"))
            .with("Set-Cookie", "account=somebody; Path=/; HttpOnly")
    }
}

/// What a page shows to those who may not pass.
fn before(door: &Door, request: &Request) -> Answer {
    let next = request.parameter("next").unwrap_or_else(|| request.target.clone());
    match door.kind {
        DoorKind::Form => form("/enter", &next),
        DoorKind::Elsewhere => {
            let port = request.header("host").and_then(|it| it.split_once(':'));
            let port = port.map(|it| format!(":{}", it.1)).unwrap_or_default();
            let back = format!("http://{}{port}/enter?next={}", request.host, escape(&next));
            let to = format!("http://{SIGN_IN_HOST}{port}/?back={}", escape(&back));
            Answer::redirect(302, to)
        }
        DoorKind::Click => Answer::html(
            403,
            format!(
                "<!doctype html><html lang=en><meta charset=utf-8><title>Just a moment...</title><main>\
                 <h1>Verify you are human</h1><p>Please confirm that you are not a robot to continue.</p>\
                 <form id=\"challenge-form\" method=\"post\" action=\"/enter?next={}\">\
                 <div class=\"cf-turnstile\" data-sitekey=\"0x4AAAAAAAtestsitekey\"></div>\
                 <button id=\"human\" type=\"submit\">I am human</button></form></main></html>",
                escape(&next)
            ),
        ),
    }
}

fn form(action: &str, next: &str) -> Answer {
    Answer::html(
        200,
        format!(
            "<!doctype html><html lang=en><meta charset=utf-8><title>Log in</title><main><h1>Log in</h1>\
             <p>Please log in to your account to read this page.</p><form method=\"post\" action=\"{action}\">\
             <label>Email address <input type=\"email\" name=\"email\" autocomplete=\"username\"></label>\
             <label>Password <input type=\"password\" name=\"password\" autocomplete=\"current-password\"></label>\
             <input type=\"hidden\" name=\"next\" value=\"{next}\"><button id=\"enter\" type=\"submit\">Log in</button>\
             </form><p><a href=\"/reset\">Forgot your password?</a></p></main></html>"
        ),
    )
}

fn cookie(request: &Request, name: &str) -> Option<String> {
    let all = request.header("cookie")?;
    let pairs = all.split("; ").filter_map(|it| it.split_once('='));
    pairs.filter(|it| it.0 == name).map(|it| it.1.to_owned()).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(method: &str, target: &str, cookie: &str, body: &str) -> Request {
        let form = "application/x-www-form-urlencoded";
        let headers = [("cookie", cookie), ("content-type", form), ("user-agent", "Browser/1")];
        Request {
            host: "door.test".to_owned(),
            method: method.to_owned(),
            target: target.to_owned(),
            headers: headers.map(|it| (it.0.to_owned(), it.1.to_owned())).to_vec(),
            body: body.as_bytes().to_vec(),
            secure: false,
            visit: 0,
            since_last: None,
        }
    }

    fn body(answer: &Answer) -> String {
        String::from_utf8(answer.body.to_vec()).expect("a page is text")
    }

    #[test]
    fn a_form_opens_with_its_password_and_a_session_ends_after_its_pages() {
        let mut doors = Doors::default();
        let door = Door { pages: Some(1), moves_on: true, ..Door::new(DoorKind::Form) };
        doors.put("door.test", door);
        let asked = doors.answer(&request("GET", "/page/7", "", "")).expect("a door");
        assert!(body(&asked).contains("type=\"password\""));
        let wrong = "password=wrong&next=%2Fpage%2F7";
        let wrong = doors.answer(&request("POST", "/enter", "", wrong)).expect("a door");
        assert_eq!(wrong.header("set-cookie"), None);

        let right = "password=correct+horse&next=%2Fpage%2F7";
        let right = doors.answer(&request("POST", "/enter", "", right)).expect("a door");
        assert_eq!((right.status, right.header("location")), (302, Some("/page/7")));
        let sid = right.header("set-cookie").expect("a session");
        let sid = sid.split(';').next().expect("a pair").to_owned();
        let page = doors.answer(&request("GET", "/page/7", &sid, "")).expect("a door");
        assert!(body(&page).contains(&Door::sentence(7)));
        let new =
            page.header("set-cookie").expect("it moves on").split(';').next().unwrap_or_default();
        let new = new.to_owned();
        for old in [sid, new] {
            let over = doors.answer(&request("GET", "/page/8", &old, "")).expect("a door");
            assert!(body(&over).contains("type=\"password\""), "{old}");
        }
    }

    #[test]
    fn a_click_opens_for_the_browser_that_clicked() {
        let mut doors = Doors::default();
        doors.put("door.test", Door::new(DoorKind::Click));
        let right = doors.answer(&request("POST", "/enter?next=/page/1", "", "")).expect("a door");
        let sid =
            right.header("set-cookie").expect("a session").split(';').next().unwrap_or_default();
        let mut same = request("GET", "/page/1", sid, "");
        assert_eq!(doors.answer(&same).expect("a door").status, 200);
        same.headers[2].1 = "Other/1".to_owned();
        assert_eq!(doors.answer(&same).expect("a door").status, 403);
    }
}
