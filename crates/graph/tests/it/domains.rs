//! Domains: the shipped policy, the user's file over it, what people decided, what was recorded.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use evidence::domain::{BlockReason, DomainPattern, DomainPolicy};
use evidence::{ClaimId, DomainCategory};
use graph::{
    BlockOutcome, BlockedDomain, Graph, NewClaim, PolicyFile, PolicyNote, SHIPPED_POLICY, Writer,
    parse_policy,
};
use tempfile::TempDir;

use crate::support::{count, fragment, graph, page, task, write};

fn pattern(text: &str) -> DomainPattern {
    text.parse().unwrap()
}

fn shipped() -> DomainPolicy {
    parse_policy(SHIPPED_POLICY).unwrap()
}

/// A claim taken from a page of `host`.
fn claim_from(w: &Writer<'_>, host: &str, text: &str) -> ClaimId {
    let page = page(w, host, text, DomainCategory::Unverified, None);
    w.record_claim(&NewClaim {
        task_id: task(w, "q"),
        text: text.to_owned(),
        language: None,
        origin_fragment_id: Some(fragment(w, page, text)),
        extraction_method: None,
        extraction_confidence: None,
    })
    .unwrap()
}

fn decided(graph: &Graph, host: &str, policy: &DomainPolicy) -> String {
    let it = graph.read(|r| r.decide(host, policy)).unwrap();
    let block = it.blocked.map_or("open".to_owned(), |it| format!("{} {}", it.reason, it.risk));
    format!("{} ({block})", it.category)
}

