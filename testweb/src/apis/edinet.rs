//! Documents filed on a day in EDINET, version 2. Needs a key in the query or a header, as the real service does.

use serde_json::{Value, json};

use crate::answer::{Answer, Request};
use crate::{Topic, World, topics};

pub(super) const HOSTS: &[&str] = &["api.edinet-fsa.go.jp"];

/// Filings exist on this day; on others nothing was filed.
const BUSY_DAY: &str = "2025-06-30";

pub(super) fn answer(_: &World, request: &Request) -> Answer {
    if request.path() != "/api/v2/documents.json" {
        return Answer::json(
            404,
            &json!({"metadata": {"title": "提出された書類を把握するためのAPI", "status": "404", "message": "Not Found"}}),
        );
    }
    let key = request
        .parameter("Subscription-Key")
        .or_else(|| request.header("ocp-apim-subscription-key").map(str::to_owned));
    if key.is_none_or(|it| it.is_empty()) {
        let message = "Access denied due to missing subscription key. Make sure to include subscription key when making requests to this API.";
        return Answer::json(401, &json!({"statusCode": 401, "message": message}));
    }
    let date = request.parameter("date").unwrap_or_default();
    let is_date = date.len() == 10
        && date
            .bytes()
            .enumerate()
            .all(|(nth, it)| if nth == 4 || nth == 7 { it == b'-' } else { it.is_ascii_digit() });
    if !is_date {
        return Answer::json(
            400,
            &json!({"metadata": {"title": "提出された書類を把握するためのAPI", "status": "400", "message": "Bad Request"}}),
        );
    }
    let kind = request.parameter("type").unwrap_or_else(|| "1".to_owned());
    let filings: Vec<Value> = if date == BUSY_DAY {
        topics().iter().enumerate().map(filing).collect()
    } else {
        Vec::new()
    };
    let mut answer = json!({
        "metadata": {
            "title": "提出された書類を把握するためのAPI", "parameter": {"date": date, "type": kind},
            "resultset": {"count": filings.len()}, "processDateTime": "2026-06-01 00:00", "status": "200", "message": "OK",
        },
    });
    if kind == "2" {
        answer["results"] = Value::Array(filings);
    }
    Answer::json(200, &answer)
}

fn filing((number, topic): (usize, &Topic)) -> Value {
    json!({
        "seqNumber": number + 1, "docID": format!("S100T{:03}", number + 100), "edinetCode": format!("E{:05}", 90_000 + number), "secCode": null,
        "JCN": format!("{:013}", 4_010_001_000_000_u64 + number as u64 * 7_919), "filerName": format!("株式会社{}研究所", topic.name.ja),
        "fundCode": null, "ordinanceCode": "010", "formCode": "030000", "docTypeCode": "120", "periodStart": "2024-04-01", "periodEnd": "2025-03-31",
        "submitDateTime": format!("{BUSY_DAY} 09:{:02}", number), "docDescription": "有価証券報告書－第10期(2024/04/01－2025/03/31)",
        "issuerEdinetCode": null, "subjectEdinetCode": null, "subsidiaryEdinetCode": null, "currentReportReason": null, "parentDocID": null,
        "opeDateTime": null, "withdrawalStatus": "0", "docInfoEditStatus": "0", "disclosureStatus": "0", "xbrlFlag": "1", "pdfFlag": "1",
        "attachDocFlag": "1", "englishDocFlag": "0", "csvFlag": "1", "legalStatus": "1",
    })
}
