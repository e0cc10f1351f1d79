//! Screen 6: pages that wait for a person, and what assistants ask.

use graph::AuthEntry;
use maud::{Markup, html};

use super::Frame;
use super::pieces::{outward, plain, sign};
use super::shell::{Part, screen};
use crate::house::Question;
use crate::words::say;

pub(crate) fn people(
    frame: &Frame,
    waiting: &[(AuthEntry, String)],
    questions: &[Question],
) -> Markup {
    let w = frame.w;
    let body = html! {
        div.head { h1 { (w.people.as_str()) } }
        @if waiting.is_empty() && questions.is_empty() {
            section.empty { h2 { (w.people_none.as_str()) } p.lead { (w.people_none_more.as_str()) } }
        }
        @if !questions.is_empty() {
            section {
                h2 { (w.assistants_ask.as_str()) }
                @for it in questions {
                    form.card method="post" action=(format!("/people/answer/{}", it.id)) {
                        (frame.proof())
                        p.lead { (plain(&it.prompt)) }
                        p.note { (frame.age(it.asked_at)) " · " (say!(w.until, time = frame.minute(it.expires_at))) }
                        @if it.choices.is_empty() {
                            div.row { label.hidden for=(it.id) { (w.your_answer.as_str()) } input id=(it.id) type="text" name="answer" required placeholder=(w.your_answer.as_str()); button.primary type="submit" { (w.answer_send.as_str()) } }
                        } @else {
                            div.row { @for choice in &it.choices { button type="submit" name="answer" value=(choice) { (plain(choice)) } } }
                        }
                        p.note { (w.no_passwords.as_str()) }
                    }
                }
            }
        }
        @if !waiting.is_empty() {
            section {
                h2 { (w.pages_wait.as_str()) }
                p { (w.pages_wait_more.as_str()) " " code { "lyra read FILE --url URL" } }
                ul.plain {
                    @for (it, asks) in waiting {
                        li.card {
                            p { (sign("clock")) " " (outward(&plain(&it.url), &it.url)) }
                            p.note { (asks) " · " (frame.age(it.created_at))
                                @if let Some(task) = it.task_id { " · " a href=(format!("/task/{task}")) { (w.to_question.as_str()) } } }
                            div.row {
                                (frame.button(&format!("/people/settle/{}/resolved", it.id), "small", w.settle_done.as_str()))
                                (frame.button(&format!("/people/settle/{}/skipped", it.id), "small", w.settle_skip.as_str()))
                            }
                        }
                    }
                }
            }
        }
    };
    screen(frame, Part::People, w.people.as_str(), &body)
}
