//! What forms do. Whoever gets here has proven that the form is of this page.

use evidence::{AuthId, AuthStatus, ClaimId, EdgeId, Stance};
use http::StatusCode;
use report::Language;
use research::calls::SourceKind;

use super::screens::folders;
use super::{Visit, id, misfit, missing, shown};
use crate::door::{Answered, fragment, html, language_cookie, see_other, with_cookie};
use crate::house::{NewQuestion, Trouble};
use crate::view::{answer, house, questions};

pub(super) async fn change(visit: &Visit, parts: &[&str]) -> Result<Answered, Trouble> {
    let house = &visit.house;
    match parts {
        ["new"] => begin(visit).await,
        ["language"] => {
            let language = match visit.asked.form.text("language") {
                "ja" => Language::Ja,
                "en" => Language::En,
                _ => return Err(misfit()),
            };
            Ok(with_cookie(see_other(visit.asked.back()), &language_cookie(language)))
        }
        ["task", task, "pause"] => {
            house.pause(id(task)?).await?;
            Ok(see_other(&format!("/task/{task}/live")))
        }
        ["task", task, "stop"] => {
            house.stop(id(task)?).await?;
            Ok(see_other(&format!("/task/{task}/live")))
        }
        ["task", task, "resume"] => {
            house.go_on(id(task)?).await?;
            Ok(see_other(&format!("/task/{task}/live")))
        }
        ["task", task, "delete"] => {
            house.delete(id(task)?).await?;
            Ok(see_other("/"))
        }
        ["edge", edge] => judge(visit, id(edge)?).await,
        ["claim", claim, "aside"] => {
            let reason = visit.asked.form.given("reason").ok_or_else(misfit)?;
            house.judge_claim(id::<ClaimId>(claim)?, Some(reason)).await?;
            Ok(see_other(visit.asked.back()))
        }
        ["claim", claim, "restore"] => {
            house.judge_claim(id::<ClaimId>(claim)?, None).await?;
            Ok(see_other(visit.asked.back()))
        }
        ["people", "answer", question] => {
            let answer = visit.asked.form.given("answer").ok_or_else(misfit)?;
            house.answer((*question).to_owned(), answer).await?;
            Ok(see_other("/people"))
        }
        ["people", "settle", entry, status] => {
            let status: AuthStatus = status.parse().map_err(|_| missing())?;
            house.settle(id::<AuthId>(entry)?, status).await?;
            Ok(see_other("/people"))
        }
        ["house", "check"] => {
            let checks = house.check_up(visit.asked.language).await?;
            Ok(shown(&house::check_up(&visit.whole_frame().await?, Some(&checks))))
        }
        _ => Err(missing()),
    }
}

async fn begin(visit: &Visit) -> Result<Answered, Trouble> {
    let form = &visit.asked.form;
    let number = |name: &str| match form.given(name) {
        Some(given) => given.parse::<u32>().map(Some).map_err(|_| misfit()),
        None => Ok(None),
    };
    let mut sources = Vec::new();
    for name in form.all("source") {
        sources.push(match name {
            "web" => SourceKind::Web,
            "academic" => SourceKind::Academic,
            "api" => SourceKind::Api,
            _ => return Err(misfit()),
        });
    }
    let typed = NewQuestion {
        question: form.text("question").to_owned(),
        hypothesis: form.given("hypothesis"),
        folders: form.all("folder").filter_map(|it| it.parse().ok()).collect(),
        sources,
        after: form.given("after"),
        before: form.given("before"),
        max_pages: number("pages")?,
        minutes: number("minutes")?,
        offline: form.has("offline"),
    };
    match visit.house.begin(typed.clone()).await {
        Ok(task) => Ok(see_other(&format!("/task/{task}/live"))),
        Err(trouble) => {
            let frame = visit.whole_frame().await?;
            let limits = visit.house.limits();
            let page = questions::new(&frame, &folders(visit), &limits, &typed, Some(&trouble));
            Ok(html(StatusCode::UNPROCESSABLE_ENTITY, &page))
        }
    }
}

async fn judge(visit: &Visit, edge: EdgeId) -> Result<Answered, Trouble> {
    let says: Stance = visit.asked.form.text("says").parse().map_err(|_| misfit())?;
    let changed = visit.house.correct(edge, says).await?;
    if !visit.asked.wants_part {
        return Ok(see_other(visit.asked.back()));
    }
    let mut frame = visit.frame(0);
    frame.here = visit.asked.back().to_owned();
    Ok(fragment(&answer::changed(&frame, &edge.to_string(), &changed, says)))
}
