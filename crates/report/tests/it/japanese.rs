//! An investigation in Japanese, from the web and from documents of the library.

use evidence::DomainCategory::{Academic, Government, Unverified};
use evidence::{SearchStatus, Stance, TaskId, TaskStatus};
use graph::{Graph, JobEnd, NewJob, Spent};
use report::Document;
use serde_json::json;

use crate::world::{Read, claim, gathered, graph, judge, page, passage, search, task, write};

pub(crate) fn investigation() -> (Graph, TaskId) {
    let graph = graph();
    let task = write(&graph, |w| {
        let task = task(w, "緑茶を毎日飲むと血圧は下がるか", Some("緑茶は収縮期血圧を下げる。"));
        let ministry_url = "https://www.kenko.go.example/ryokucha/houkoku";
        let ministry = page(
            w,
            &Read {
                url: ministry_url,
                category: Government,
                title: "緑茶摂取と血圧に関する調査報告書",
                published: Some("2022-11-08"),
                year: Some(2022),
                ..Read::default()
            },
        );
        let paper_url = "https://doi.org/10.5555/cha.2017.4";
        let paper = page(
            w,
            &Read {
                url: paper_url,
                category: Academic,
                title: "緑茶カテキンの降圧効果：無作為化比較試験",
                year: Some(2017),
                doi: Some(("10.5555/cha.2017.4", "日本栄養学雑誌")),
                ..Read::default()
            },
        );
        let notes_url = "file:///notes/2024-kaigi.md";
        let notes = page(
            w,
            &Read {
                url: notes_url,
                category: Unverified,
                title: "院内勉強会の記録",
                published: Some("2024-06-20"),
                year: Some(2024),
                ..Read::default()
            },
        );
        let from_ministry = passage(
            w,
            ministry,
            ministry_url,
            &["結果", "血圧"],
            1800,
            "毎日3杯以上の緑茶を飲む群では、収縮期血圧が平均2.1 mmHg低かった。ただし生活習慣の影響は除ききれない。",
        );
        let from_paper = passage(
            w,
            paper,
            paper_url,
            &["要旨"],
            0,
            "12週間の摂取により、緑茶群の収縮期血圧は対照群に比べて1.9 mmHg低下した。",
        );
        let from_notes = passage(
            w,
            notes,
            notes_url,
            &["議事"],
            300,
            "当院の患者40名では、緑茶を飲んでも血圧に差は見られなかった。",
        );
        let lower = claim(
            w,
            task,
            Some(from_ministry),
            "extractive",
            "毎日3杯以上の緑茶を飲む群では、収縮期血圧が平均2.1 mmHg低かった。",
        );
        judge(w, from_ministry, lower, Stance::Supports, 0.95);
        judge(w, from_paper, lower, Stance::Supports, 0.9);
        judge(w, from_notes, lower, Stance::Refutes, 0.7);
        let trial = claim(
            w,
            task,
            Some(from_paper),
            "extractive",
            "12週間の緑茶摂取で収縮期血圧は対照群に比べて1.9 mmHg低下した。",
        );
        judge(w, from_paper, trial, Stance::Supports, 0.96);
        judge(w, from_ministry, trial, Stance::Supports, 0.81);
        let hypothesis = claim(w, task, None, "hypothesis", "緑茶は収縮期血圧を下げる。");
        judge(w, from_ministry, hypothesis, Stance::Supports, 0.9);
        judge(w, from_paper, hypothesis, Stance::Supports, 0.85);
        judge(w, from_notes, hypothesis, Stance::Refutes, 0.7);
        w.note_claim_event(lower, "first_seen", None, Some(ministry), None)?;
        w.note_claim_event(lower, "updated", Some("refutes"), Some(notes), None)?;
        let found = search(
            w,
            task,
            "緑茶 血圧 試験",
            false,
            SearchStatus::Partial,
            (4, 3, 2),
            "nothing_new",
        );
        let job = w.add_job(&NewJob {
            task_id: task,
            search_id: found,
            kind: "fetch",
            slot: "network",
            priority: 1,
            payload: json!({}),
        })?;
        let failure = json!({
            "url": "https://byoin.example/kiroku", "reason": "timed_out", "detail": "byoin.example did not answer within 60 s"
        });
        w.end_job(job, &JobEnd::Failed(failure))?;
        w.spend(task, Spent { seconds: 31.0, llm_seconds: 0.0 })?;
        w.set_task_status(task, TaskStatus::Completed, Some("session_completed"))?;
        Ok(task)
    });
    (graph, task)
}

#[test]
fn a_japanese_question_gets_a_japanese_report() {
    let (graph, task) = investigation();
    insta::assert_snapshot!(Document::of(&gathered(&graph, task)).markdown());
}

/// A kanji takes two columns, and no line begins with a closing sign.
#[test]
fn a_japanese_report_fits_a_terminal() {
    let (graph, task) = investigation();
    insta::assert_snapshot!(Document::of(&gathered(&graph, task)).text(60));
}

/// Words of ours that are in Latin letters in a Japanese report: names, and nothing else.
#[test]
fn no_english_is_left_in_a_japanese_page() {
    let (graph, task) = investigation();
    let html = Document::of(&gathered(&graph, task)).html();
    let body = html.split("<body>").nth(1).unwrap();
    let mut inside_tag = false;
    let shown: String = body
        .chars()
        .filter_map(|c| match c {
            '<' => {
                inside_tag = true;
                Some(' ')
            }
            '>' => {
                inside_tag = false;
                None
            }
            _ => (!inside_tag).then_some(c),
        })
        .collect();
    let words: std::collections::BTreeSet<&str> = shown
        .split(|c: char| !c.is_ascii_alphabetic())
        .filter(|it| it.len() > 3 && it.chars().all(|c| c.is_ascii_lowercase()))
        .collect();
    // Addresses, digests, the name of the model.
    let words = words.into_iter().collect::<Vec<_>>().join(" ");
    insta::assert_snapshot!(words, @"byoin example file houkoku https kaigi kenko kiroku lyra notes ryokucha stance task uuid");
}
