//! Minutes of the Diet: speeches, as JSON or XML.

use serde_json::{Value, json};

use super::holds;
use crate::answer::{Answer, Request};
use crate::world::templates::escape_html;
use crate::{Language, Stance, Topic, World, topics};

pub(super) const HOSTS: &[&str] = &["kokkai.ndl.go.jp"];

const USUAL_RECORDS: usize = 30;
const MAX_RECORDS: usize = 100;

pub(super) fn answer(_: &World, request: &Request) -> Answer {
    if request.path() != "/api/speech" {
        return crate::fault::plain(404);
    }
    let any = request.parameter("any");
    let speaker = request.parameter("speaker");
    if any.is_none() && speaker.is_none() {
        return Answer::json(
            400,
            &json!({"message": "検索条件の入力に誤りがあります。", "details": ["検索条件を指定してください。"]}),
        );
    }
    let count = request.number("maximumRecords").unwrap_or(USUAL_RECORDS).clamp(1, MAX_RECORDS);
    let start = request.number("startRecord").unwrap_or(1).max(1);
    let found: Vec<(usize, &Topic)> = topics()
        .iter()
        .enumerate()
        .filter(|(number, topic)| {
            any.as_ref().is_none_or(|it| holds(&speech(topic), it))
                && speaker.as_ref().is_none_or(|it| holds(SPEAKERS[number % SPEAKERS.len()].0, it))
        })
        .collect();
    let records: Vec<Value> =
        found.iter().skip(start - 1).take(count).map(|it| record(it.0, it.1)).collect();
    let end = start - 1 + records.len();
    let next = if end < found.len() { json!(end + 1) } else { Value::Null };
    if request.parameter("recordPacking").as_deref() == Some("json") {
        return Answer::json(
            200,
            &json!({
                "numberOfRecords": found.len(), "numberOfReturn": records.len(), "startRecord": start,
                "nextRecordPosition": next, "speechRecord": records,
            }),
        );
    }
    let mut xml = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<data><numberOfRecords>{}</numberOfRecords><numberOfReturn>{}</numberOfReturn><startRecord>{start}</startRecord>",
        found.len(),
        records.len()
    );
    if end < found.len() {
        xml.push_str(&format!("<nextRecordPosition>{}</nextRecordPosition>", end + 1));
    }
    xml.push_str("<records>");
    for record in &records {
        let fields = record.as_object().into_iter().flatten().map(|(name, value)| {
            let text = value.as_str().map_or_else(|| value.to_string(), escape_html);
            format!("<{name}>{}</{name}>", if value.is_null() { String::new() } else { text })
        });
        xml.push_str(&format!(
            "<record><recordSchema>ndl</recordSchema><recordPacking>xml</recordPacking><recordData><speechRecord>{}</speechRecord></recordData></record>",
            fields.collect::<String>()
        ));
    }
    xml.push_str("</records></data>\n");
    Answer::new(200, "text/xml; charset=utf-8", xml)
}

const SPEAKERS: [(&str, &str); 3] = [
    ("早瀬ゆかり", "はやせゆかり"),
    ("森下達也", "もりしたたつや"),
    ("大河内亮", "おおこうちりょう"),
];

fn speech(topic: &Topic) -> String {
    let facts = topic.facts.iter().map(|it| it.sentence(Language::Japanese, Stance::Agrees));
    format!("○委員　{}についてお尋ねします。{}", topic.name.ja, facts.collect::<String>())
}

fn record(number: usize, topic: &Topic) -> Value {
    let issue = format!("1213{:05}X00120240{}15", number + 1, number % 9 + 1);
    let (speaker, yomi) = SPEAKERS[number % SPEAKERS.len()];
    json!({
        "speechID": format!("{issue}_{:03}", number + 3), "issueID": issue, "imageKind": "会議録", "searchObject": number + 3,
        "session": 213, "nameOfHouse": if number.is_multiple_of(2) { "衆議院" } else { "参議院" }, "nameOfMeeting": "厚生労働委員会",
        "issue": format!("第{}号", number + 1), "date": format!("2024-0{}-15", number % 9 + 1), "closing": null,
        "speechOrder": number + 3, "speaker": speaker, "speakerYomi": yomi, "speakerGroup": "無所属", "speakerPosition": null,
        "speakerRole": null, "speech": speech(topic), "startPage": 2,
        "speechURL": format!("https://kokkai.ndl.go.jp/txt/{issue}/{}", number + 3),
        "meetingURL": format!("https://kokkai.ndl.go.jp/txt/{issue}"), "pdfURL": null,
    })
}
