//! `lyra answer`: what an assistant asked its user.

use clap::Args;
use serde_json::json;

use super::ids::among;
use super::input::text;
use super::minute;
use crate::failure::{Failure, Kind};
use crate::mcp::elicitation::Question;
use crate::session::Session;
use crate::ui::{Column, Table};
use crate::words::say;

/// Answer what an assistant asks you
///
/// Without a question, all that are open are listed. An assistant asks with the tool wait_for_user; where its client cannot show the question, it waits here.
/// Never answer with a password: the assistant reads what you write.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lyra answer
  lyra answer q_3f2a \"Do without that site\"
  lyra answer latest 2

In the last one, 2 is the number of a choice.")]
pub(crate) struct Arguments {
    /// The question: latest, or the beginning or end of its id; without one, all are listed
    question: Option<String>,
    /// The answer, the number of a choice, or `-` to read it from stdin
    #[arg(requires = "question")]
    answer: Option<String>,
}

impl Arguments {
    pub(crate) fn run(&self, session: &Session) -> Result<(), Failure> {
        let questions = Question::open(session);
        let (Some(given), Some(answer)) = (&self.question, &self.answer) else {
            return list(session, &questions, self.question.as_deref());
        };
        let (id, answer) = settled(session, &questions, given, answer)?;
        if session.ui.is_json() {
            return session.ui.document(&json!({ "question_id": id, "answer": answer }));
        }
        session.ui.print(&id)?;
        session.ui.note(session.ui.words().answer.answered.as_str());
        Ok(())
    }
}

/// Answers a question that waits.
pub(crate) fn settle(session: &Session, given: &str, answer: &str) -> Result<(), Failure> {
    settled(session, &Question::open(session), given, answer).map(drop)
}

/// The question that was answered, and how.
fn settled(
    session: &Session,
    questions: &[Question],
    given: &str,
    answer: &str,
) -> Result<(String, String), Failure> {
    let question = find(questions, given)?;
    let answer = text("answer", answer, session.settings.task.max_text_chars)?;
    let answer = chosen(question, &answer)?;
    question
        .settle(session, &answer)
        .map_err(|error| Failure::new(Kind::Data, error).hint(|w| &w.hint.data_dir_owner))?;
    Ok((question.id.clone(), answer))
}

fn list(session: &Session, questions: &[Question], only: Option<&str>) -> Result<(), Failure> {
    let shown: Vec<&Question> = match only {
        Some(given) => vec![find(questions, given)?],
        None => questions.iter().collect(),
    };
    if session.ui.is_json() {
        return session.ui.document(&json!({ "questions": shown }));
    }
    let words = session.ui.words();
    if shown.is_empty() {
        session.ui.note(words.answer.none.as_str());
        return Ok(());
    }
    let column = &words.column;
    let mut table = Table::new([
        Column::exact(&column.question),
        Column::exact(&column.until),
        Column::text(&column.asks),
        Column::text(&column.choices),
    ]);
    for question in shown {
        let choices = question.choices.iter().zip(1..);
        let choices: Vec<String> = choices.map(|(text, n)| format!("{n}: {text}")).collect();
        table.row([
            question.id.clone(),
            minute(question.expires_at),
            question.prompt.clone(),
            choices.join("; "),
        ]);
    }
    session.ui.print(&table.render(session.ui.layout(4)))
}

fn find<'a>(questions: &'a [Question], given: &str) -> Result<&'a Question, Failure> {
    among("question", given, questions, |it| (&it.id, &it.prompt), |w| &w.hint.answers)
}

/// The choice that was meant: its words, or its number.
fn chosen(question: &Question, answer: &str) -> Result<String, Failure> {
    if question.choices.is_empty() || question.choices.iter().any(|it| it == answer) {
        return Ok(answer.to_owned());
    }
    let number = answer.parse::<usize>().ok().and_then(|it| it.checked_sub(1));
    number.and_then(|it| question.choices.get(it)).cloned().ok_or_else(|| {
        let choices = question.choices.join("; ");
        Failure::bad_input(format!("`{answer}` is none of the choices"))
            .hint(move |w| say!(w.hint.choices, choices = choices))
    })
}
