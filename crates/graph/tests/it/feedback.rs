//! What people tell the graph, what it changes, and what it leaves behind.

use evidence::domain::{DomainPolicy, UnblockRisk};
use evidence::{Adoption, ClaimId, DomainCategory, EdgeId, Id, Node, Relation, Stance};
use graph::{Cause, DomainChange, FeedbackOutcome, Graph, NewClaim, NewEdge, Writer, parse_policy};

use crate::support::{World, cite, claim, count, fragment, graph, judge, page, task, write};

fn policy() -> DomainPolicy {
    parse_policy("[[rules]]\npatterns = ['*.go.jp']\ndomain_category = 'government'").unwrap()
}

/// `total` claims taken from pages of `host`.
fn claims_from(graph: &Graph, host: &str, total: usize) -> Vec<ClaimId> {
    write(graph, |w| {
        let task = task(w, host);
        (0..total)
            .map(|n| {
                let page = page(w, host, &n.to_string(), DomainCategory::Unverified, None);
                w.record_claim(&NewClaim {
                    task_id: task,
                    text: format!("主張 {n}"),
                    language: None,
                    origin_fragment_id: Some(fragment(w, page, &format!("本文 {n}"))),
                    extraction_method: None,
                    extraction_confidence: None,
                })
            })
            .collect()
    })
}

fn reject(graph: &Graph, claim: ClaimId) -> FeedbackOutcome {
    write(graph, |w| w.claim_reject(claim, "誤り", &policy()))
}

fn restore(graph: &Graph, claim: ClaimId) -> FeedbackOutcome {
    write(graph, |w| w.claim_restore(claim, &policy()))
}

fn correct(graph: &Graph, edge: EdgeId, truth: Stance) -> FeedbackOutcome {
    write(graph, |w| w.edge_correct(edge, truth, Some("read it again")))
}