#[test]
fn the_shipped_policy_knows_the_publishers_of_both_worlds() {
    let (graph, policy) = (graph(), shipped());
    let shown: Vec<String> = [
        "www.who.int",
        "www.ietf.org",
        "www.mhlw.go.jp",
        "www.city.yokohama.lg.jp",
        "www.cdc.gov",
        "www.gov.uk",
        "commission.europa.eu",
        "eur-lex.europa.eu",
        "www.u-tokyo.ac.jp",
        "web.mit.edu",
        "arxiv.org",
        "pubmed.ncbi.nlm.nih.gov",
        "doi.org",
        "www.jstage.jst.go.jp",
        "www3.nhk.or.jp",
        "www.reuters.com",
        "ja.wikipedia.org",
        "blog.example.com",
    ]
    .map(|host| format!("{host} {}", decided(&graph, host, &policy)))
    .to_vec();
    insta::assert_snapshot!(shown.join("\n"), @r##"
    www.who.int primary (open)
    www.ietf.org primary (open)
    www.mhlw.go.jp government (open)
    www.city.yokohama.lg.jp government (open)
    www.cdc.gov primary (open)
    www.gov.uk government (open)
    commission.europa.eu government (open)
    eur-lex.europa.eu primary (open)
    www.u-tokyo.ac.jp academic (open)
    web.mit.edu academic (open)
    arxiv.org academic (open)
    pubmed.ncbi.nlm.nih.gov academic (open)
    doi.org academic (open)
    www.jstage.jst.go.jp academic (open)
    www3.nhk.or.jp trusted (open)
    www.reuters.com trusted (open)
    ja.wikipedia.org low (open)
    blog.example.com unverified (open)
    "##);
}

#[test]
fn wikipedia_is_low_and_says_what_becomes_of_its_references() {
    let (graph, policy) = (graph(), shipped());
    let it = graph.read(|r| r.decide("en.wikipedia.org", &policy)).unwrap();
    assert_eq!(it.weight, 0.40);
    assert_eq!(it.fields.wikipedia_mode.unwrap().as_str(), "page");
    let user = parse_policy(
        "[[rules]]\npatterns = ['*.wikipedia.org']\nwikipedia_mode = 'follow_citations'\ndomain_category = 'low'",
    )
    .unwrap();
    let it = graph.read(|r| r.decide("en.wikipedia.org", &policy.merged_with(user))).unwrap();
    assert_eq!(it.fields.wikipedia_mode.unwrap().as_str(), "follow_citations");
}

#[test]
fn mistakes_in_a_policy_file_are_named_by_place() {
    let error = |text: &str| parse_policy(text).unwrap_err().to_string();
    insta::assert_snapshot!(
        [
            "[[rules]]\npatterns = ['a.com']\ncategory = 'low'",
            "[[rules]]\npatterns = ['a.com']\ndomain_catgory = 'low'",
            "[[rule]]\npatterns = ['a.com']",
            "zzz = 1",
            "[[rules]]\npatterns = ['a.com']\ndomain_category = 'best'",
            "[[rules]]\npatterns = ['a.com']\ndomain_category = 'blocked'",
            "[[rules]]\ndomain_category = 'low'",
            "[[rules]]\npatterns = ['a*.com']\ndomain_category = 'low'",
            "[[denylist]]\npatterns = ['*.com']",
            "[[user_overrides]]\ndomain = '*.a.com'\ndomain_category = 'low'",
            "[[user_overrides]]\ndomain = 'a.com'\nqps = 0",
            "[[user_overrides]]\ndomain = 'a.com'\nmax_pages_per_day = -1",
            "[[rules]\n",
            "a = 1\na = 2",
        ]
        .map(error)
        .join("\n"),
        @r##"
    unknown key `category` in rules[0] of the domain policy; did you mean `domain_category`?
    unknown key `domain_catgory` in rules[0] of the domain policy; did you mean `domain_category`?
    unknown key `rule` in the top level of the domain policy; did you mean `rules`?
    unknown key `zzz` in the top level of the domain policy
    rules[0] of the domain policy: `best` is not a domain category; expected one of: primary, government, academic, trusted, low, unverified, blocked
    rules[0] of the domain policy: a category cannot be `blocked`; use [[denylist]], or block it in the graph
    line 1 of the domain policy: missing field `patterns`
    rules[0] of the domain policy: `a*.com` cannot be used as a domain pattern: a `*` may only stand for the whole first part, as in *.example.com
    denylist[0] of the domain policy: `*.com` cannot be used as a domain pattern: com is a public suffix, shared by sites of unrelated owners
    user_overrides[0] of the domain policy: `*.a.com` is a pattern; name one host, or use [[rules]]
    user_overrides[0] of the domain policy: qps must be above 0, not 0
    line 3 of the domain policy: invalid value: integer `-1`, expected u32
    line 1 of the domain policy: unclosed array table, expected `]`
    line 2 of the domain policy: duplicate key
    "##
    );
}

/// A user's policy file that is looked at on every question.
struct UserFile {
    dir: TempDir,
    policy: PolicyFile,
}

impl UserFile {
    fn with(text: Option<&str>) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("domains.toml");
        if let Some(text) = text {
            fs::write(&path, text).unwrap();
        }
        let policy = PolicyFile::open(Some(&path)).looking_every(Duration::ZERO);
        Self { dir, policy }
    }

    fn path(&self) -> PathBuf {
        self.dir.path().join("domains.toml")
    }

    fn write(&self, text: &str) {
        fs::write(self.path(), text).unwrap();
    }

    fn category(&self, host: &str) -> DomainCategory {
        let policy = self.policy.current();
        evidence::domain::decide(host, &policy, &[], None).category
    }
}

const GREEN: &str = "[[user_overrides]]\ndomain = 'blog.example.com'\ndomain_category = 'trusted'\nreason = '査読済み'\nadded_at = 2026-01-01\n";

