//! `manual_find`: the stages, their order, and what is left when one cannot run.

use std::cell::Cell;
use std::fs;
use std::time::Duration;

use library::{
    Breadth, FindRequest, HitItem, HitKind, HitsRequest, LibrarySettings, Moment, SectionRef,
};
use text::estimate_tokens;

use crate::corpus::{NOW, Small, open, request};

#[test]
fn candidates_come_in_groups_and_the_most_relevant_first() {
    let small = Small::new(&[(
        "hr/a.md",
        "# Rules\n\n## One\nThe lap top is here.\n\n## Two\nSee section Nine.\n\n## Three\nEvery notebook counts.\n\n\
         ## Four\nA laptop of type \"XK-42\".\n\n## Five\nA laptop. See \"Nine lives\".\n\n\
         ## Six\nUnless the laptop is broken.\n\n## Nine lives\nCats.\n\n## Seven\nThe note-book again.\n\n\
         ## Appendix A Laptop list\nx\n\n## Waivers\nAppendix A does not apply to guests.\n",
    )]);
    let answer = small.find("laptop \"XK-42\"");
    insta::assert_snapshot!(small.shown(&answer), @"
    hr/a.md#L12 must [must normalized]
    hr/a.md#L27 soft [normalized heading reference]
    hr/a.md#L15 soft [normalized]
    hr/a.md#L18 soft [normalized exception]
    hr/a.md#L3 soft_loose [loose]
    hr/a.md#L9 synonym [synonym]
    hr/a.md#L24 synonym_loose [synonym_loose]
    hr/a.md#L30 exception [exception]
    hr/a.md#L21 reference [reference]
    ");
}

#[test]
fn width_numerals_and_separators_make_no_difference() {
    let small = Small::new(&[(
        "hr/a.md",
        "# 規程\n\n## 第３条\n二段階\n\n## 第四条\nデータ・ベースの第三条\n\n## 第５条\nＤａｔａ－Ｂａｓｅ\n",
    )]);
    insta::assert_snapshot!(small.shown(&small.find("第三条")), @"
    hr/a.md#L3 must [must heading reference]
    hr/a.md#L6 must [must]
    ");
    insta::assert_snapshot!(small.shown(&small.find("データベース")), @"
    hr/a.md#L6 soft_loose [loose]
    hr/a.md#L3 reference [reference]
    ");
    insta::assert_snapshot!(small.shown(&small.find("data base")), @"hr/a.md#L9 soft [normalized]");
}

#[test]
fn exceptions_belong_to_the_subject_or_are_left_out() {
    let small = Small::new(&[(
        "hr/a.md",
        "# 規程\n\n## 第1条（残業）\n残業は禁止する。\n\n## 第2条（制服）\nただし、夏は着なくてよい。\n\n\
         ## 第3条（雑則）\n第1条の規定にかかわらず、決算の月は認める。\n\n## 第4条（残業代）\nただし残業代は翌月に払う。\n",
    )]);
    insta::assert_snapshot!(small.shown(&small.find("残業の例外")), @"
    hr/a.md#L3 soft [normalized heading reference]
    hr/a.md#L12 soft [normalized heading exception]
    hr/a.md#L9 exception [exception]
    ");
}

#[test]
fn references_lead_to_sections_of_every_kind() {
    let small = Small::new(&[
        (
            "hr/a.md",
            "# 規程\n\n## 第1条（休暇）\n前文\n\n## 第2条（有給休暇）\n休暇届は次条、別表1、第5条から第7条まで、「服務細則」第9条、\
             「弔事」を参照し、病気の扱いに準ずる。[表](b.md#給料の表) も見る。\n\n## 第3条（届出）\n三\n\n## 第4条\n四\n\n\
             ## 第5条\n五\n\n## 第6条\n六\n\n## 第7条\n七\n\n## 弔事\n八\n\n## 病気\n九\n\n## 別表1 日数\n十\n",
        ),
        ("hr/b.md", "# 給与\n\n## 給料の表\n一\n"),
        ("hr/c.md", "# 服務細則\n\n## 第9条\n九\n"),
        (
            "it/d.md",
            "# Manual\n\n## 1 Holidays\nSee section 2.1 and Appendix B, as described in Sick days. Follow 3.2 first.\n\n\
                     ## 2 Rest\n\n### 2.1 Days\nx\n\n## 3 More\n\n### 3.1 Sick days\nx\n\n### 3.2 Steps\nx\n\n## Appendix B Lists\nx\n",
        ),
    ]);
    insta::assert_snapshot!(small.shown(&small.find("有給休暇")), @"
    hr/a.md#L6 soft [normalized heading]
    hr/a.md#L3 soft [normalized heading]
    hr/a.md#L30 reference [reference]
    hr/a.md#L15 reference [reference]
    hr/a.md#L18 reference [reference]
    hr/a.md#L21 reference [reference]
    hr/c.md#L3 reference [reference]
    hr/a.md#L9 reference [reference]
    hr/c.md#L1 reference [reference]
    hr/a.md#L24 reference [reference]
    hr/a.md#L27 reference [reference]
    hr/b.md#L3 reference [reference]
    ");
    insta::assert_snapshot!(small.shown(&small.find("\"holidays\"")), @"
    it/d.md#L3 must [must heading]
    it/d.md#L8 reference [reference]
    it/d.md#L19 reference [reference]
    it/d.md#L16 reference [reference]
    it/d.md#L13 reference [reference]
    ");
}

#[test]
fn what_is_not_wanted_is_left_out_and_counted() {
    let small = Small::new(&[(
        "hr/a.md",
        "# Travel\n\n## Taxi fares\nfares\n\n## Train fares\nfares, no taxi\n",
    )]);
    let answer = small.find("fares except taxi");
    insta::assert_snapshot!(small.shown(&answer), @"hr/a.md#L6 soft [normalized heading]");
    assert_eq!(answer.summary.excluded, 1);
}

#[test]
fn conflicting_figures_are_found() {
    let (manuals, _state) = open(LibrarySettings::default());
    let answer = manuals.find(&request("日当の額"), &NOW).unwrap();
    let trace = manuals.trace(&answer.trace_id, &NOW).unwrap();
    let shown: Vec<String> = trace
        .conflicts
        .iter()
        .map(|it| {
            let mut places = [it.first.place.to_string(), it.second.place.to_string()];
            places.sort();
            format!("{:?} {:?} {}", it.kind, it.measure, places.join(" "))
        })
        .collect();
    assert_eq!(shown, ["Number Some(\"円\") travel/expenses.md#L121 travel/travel.md#L157"]);
}

#[test]
fn one_section_forbids_what_another_allows() {
    let small = Small::new(&[(
        "it/a.md",
        "# Media\n\n## Lab\nUSB sticks may be used in the lab.\n\n## Rules\nUSB sticks must not be used in the lab.\n\n\
         ## Shop\nUSB sticks are sold in the shop.\n",
    )]);
    let answer = small.find("usb sticks");
    let trace = small.manuals.trace(&answer.trace_id, &NOW).unwrap();
    let shown: Vec<String> = trace
        .conflicts
        .iter()
        .map(|it| format!("{:?} {} {}", it.kind, it.first.place, it.second.place))
        .collect();
    assert_eq!(shown, ["Modality it/a.md#L3 it/a.md#L6"]);
    assert_eq!(answer.next_actions[0].tool, "manual_read");
}

/// The conflicts of a request, one line each: what is measured, both values, both places.
fn contradictions(small: &Small, query: &str) -> String {
    let trace_id = small.find(query).trace_id;
    let request = HitsRequest { trace_id, kind: HitKind::Conflicts, offset: 0, limit: None };
    let page = small.manuals.hits(&request, &NOW).unwrap();
    let line = |it: &HitItem| {
        let side = |place: &Option<SectionRef>, value: &Option<String>| {
            (place.as_ref().unwrap().to_string(), value.clone().unwrap_or_default())
        };
        let mut sides = [side(&it.place, &it.value), side(&it.against, &it.against_value)];
        sides.sort();
        let name = it.name.clone().unwrap_or_default();
        let [(place, value), (other, others)] = sides;
        format!("{name}: {value} / {others} ({place}, {other})")
    };
    page.items.iter().map(line).collect::<Vec<_>>().join("\n")
}

const OFFICE_JA: [(&str, &str); 3] = [
    (
        "総務/在宅勤務.md",
        "# 在宅勤務規程\n\n## 第1条（日数）\n従業員は週二日を上限とする。\n\n## 第2条（申請）\n在宅勤務を希望する者は、前日までに所属長へ申請する。\n\n\
         ## 第3条（点検）\n貸与した機器は月二回点検する。\n",
    ),
    (
        "総務/手引き.md",
        "# 総務の手引き\n\n## 在宅勤務\n在宅勤務は週に３日まで認めます。\n\n## 経費の出し方\n経費は翌月末までに、領収書を添えて申請します。\n\n\
         ## 機器\n貸与した機器は月に３回点検します。\n\n## 夏季休暇\n夏季休暇の届は1か月前までに出します。\n",
    ),
    (
        "経理/経費.md",
        "# 経費精算規程\n\n## 第2条（申請の手続）\n従業員は、立て替えた費用を翌月5日までに、領収書を添えて経費精算システムで申請する。\n\n\
         ## 第4条（支払）\n経理課は、承認された経費を翌月25日に支払う。\n\n## 第5条（有給休暇）\n年次有給休暇の届は3日前までに出します。\n",
    ),
];

#[test]
fn how_often_and_by_when_contradict_each_other_in_japanese() {
    let small = Small::new(&OFFICE_JA);
    assert_eq!(
        contradictions(&small, "在宅勤務の日数"),
        "days_per_period: 週二日 / 週に３日 (総務/在宅勤務.md#L3, 総務/手引き.md#L3)"
    );
    // The day of payment is no deadline of those who claim.
    assert_eq!(
        contradictions(&small, "経費の申請"),
        "deadline: 翌月5日 / 翌月末 (経理/経費.md#L3, 総務/手引き.md#L6)"
    );
    assert_eq!(
        contradictions(&small, "機器の点検"),
        "frequency: 月二回 / 月に３回 (総務/在宅勤務.md#L9, 総務/手引き.md#L9)"
    );
    // Two kinds of leave may have two rules.
    assert_eq!(contradictions(&small, "休暇の届"), "");
}

#[test]
fn how_often_and_by_when_contradict_each_other_in_english() {
    let small = Small::new(&[
        (
            "office/home.md",
            "# Working from home\n\n## 1 How often\nStaff may work from home two days a week.\n\n\
             ## 2 Backups\nBackups of the laptop are made twice a week.\n",
        ),
        (
            "finance/guide.md",
            "# Short guide\n\n## Home office\nWorking from home is possible three days a week.\n\n\
             ## Expenses\nExpense claims are handed in by the end of the following month.\n\n\
             ## Laptops\nBackups of the laptop are made every day.\n",
        ),
        (
            "finance/expenses.md",
            "# Expenses\n\n## 4 Handing in\nExpense claims are handed in by the 5th, with receipts.\n\n\
             ## 5 Payment\nExpense claims are paid on the 25th of the following month.\n",
        ),
    ]);
    assert_eq!(
        contradictions(&small, "How often may I work from home?"),
        "days_per_period: three days a week / two days a week (finance/guide.md#L3, office/home.md#L3)"
    );
    assert_eq!(
        contradictions(&small, "expense claims"),
        "deadline: by the 5th / by the end of the following month (finance/expenses.md#L3, finance/guide.md#L6)"
    );
    assert_eq!(
        contradictions(&small, "backups of the laptop"),
        "frequency: every day / twice a week (finance/guide.md#L9, office/home.md#L6)"
    );
}

#[test]
fn the_same_said_otherwise_is_no_contradiction() {
    let small = Small::new(&[
        ("a/a.md", "# 規程\n\n## 点検\n消火器は四半期に一回点検する。報告は一週間以内に行う。\n"),
        ("b/b.md", "# 手引き\n\n## 点検\n消火器は年4回点検する。報告は7日以内に行う。\n"),
    ]);
    assert_eq!(contradictions(&small, "消火器の点検の報告"), "");
}

#[test]
fn a_conflict_shows_both_sentences_until_a_file_changes() {
    let small = Small::new(&OFFICE_JA);
    let trace_id = small.find("在宅勤務の日数").trace_id;
    let page = || {
        let trace_id = trace_id.clone();
        let request = HitsRequest { trace_id, kind: HitKind::Conflicts, offset: 0, limit: None };
        small.manuals.hits(&request, &NOW).unwrap().items.remove(0)
    };
    let shown = page();
    let mut both = [shown.snippet.unwrap(), shown.against_snippet.unwrap()];
    both.sort();
    assert_eq!(both, ["在宅勤務は週に３日まで認めます。", "従業員は週二日を上限とする。"]);
    small.write("総務/手引き.md", "# 総務の手引き\n\n別の文\n");
    let stale = page();
    assert_eq!((stale.stale, stale.value, stale.snippet), (true, None, None));
}

#[test]
fn what_is_most_about_the_request_comes_first() {
    let quotas = format!(
        "# クラウド指針\n\n## 実行環境の選定\n{}コストは従量課金である。上限の緩和を申請できる。ただし審査がある。コストを見積もる。\n\n\
         ## Service Quota\n上限緩和の申請を検討する。費用は掛からない。\n",
        "可用性と性能を比べ、要件に合うものを選ぶ。".repeat(40)
    );
    let [.., rules] = OFFICE_JA;
    let small = Small::new(&[("arch/aws.md", &quotas), OFFICE_JA[1], rules]);
    let answer = small.find("経費の申請");
    let shown = small.shown(&answer);
    let places: Vec<&str> = shown.lines().filter_map(|it| it.split(' ').next()).collect();
    assert_eq!(places[..2], ["経理/経費.md#L3", "総務/手引き.md#L6"], "{shown}");
}

#[test]
fn nothing_to_search_is_said() {
    let small = Small::new(&[("hr/a.txt", "no Markdown")]);
    let answer = small.find("anything");
    let [warning] = answer.summary.warnings.as_slice() else { panic!("{:?}", answer.summary) };
    assert!(warning.starts_with("no manual has a file that can be searched"), "{warning}");
}

#[test]
fn what_nothing_answers_is_a_gap() {
    let small = Small::new(&[("hr/a.md", "# 休暇\n休暇は本人が選ぶ。\n")]);
    let answer = small.find("休暇とドローンの申請期限");
    let trace = small.manuals.trace(&answer.trace_id, &NOW).unwrap();
    let gaps: Vec<String> =
        trace.gaps.iter().map(|it| format!("{}: {}", it.kind, it.name)).collect();
    assert_eq!(gaps, ["term: 申請", "term: ドローン", "facet: deadline"]);
    assert_eq!(answer.summary.gaps, 3);
    assert!(answer.summary.escalation_reasons.contains(&"gaps".to_owned()));
}

#[test]
fn the_scope_is_widened_when_one_manual_has_too_little() {
    let files = [
        ("hr/a.md", "# Badges\nbadges\n"),
        ("it/b.md", "# Badges\nbadges\n"),
        ("it/c.md", "# Other\nbadges too\n"),
    ];
    let small = Small::new(&files);
    let find = |max_stage| {
        let request =
            FindRequest { manual_id: Some("hr".to_owned()), max_stage, ..request("badges") };
        small.manuals.find(&request, &NOW).unwrap()
    };
    let narrow = find(Some(3));
    assert_eq!((narrow.summary.candidates, narrow.summary.max_stage_applied), (1, 3));
    assert_eq!(narrow.summary.escalation_reasons, ["few_candidates"]);
    let wide = find(None);
    assert_eq!((wide.summary.candidates, wide.summary.max_stage_applied), (3, 4));
    assert!(wide.summary.scope_expanded);
    assert_eq!(wide.summary.escalation_reasons, ["few_candidates"]);
    assert_eq!(small.shown(&wide).lines().next(), Some("hr/a.md#L1 soft [normalized heading]"));
}

#[test]
fn one_file_with_most_candidates_and_no_exception_are_reasons() {
    let mut text = String::from("# Badges\n");
    (0..5).for_each(|it| text.push_str(&format!("\n## Badges {it}\nbadges\n")));
    let small = Small::new(&[("hr/a.md", &text), ("it/b.md", "# Nothing\n")]);
    let request =
        FindRequest { manual_id: Some("hr".to_owned()), ..request("exceptions for badges") };
    let answer = small.manuals.find(&request, &NOW).unwrap();
    assert_eq!(answer.summary.escalation_reasons, ["one_file_bias", "no_exception_hit", "gaps"]);
    assert_eq!(answer.summary.file_bias_ratio, 1.0);
}

#[test]
fn requests_out_of_bounds_are_refused() {
    let small = Small::new(&[("hr/a.md", "# A\n")]);
    let code = |request: FindRequest| small.manuals.find(&request, &NOW).unwrap_err().code();
    for stage in [0, 1, 2, 5] {
        assert_eq!(
            code(FindRequest { max_stage: Some(stage), ..request("a") }),
            Some("invalid_parameter")
        );
    }
    assert_eq!(code(request("  ")), Some("invalid_parameter"));
    assert_eq!(code(request(&"あ".repeat(1_001))), Some("invalid_parameter"));
    assert_eq!(
        code(FindRequest { manual_id: Some("no".to_owned()), ..request("a") }),
        Some("not_found")
    );
    assert_eq!(
        code(FindRequest { manual_id: Some("../x".to_owned()), ..request("a") }),
        Some("invalid_path")
    );
    let lost = FindRequest {
        only_unscanned_from_trace_id: Some("tr_0000000000000000".to_owned()),
        ..request("a")
    };
    assert_eq!(code(lost), Some("not_found"));
    let unknown =
        serde_json::from_str::<FindRequest>("{\"query\": \"a\", \"top_k\": 3}").unwrap_err();
    assert!(unknown.to_string().starts_with("unknown field `top_k`"), "{unknown}");
}

#[test]
fn a_broken_dictionary_fails_its_stage_and_no_other() {
    let text = "# Keys\n\n## Doors\nLock the door. See \"Spare keys\".\n\n## Spare keys\nx\n\n## Windows\nUnless the door is open.\n";
    let small = Small::new(&[("hr/a.md", text)]);
    assert_eq!(small.find("door").summary.candidates, 3);
    fs::write(small.dictionary("exceptions.toml"), "ja = 1").unwrap();
    fs::write(small.dictionary("references.toml"), "cues_after = [").unwrap();
    let answer = small.find("door");
    insta::assert_snapshot!(small.shown(&answer), @"
    hr/a.md#L3 soft [normalized heading]
    hr/a.md#L9 soft [normalized]
    ");
    insta::assert_snapshot!(answer.summary.warnings.join("\n"), @"
    stage 2 did not run: exceptions.toml: invalid type: integer `1`, expected a sequence
    stage 3 did not run: references.toml: unclosed array, expected `]`
    ");
    fs::write(small.dictionary("synonyms.toml"), "[[group]]\nwords = [\"portal\", \"door\"]")
        .unwrap();
    fs::remove_file(small.dictionary("exceptions.toml")).unwrap();
    assert_eq!(small.find("portal").summary.candidates, 2);
}

#[test]
fn a_search_that_is_cut_says_why_and_what_is_left() {
    let files = [
        ("hr/a.md", "# Badges\n"),
        ("hr/b.md", "# Badges\n## Lost badges\n"),
        ("hr/c.md", "# Badges\n"),
    ];
    let find = |settings: LibrarySettings| {
        let small = Small::with(&files, settings);
        let summary = small.find("badges").summary;
        (
            summary.cutoff_reason.map(|it| format!("{it:?}")),
            summary.candidates,
            summary.unscanned_sections,
        )
    };
    let defaults = LibrarySettings::default;
    assert_eq!(find(defaults()), (None, 4, 0));
    assert_eq!(
        find(LibrarySettings { max_nodes_scanned: 2, ..defaults() }),
        (Some("MaxNodes".to_owned()), 1, 3)
    );
    assert_eq!(
        find(LibrarySettings { max_bytes_scanned: 9, ..defaults() }),
        (Some("MaxBytes".to_owned()), 1, 3)
    );
    assert_eq!(
        find(LibrarySettings { max_candidates: 3, ..defaults() }),
        (Some("MaxCandidates".to_owned()), 3, 1)
    );
}

#[test]
fn a_late_search_answers_with_what_it_has() {
    let files = [("hr/a.md", "# Badges\n"), ("hr/b.md", "# Badges\n"), ("hr/c.md", "# Badges\n")];
    let small = Small::new(&files);
    let calls = Cell::new(0);
    let elapsed = || {
        calls.set(calls.get() + 1);
        Duration::from_secs(if calls.get() > 2 { 21 } else { 0 })
    };
    let answer =
        small.manuals.find(&request("badges"), &Moment { now_ms: 0, elapsed: &elapsed }).unwrap();
    assert_eq!((answer.summary.candidates, answer.summary.unscanned_sections), (2, 1));
    let json = serde_json::to_value(&answer).unwrap();
    assert_eq!(json["summary"]["cutoff_reason"], "deadline");
    assert_eq!(json["next_actions"][0]["type"], "manual_find");
}

#[test]
fn what_was_left_is_looked_at_first() {
    let files = [
        ("hr/a.md", "# Badges\n"),
        ("hr/b.md", "# Badges\n## Lost badges\n"),
        ("hr/c.md", "# Badges\n"),
    ];
    let small =
        Small::with(&files, LibrarySettings { max_nodes_scanned: 2, ..LibrarySettings::default() });
    let first = small.find("badges");
    assert_eq!(small.shown(&first), "hr/a.md#L1 soft [normalized heading]");
    let rest = FindRequest {
        only_unscanned_from_trace_id: Some(first.trace_id),
        max_stage: Some(3),
        ..request("badges")
    };
    let second = small.manuals.find(&rest, &NOW).unwrap();
    assert_eq!(small.shown(&second).lines().count(), 2);
    assert_eq!(second.summary.unscanned_sections, 1);
    let rest = FindRequest { only_unscanned_from_trace_id: Some(second.trace_id), ..rest };
    let third = small.manuals.find(&rest, &NOW).unwrap();
    assert_eq!(small.shown(&third), "hr/c.md#L1 soft [normalized heading]");
    assert_eq!(third.summary.unscanned_sections, 0);
}

#[test]
fn candidates_over_the_limit_can_be_fetched_later() {
    let small = Small::with(
        &[("hr/a.md", "# Badges\n## Lost badges\nx\n## Old badges\nx\n")],
        LibrarySettings { max_candidates: 2, ..LibrarySettings::default() },
    );
    let first = small.find("badges");
    let rest = FindRequest {
        only_unscanned_from_trace_id: Some(first.trace_id.clone()),
        max_stage: Some(3),
        ..request("badges")
    };
    let second = small.manuals.find(&rest, &NOW).unwrap();
    assert_eq!(
        small.shown(&first),
        "hr/a.md#L2 soft [normalized heading under_heading]\nhr/a.md#L4 soft [normalized heading under_heading]"
    );
    assert_eq!(small.shown(&second), "hr/a.md#L1 soft [normalized heading]");
}

#[test]
fn the_meaning_only_adds_at_the_end() {
    let small = Small::new(&[("hr/a.md", "# Badges\nbadges\n\n# Passes\npasses\n\n# Other\nx\n")]);
    let place = |line: u32| SectionRef { line: Some(line), ..small_place() };
    fn small_place() -> SectionRef {
        SectionRef { manual: "hr".to_owned(), path: "a.md".to_owned(), line: None }
    }
    let semantic = |query: &str| {
        assert_eq!(query, "badges");
        vec![(place(7), 0.9), (place(1), 0.8), (place(4), 0.7), (place(99), 0.6)]
    };
    let answer = small.manuals.find_with(&request("badges"), &NOW, Some(&semantic)).unwrap();
    insta::assert_snapshot!(small.shown(&answer), @"
    hr/a.md#L1 soft [normalized heading semantic]
    hr/a.md#L7 semantic [semantic]
    hr/a.md#L4 semantic [semantic]
    ");
}

#[test]
fn sections_with_any_word_can_be_asked_for() {
    let small = Small::new(&[(
        "hr/a.md",
        "# Badges\n\n## Lost\nlost badges cost money\n\n## Prices\nmoney\n\n## Rest\nlost\n",
    )]);
    let all = FindRequest { breadth: Breadth::All, ..request("lost badges money") };
    assert!(
        small.find("lost badges money").summary.candidates
            < small.manuals.find(&all, &NOW).unwrap().summary.candidates
    );
    assert_eq!(small.manuals.find(&all, &NOW).unwrap().summary.weak, 0);
}

#[test]
fn answers_are_small_and_hold_no_text_of_a_manual() {
    let (manuals, _state) = open(LibrarySettings::default());
    let cases = crate::measure::read_cases(&crate::corpus::folder().join("requests.toml")).unwrap();
    for case in cases {
        let answer = manuals.find(&request(&case.query), &NOW).unwrap();
        let json = serde_json::to_string(&answer).unwrap();
        assert!(
            estimate_tokens(&json) <= 400,
            "{}: {} tokens: {json}",
            case.query,
            estimate_tokens(&json)
        );
        let japanese = json.chars().filter(|it| !it.is_ascii()).count();
        assert_eq!(japanese, 0, "{json}");
    }
}

#[test]
fn the_same_request_finds_the_same_in_the_same_order() {
    let (manuals, _state) = open(LibrarySettings::default());
    let (others, _other_state) = open(LibrarySettings::default());
    let places = |manuals: &library::Manuals| {
        crate::measure::candidates(manuals, "麻薬の保管", &NOW).unwrap()
    };
    assert_eq!(places(&manuals), places(&others));
    assert_eq!(places(&manuals), places(&manuals));
}
