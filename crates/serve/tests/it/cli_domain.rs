//! `lyra domain`.

use serde_json::json;

use crate::support::{Home, own_help};
use crate::world::claims_from;

const POLICY: &str = ".config/lyra/domains.toml";

#[test]
fn help_of_domain() {
    insta::assert_snapshot!(own_help("domain"), @r"
    Explain and decide which domains may be read

    Usage: lyra domain [OPTIONS] <COMMAND>

    Commands:
      check    Say whether a host may be read, in which category, and why
      list     List what people decided about domains, then everything that blocks one
      log      Show who decided what about domains, newest first
      rates    Show how many claims of each domain were rejected, the largest share first
      block    Block a domain, whatever the policy says
      unblock  Let a domain be read that the denylist, a dangerous pattern or its rejected claims block
      clear    Take back what was decided about a pattern: policy and recorded blocks hold again
      policy   Show which domain policy is in force, and what is wrong with it if something is
      help     Print this message or the help of the given subcommand(s)

    Options:
      -h, --help  Print help

    --- exit 0
    ");
}

#[test]
fn help_of_what_domain_shows() {
    insta::assert_snapshot!(own_help("domain check"), @r"
    Say whether a host may be read, in which category, and why

    What people decided comes first (the exact host, then the longest pattern, then the newest), then
    the denylist and recorded blocks, then the rules of the policy. A category moves pages up or down in
    ranking; it never touches confidence.

    Usage: lyra domain check [OPTIONS] <HOST>

    Arguments:
      <HOST>
              A host, such as www.example.com

    Options:
      -h, --help
              Print help (see a summary with '-h')

    Examples:
      lyra domain check www.example.com
      lyra domain check 例え.jp --json

    Next: `lyra domain block|unblock PATTERN --reason TEXT` decides otherwise.
    --- exit 0
    ");
    insta::assert_snapshot!(own_help("domain list"), @r"
    List what people decided about domains, then everything that blocks one

    A block that a person lifted is listed too, with the pattern that lifts it.

    Usage: lyra domain list [OPTIONS]

    Options:
          --limit <N>
              Show at most N of each [default: the setting output.rows]

          --all
              Show all of them

      -h, --help
              Print help (see a summary with '-h')

    Example:
      lyra domain list --json

    Next: `lyra domain check HOST` explains one; `lyra domain unblock PATTERN --reason TEXT` lifts a
    block.
    --- exit 0
    ");
    insta::assert_snapshot!(own_help("domain log"), @r"
    Show who decided what about domains, newest first

    Usage: lyra domain log [OPTIONS]

    Options:
          --limit <N>  Show at most N entries [default: the setting output.rows]
          --all        Show all entries
      -h, --help       Print help

    Example:
      lyra domain log --limit 10

    Next: `lyra domain list` shows what is in force.
    --- exit 0
    ");
    insta::assert_snapshot!(own_help("domain rates"), @r"
    Show how many claims of each domain were rejected, the largest share first

    What a person set aside and what a machine rejected for danger are counted apart; a claim that both
    rejected counts once. A claim belongs to the site of the page it was taken from.

    Usage: lyra domain rates [OPTIONS] [HOST]

    Arguments:
      [HOST]
              Only the site of this host

    Options:
          --limit <N>
              Show at most N domains [default: the setting output.rows]

          --all
              Show all domains

      -h, --help
              Print help (see a summary with '-h')

    Examples:
      lyra domain rates
      lyra domain rates www.example.com --json

    Next: `lyra feedback claim-reject|claim-restore CLAIM` changes a rate.
    --- exit 0
    ");
    insta::assert_snapshot!(own_help("domain policy"), @r"
    Show which domain policy is in force, and what is wrong with it if something is

    Your own policy is the file domains.toml in the configuration folder. It is laid over the shipped
    one: what it names replaces what is said there. It is read again when it changes.

    Usage: lyra domain policy [OPTIONS]

    Options:
          --default
              Print the commented policy that comes with Lyra

      -h, --help
              Print help (see a summary with '-h')

    Examples:
      lyra domain policy
      lyra domain policy --default > domains.toml

    Next: `lyra domain check HOST` shows which rule gives a host its category.
    --- exit 0
    ");
}

#[test]
fn help_of_what_domain_decides() {
    insta::assert_snapshot!(own_help("domain block"), @r#"
    Block a domain, whatever the policy says

    Nothing new is fetched from it. What was found there before stays, with its confidence. The decision
    is kept in the graph with its reason.

    Usage: lyra domain block [OPTIONS] --reason <TEXT> <PATTERN>

    Arguments:
      <PATTERN>
              `example.com` for that host alone, `*.example.com` for it and everything below

    Options:
          --reason <TEXT>
              Why, or `-` to read it from stdin

      -h, --help
              Print help (see a summary with '-h')

    Examples:
      lyra domain block spam.example.com --reason "copies other sites"
      lyra domain block '*.example.com' --reason "all of it"

    Next: `lyra domain check HOST` explains what holds now; `lyra domain clear PATTERN --reason TEXT`
    takes it back.
    --- exit 0
    "#);
    insta::assert_snapshot!(own_help("domain unblock"), @r#"
    Let a domain be read that the denylist, a dangerous pattern or its rejected claims block

    The block stays on record, and the answer names the risk of lifting it.

    Usage: lyra domain unblock [OPTIONS] --reason <TEXT> <PATTERN>

    Arguments:
      <PATTERN>
              `example.com` for that host alone, `*.example.com` for it and everything below

    Options:
          --reason <TEXT>
              Why, or `-` to read it from stdin

      -h, --help
              Print help (see a summary with '-h')

    Example:
      lyra domain unblock example.com --reason "reviewed by hand"

    Next: `lyra domain check HOST` explains what holds now; `lyra domain clear PATTERN --reason TEXT`
    takes it back.
    --- exit 0
    "#);
    insta::assert_snapshot!(own_help("domain clear"), @r#"
    Take back what was decided about a pattern: policy and recorded blocks hold again

    Usage: lyra domain clear [OPTIONS] --reason <TEXT> <PATTERN>

    Arguments:
      <PATTERN>  `example.com` for that host alone, `*.example.com` for it and everything below

    Options:
          --reason <TEXT>  Why, or `-` to read it from stdin
      -h, --help           Print help

    Example:
      lyra domain clear '*.example.com' --reason "the site changed hands"

    Next: `lyra domain list` shows what is decided.
    --- exit 0
    "#);
}

#[test]
fn a_host_is_explained_by_the_rule_that_names_it() {
    let home = Home::new();
    insta::assert_snapshot!(home.run("domain check WWW.mhlw.go.jp."), @r"
    Host           www.mhlw.go.jp
    Site           mhlw.go.jp
    May be read    yes
    Category       government (weight 0.95)
    Category from  the rule *.go.jp
    Override       none
    --- exit 0
    ");
    insta::assert_snapshot!(home.run("domain check ja.wikipedia.org"), @r"
    Host           ja.wikipedia.org
    Site           wikipedia.org
    May be read    yes
    Category       low (weight 0.40)
    Category from  the rule *.wikipedia.org
    Override       none
    Limits         wikipedia_mode page
    --- exit 0
    ");
    insta::assert_snapshot!(home.run("domain check 例え.jp"), @r"
    Host           xn--r8jz45g.jp
    May be read    yes
    Category       unverified (weight 0.30)
    Category from  the default: no rule names it
    Override       none
    --- exit 0
    ");
    insta::assert_snapshot!(home.run("domain check 192.0.2.1"), @r"
    Host           192.0.2.1
    May be read    yes
    Category       unverified (weight 0.30)
    Category from  the default: no rule names it
    Override       none
    --- exit 0
    ");
    assert!(!home.data().join("lyra.db").exists());
}

#[test]
fn what_is_no_host_is_refused() {
    let home = Home::new();
    insta::assert_snapshot!(home.run("domain check https://example.com/page"), @r"
    --- stderr
    error: `https://example.com/page` is not a host: leave out the scheme, as in example.com
    --- exit 2
    ");
    insta::assert_snapshot!(home.run("domain check *.example.com"), @r"
    --- stderr
    error: `*.example.com` is not a host: it is a pattern
    hint: name one host, as in www.example.com
    --- exit 2
    ");
    insta::assert_snapshot!(home.run_arguments(&["domain", "check", ""]), @r"
    --- stderr
    error: `` is not a host: it is empty
    --- exit 2
    ");
    insta::assert_snapshot!(home.run("domain rates example.com:80"), @r"
    --- stderr
    error: `example.com:80` is not a host: leave out the port, as in example.com
    --- exit 2
    ");
}

#[test]
fn a_block_says_what_it_changes_and_saying_it_again_changes_nothing() {
    let home = Home::new();
    let line = ["domain", "block", "*.例え.jp", "--reason", "転載サイト"];
    insta::assert_snapshot!(home.run_arguments(&line), @r"
    Pattern   *.xn--r8jz45g.jp
    Decision  none → block
    Reason    転載サイト
    Effect    xn--r8jz45g.jp: unverified (weight 0.30) → blocked (manual)
    --- stderr
    Pages and claims found there stay, with their confidence.
    Take it back with: lyra domain clear '*.xn--r8jz45g.jp' --reason TEXT
    --- exit 0
    ");
    insta::assert_snapshot!(home.run_arguments(&line), @r"
    Pattern   *.xn--r8jz45g.jp
    Decision  block, as before
    Reason    転載サイト
    Effect    xn--r8jz45g.jp: blocked (manual), as before
    --- stderr
    It was decided so before, for the same reason; nothing was changed.
    --- exit 0
    ");
}

#[test]
fn a_decision_outlives_the_process_that_made_it() {
    let home = Home::new();
    let policy = graph::parse_policy("").unwrap();
    home.fill(|w| w.domain_block(&"example.com".parse().unwrap(), "copies", "web"));
    let answer = home.run("domain check example.com --json").json();
    assert_eq!(answer["decision"]["blocked"]["reason"], "manual");
    assert_eq!(answer["decision"]["blocked"]["detail"], "copies");
    assert_eq!(home.run("domain clear example.com --reason done").code, Some(0));
    let decision = home.graph().read(|r| r.decide("example.com", &policy)).unwrap();
    assert_eq!(decision.blocked, None);
}

#[test]
fn the_exact_host_comes_before_the_longest_pattern() {
    let home = Home::new();
    assert_eq!(home.run("domain unblock www.a.example.com --reason exact").code, Some(0));
    assert_eq!(home.run("domain block *.a.example.com --reason longer").code, Some(0));
    insta::assert_snapshot!(home.run("domain unblock *.example.com --reason wider"), @r"
    Pattern        *.example.com
    Decision       none → unblock
    Reason         wider
    Effect         example.com: unverified (weight 0.30), as before
    Overridden by  block *.a.example.com, unblock www.a.example.com
    --- stderr
    What spoke against it stays on record, and does not hold.
    Take it back with: lyra domain clear '*.example.com' --reason TEXT
    --- exit 0
    ");
    let by = |host: &str| {
        let decision = home.run(&format!("domain check {host} --json")).json()["decision"].clone();
        format!("{} by {}", decision["category"], decision["override"]["matched_pattern"])
    };
    assert_eq!(by("www.a.example.com"), r#""unverified" by "www.a.example.com""#);
    assert_eq!(by("b.a.example.com"), r#""blocked" by "*.a.example.com""#);
    assert_eq!(by("example.com"), r#""unverified" by "*.example.com""#);
    insta::assert_snapshot!(home.run("domain check b.a.example.com"), @r"
    Host                b.a.example.com
    Site                example.com
    May be read         no
    Category            blocked (weight 0.00)
    Without the block   unverified (weight 0.30)
    Category from       the default: no rule names it
    Blocked by          manual *.a.example.com: longer (since 0000-00-00 00:00)
    Risk of unblocking  low
    Override            block *.a.example.com: longer (since 0000-00-00 00:00)
    --- exit 0
    ");
}

#[test]
fn an_unblock_lifts_the_denylist_and_what_it_lifts_is_shown() {
    let home = Home::new();
    home.write(POLICY, "[[denylist]]\npatterns = ['*.spam.com']\nreason = 'copies'\n");
    insta::assert_snapshot!(home.run("domain check www.spam.com"), @r"
    Host                www.spam.com
    Site                spam.com
    May be read         no
    Category            blocked (weight 0.00)
    Without the block   unverified (weight 0.30)
    Category from       the default: no rule names it
    Blocked by          denylist *.spam.com: copies
    Risk of unblocking  low
    Override            none
    --- exit 0
    ");
    insta::assert_snapshot!(home.run("domain unblock *.spam.com --reason reviewed"), @r"
    Pattern   *.spam.com
    Decision  none → unblock
    Reason    reviewed
    Effect    spam.com: blocked (denylist) → unverified (weight 0.30)
    --- stderr
    What spoke against it stays on record, and does not hold.
    Take it back with: lyra domain clear '*.spam.com' --reason TEXT
    --- exit 0
    ");
    insta::assert_snapshot!(home.run("domain check www.spam.com"), @r"
    Host                www.spam.com
    Site                spam.com
    May be read         yes
    Category            unverified (weight 0.30)
    Category from       the default: no rule names it
    Lifted block        denylist *.spam.com: copies
    Risk of unblocking  low
    Override            unblock *.spam.com: reviewed (since 0000-00-00 00:00)
    --- exit 0
    ");
    insta::assert_snapshot!(home.run("domain clear *.spam.com --reason again"), @r"
    Pattern   *.spam.com
    Decision  unblock → none
    Reason    again
    Effect    spam.com: unverified (weight 0.30) → blocked (denylist)
    --- stderr
    Policy and recorded blocks hold again; the log keeps the decision.
    Take it back with: lyra domain unblock '*.spam.com' --reason TEXT
    --- exit 0
    ");
}

#[test]
fn the_risk_of_lifting_a_dangerous_block_is_named() {
    let home = Home::new();
    home.fill(|w| {
        let claims = claims_from(w, "a.evil.com", 1)?;
        w.reject_dangerous_claim(claims[0], "hidden text", &Default::default())
    });
    insta::assert_snapshot!(home.run("domain check a.evil.com"), @r"
    Host                a.evil.com
    Site                evil.com
    May be read         no
    Category            blocked (weight 0.00)
    Without the block   unverified (weight 0.30)
    Category from       the default: no rule names it
    Blocked by          dangerous_pattern: hidden text (since 0000-00-00 00:00)
    Risk of unblocking  high
    Override            none
    Rejected claims     1 of 1 (100 %)
    --- exit 0
    ");
    insta::assert_snapshot!(home.run("domain unblock *.evil.com --reason reviewed"), @r"
    Pattern   *.evil.com
    Decision  none → unblock
    Reason    reviewed
    Effect    evil.com: blocked (dangerous_pattern) → unverified (weight 0.30)
    Risk      high, it lifts dangerous_pattern: hidden text (since 0000-00-00 00:00)
    Claims    1 brought back
    --- stderr
    What spoke against it stays on record, and does not hold.
    Take it back with: lyra domain clear '*.evil.com' --reason TEXT
    --- exit 0
    ");
}

#[test]
fn patterns_that_would_reach_too_far_are_refused_and_nothing_is_created() {
    let home = Home::new();
    insta::assert_snapshot!(home.run("domain block * --reason r"), @r"
    --- stderr
    error: `*` cannot be used as a domain pattern: it would match every domain
    hint: `example.com` is that host alone, `*.example.com` is it and everything below; nothing was changed
    --- exit 2
    ");
    let refusals: Vec<String> =
        ["*.*", "*.com", "com", "*.co.jp", "ex*mple.com", "192.0.2.1", "", " ", "https://a.com"]
            .map(|pattern| {
                let answer = home.run_arguments(&["domain", "block", pattern, "--reason", "r"]);
                assert_eq!(answer.code, Some(2), "{answer}");
                answer.stderr.lines().next().unwrap().to_owned()
            })
            .into();
    insta::assert_snapshot!(refusals.join("\n"), @r"
    error: `*.*` cannot be used as a domain pattern: it would match every domain
    error: `*.com` cannot be used as a domain pattern: com is a public suffix, shared by sites of unrelated owners
    error: `com` cannot be used as a domain pattern: com is a public suffix, shared by sites of unrelated owners
    error: `*.co.jp` cannot be used as a domain pattern: co.jp is a public suffix, shared by sites of unrelated owners
    error: `ex*mple.com` cannot be used as a domain pattern: a `*` may only stand for the whole first part, as in *.example.com
    error: `192.0.2.1` cannot be used as a domain pattern: it is an IP address, not a domain
    error: `` cannot be used as a domain pattern: it is empty
    error: ` ` cannot be used as a domain pattern: it is empty
    error: `https://a.com` cannot be used as a domain pattern: leave out the scheme, as in example.com
    ");
    insta::assert_snapshot!(home.run("domain block example.com"), @r"
    --- stderr
    error: the following required arguments were not provided:
      --reason <TEXT>

    Usage: lyra domain block --reason <TEXT> <PATTERN>

    For more information, try '--help'.
    --- exit 2
    ");
    insta::assert_snapshot!(home.run("domain clear example.com --reason r"), @r"
    --- stderr
    error: no active override for example.com
    hint: `lyra domain list` shows what was decided
    --- exit 3
    ");
    assert!(!home.data().join("lyra.db").exists());
}

#[test]
fn what_was_decided_and_what_is_blocked_is_listed() {
    let home = Home::new();
    insta::assert_snapshot!(home.run("domain list"), @r"
    --- stderr
    Nothing was decided, and nothing is blocked.
    --- exit 0
    ");
    insta::assert_snapshot!(home.run("domain log"), @r"
    --- stderr
    Nothing was decided yet.
    --- exit 0
    ");
    home.write(POLICY, "[[denylist]]\npatterns = ['*.spam.com']\nreason = 'copies'\n");
    home.fill(|w| {
        let claims = claims_from(w, "www.example.org", 5)?;
        w.claim_reject(claims[0], "wrong", &Default::default())?;
        w.claim_reject(claims[1], "wrong", &Default::default())
    });
    assert_eq!(home.run("domain block bad.example.com --reason 転載").code, Some(0));
    assert_eq!(home.run("domain unblock *.spam.com --reason reviewed").code, Some(0));
    insta::assert_snapshot!(home.run("domain list"), @r"
    OVERRIDE         DECISION  SINCE             BY   REASON
    ────────         ────────  ─────             ──   ──────
    *.spam.com       unblock   0000-00-00 00:00  cli  reviewed
    bad.example.com  block     0000-00-00 00:00  cli  転載

    BLOCKED          BECAUSE              RISK  CATEGORY    SINCE             LIFTED BY   REASON
    ───────          ───────              ────  ────────    ─────             ─────────   ──────
    *.spam.com       denylist             low   unverified  0000-00-00 00:00  *.spam.com  copies
    bad.example.com  manual               low   unverified  0000-00-00 00:00  -           転載
    example.org      high_rejection_rate  low   unverified  0000-00-00 00:00  -           2 of 5 claims were rejected
    --- exit 0
    ");
    insta::assert_snapshot!(home.run("domain list --limit 1"), @r"
    OVERRIDE    DECISION  SINCE             BY   REASON
    ────────    ────────  ─────             ──   ──────
    *.spam.com  unblock   0000-00-00 00:00  cli  reviewed

    BLOCKED     BECAUSE   RISK  CATEGORY    SINCE             LIFTED BY   REASON
    ───────     ───────   ────  ────────    ─────             ─────────   ──────
    *.spam.com  denylist  low   unverified  0000-00-00 00:00  *.spam.com  copies
    --- stderr
    1 of 2 overrides; --all shows the rest.
    1 of 3 blocks; --all shows the rest.
    --- exit 0
    ");
    insta::assert_snapshot!(home.run("domain log --limit 1"), @r"
    TIME              ACTION   PATTERN     BY   REASON
    ────              ──────   ───────     ──   ──────
    0000-00-00 00:00  unblock  *.spam.com  cli  reviewed
    --- stderr
    1 of 2 entries; --all shows the rest.
    --- exit 0
    ");
    let document = home.run("domain list --json").json();
    assert_eq!((&document["total_overrides"], &document["total_blocked"]), (&json!(2), &json!(3)));
    let spam = &document["blocked_domains"][0];
    assert_eq!(spam["domain"], "*.spam.com");
    assert_eq!(spam["domain_block_reason"], "denylist");
    assert_eq!(spam["domain_unblock_risk"], "low");
    assert_eq!(spam["original_domain_category"], "unverified");
    assert_eq!(spam["override"]["is_overridden"], true);
    assert_eq!(
        spam["restore_via"],
        json!({ "action": "domain_unblock", "domain_pattern": "*.spam.com" })
    );
    assert!(spam["cause_id"].as_str().unwrap().starts_with("ev_"), "the reload is noted: {spam}");
    let log = home.run("domain log --json").json();
    assert_eq!(log["total"], 2);
    assert_eq!(log["events"][0]["action"], "domain_unblock");
    assert_eq!(log["events"][0]["created_by"], "cli");
}

#[test]
fn rates_are_listed_largest_first() {
    let home = Home::new();
    insta::assert_snapshot!(home.run("domain rates"), @r"
    --- stderr
    No page has claims yet.
    --- exit 0
    ");
    home.fill(|w| {
        claims_from(w, "a.example.com", 2)?;
        let claims = claims_from(w, "b.example.org", 3)?;
        w.claim_reject(claims[0], "wrong", &Default::default())?;
        w.reject_dangerous_claim(claims[0], "hidden text", &Default::default())
    });
    insta::assert_snapshot!(home.run("domain rates"), @r"
    DOMAIN       CLAIMS  REJECTED  SHARE  BY PEOPLE  FOR DANGER
    ──────       ──────  ────────  ─────  ─────────  ──────────
    example.org       3         1   33 %          1           1
    example.com       2         0    0 %          0           0
    --- stderr
    A domain is blocked above 30 % of at least 5 claims.
    --- exit 0
    ");
    insta::assert_snapshot!(home.run("domain rates WWW.example.com"), @r"
    DOMAIN       CLAIMS  REJECTED  SHARE  BY PEOPLE  FOR DANGER
    ──────       ──────  ────────  ─────  ─────────  ──────────
    example.com       2         0    0 %          0           0
    --- stderr
    A domain is blocked above 30 % of at least 5 claims.
    --- exit 0
    ");
    let document = home.run("domain rates example.org --json").json();
    assert_eq!(document["high_rejection_rate_threshold"], 0.3);
    assert_eq!(document["high_rejection_min_samples"], 5);
    assert_eq!(
        document["rejection_rates"][0],
        json!({ "domain": "example.org", "claims": 3, "security_rejected_claims": 1,
                "manual_rejected_claims": 1, "combined_rejected_claims": 1,
                "domain_claim_security_rejection_rate": 1.0 / 3.0,
                "domain_claim_manual_rejection_rate": 1.0 / 3.0,
                "domain_claim_combined_rejection_rate": 1.0 / 3.0 })
    );
}

#[test]
fn a_policy_file_is_seen_by_the_next_command_and_its_absence_too() {
    let home = Home::new();
    let category =
        || home.run("domain check www.example.com --json").json()["decision"]["category"].clone();
    assert_eq!(category(), "unverified");
    let path = home.write(
        POLICY,
        "[[user_overrides]]\ndomain = 'www.example.com'\ndomain_category = 'trusted'\nqps = 0.5\n",
    );
    insta::assert_snapshot!(home.run("domain check www.example.com"), @r"
    Host           www.example.com
    Site           example.com
    May be read    yes
    Category       trusted (weight 0.75)
    Category from  [[user_overrides]] www.example.com of domains.toml
    Override       none
    Limits         0.5 requests a second
    --- exit 0
    ");
    home.write(POLICY, "[[rules]]\npatterns = ['*.example.com']\ndomain_category = 'low'\n");
    assert_eq!(category(), "low");
    std::fs::remove_file(path).unwrap();
    assert_eq!(category(), "unverified");
}

#[test]
fn a_broken_policy_file_is_told_with_its_line_and_the_shipped_one_is_used() {
    let home = Home::new();
    home.write(POLICY, "[[denylist]]\npatterns = ['*.spam.com'\n");
    insta::assert_snapshot!(home.run("domain check www.spam.com"), @r"
    Host           www.spam.com
    Site           spam.com
    May be read    yes
    Category       unverified (weight 0.30)
    Category from  the default: no rule names it
    Override       none
    --- stderr
    warning: [home]/.config/lyra/domains.toml: line 2 of the domain policy: unclosed array, expected `]`; the shipped policy is used
    --- exit 0
    ");
    insta::assert_snapshot!(home.run("domain policy"), @r"
    File      [home]/.config/lyra/domains.toml
    State     not used because of a mistake; the shipped policy is in force
    Problem   line 2 of the domain policy: unclosed array, expected `]`
    Patterns  193 rules, 0 denied, 0 user overrides
    --- exit 0
    ");
    home.write(POLICY, "[[rules]]\npatterns = ['*.example.com']\ncategory = 'low'\n");
    let answer = home.run("domain check www.example.com --json");
    insta::assert_snapshot!(answer.stderr.replace(home.path().to_str().unwrap(), "[home]"), @r#"{"warning":"[home]/.config/lyra/domains.toml: unknown key `category` in rules[0] of the domain policy; did you mean `domain_category`?; the shipped policy is used"}"#);
    assert_eq!(answer.json()["decision"]["category"], "unverified");
    assert_eq!(home.run("domain block example.com --reason r --quiet").code, Some(0));
}

#[test]
fn the_policy_in_force_is_shown_and_the_shipped_one_printed() {
    let home = Home::new();
    insta::assert_snapshot!(home.run("domain policy"), @r"
    File      [home]/.config/lyra/domains.toml
    State     not there; the shipped policy is in force
    Patterns  193 rules, 0 denied, 0 user overrides
    --- stderr
    To change it, write that file; `lyra domain policy --default` shows the form.
    --- exit 0
    ");
    let shipped = home.run("domain policy --default");
    assert_eq!(shipped.stdout, graph::SHIPPED_POLICY);
    home.write(POLICY, &shipped.stdout);
    let document = home.run("domain policy --json").json();
    assert_eq!(document["in_force"], true);
    assert_eq!(document["problem"], json!(null));
    assert_eq!(document["denylist"], 0);
    assert_eq!(home.run("domain policy --default --json").json()["toml"], graph::SHIPPED_POLICY);
}