fn refused<T: std::fmt::Debug>(
    graph: &Graph,
    record: impl FnOnce(&Writer<'_>) -> graph::Result<T>,
) -> String {
    graph.write(Cause::new("test"), record).unwrap_err().to_string()
}

#[test]
fn a_decision_about_a_pattern_is_kept_with_reason_and_author_and_said_twice_adds_nothing() {
    let graph = graph();
    let pattern = "*.例え.jp".parse().unwrap();
    let first = write(&graph, |w| w.domain_block(&pattern, "  転載サイト ", "cli"));
    assert!(first.changed);
    assert_eq!(first.target, "*.xn--r8jz45g.jp");
    let events = count(&graph, "events");
    let again = write(&graph, |w| w.domain_block(&pattern, "転載サイト", "cli"));
    assert_eq!((again.changed, again.rule_id), (false, first.rule_id));
    assert_eq!(count(&graph, "events"), events);
    assert_eq!(
        count(&graph, "domain_override_rules WHERE reason = '転載サイト' AND created_by = 'cli'"),
        1
    );
    let turned = write(&graph, |w| w.domain_unblock(&pattern, "reviewed", "web"));
    assert_eq!((turned.before, turned.now), (Some("block"), Some("unblock")));
    assert_eq!(count(&graph, "domain_override_rules"), 2, "the old decision is kept, inactive");
    assert_eq!(count(&graph, "domain_override_rules WHERE is_active = 1"), 1);
    assert_eq!(count(&graph, "domain_override_events"), 2);
}

#[test]
fn clearing_what_was_never_decided_is_refused_by_name() {
    let graph = graph();
    let message =
        refused(&graph, |w| w.domain_clear_override(&"example.com".parse().unwrap(), "r", "cli"));
    assert_eq!(message, "no active override for example.com");
    assert_eq!(count(&graph, "events"), 0);
}

#[test]
fn an_unblock_tells_and_logs_the_risk_of_what_it_lifts() {
    let graph = graph();
    let claims = claims_from(&graph, "a.evil.com", 1);
    write(&graph, |w| w.reject_dangerous_claim(claims[0], "hidden text", &policy()));
    let risky = write(&graph, |w| w.domain_unblock(&"a.evil.com".parse().unwrap(), "r", "cli"));
    assert_eq!(risky.domain_unblock_risk, Some(UnblockRisk::High));
    assert_eq!(
        count(
            &graph,
            "events WHERE kind = 'domain_unblock' AND detail ->> 'domain_unblock_risk' = 'high'"
        ),
        1
    );
    let plain = write(&graph, |w| w.domain_unblock(&"good.com".parse().unwrap(), "r", "cli"));
    assert_eq!(plain.domain_unblock_risk, None);
}

#[test]
fn reasons_are_required_trimmed_and_bounded() {
    let graph = graph();
    let claim = claims_from(&graph, "a.com", 1)[0];
    let pattern = "a.com".parse().unwrap();
    let long = "長".repeat(2001);
    assert_eq!(refused(&graph, |w| w.domain_block(&pattern, " ", "x")), "the reason is empty");
    assert_eq!(refused(&graph, |w| w.claim_reject(claim, "", &policy())), "the reason is empty");
    assert_eq!(
        refused(&graph, |w| w.claim_reject(claim, &long, &policy())),
        "the reason is longer than 2000 characters"
    );
    write(&graph, |w| w.claim_reject(claim, &long[..3 * 2000], &policy()));
    assert_eq!(count(&graph, "claim_events"), 1);
}

#[test]
fn a_rejected_claim_stays_visible_with_its_reason_and_can_come_back() {
    let graph = graph();
    let claim = claims_from(&graph, "a.com", 1)[0];
    assert_eq!(graph.read(|r| r.claim(claim)).unwrap().claim_adoption_status, Adoption::Adopted);
    let outcome = reject(&graph, claim);
    assert_eq!((outcome.before, outcome.now), (Some("adopted"), Some("not_adopted")));
    let rejected = graph.read(|r| r.claim(claim)).unwrap();
    assert_eq!(rejected.claim_adoption_status, Adoption::NotAdopted);
    assert_eq!(rejected.claim_rejection_reason.as_deref(), Some("誤り"));
    assert_eq!(rejected.claim_rejected_at, Some(graph.now()));
    assert!(!reject(&graph, claim).changed, "the same reason again is nothing new");
    assert_eq!(count(&graph, "claim_events"), 1);
    write(&graph, |w| w.claim_reject(claim, "another reason", &policy()));
    assert_eq!(count(&graph, "claim_events"), 2);

    assert!(restore(&graph, claim).changed);
    assert!(!restore(&graph, claim).changed);
    let restored = graph.read(|r| r.claim(claim)).unwrap();
    assert_eq!(restored.claim_adoption_status, Adoption::Adopted);
    assert_eq!((restored.claim_rejection_reason, restored.claim_rejected_at), (None, None));
    assert_eq!(count(&graph, "claim_events WHERE kind = 'rejected' AND reason = '誤り'"), 1);
    assert_eq!(count(&graph, "claim_events WHERE kind = 'restored'"), 1);
}

#[test]
fn an_unknown_claim_or_edge_is_refused_by_name() {
    let graph = graph();
    let (claim, edge) = (ClaimId::from_parts(1, 1), EdgeId::from_parts(1, 1));
    assert_eq!(
        refused(&graph, |w| w.claim_reject(claim, "r", &policy())),
        format!("no claim {claim}")
    );
    assert_eq!(
        refused(&graph, |w| w.edge_correct(edge, Stance::Neutral, None)),
        format!("no edge {edge}")
    );
}

fn category(graph: &Graph, host: &str) -> DomainCategory {
    graph.read(|r| r.decide(host, &policy())).unwrap().category
}

#[test]
fn a_domain_is_blocked_above_thirty_per_cent_of_at_least_five_claims() {
    let graph = graph();
    // Ten claims: three rejected are 30 %, which is not above it.
    let ten = claims_from(&graph, "www.ten.com", 10);
    for claim in &ten[..3] {
        assert_eq!(reject(&graph, *claim).domain, None);
    }
    assert_eq!(category(&graph, "ten.com"), DomainCategory::Unverified);
    let effect = reject(&graph, ten[3]).domain.unwrap();
    assert_eq!((effect.domain.as_str(), effect.change), ("ten.com", DomainChange::Blocked));
    assert_eq!(effect.rates.domain_claim_manual_rejection_rate, 0.4);
    assert_eq!(category(&graph, "blog.ten.com"), DomainCategory::Blocked);
    let blocked = &graph.read(|r| r.blocked_domains(&policy())).unwrap()[0];
    assert_eq!(blocked.reason, "4 of 10 claims were rejected");
    let causes = graph.read(|r| r.causes_of(blocked.cause_id.unwrap())).unwrap();
    assert_eq!(
        causes.iter().map(|it| it.kind.as_str()).collect::<Vec<_>>(),
        ["domain_block", "test"]
    );
    assert_eq!(reject(&graph, ten[4]).domain, None, "it is blocked already");

    // Four claims are too few to say anything, five are enough.
    let four = claims_from(&graph, "four.com", 4);
    for claim in &four {
        assert_eq!(reject(&graph, *claim).domain, None);
    }
    let five = claims_from(&graph, "five.com", 5);
    assert_eq!(reject(&graph, five[0]).domain, None);
    assert_eq!(reject(&graph, five[1]).domain.unwrap().change, DomainChange::Blocked);
}

#[test]
fn restoring_claims_frees_the_domain_once_the_rate_is_low_again() {
    let graph = graph();
    let claims = claims_from(&graph, "five.com", 5);
    reject(&graph, claims[0]);
    reject(&graph, claims[1]);
    assert_eq!(category(&graph, "five.com"), DomainCategory::Blocked);
    let effect = restore(&graph, claims[1]).domain.unwrap();
    assert_eq!(effect.change, DomainChange::Freed);
    assert_eq!(category(&graph, "five.com"), DomainCategory::Unverified);
    assert_eq!(graph.read(|r| r.blocked_domains(&policy())).unwrap(), []);
    assert_eq!(count(&graph, "events WHERE kind IN ('domain_block', 'domain_free')"), 2);
    assert_eq!(reject(&graph, claims[1]).domain.unwrap().change, DomainChange::Blocked);
}

#[test]
fn restoring_claims_does_not_lift_a_block_for_danger() {
    let graph = graph();
    let claims = claims_from(&graph, "five.com", 5);
    write(&graph, |w| w.reject_dangerous_claim(claims[0], "tag", &policy()));
    reject(&graph, claims[1]);
    assert_eq!(restore(&graph, claims[1]).domain, None);
    assert_eq!(category(&graph, "five.com"), DomainCategory::Blocked);
    assert_eq!(
        count(
            &graph,
            "claims WHERE claim_security_rejected = 1 AND source_verification_reason = 'dangerous_pattern'"
        ),
        1
    );
}

#[test]
fn a_government_site_is_never_blocked_for_its_rates() {
    let graph = graph();
    let claims = claims_from(&graph, "www.mhlw.go.jp", 5);
    reject(&graph, claims[0]);
    assert_eq!(reject(&graph, claims[1]).domain.unwrap().change, DomainChange::Protected);
    assert_eq!(category(&graph, "www.mhlw.go.jp"), DomainCategory::Government);
}

#[test]
fn a_persons_unblock_outlives_the_rates() {
    let graph = graph();
    let claims = claims_from(&graph, "five.com", 5);
    write(&graph, |w| w.domain_unblock(&"*.five.com".parse().unwrap(), "I know them", "cli"));
    for claim in &claims {
        reject(&graph, *claim);
    }
    assert_eq!(category(&graph, "five.com"), DomainCategory::Unverified);
    let blocked = graph.read(|r| r.blocked_domains(&policy())).unwrap();
    assert!(blocked[0].overridden.as_ref().unwrap().is_overridden);
}

/// A passage the judge thinks supports a claim.
fn judged() -> (World, EdgeId, ClaimId) {
    let graph = graph();
    let (edge, claim) = write(&graph, |w| {
        let page = page(w, "a.com", "a", DomainCategory::Unverified, None);
        let claim = claim(w, task(w, "q"), "緑茶は血圧を下げる");
        let passage = fragment(w, page, "血圧への効果は見られなかった");
        Ok((judge(w, passage, claim, Stance::Supports, 0.8), claim))
    });
    (graph, edge, claim)
}

#[test]
fn a_correction_takes_effect_at_once_with_full_certainty() {
    let (graph, edge, claim) = judged();
    let outcome = correct(&graph, edge, Stance::Refutes);
    assert_eq!((outcome.before, outcome.now), (Some("supports"), Some("refutes")));
    let now = graph.read(|r| r.edge(edge)).unwrap();
    assert_eq!(now.relation, Relation::Refutes);
    assert_eq!(now.nli_confidence, Some(1.0));
    assert!(now.edge_human_corrected);
    let confidence = graph.read(|r| r.confidence_of(claim)).unwrap();
    assert_eq!((confidence.alpha, confidence.beta), (1.0, 2.0));
    assert_eq!(
        count(
            &graph,
            "edges WHERE nli_label = 'refutes' AND nli_confidence_raw = 0.8
             AND edge_correction_reason = 'read it again' AND edge_corrected_at IS NOT NULL"
        ),
        1
    );
}

#[test]
fn every_correction_is_a_sample_of_what_the_judge_had_said() {
    let (graph, edge, _) = judged();
    assert!(correct(&graph, edge, Stance::Supports).changed, "confirmed, and now certain");
    assert!(!correct(&graph, edge, Stance::Supports).changed);
    correct(&graph, edge, Stance::Refutes);
    assert_eq!(
        count(
            &graph,
            "nli_corrections WHERE premise = '血圧への効果は見られなかった' AND hypothesis = '緑茶は血圧を下げる'
             AND predicted_label = 'supports' AND predicted_confidence = 0.8 AND reason = 'read it again'"
        ),
        3
    );
    assert_eq!(count(&graph, "nli_corrections WHERE correct_label = 'supports'"), 2);
    assert_eq!(count(&graph, "nli_corrections WHERE correct_label = 'refutes'"), 1);
}

#[test]
fn a_corrected_pair_is_not_judged_again() {
    let (graph, edge, _) = judged();
    correct(&graph, edge, Stance::Refutes);
    let before = graph.read(|r| r.edge(edge)).unwrap();
    let (Node::Fragment(passage), Node::Claim(claim)) = (before.source, before.target) else {
        panic!("{before:?}");
    };
    for stance in [Stance::Supports, Stance::Refutes, Stance::Neutral] {
        let again = write(&graph, |w| Ok(judge(w, passage, claim, stance, 0.7)));
        assert_eq!(again, edge, "{stance}");
    }
    assert_eq!(count(&graph, "edges"), 1);
    assert_eq!(graph.read(|r| r.edge(edge)).unwrap(), before);
}

#[test]
fn a_correction_settles_the_pair_and_other_judgements_move_into_the_log() {
    let (graph, edge, claim) = judged();
    let passage = graph.read(|r| r.edge(edge)).unwrap().source;
    let second = |stance, confidence| NewEdge::Stance {
        source: passage,
        target: claim,
        stance,
        confidence,
        model: "second-judge".to_owned(),
        kind: None,
        about: true,
    };
    let (refuting, neutral) = write(&graph, |w| {
        Ok((w.add_edge(&second(Stance::Refutes, 0.6))?, w.add_edge(&second(Stance::Neutral, 0.5))?))
    });
    let outcome = correct(&graph, edge, Stance::Refutes);
    assert_eq!(outcome.superseded_edges, [refuting, neutral]);
    assert_eq!(count(&graph, "edges"), 1);
    let confidence = graph.read(|r| r.confidence_of(claim)).unwrap();
    assert_eq!((confidence.beta, confidence.evidence_count), (2.0, 1));
    assert_eq!(
        count(
            &graph,
            &format!(
                "events WHERE kind = 'edge_superseded' AND subject_id = '{refuting}'
                 AND detail ->> 'by' = '{edge}' AND detail ->> '$.edge.relation' = 'refutes'
                 AND detail ->> '$.edge.nli_confidence_raw' = 0.6 AND detail ->> '$.edge.nli_model' = 'second-judge'"
            )
        ),
        1
    );
}

#[test]
fn other_pairs_of_the_claim_are_left_alone() {
    let (graph, edge, claim) = judged();
    let other = write(&graph, |w| {
        let page = page(w, "b.com", "b", DomainCategory::Unverified, None);
        Ok(judge(w, fragment(w, page, "another passage"), claim, Stance::Supports, 0.9))
    });
    let before = graph.read(|r| r.edge(other)).unwrap();
    assert_eq!(correct(&graph, edge, Stance::Neutral).superseded_edges, []);
    assert_eq!(graph.read(|r| r.edge(other)).unwrap(), before);
}

#[test]
fn a_claim_can_be_the_premise_of_a_correction() {
    let (graph, _, claim) = judged();
    let edge = write(&graph, |w| {
        let task = w.claim(claim)?.task_id;
        w.add_edge(&NewEdge::Stance {
            source: Node::Claim(crate::support::claim(w, task, "緑茶に効果はない")),
            target: claim,
            stance: Stance::Neutral,
            confidence: 0.4,
            model: "m".to_owned(),
            kind: None,
            about: true,
        })
    });
    correct(&graph, edge, Stance::Refutes);
    assert_eq!(count(&graph, "nli_corrections WHERE premise = '緑茶に効果はない'"), 1);
}

#[test]
fn a_citation_cannot_be_corrected() {
    let graph = graph();
    let edge = write(&graph, |w| {
        let pages = ["a", "b"].map(|it| page(w, "a.com", it, DomainCategory::Low, None));
        Ok(cite(w, pages[0], pages[1]))
    });
    assert_eq!(
        refused(&graph, |w| w.edge_correct(edge, Stance::Supports, None)),
        "a citation is a fact, not a judgement, and cannot be corrected"
    );
    assert_eq!(count(&graph, "nli_corrections"), 0);
}
