//! `lyra answer`: what an assistant asked its user.

use clap::Args;
use serde_json::json;

use super::input::text;
use super::minute;
use crate::failure::{Failure, Kind};
use crate::mcp::elicitation::Question;
use crate::session::Session;
use crate::ui::{Column, Table};

/// List the questions assistants ask you, or answer one
///
/// An assistant asks with the tool wait_for_user; where its client cannot show the question, it waits here.
/// Never answer with a password: the assistant reads what you write.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lyra answer
  lyra answer q_3f2a \"Do without that site\"
  lyra answer q_3f2a 2

In the last one, 2 is the number of a choice.")]
pub(crate) struct Arguments {
    /// The question, or the beginning of its id; without one, all are listed
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
        let question = find(&questions, given)?;
        let answer = text("answer", answer, session.settings.task.max_text_chars)?;
        let answer = chosen(question, &answer)?;
        question.settle(session, &answer).map_err(|error| {
            Failure::new(Kind::Data, error).hint("check who owns the data directory")
        })?;
        if session.ui.is_json() {
            return session.ui.document(&json!({ "question_id": question.id, "answer": answer }));
        }
        session.ui.print(&question.id)?;
        session.ui.note("Answered. The assistant reads it with its next look.");
        Ok(())
    }
}

fn list(session: &Session, questions: &[Question], only: Option<&str>) -> Result<(), Failure> {
    let shown: Vec<&Question> = match only {
        Some(given) => vec![find(questions, given)?],
        None => questions.iter().collect(),
    };
    if session.ui.is_json() {
        return session.ui.document(&json!({ "questions": shown }));
    }
    if shown.is_empty() {
        session.ui.note("Nobody asks anything.");
        return Ok(());
    }
    let mut table = Table::new([
        Column::exact("QUESTION"),
        Column::exact("UNTIL"),
        Column::text("ASKS"),
        Column::text("CHOICES"),
    ]);
    for it in shown {
        let choices: Vec<String> =
            it.choices.iter().enumerate().map(|(at, it)| format!("{}: {it}", at + 1)).collect();
        table.row([it.id.clone(), minute(it.expires_at), it.prompt.clone(), choices.join("; ")]);
    }
    session.ui.print(&table.render(session.ui.layout(4)))
}

fn find<'a>(questions: &'a [Question], given: &str) -> Result<&'a Question, Failure> {
    let found: Vec<&Question> = questions.iter().filter(|it| it.id.starts_with(given)).collect();
    match found[..] {
        [question] if !given.is_empty() => Ok(question),
        _ => Err(Failure::new(Kind::NotFound, format!("there is no question `{given}`"))
            .hint("`lyra answer` lists the questions there are")),
    }
}

/// The choice that was meant: its words, or its number.
fn chosen(question: &Question, answer: &str) -> Result<String, Failure> {
    if question.choices.is_empty() || question.choices.iter().any(|it| it == answer) {
        return Ok(answer.to_owned());
    }
    let number = answer.parse::<usize>().ok().and_then(|it| it.checked_sub(1));
    number.and_then(|it| question.choices.get(it)).cloned().ok_or_else(|| {
        Failure::bad_input(format!("`{answer}` is none of the choices"))
            .hint(format!("they are {}", question.choices.join("; ")))
    })
}
