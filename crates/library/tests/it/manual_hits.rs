//! `manual_hits`: pages of what a search found, also in another process.

use std::fs;

use library::{FindRequest, HitKind, HitsAnswer, HitsRequest, LibrarySettings, Manuals, Moment};
use text::estimate_tokens;

use crate::corpus::{NOW, Small, open, request};

fn hits(manuals: &Manuals, trace_id: &str, kind: HitKind, offset: usize) -> HitsAnswer {
    let request = HitsRequest { trace_id: trace_id.to_owned(), kind, offset, limit: None };
    manuals.hits(&request, &NOW).unwrap()
}

#[test]
fn a_page_has_places_titles_and_snippets() {
    let text = "# 規程\n\n## 第1条（鍵）\n\n前置き。\n金庫の（ＫＥＹ）は、総務課の担当者が毎朝九時に受け取り、夕方に返すものとし、持ち帰ってはならない。紛失した者は届け出る。\n";
    let small = Small::new(&[("hr/a.md", text)]);
    let answer = small.find("金庫");
    let page = hits(&small.manuals, &answer.trace_id, HitKind::Candidates, 0);
    insta::assert_snapshot!(serde_json::to_string_pretty(&page).unwrap(), @r#"
    {
      "kind": "candidates",
      "total": 1,
      "items": [
        {
          "ref": "hr/a.md#L3",
          "title": "第1条（鍵）",
          "end_line": 6,
          "signals": [
            "normalized"
          ],
          "hit_count": 1,
          "snippet": "金庫の（ＫＥＹ）は、総務課の担当者が毎朝九時に受け取り、夕方に返すものとし、持ち帰ってはならない。紛失した者は届け出る。"
        }
      ],
      "next_actions": [
        {
          "type": "manual_read",
          "params": {
            "ref": "hr/a.md#L3",
            "scope": "section",
            "trace_id": "tr_018bcfe568000000"
          }
        }
      ]
    }
    "#);
}

#[test]
fn another_process_pages_on_with_the_trace() {
    let mut text = String::new();
    (0..25).for_each(|it| text.push_str(&format!("# Badge {it}\nwear the badge\n")));
    let small = Small::new(&[("hr/a.md", &text)]);
    let trace_id = small.find("badge").trace_id;
    let other = small.again(LibrarySettings::default());
    let first = hits(&other, &trace_id, HitKind::Candidates, 0);
    assert_eq!((first.total, first.items.len(), first.next_offset), (25, 10, Some(10)));
    assert_eq!(first.next_actions[0].tool, "manual_read");
    let last = hits(&other, &trace_id, HitKind::Candidates, 20);
    assert_eq!((last.items.len(), last.next_offset), (5, None));
    assert_eq!(hits(&other, &trace_id, HitKind::Candidates, 99).items, []);
}

#[test]
fn pages_stay_under_their_tokens() {
    let (manuals, _state) = open(LibrarySettings::default());
    let cases = crate::measure::read_cases(&crate::corpus::folder().join("requests.toml")).unwrap();
    for case in cases {
        let trace_id = manuals.find(&request(&case.query), &NOW).unwrap().trace_id;
        for kind in [HitKind::Candidates, HitKind::Conflicts, HitKind::Gaps, HitKind::Unscanned] {
            let all = HitsRequest { trace_id: trace_id.clone(), kind, offset: 0, limit: Some(50) };
            let json = serde_json::to_string(&manuals.hits(&all, &NOW).unwrap()).unwrap();
            assert!(
                estimate_tokens(&json) <= 1_500,
                "{} {kind:?}: {}",
                case.query,
                estimate_tokens(&json)
            );
        }
    }
}

#[test]
fn a_changed_file_gives_no_snippet() {
    let small = Small::new(&[("hr/a.md", "# Badges\nbadges\n")]);
    let trace_id = small.find("badges").trace_id;
    small.write("hr/a.md", "# Badges\nsomething else entirely\n");
    let page = hits(&small.manuals, &trace_id, HitKind::Candidates, 0);
    assert_eq!((page.items[0].stale, page.items[0].snippet.clone()), (true, None));
}

#[test]
fn unscanned_sections_conflicts_and_gaps_have_pages() {
    let settings = LibrarySettings { max_nodes_scanned: 1, ..LibrarySettings::default() };
    let small = Small::with(&[("hr/a.md", "# 休暇\n"), ("hr/b.md", "# 休暇\n## 届\n")], settings);
    let trace_id = small.find("休暇とドローン").trace_id;
    let shown =
        |kind| serde_json::to_string(&hits(&small.manuals, &trace_id, kind, 0).items).unwrap();
    assert_eq!(shown(HitKind::Unscanned), r#"[{"ref":"hr/b.md#L1","end_line":2,"sections":2}]"#);
    assert_eq!(shown(HitKind::Gaps), r#"[{"what":"term","name":"ドローン"}]"#);
    assert_eq!(shown(HitKind::Conflicts), "[]");
}

#[test]
fn traces_are_forgotten_by_age_and_number() {
    let settings = LibrarySettings { trace_keep: 2, trace_hours: 1, ..LibrarySettings::default() };
    let small = Small::with(&[("hr/a.md", "# Badges\n")], settings);
    let at = |now_ms: i64| Moment { now_ms, ..NOW };
    let find = |now_ms: i64| small.manuals.find(&request("badges"), &at(now_ms)).unwrap().trace_id;
    let ids: Vec<String> = [1_000, 2_000, 3_000].map(find).into();
    let code = |id: &str, now_ms: i64| {
        let request = HitsRequest {
            trace_id: id.to_owned(),
            kind: HitKind::Candidates,
            offset: 0,
            limit: None,
        };
        small.manuals.hits(&request, &at(now_ms)).map(|it| it.total).map_err(|it| it.code())
    };
    assert_eq!(code(&ids[0], 3_000), Err(Some("not_found")));
    assert_eq!(code(&ids[1], 3_602_000), Ok(1));
    assert_eq!(code(&ids[1], 3_602_001), Err(Some("not_found")));
    find(3_700_000);
    let left = fs::read_dir(small.state().join("traces")).unwrap().count();
    assert_eq!(left, 1);
}

#[test]
fn many_searches_in_one_millisecond_keep_the_newest() {
    let settings = LibrarySettings { trace_keep: 2, ..LibrarySettings::default() };
    let small = Small::with(&[("hr/a.md", "# Badges\n")], settings);
    for _ in 0..5 {
        let trace_id = small.find("badges").trace_id;
        assert_eq!(hits(&small.manuals, &trace_id, HitKind::Candidates, 0).total, 1);
    }
    assert_eq!(fs::read_dir(small.state().join("traces")).unwrap().count(), 2);
}

#[test]
fn a_trace_is_no_path() {
    let small = Small::new(&[("hr/a.md", "# Badges\n")]);
    for id in ["../../etc/passwd", "tr_", "", "tr_00000000000000zz", "tr_0000000000000000/x"] {
        let request = HitsRequest {
            trace_id: id.to_owned(),
            kind: HitKind::Candidates,
            offset: 0,
            limit: None,
        };
        assert_eq!(
            small.manuals.hits(&request, &NOW).unwrap_err().code(),
            Some("invalid_parameter"),
            "{id}"
        );
    }
    let trace_id = small.find("badges").trace_id;
    for limit in [0, 51] {
        let request = HitsRequest {
            trace_id: trace_id.clone(),
            kind: HitKind::Candidates,
            offset: 0,
            limit: Some(limit),
        };
        assert_eq!(
            small.manuals.hits(&request, &NOW).unwrap_err().code(),
            Some("invalid_parameter")
        );
    }
}

#[test]
fn state_holds_no_text_of_a_manual() {
    let small = Small::new(&[("hr/a.md", "# Badges\nbadges are made of unobtainium\n")]);
    let request = FindRequest { query: "badges".to_owned(), ..FindRequest::default() };
    small.manuals.find(&request, &NOW).unwrap();
    let trace = fs::read_dir(small.state().join("traces")).unwrap().next().unwrap().unwrap();
    let trace = fs::read_to_string(trace.path()).unwrap();
    assert!(trace.contains("hr/a.md#L1") && !trace.contains("unobtainium"), "{trace}");
    let statistics = fs::read_to_string(small.state().join("statistics.json")).unwrap();
    assert!(!statistics.contains("badges"), "{statistics}");
}
