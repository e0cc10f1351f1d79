//! Companies in gBizINFO, by name or corporate number. Needs the token header, as the real service does.

use serde_json::{Value, json};

use super::holds;
use crate::answer::{Answer, Request};
use crate::{Topic, World, topics};

pub(super) const HOSTS: &[&str] = &["info.gbiz.go.jp", "api.info.gbiz.go.jp"];

pub(super) fn answer(_: &World, request: &Request) -> Answer {
    let rest = ["/hojin/v1/hojin", "/hojin/v2/hojin"]
        .iter()
        .find_map(|it| request.path().strip_prefix(it));
    let Some(rest) = rest else { return crate::fault::plain(404) };
    if request.header("x-hojininfo-api-token").is_none_or(str::is_empty) {
        return Answer::json(
            401,
            &json!({"message": "401 - Unauthorized.", "errors": null, "hojin-infos": null}),
        );
    }
    let number = rest.trim_matches('/');
    let name = request.parameter("name").unwrap_or_default();
    let companies = topics().iter().enumerate().map(company).filter(|company| {
        let says = |field: &str| company[field].as_str().unwrap_or_default();
        if number.is_empty() {
            holds(says("name"), &name)
        } else {
            says("corporate_number") == number
        }
    });
    let page = request.number("page").unwrap_or(1).max(1);
    let limit = request.number("limit").unwrap_or(1_000).max(1);
    let shown: Vec<Value> = companies.skip((page - 1) * limit).take(limit).collect();
    if shown.is_empty() {
        return Answer::json(
            404,
            &json!({"message": "404 - Not Found.", "errors": null, "hojin-infos": null}),
        );
    }
    Answer::json(200, &json!({"message": "200 - OK.", "errors": null, "hojin-infos": shown}))
}

fn company((number, topic): (usize, &Topic)) -> Value {
    json!({
        "corporate_number": format!("{:013}", 4_010_001_000_000_u64 + number as u64 * 7_919),
        "name": format!("株式会社{}研究所", topic.name.ja), "kana": null, "name_en": null, "location": format!("東京都千代田区架空町{}-1", number + 1),
        "postal_code": format!("100{:04}", number + 1), "status": "-", "process": "01", "update_date": "2025-11-04T00:00:00+09:00",
        "employee_number": 40 + number * 12, "business_summary": topic.background[0].ja, "company_url": null,
    })
}
