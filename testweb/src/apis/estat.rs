//! The list of statistics of e-Stat. One table comes as an object and not as a list of one, as the real service does.

use serde_json::{Value, json};

use super::holds;
use crate::answer::{Answer, Request};
use crate::{Topic, World, topics};

pub(super) const HOSTS: &[&str] = &["api.e-stat.go.jp"];

pub(super) fn answer(_: &World, request: &Request) -> Answer {
    if request.path() != "/rest/3.0/app/json/getStatsList" {
        return crate::fault::plain(404);
    }
    let word = request.parameter("searchWord").unwrap_or_default();
    if request.parameter("appId").is_none_or(|it| it.is_empty()) {
        let message = "認証に失敗しました。アプリケーションIDを確認して下さい。";
        return result(100, message, &word, None);
    }
    let limit = request.number("limit").unwrap_or(100_000).max(1);
    let start = request.number("startPosition").unwrap_or(1).max(1);
    let found: Vec<(usize, &Topic)> =
        topics().iter().enumerate().filter(|it| holds(&title(it.1), &word)).collect();
    if found.is_empty() {
        return result(1, "正常に終了しましたが、該当データはありませんでした。", &word, None);
    }
    let tables: Vec<Value> =
        found.iter().skip(start - 1).take(limit).map(|it| table(it.0, it.1)).collect();
    let end = start - 1 + tables.len();
    let mut range = json!({"FROM_NUMBER": start, "TO_NUMBER": end});
    if end < found.len() {
        range["NEXT_KEY"] = json!(end + 1);
    }
    let tables = if tables.len() == 1 { tables[0].clone() } else { Value::Array(tables) };
    let list = json!({"NUMBER": found.len(), "RESULT_INF": range, "TABLE_INF": tables});
    result(0, "正常に終了しました。", &word, Some(list))
}

fn result(status: u32, message: &str, word: &str, list: Option<Value>) -> Answer {
    let mut body = json!({
        "RESULT": {"STATUS": status, "ERROR_MSG": message, "DATE": "2026-06-01T18:00:00.000+09:00"},
        "PARAMETER": {"LANG": "J", "SEARCH_WORD": word, "DATA_FORMAT": "J"},
    });
    if let Some(list) = list {
        body["DATALIST_INF"] = list;
    }
    Answer::json(200, &json!({"GET_STATS_LIST": body}))
}

fn title(topic: &Topic) -> String {
    format!("{}に関する調査", topic.name.ja)
}

fn table(number: usize, topic: &Topic) -> Value {
    json!({
        "@id": format!("00034{:05}", 10_000 + number), "STAT_NAME": {"@code": format!("002005{number:02}"), "$": title(topic)},
        "GOV_ORG": {"@code": "00200", "$": "総務省"}, "STATISTICS_NAME": format!("{} 確報", title(topic)),
        "TITLE": {"@no": format!("{:03}", number + 1), "$": format!("{}の推移（全国）", topic.name.ja)},
        "CYCLE": "年次", "SURVEY_DATE": "202401-202412", "OPEN_DATE": "2025-06-30", "SMALL_AREA": 0, "COLLECT_AREA": "全国",
        "MAIN_CATEGORY": {"@code": "02", "$": "人口・世帯"}, "SUB_CATEGORY": {"@code": "01", "$": "人口"},
        "OVERALL_TOTAL_NUMBER": 480 + number, "UPDATED_DATE": "2025-07-01",
    })
}