#[test]
fn the_users_file_is_laid_over_the_shipped_policy() {
    let file = UserFile::with(Some(
        "[[rules]]\npatterns = ['*.example.ac.jp']\ndomain_category = 'low'\n\
         [[user_overrides]]\ndomain = 'Www.例え.jp'\ndomain_category = 'primary'\nmax_pages_per_day = 7\n\
         [[denylist]]\npatterns = ['*.spam.com']\nreason = 'copies'\n",
    ));
    assert_eq!(file.policy.problem(), None);
    assert_eq!(file.category("www.example.ac.jp"), DomainCategory::Low);
    assert_eq!(file.category("www.other.ac.jp"), DomainCategory::Academic);
    assert_eq!(file.category("www.xn--r8jz45g.jp"), DomainCategory::Primary);
    assert_eq!(file.category("例え.jp"), DomainCategory::Unverified, "an override is one host");
    assert_eq!(file.category("a.spam.com"), DomainCategory::Blocked);
    assert_eq!(file.policy.take_notes(), [], "what is there at the start is no change");
}

#[test]
fn a_changed_file_takes_effect_without_a_restart_and_says_what_changed() {
    let file = UserFile::with(None);
    assert_eq!(file.category("blog.example.com"), DomainCategory::Unverified);
    file.write(GREEN);
    assert_eq!(file.category("blog.example.com"), DomainCategory::Trusted);
    let notes = serde_json::to_string_pretty(&file.policy.take_notes()).unwrap();
    insta::assert_snapshot!(notes, @r##"
    [
      {
        "note": "reloaded",
        "changes": [
          {
            "section": "user_overrides",
            "name": "blog.example.com",
            "before": null,
            "after": "trusted (査読済み)"
          }
        ]
      }
    ]
    "##);
    assert_eq!(file.policy.take_notes(), []);
    fs::remove_file(file.path()).unwrap();
    assert_eq!(file.category("blog.example.com"), DomainCategory::Unverified);
    assert_eq!(file.policy.take_notes().len(), 1);
}

#[test]
fn a_broken_file_is_reported_once_and_the_last_good_policy_stays() {
    let file = UserFile::with(Some(GREEN));
    file.write("[[user_override]]\ndomain = 'blog.example.com'\n");
    assert_eq!(file.category("blog.example.com"), DomainCategory::Trusted);
    assert_eq!(file.category("blog.example.com"), DomainCategory::Trusted);
    let problem = "unknown key `user_override` in the top level of the domain policy; did you mean `user_overrides`?";
    assert_eq!(file.policy.problem().as_deref(), Some(problem));
    assert_eq!(
        file.policy.take_notes(),
        [PolicyNote::Refused { problem: problem.to_owned() }],
        "one note for one mistake"
    );
    file.write("[[user_overrides]]\ndomain = 'blog.example.com'\ndomain_category = 'low'\n");
    assert_eq!(file.category("blog.example.com"), DomainCategory::Low);
    assert_eq!(file.policy.problem(), None);
}

#[test]
fn a_file_broken_from_the_start_leaves_the_shipped_policy_in_force() {
    let file = UserFile::with(Some("\u{fffd} not toml"));
    assert_eq!(file.category("www.mhlw.go.jp"), DomainCategory::Government);
    assert_eq!(file.policy.take_notes().len(), 1);
}

#[test]
fn a_file_is_not_looked_at_more_often_than_asked() {
    let file = UserFile::with(None);
    let slow = PolicyFile::open(Some(&file.path())).looking_every(Duration::from_secs(3600));
    file.write(GREEN);
    assert!(slow.current().user_overrides.is_empty());
    assert_eq!(file.policy.current().user_overrides.len(), 1);
}

#[test]
fn changes_of_the_policy_are_logged_once_also_when_they_happened_between_two_runs() {
    let graph = graph();
    let path = graph.dir.path().join("domains.toml");
    let run = || {
        let file = PolicyFile::open(Some(&path));
        write(&graph, |w| w.record_policy(&file.current(), &file.take_notes()));
    };
    run();
    assert_eq!(count(&graph, "events"), 0, "the shipped policy is no change");
    fs::write(&path, GREEN).unwrap();
    run();
    run();
    assert_eq!(count(&graph, "events WHERE kind = 'policy_reload'"), 1);
    assert_eq!(
        count(
            &graph,
            "events WHERE detail ->> '$.changes[0].name' = 'blog.example.com'
             AND detail ->> '$.changes[0].after' = 'trusted (査読済み)'"
        ),
        1
    );
    fs::remove_file(&path).unwrap();
    run();
    assert_eq!(count(&graph, "events WHERE kind = 'policy_reload'"), 2);
    fs::write(&path, "denylist = 3").unwrap();
    run();
    assert_eq!(
        count(
            &graph,
            "events WHERE kind = 'policy_refused'
             AND detail ->> 'problem' = 'line 1 of the domain policy: invalid type: integer `3`, expected a sequence'"
        ),
        1
    );
}

#[test]
fn a_dangerous_pattern_blocks_the_whole_site_and_a_person_can_lift_it() {
    let (graph, policy) = (graph(), shipped());
    let outcome = write(&graph, |w| {
        w.block_domain_recorded(
            "www.evil.example.co.jp",
            BlockReason::DangerousPattern,
            "LYRA tag in the text",
            &policy,
        )
    });
    assert_eq!(outcome, BlockOutcome::Blocked);
    assert_eq!(decided(&graph, "news.example.co.jp", &policy), "blocked (dangerous_pattern high)");
    write(&graph, |w| w.domain_unblock(&pattern("*.example.co.jp"), "checked by hand", "cli"));
    assert_eq!(decided(&graph, "news.example.co.jp", &policy), "unverified (open)");
    write(&graph, |w| w.domain_clear_override(&pattern("*.example.co.jp"), "enough", "cli"));
    assert_eq!(decided(&graph, "news.example.co.jp", &policy), "blocked (dangerous_pattern high)");
}

#[test]
fn trusted_domains_and_better_are_never_blocked_by_machine() {
    let (graph, policy) = (graph(), shipped());
    for (host, category) in [
        ("www.who.int", DomainCategory::Primary),
        ("www.mhlw.go.jp", DomainCategory::Government),
        ("arxiv.org", DomainCategory::Academic),
        ("www.asahi.com", DomainCategory::Trusted),
    ] {
        let outcome = write(&graph, |w| {
            w.block_domain_recorded(host, BlockReason::DangerousPattern, "x", &policy)
        });
        assert_eq!(outcome, BlockOutcome::Protected(category), "{host}");
    }
    assert_eq!(count(&graph, "domains"), 0);
    assert_eq!(count(&graph, "events WHERE kind = 'domain_block_withheld'"), 4);
}

#[test]
fn a_heavier_reason_replaces_a_lighter_one_and_not_the_other_way() {
    let (graph, policy) = (graph(), shipped());
    let block =
        |reason| write(&graph, |w| w.block_domain_recorded("example.com", reason, "d", &policy));
    assert_eq!(block(BlockReason::HighRejectionRate), BlockOutcome::Blocked);
    assert_eq!(block(BlockReason::HighRejectionRate), BlockOutcome::AlreadyBlocked);
    assert_eq!(block(BlockReason::DangerousPattern), BlockOutcome::Blocked);
    assert_eq!(block(BlockReason::HighRejectionRate), BlockOutcome::AlreadyBlocked);
    assert_eq!(decided(&graph, "example.com", &policy), "blocked (dangerous_pattern high)");
    assert_eq!(count(&graph, "domains WHERE original_domain_category = 'unverified'"), 1);
}

#[test]
fn a_domain_whose_sources_were_confirmed_is_low_unless_a_rule_says_more() {
    let (graph, policy) = (graph(), shipped());
    let promote = |host| write(&graph, |w| w.promote_domain(host));
    assert!(promote("www.example.com"));
    assert!(!promote("example.com"), "the site is promoted already");
    assert_eq!(decided(&graph, "blog.example.com", &policy), "low (open)");
    promote("www.mhlw.go.jp");
    assert_eq!(decided(&graph, "www.mhlw.go.jp", &policy), "government (open)");
}

fn shown(blocked: &[BlockedDomain]) -> String {
    let lines = blocked.iter().map(|it| {
        let by = it.overridden.as_ref().map_or("-".to_owned(), |it| {
            format!("{} {} lifted={}", it.by.matched_pattern, it.by.decision, it.is_overridden)
        });
        let since = it.domain_blocked_at.map_or("-".to_owned(), |it| it.to_string());
        format!(
            "{} | {} {} | {} | was {} since {since} cause={} | {by} | {}",
            it.domain,
            it.domain_block_reason,
            it.domain_unblock_risk,
            it.reason,
            it.original_domain_category,
            it.cause_id.is_some(),
            it.restore_via
        )
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn every_block_is_listed_with_its_reason_its_risk_and_the_way_back() {
    let graph = graph();
    let policy = shipped().merged_with(
        parse_policy(
            "[[denylist]]\npatterns = ['*.spam.com', 'ads.net', '*.farm.org']\nreason = '転載'",
        )
        .unwrap(),
    );
    write(&graph, |w| {
        w.block_domain_recorded("a.evil.com", BlockReason::DangerousPattern, "注入", &policy)?;
        w.block_domain_recorded("poor.jp", BlockReason::HighRejectionRate, "4 of 9", &policy)?;
        w.domain_unblock(&pattern("*.evil.com"), "reviewed", "cli")?;
        w.domain_unblock(&pattern("spam.com"), "front page only", "cli")?;
        w.domain_unblock(&pattern("*.farm.org"), "all of it", "cli")?;
        w.domain_block(&pattern("*.go.jp.example.com"), "なりすまし", "web")?;
        w.domain_block(&pattern("www.mhlw.go.jp"), "test", "mcp")
    });
    let blocked = graph.read(|r| r.blocked_domains(&policy)).unwrap();
    insta::assert_snapshot!(shown(&blocked), @r##"
    *.farm.org | denylist low | 転載 | was unverified since - cause=false | *.farm.org unblock lifted=true | feedback(domain_unblock), or the denylist in domains.toml
    *.go.jp.example.com | manual low | なりすまし | was unverified since 2026-01-15T12:00:00Z cause=true | *.go.jp.example.com block lifted=false | feedback(domain_clear_override) or feedback(domain_unblock)
    *.spam.com | denylist low | 転載 | was unverified since - cause=false | - | feedback(domain_unblock), or the denylist in domains.toml
    ads.net | denylist low | 転載 | was unverified since - cause=false | - | feedback(domain_unblock), or the denylist in domains.toml
    evil.com | dangerous_pattern high | 注入 | was unverified since 2026-01-15T12:00:00Z cause=true | *.evil.com unblock lifted=true | feedback(domain_unblock)
    poor.jp | high_rejection_rate low | 4 of 9 | was unverified since 2026-01-15T12:00:00Z cause=true | - | feedback(domain_unblock) or feedback(claim_restore)
    www.mhlw.go.jp | manual low | test | was government since 2026-01-15T12:00:00Z cause=true | www.mhlw.go.jp block lifted=false | feedback(domain_clear_override) or feedback(domain_unblock)
    "##);
    let mut wire = serde_json::to_value(&blocked[4]).unwrap();
    wire["cause_id"] = "ev_".into();
    wire["override"]["rule_id"] = "dor_".into();
    assert_eq!(
        wire,
        serde_json::json!({
            "domain": "evil.com",
            "domain_blocked_at": "2026-01-15T12:00:00Z",
            "domain_block_reason": "dangerous_pattern",
            "domain_unblock_risk": "high",
            "reason": "注入",
            "cause_id": "ev_",
            "original_domain_category": "unverified",
            "override": {
                "is_overridden": true,
                "rule_id": "dor_",
                "matched_pattern": "*.evil.com",
                "decision": "unblock",
                "reason": "reviewed",
                "updated_at": "2026-01-15T12:00:00Z"
            },
            "restore_via": "feedback(domain_unblock)"
        })
    );
}

#[test]
fn a_denied_pattern_shows_the_change_of_the_policy_that_brought_it() {
    let graph = graph();
    let policy = parse_policy("[[denylist]]\npatterns = ['*.spam.com']").unwrap();
    write(&graph, |w| w.record_policy(&shipped().merged_with(policy.clone()), &[]));
    let blocked = graph.read(|r| r.blocked_domains(&policy)).unwrap();
    assert_eq!(blocked[0].domain_blocked_at, Some(graph.now()));
    let causes = graph.read(|r| r.causes_of(blocked[0].cause_id.unwrap())).unwrap();
    assert_eq!(causes[0].kind, "policy_reload");
}

#[test]
fn rates_count_what_machines_and_people_rejected_apart_and_together() {
    let (graph, policy) = (graph(), shipped());
    let claims: Vec<ClaimId> = write(&graph, |w| {
        let hosts = ["www.example.co.jp", "example.co.jp", "News.Example.co.jp", "other.co.jp"];
        Ok((0..8).map(|n| claim_from(w, hosts[n % 4], &format!("主張 {n}"))).collect())
    });
    // Of the six claims of example.co.jp: 0 and 1 by machine, 1 and 2 by a person.
    write(&graph, |w| {
        w.reject_dangerous_claim(claims[0], "tag", &policy)?;
        w.reject_dangerous_claim(claims[1], "tag", &policy)?;
        w.claim_reject(claims[1], "wrong", &policy)?;
        w.claim_reject(claims[2], "wrong", &policy)
    });
    let rates = graph.read(|r| r.rejection_rates()).unwrap();
    let lines: Vec<String> = rates
        .iter()
        .map(|domain| {
            format!(
                "{}: {} claims, {:.3} {:.3} {:.3}",
                domain.domain,
                domain.claims,
                domain.domain_claim_security_rejection_rate,
                domain.domain_claim_manual_rejection_rate,
                domain.domain_claim_combined_rejection_rate
            )
        })
        .collect();
    assert_eq!(
        lines,
        ["example.co.jp: 6 claims, 0.333 0.333 0.500", "other.co.jp: 2 claims, 0.000 0.000 0.000"]
    );
    let one = graph.read(|r| r.rejection_rates_of("cdn.example.co.jp")).unwrap();
    assert_eq!(one, rates[0]);
    let none = graph.read(|r| r.rejection_rates_of("nowhere.com")).unwrap();
    assert_eq!((none.claims, none.domain_claim_combined_rejection_rate), (0, 0.0));
}

#[test]
fn the_log_of_overrides_lists_what_people_did_newest_first() {
    let graph = graph();
    write(&graph, |w| {
        w.domain_block(&pattern("*.example.com"), "spam", "cli")?;
        w.domain_unblock(&pattern("*.example.com"), "my mistake", "web")?;
        w.domain_clear_override(&pattern("*.example.com"), "back to the policy", "mcp")
    });
    let log = graph.read(|r| r.domain_log(10)).unwrap();
    let lines: Vec<String> = log
        .iter()
        .map(|it| format!("{:?} {} {} {}", it.action, it.domain_pattern, it.reason, it.created_by))
        .collect();
    assert_eq!(
        lines,
        [
            "DomainClearOverride *.example.com back to the policy mcp",
            "DomainUnblock *.example.com my mistake web",
            "DomainBlock *.example.com spam cli",
        ]
    );
    assert_eq!(graph.read(|r| r.domain_log(1)).unwrap(), log[..1]);
    assert_eq!(graph.read(|r| r.domain_overrides()).unwrap(), []);
    let cause = graph.read(|r| r.causes_of(log[0].cause_id)).unwrap();
    assert_eq!(cause[0].kind, "test");
}
