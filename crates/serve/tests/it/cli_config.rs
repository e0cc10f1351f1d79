//! `lyra config`.

use std::fs;

use serde_json::json;

use crate::support::Home;

#[test]
fn help_of_config() {
    insta::assert_snapshot!(Home::new().run("config --help"), @"
    Show the settings, where they come from, and where files live

    Usage: lyra config [OPTIONS] <COMMAND>

    Commands:
      show     Show every setting with the value in force
      path     Show which files and folders are used, and whether they exist
      default  Print the commented file with every default
      help     Print this message or the help of the given subcommand(s)

    Options:
      -h, --help  Print help

    Options of every command:
          --json             Answer with one JSON document; failures too, on stderr
      -q, --quiet            Print answers and errors only
          --color <WHEN>     When to use colour [default: the setting output.color] [possible values:
                             auto, always, never]
          --data-dir <DIR>   Folder of the database and the logs
          --config <FILE>    Configuration file
          --offline          Send nothing over the network
          --set <KEY=VALUE>  Change a setting for this run, e.g. task.max_pages=40; may be repeated
    --- exit 0
    ");
}

#[test]
fn help_of_config_show() {
    insta::assert_snapshot!(Home::new().run("config show --help"), @"
    Show every setting with the value in force

    Usage: lyra config show [OPTIONS]

    Options:
          --origin  Say where each value came from
      -h, --help    Print help

    Options of every command:
          --json             Answer with one JSON document; failures too, on stderr
      -q, --quiet            Print answers and errors only
          --color <WHEN>     When to use colour [default: the setting output.color] [possible values:
                             auto, always, never]
          --data-dir <DIR>   Folder of the database and the logs
          --config <FILE>    Configuration file
          --offline          Send nothing over the network
          --set <KEY=VALUE>  Change a setting for this run, e.g. task.max_pages=40; may be repeated

    Example:
      lyra config show --origin

    Next: `lyra config default` explains each setting.
    --- exit 0
    ");
}

#[test]
fn help_of_config_path() {
    insta::assert_snapshot!(Home::new().run("config path --help"), @"
    Show which files and folders are used, and whether they exist

    Usage: lyra config path [OPTIONS]

    Options:
      -h, --help  Print help

    Options of every command:
          --json             Answer with one JSON document; failures too, on stderr
      -q, --quiet            Print answers and errors only
          --color <WHEN>     When to use colour [default: the setting output.color] [possible values:
                             auto, always, never]
          --data-dir <DIR>   Folder of the database and the logs
          --config <FILE>    Configuration file
          --offline          Send nothing over the network
          --set <KEY=VALUE>  Change a setting for this run, e.g. task.max_pages=40; may be repeated

    Example:
      lyra config path --data-dir ./here
    --- exit 0
    ");
}

#[test]
fn help_of_config_default() {
    insta::assert_snapshot!(Home::new().run("config default --help"), @"
    Print the commented file with every default

    Usage: lyra config default [OPTIONS]

    Options:
      -h, --help  Print help

    Options of every command:
          --json             Answer with one JSON document; failures too, on stderr
      -q, --quiet            Print answers and errors only
          --color <WHEN>     When to use colour [default: the setting output.color] [possible values:
                             auto, always, never]
          --data-dir <DIR>   Folder of the database and the logs
          --config <FILE>    Configuration file
          --offline          Send nothing over the network
          --set <KEY=VALUE>  Change a setting for this run, e.g. task.max_pages=40; may be repeated

    Example:
      lyra config default > my.toml && lyra --config my.toml config show --origin
    --- exit 0
    ");
}

#[test]
fn settings_are_shown_with_their_values() {
    insta::assert_snapshot!(Home::new().run("config show"), @r#"
    SETTING                                        VALUE
    ───────                                        ─────
    task.max_pages                                 120
    task.max_seconds                               3600
    task.max_text_chars                            4000
    storage.lock_wait_ms                           2000
    feedback.max_reason_chars                      2000
    domain.high_rejection_rate_threshold           0.3
    domain.high_rejection_min_samples              5
    domain.min_independent_sources                 2
    domain.policy_reload_ms                        1000
    calibration.min_samples                        30
    calibration.refit_after                        50
    calibration.method                             "platt"
    calibration.folds                              5
    calibration.bins                               10
    calibration.degradation_threshold              0.05
    calibration.enable_auto_rollback               false
    query.rows                                     50
    query.timeout_ms                               300
    query.vm_steps                                 500000
    query.bytes                                    1048576
    query.value_bytes                              1048576
    query.sql_bytes                                65536
    find.hits                                      20
    find.snippet_chars                             160
    find.text_chars                                2000
    read.max_bytes                                 20971520
    read.max_elements                              1000000
    read.max_depth                                 512
    read.max_attribute_bytes                       8192
    read.max_pdf_pages                             2000
    read.max_pdf_objects                           500000
    read.max_pdf_stream_bytes                      67108864
    read.max_pdf_unpacked_bytes                    268435456
    read.max_pdf_nesting                           32
    read.max_pdf_page_pictures                     64
    read.max_pdf_page_operators                    2000000
    read.max_text_chars                            10000000
    read.fragment_max_chars                        1200
    read.fragment_min_chars                        80
    read.max_fragments                             50000
    read.max_heading_chars                         200
    read.max_deep_link_base_bytes                  2048
    read.max_links                                 5000
    read.max_entries                               50000
    read.max_summary_chars                         1000
    read.link_context_chars                        600
    read.max_hidden_chars                          100000
    read.challenge_max_words                       220
    read.challenge_max_all_words                   500
    read.login_max_words                           300
    read.login_max_all_words                       900
    read.teaser_max_words                          450
    read.missing_max_prose_words                   120
    read.missing_max_words                         250
    read.quality_short_words                       80
    fetch.offline                                  false
    fetch.contact                                  ""
    fetch.accept_language                          "ja,en;q=0.8"
    fetch.proxy                                    ""
    fetch.allow_networks                           []
    fetch.hosts                                    []
    fetch.ca_file                                  ""
    fetch.max_body_bytes                           20971520
    fetch.max_unpacked_bytes                       20971520
    fetch.max_header_bytes                         65536
    fetch.max_redirects                            10
    fetch.timeout_ms                               60000
    fetch.connect_timeout_ms                       10000
    fetch.max_concurrent                           32
    fetch.spacing_min_ms                           1500
    fetch.spacing_max_ms                           5500
    fetch.per_second                               0.2
    fetch.burst                                    3
    fetch.per_day                                  500
    fetch.quiet_hours                              ""
    fetch.quiet_utc_offset_hours                   9
    fetch.quiet_weekends                           false
    fetch.quiet_factor                             2.0
    fetch.rest_min_minutes                         30
    fetch.rest_max_minutes                         1440
    fetch.max_wait_ms                              120000
    fetch.robots_ttl_hours                         24
    fetch.robots_max_bytes                         524288
    fetch.api_attempts                             4
    fetch.api_backoff_ms                           1000
    fetch.api_backoff_max_ms                       60000
    fetch.archive_file_bytes                       268435456
    crawl.max_depth                                2
    crawl.max_pages                                10
    crawl.max_sitemap_leads                        50
    crawl.max_waiting                              1000
    engines.disabled                               []
    engines.cache_hours                            24
    engines.result_pages                           1
    engines.enough                                 10
    engines.first                                  3
    engines.other_category                         0.3
    engines.failures_to_open                       2
    engines.open_min_minutes                       30
    engines.open_max_minutes                       120
    engines.short_share                            0.3
    engines.long_share                             0.1
    engines.max_parse_failure_rate                 0.3
    engines.demoted_factor                         0.3
    engines.min_weight_factor                      0.05
    engines.prior_answers                          3.0
    engines.weight_step                            0.05
    engines.ban_from                               0.5
    engines.ban_until                              0.2
    academic.semantic_scholar                      true
    academic.semantic_scholar_key                  "[set]"
    academic.semantic_scholar_per_second           0.33
    academic.semantic_scholar_per_second_with_key  "[set]"
    academic.semantic_scholar_per_day              5000
    academic.openalex                              true
    academic.openalex_key                          "[set]"
    academic.openalex_mailto                       ""
    academic.openalex_per_second                   5.0
    academic.openalex_per_day                      10000
    academic.default_results                       20
    academic.max_results                           200
    academic.max_pages                             4
    academic.max_references                        200
    academic.max_citations                         200
    academic.max_by_identifier                     20
    academic.batch                                 50
    academic.max_abstract_words                    10000
    academic.max_authors                           200
    academic.max_locations                         50
    academic.snippet_chars                         300
    academic.max_notes                             20
    academic.min_title_chars                       12
    academic.min_title_chars_cjk                   6
    academic.max_years_apart                       1
    apis.keys                                      "[set]"
    apis.disabled                                  []
    apis.default_results                           20
    apis.max_results                               100
    apis.max_pages                                 5
    apis.snippet_chars                             500
    apis.field_chars                               300
    apis.max_notes                                 20
    apis.max_xml_depth                             64
    apis.max_xml_elements                          200000
    folders.max_files                              100000
    folders.max_file_bytes                         20971520
    folders.max_depth                              16
    folders.max_entries                            100000
    folders.extensions                             ["md", "markdown", "txt", "text", "html", "htm", "xhtml", "pdf", "json"]
    folders.default_results                        20
    folders.max_terms                              50000
    folders.snippet_chars                          300
    folders.max_missed                             200
    search.pages_per_search                        20
    search.results_per_source                      20
    search.source_timeout_seconds                  30
    search.reuse_days                              7
    search.refute_suffixes                         ["limitations", "criticism", "no effect", "refuted", "errors"]
    search.refute_suffixes_ja                      ["課題", "批判", "問題点", "反論", "誤り"]
    search.refute_variants                         3
    search.cycle_pages                             10
    search.cycles_at_once                          2
    search.min_passage_chars                       40
    search.max_passages_per_page                   200
    search.best_of_page_relevance                  0.5
    search.claims_per_passage                      2
    search.claims_per_cycle                        30
    search.claims_per_new_passage                  4
    search.hypothesis_passages                     20
    search.verbatim_confidence                     0.9
    search.retraction_confidence                   0.95
    search.narrative_similarity                    0.97
    search.narrative_min_passages                  3
    search.identifiers_per_search                  10
    search.cited_links_per_page                    20
    search.network_clients                         4
    search.cpu_slots                               0
    search.llm_share                               0.3
    search.llm_passages_per_cycle                  12
    search.llm_links_per_page                      4
    search.unsure_quality_from                     0.4
    search.unsure_quality_to                       0.6
    search.llm_quality_weight                      0.6
    expand.mirrors                                 1
    expand.scripts                                 1
    expand.synonyms                                2
    expand.related                                 1
    expand.min_mirrored_share                      0.6
    expand.max_query_chars                         200
    expand.max_words                               12
    rank.bm25_weight                               0.3
    rank.embedding_weight                          0.7
    rank.bm25_weight_ja                            0.5
    rank.embedding_weight_ja                       0.5
    rank.bm25_top_k                                150
    rank.k1                                        1.2
    rank.b                                         0.75
    rank.heading_weight                            2.0
    rank.max_quality_penalty                       0.8
    rank.knee_sensitivity                          1.0
    rank.knee_min                                  3
    rank.knee_max                                  50
    claims.min_confidence                          0.5
    claims.max_claims                              12
    claims.min_words                               3
    claims.max_words                               70
    claims.min_characters                          10
    claims.max_characters                          220
    same.min_overlap                               0.8
    same.min_similarity                            0.9
    same.min_overlap_when_similar                  0.6
    stance.passages_per_claim                      8
    stance.passages_per_document                   2
    stance.min_similarity                          0.3
    stance.rule_min_overlap                        0.8
    stance.rule_confidence                         0.6
    stance.rule_min_mutual                         0.5
    stance.rule_min_words                          4
    satisfaction.wanted_sources                    3
    satisfaction.sources_weight                    0.7
    satisfaction.primary_weight                    0.3
    satisfaction.satisfied_at                      0.8
    novelty.window                                 20
    novelty.cycle                                  10
    novelty.least                                  0.1
    novelty.dry_cycles                             2
    novelty.ngram                                  3
    novelty.falling_cycles                         3
    novelty.exploration                            1.0
    near.threshold                                 0.5
    near.min_shingles                              30
    near.max_compared                              64
    citations.top_papers                           5
    citations.depth                                1
    citations.direction                            "both"
    citations.min_citations                        0
    citations.stage_1_keep                         30
    citations.stage_1_similarity_weight            0.5
    citations.stage_1_impact_weight                0.5
    citations.stage_2_keep                         10
    citations.stage_2_usefulness_weight            0.5
    citations.stage_2_similarity_weight            0.3
    citations.stage_2_impact_weight                0.2
    loops.self_reference_weight                    0.1
    loops.round_trip_weight                        0.5
    loops.cycle_weight                             0.7
    llm.url                                        ""
    llm.protocol                                   "auto"
    llm.model                                      ""
    llm.key                                        ""
    llm.allow_remote                               false
    llm.context_tokens                             8192
    llm.max_answer_tokens                          1024
    llm.max_answer_bytes                           4194304
    llm.timeout_s                                  120
    llm.retries                                    1
    llm.temperature                                0.0
    llm.seed                                       7
    llm.max_question_chars                         1000
    llm.claim_confidence                           0.8
    llm.min_grounded                               0.3
    llm.max_input_chars                            4000
    llm.max_growth                                 10
    llm.min_leak_chars                             20
    plan.expansions                                2
    plan.model_rounds                              3
    plan.queries_per_round                         3
    plan.challenged_claims                         3
    plan.dry_searches                              2
    plan.least_novelty                             0.1
    plan.draft_passages                            24
    report.min_confidence                          0.7
    report.wanted_sources                          3
    report.max_narrative_share                     0.6
    report.answer_lines                            5
    report.max_findings                            25
    report.max_quotes                              6
    report.max_quote_chars                         480
    report.max_unread                              20
    report.max_list                                100
    report.max_chain_steps                         3
    views.this_year                                0
    views.controversy_threshold                    0.2
    views.min_supports                             1
    views.hub_min_claims                           2
    views.max_hops                                 3
    views.cluster_rounds                           64
    views.recent_years                             5
    views.outdated_years                           5
    views.emerging_min_years                       2
    views.emerging_min_trend                       0.0
    views.authority_half_cited_by                  3
    views.authority_half_citations                 100
    views.authority_half_age                       10
    vectors.max_top_k                              50
    vectors.preview_chars                          200
    vectors.rescore                                100
    vectors.scan_threads                           8
    vectors.rows_per_thread                        16384
    models.embedding                               ""
    models.stance                                  ""
    models.threads                                 0
    models.batch_tokens                            960
    models.device                                  "auto"
    models.gpu_batch_tokens                        16384
    models.max_windows                             64
    models.supports_threshold                      0.0
    models.refutes_threshold                       0.0
    library.manuals                                ""
    library.vault                                  ""
    library.synonyms                               true
    library.semantic                               false
    library.semantic_sections                      20000
    library.semantic_chars                         400
    library.max_semantic                           20
    library.max_file_bytes                         16777216
    library.max_files                              50000
    library.max_depth                              32
    library.max_query_chars                        1000
    library.max_candidates                         500
    library.max_nodes_scanned                      200000
    library.max_bytes_scanned                      1073741824
    library.deadline_ms                            20000
    library.min_coverage                           0.55
    library.min_exception_coverage                 0.35
    library.min_coverage_near                      0.35
    library.near_sections                          20
    library.full_coverage                          0.9
    library.reference_depth                        2
    library.snippet_chars                          60
    library.page                                   10
    library.max_page                               50
    library.hits_tokens                            1500
    library.read_chars                             8000
    library.max_read_chars                         40000
    library.read_sections                          20
    library.scan_chars                             4000
    library.trace_keep                             100
    library.trace_hours                            24
    library.vault_file_bytes                       4194304
    library.vault_gap_lines                        40
    library.lock_wait_ms                           10000
    mcp.answer_tokens                              2000
    mcp.full_tokens                                10000
    mcp.wait_seconds                               45
    mcp.max_wait_seconds                           600
    mcp.silence_seconds                            300
    mcp.release_ms                                 3000
    mcp.library                                    []
    mcp.resource_chars                             100000
    mcp.notify_program                             ""
    mcp.http_token                                 "[set]"
    mcp.http_hosts                                 []
    mcp.http_body_bytes                            1048576
    mcp.http_sessions                              32
    mcp.http_connections                           128
    output.color                                   "auto"
    output.rows                                    50
    log.level                                      "info"
    log.keep_days                                  7
    log.archive_days                               30
    --- exit 0
    "#);
}

#[test]
fn the_origin_of_each_value_can_be_shown() {
    let home = Home::new();
    home.write(".config/lyra/config.toml", "# mine\n[task]\nmax_pages = 40\n");
    let answer = home
        .run_with(("LYRA_LOG_LEVEL", "warn"), "config show --origin --set storage.lock_wait_ms=5");
    insta::assert_snapshot!(answer, @r#"
    SETTING                                        VALUE                                                                     ORIGIN
    ───────                                        ─────                                                                     ──────
    task.max_pages                                 40                                                                        [home]/.config/lyra/config.toml:3
    task.max_seconds                               3600                                                                      default
    task.max_text_chars                            4000                                                                      default
    storage.lock_wait_ms                           5                                                                         --set
    feedback.max_reason_chars                      2000                                                                      default
    domain.high_rejection_rate_threshold           0.3                                                                       default
    domain.high_rejection_min_samples              5                                                                         default
    domain.min_independent_sources                 2                                                                         default
    domain.policy_reload_ms                        1000                                                                      default
    calibration.min_samples                        30                                                                        default
    calibration.refit_after                        50                                                                        default
    calibration.method                             "platt"                                                                   default
    calibration.folds                              5                                                                         default
    calibration.bins                               10                                                                        default
    calibration.degradation_threshold              0.05                                                                      default
    calibration.enable_auto_rollback               false                                                                     default
    query.rows                                     50                                                                        default
    query.timeout_ms                               300                                                                       default
    query.vm_steps                                 500000                                                                    default
    query.bytes                                    1048576                                                                   default
    query.value_bytes                              1048576                                                                   default
    query.sql_bytes                                65536                                                                     default
    find.hits                                      20                                                                        default
    find.snippet_chars                             160                                                                       default
    find.text_chars                                2000                                                                      default
    read.max_bytes                                 20971520                                                                  default
    read.max_elements                              1000000                                                                   default
    read.max_depth                                 512                                                                       default
    read.max_attribute_bytes                       8192                                                                      default
    read.max_pdf_pages                             2000                                                                      default
    read.max_pdf_objects                           500000                                                                    default
    read.max_pdf_stream_bytes                      67108864                                                                  default
    read.max_pdf_unpacked_bytes                    268435456                                                                 default
    read.max_pdf_nesting                           32                                                                        default
    read.max_pdf_page_pictures                     64                                                                        default
    read.max_pdf_page_operators                    2000000                                                                   default
    read.max_text_chars                            10000000                                                                  default
    read.fragment_max_chars                        1200                                                                      default
    read.fragment_min_chars                        80                                                                        default
    read.max_fragments                             50000                                                                     default
    read.max_heading_chars                         200                                                                       default
    read.max_deep_link_base_bytes                  2048                                                                      default
    read.max_links                                 5000                                                                      default
    read.max_entries                               50000                                                                     default
    read.max_summary_chars                         1000                                                                      default
    read.link_context_chars                        600                                                                       default
    read.max_hidden_chars                          100000                                                                    default
    read.challenge_max_words                       220                                                                       default
    read.challenge_max_all_words                   500                                                                       default
    read.login_max_words                           300                                                                       default
    read.login_max_all_words                       900                                                                       default
    read.teaser_max_words                          450                                                                       default
    read.missing_max_prose_words                   120                                                                       default
    read.missing_max_words                         250                                                                       default
    read.quality_short_words                       80                                                                        default
    fetch.offline                                  false                                                                     default
    fetch.contact                                  ""                                                                        default
    fetch.accept_language                          "ja,en;q=0.8"                                                             default
    fetch.proxy                                    ""                                                                        default
    fetch.allow_networks                           []                                                                        default
    fetch.hosts                                    []                                                                        default
    fetch.ca_file                                  ""                                                                        default
    fetch.max_body_bytes                           20971520                                                                  default
    fetch.max_unpacked_bytes                       20971520                                                                  default
    fetch.max_header_bytes                         65536                                                                     default
    fetch.max_redirects                            10                                                                        default
    fetch.timeout_ms                               60000                                                                     default
    fetch.connect_timeout_ms                       10000                                                                     default
    fetch.max_concurrent                           32                                                                        default
    fetch.spacing_min_ms                           1500                                                                      default
    fetch.spacing_max_ms                           5500                                                                      default
    fetch.per_second                               0.2                                                                       default
    fetch.burst                                    3                                                                         default
    fetch.per_day                                  500                                                                       default
    fetch.quiet_hours                              ""                                                                        default
    fetch.quiet_utc_offset_hours                   9                                                                         default
    fetch.quiet_weekends                           false                                                                     default
    fetch.quiet_factor                             2.0                                                                       default
    fetch.rest_min_minutes                         30                                                                        default
    fetch.rest_max_minutes                         1440                                                                      default
    fetch.max_wait_ms                              120000                                                                    default
    fetch.robots_ttl_hours                         24                                                                        default
    fetch.robots_max_bytes                         524288                                                                    default
    fetch.api_attempts                             4                                                                         default
    fetch.api_backoff_ms                           1000                                                                      default
    fetch.api_backoff_max_ms                       60000                                                                     default
    fetch.archive_file_bytes                       268435456                                                                 default
    crawl.max_depth                                2                                                                         default
    crawl.max_pages                                10                                                                        default
    crawl.max_sitemap_leads                        50                                                                        default
    crawl.max_waiting                              1000                                                                      default
    engines.disabled                               []                                                                        default
    engines.cache_hours                            24                                                                        default
    engines.result_pages                           1                                                                         default
    engines.enough                                 10                                                                        default
    engines.first                                  3                                                                         default
    engines.other_category                         0.3                                                                       default
    engines.failures_to_open                       2                                                                         default
    engines.open_min_minutes                       30                                                                        default
    engines.open_max_minutes                       120                                                                       default
    engines.short_share                            0.3                                                                       default
    engines.long_share                             0.1                                                                       default
    engines.max_parse_failure_rate                 0.3                                                                       default
    engines.demoted_factor                         0.3                                                                       default
    engines.min_weight_factor                      0.05                                                                      default
    engines.prior_answers                          3.0                                                                       default
    engines.weight_step                            0.05                                                                      default
    engines.ban_from                               0.5                                                                       default
    engines.ban_until                              0.2                                                                       default
    academic.semantic_scholar                      true                                                                      default
    academic.semantic_scholar_key                  "[set]"                                                                   default
    academic.semantic_scholar_per_second           0.33                                                                      default
    academic.semantic_scholar_per_second_with_key  "[set]"                                                                   default
    academic.semantic_scholar_per_day              5000                                                                      default
    academic.openalex                              true                                                                      default
    academic.openalex_key                          "[set]"                                                                   default
    academic.openalex_mailto                       ""                                                                        default
    academic.openalex_per_second                   5.0                                                                       default
    academic.openalex_per_day                      10000                                                                     default
    academic.default_results                       20                                                                        default
    academic.max_results                           200                                                                       default
    academic.max_pages                             4                                                                         default
    academic.max_references                        200                                                                       default
    academic.max_citations                         200                                                                       default
    academic.max_by_identifier                     20                                                                        default
    academic.batch                                 50                                                                        default
    academic.max_abstract_words                    10000                                                                     default
    academic.max_authors                           200                                                                       default
    academic.max_locations                         50                                                                        default
    academic.snippet_chars                         300                                                                       default
    academic.max_notes                             20                                                                        default
    academic.min_title_chars                       12                                                                        default
    academic.min_title_chars_cjk                   6                                                                         default
    academic.max_years_apart                       1                                                                         default
    apis.keys                                      "[set]"                                                                   default
    apis.disabled                                  []                                                                        default
    apis.default_results                           20                                                                        default
    apis.max_results                               100                                                                       default
    apis.max_pages                                 5                                                                         default
    apis.snippet_chars                             500                                                                       default
    apis.field_chars                               300                                                                       default
    apis.max_notes                                 20                                                                        default
    apis.max_xml_depth                             64                                                                        default
    apis.max_xml_elements                          200000                                                                    default
    folders.max_files                              100000                                                                    default
    folders.max_file_bytes                         20971520                                                                  default
    folders.max_depth                              16                                                                        default
    folders.max_entries                            100000                                                                    default
    folders.extensions                             ["md", "markdown", "txt", "text", "html", "htm", "xhtml", "pdf", "json"]  default
    folders.default_results                        20                                                                        default
    folders.max_terms                              50000                                                                     default
    folders.snippet_chars                          300                                                                       default
    folders.max_missed                             200                                                                       default
    search.pages_per_search                        20                                                                        default
    search.results_per_source                      20                                                                        default
    search.source_timeout_seconds                  30                                                                        default
    search.reuse_days                              7                                                                         default
    search.refute_suffixes                         ["limitations", "criticism", "no effect", "refuted", "errors"]            default
    search.refute_suffixes_ja                      ["課題", "批判", "問題点", "反論", "誤り"]                                default
    search.refute_variants                         3                                                                         default
    search.cycle_pages                             10                                                                        default
    search.cycles_at_once                          2                                                                         default
    search.min_passage_chars                       40                                                                        default
    search.max_passages_per_page                   200                                                                       default
    search.best_of_page_relevance                  0.5                                                                       default
    search.claims_per_passage                      2                                                                         default
    search.claims_per_cycle                        30                                                                        default
    search.claims_per_new_passage                  4                                                                         default
    search.hypothesis_passages                     20                                                                        default
    search.verbatim_confidence                     0.9                                                                       default
    search.retraction_confidence                   0.95                                                                      default
    search.narrative_similarity                    0.97                                                                      default
    search.narrative_min_passages                  3                                                                         default
    search.identifiers_per_search                  10                                                                        default
    search.cited_links_per_page                    20                                                                        default
    search.network_clients                         4                                                                         default
    search.cpu_slots                               0                                                                         default
    search.llm_share                               0.3                                                                       default
    search.llm_passages_per_cycle                  12                                                                        default
    search.llm_links_per_page                      4                                                                         default
    search.unsure_quality_from                     0.4                                                                       default
    search.unsure_quality_to                       0.6                                                                       default
    search.llm_quality_weight                      0.6                                                                       default
    expand.mirrors                                 1                                                                         default
    expand.scripts                                 1                                                                         default
    expand.synonyms                                2                                                                         default
    expand.related                                 1                                                                         default
    expand.min_mirrored_share                      0.6                                                                       default
    expand.max_query_chars                         200                                                                       default
    expand.max_words                               12                                                                        default
    rank.bm25_weight                               0.3                                                                       default
    rank.embedding_weight                          0.7                                                                       default
    rank.bm25_weight_ja                            0.5                                                                       default
    rank.embedding_weight_ja                       0.5                                                                       default
    rank.bm25_top_k                                150                                                                       default
    rank.k1                                        1.2                                                                       default
    rank.b                                         0.75                                                                      default
    rank.heading_weight                            2.0                                                                       default
    rank.max_quality_penalty                       0.8                                                                       default
    rank.knee_sensitivity                          1.0                                                                       default
    rank.knee_min                                  3                                                                         default
    rank.knee_max                                  50                                                                        default
    claims.min_confidence                          0.5                                                                       default
    claims.max_claims                              12                                                                        default
    claims.min_words                               3                                                                         default
    claims.max_words                               70                                                                        default
    claims.min_characters                          10                                                                        default
    claims.max_characters                          220                                                                       default
    same.min_overlap                               0.8                                                                       default
    same.min_similarity                            0.9                                                                       default
    same.min_overlap_when_similar                  0.6                                                                       default
    stance.passages_per_claim                      8                                                                         default
    stance.passages_per_document                   2                                                                         default
    stance.min_similarity                          0.3                                                                       default
    stance.rule_min_overlap                        0.8                                                                       default
    stance.rule_confidence                         0.6                                                                       default
    stance.rule_min_mutual                         0.5                                                                       default
    stance.rule_min_words                          4                                                                         default
    satisfaction.wanted_sources                    3                                                                         default
    satisfaction.sources_weight                    0.7                                                                       default
    satisfaction.primary_weight                    0.3                                                                       default
    satisfaction.satisfied_at                      0.8                                                                       default
    novelty.window                                 20                                                                        default
    novelty.cycle                                  10                                                                        default
    novelty.least                                  0.1                                                                       default
    novelty.dry_cycles                             2                                                                         default
    novelty.ngram                                  3                                                                         default
    novelty.falling_cycles                         3                                                                         default
    novelty.exploration                            1.0                                                                       default
    near.threshold                                 0.5                                                                       default
    near.min_shingles                              30                                                                        default
    near.max_compared                              64                                                                        default
    citations.top_papers                           5                                                                         default
    citations.depth                                1                                                                         default
    citations.direction                            "both"                                                                    default
    citations.min_citations                        0                                                                         default
    citations.stage_1_keep                         30                                                                        default
    citations.stage_1_similarity_weight            0.5                                                                       default
    citations.stage_1_impact_weight                0.5                                                                       default
    citations.stage_2_keep                         10                                                                        default
    citations.stage_2_usefulness_weight            0.5                                                                       default
    citations.stage_2_similarity_weight            0.3                                                                       default
    citations.stage_2_impact_weight                0.2                                                                       default
    loops.self_reference_weight                    0.1                                                                       default
    loops.round_trip_weight                        0.5                                                                       default
    loops.cycle_weight                             0.7                                                                       default
    llm.url                                        ""                                                                        default
    llm.protocol                                   "auto"                                                                    default
    llm.model                                      ""                                                                        default
    llm.key                                        ""                                                                        default
    llm.allow_remote                               false                                                                     default
    llm.context_tokens                             8192                                                                      default
    llm.max_answer_tokens                          1024                                                                      default
    llm.max_answer_bytes                           4194304                                                                   default
    llm.timeout_s                                  120                                                                       default
    llm.retries                                    1                                                                         default
    llm.temperature                                0.0                                                                       default
    llm.seed                                       7                                                                         default
    llm.max_question_chars                         1000                                                                      default
    llm.claim_confidence                           0.8                                                                       default
    llm.min_grounded                               0.3                                                                       default
    llm.max_input_chars                            4000                                                                      default
    llm.max_growth                                 10                                                                        default
    llm.min_leak_chars                             20                                                                        default
    plan.expansions                                2                                                                         default
    plan.model_rounds                              3                                                                         default
    plan.queries_per_round                         3                                                                         default
    plan.challenged_claims                         3                                                                         default
    plan.dry_searches                              2                                                                         default
    plan.least_novelty                             0.1                                                                       default
    plan.draft_passages                            24                                                                        default
    report.min_confidence                          0.7                                                                       default
    report.wanted_sources                          3                                                                         default
    report.max_narrative_share                     0.6                                                                       default
    report.answer_lines                            5                                                                         default
    report.max_findings                            25                                                                        default
    report.max_quotes                              6                                                                         default
    report.max_quote_chars                         480                                                                       default
    report.max_unread                              20                                                                        default
    report.max_list                                100                                                                       default
    report.max_chain_steps                         3                                                                         default
    views.this_year                                0                                                                         default
    views.controversy_threshold                    0.2                                                                       default
    views.min_supports                             1                                                                         default
    views.hub_min_claims                           2                                                                         default
    views.max_hops                                 3                                                                         default
    views.cluster_rounds                           64                                                                        default
    views.recent_years                             5                                                                         default
    views.outdated_years                           5                                                                         default
    views.emerging_min_years                       2                                                                         default
    views.emerging_min_trend                       0.0                                                                       default
    views.authority_half_cited_by                  3                                                                         default
    views.authority_half_citations                 100                                                                       default
    views.authority_half_age                       10                                                                        default
    vectors.max_top_k                              50                                                                        default
    vectors.preview_chars                          200                                                                       default
    vectors.rescore                                100                                                                       default
    vectors.scan_threads                           8                                                                         default
    vectors.rows_per_thread                        16384                                                                     default
    models.embedding                               ""                                                                        default
    models.stance                                  ""                                                                        default
    models.threads                                 0                                                                         default
    models.batch_tokens                            960                                                                       default
    models.device                                  "auto"                                                                    default
    models.gpu_batch_tokens                        16384                                                                     default
    models.max_windows                             64                                                                        default
    models.supports_threshold                      0.0                                                                       default
    models.refutes_threshold                       0.0                                                                       default
    library.manuals                                ""                                                                        default
    library.vault                                  ""                                                                        default
    library.synonyms                               true                                                                      default
    library.semantic                               false                                                                     default
    library.semantic_sections                      20000                                                                     default
    library.semantic_chars                         400                                                                       default
    library.max_semantic                           20                                                                        default
    library.max_file_bytes                         16777216                                                                  default
    library.max_files                              50000                                                                     default
    library.max_depth                              32                                                                        default
    library.max_query_chars                        1000                                                                      default
    library.max_candidates                         500                                                                       default
    library.max_nodes_scanned                      200000                                                                    default
    library.max_bytes_scanned                      1073741824                                                                default
    library.deadline_ms                            20000                                                                     default
    library.min_coverage                           0.55                                                                      default
    library.min_exception_coverage                 0.35                                                                      default
    library.min_coverage_near                      0.35                                                                      default
    library.near_sections                          20                                                                        default
    library.full_coverage                          0.9                                                                       default
    library.reference_depth                        2                                                                         default
    library.snippet_chars                          60                                                                        default
    library.page                                   10                                                                        default
    library.max_page                               50                                                                        default
    library.hits_tokens                            1500                                                                      default
    library.read_chars                             8000                                                                      default
    library.max_read_chars                         40000                                                                     default
    library.read_sections                          20                                                                        default
    library.scan_chars                             4000                                                                      default
    library.trace_keep                             100                                                                       default
    library.trace_hours                            24                                                                        default
    library.vault_file_bytes                       4194304                                                                   default
    library.vault_gap_lines                        40                                                                        default
    library.lock_wait_ms                           10000                                                                     default
    mcp.answer_tokens                              2000                                                                      default
    mcp.full_tokens                                10000                                                                     default
    mcp.wait_seconds                               45                                                                        default
    mcp.max_wait_seconds                           600                                                                       default
    mcp.silence_seconds                            300                                                                       default
    mcp.release_ms                                 3000                                                                      default
    mcp.library                                    []                                                                        default
    mcp.resource_chars                             100000                                                                    default
    mcp.notify_program                             ""                                                                        default
    mcp.http_token                                 "[set]"                                                                   default
    mcp.http_hosts                                 []                                                                        default
    mcp.http_body_bytes                            1048576                                                                   default
    mcp.http_sessions                              32                                                                        default
    mcp.http_connections                           128                                                                       default
    output.color                                   "auto"                                                                    default
    output.rows                                    50                                                                        default
    log.level                                      "warn"                                                                    LYRA_LOG_LEVEL
    log.keep_days                                  7                                                                         default
    log.archive_days                               30                                                                        default
    --- exit 0
    "#);
    let settings = home.run("config show --origin --json").json()["settings"].clone();
    assert_eq!(
        settings[0],
        json!({
            "key": "task.max_pages",
            "value": 40,
            "origin": format!("{}:3", home.path().join(".config/lyra/config.toml").display()),
        })
    );
    assert_eq!(
        settings[1],
        json!({ "key": "task.max_seconds", "value": 3600, "origin": "default" })
    );
}

#[test]
fn places_are_shown_with_whether_they_exist() {
    let home = Home::new();
    insta::assert_snapshot!(home.run("config path"), @r"
    PLACE           EXISTS  PATH
    ─────           ──────  ────
    config file     no      [home]/.config/lyra/config.toml
    config folder   no      [home]/.config/lyra
    domain policy   no      [home]/.config/lyra/domains.toml
    data directory  no      [home]/.local/share/lyra
    database        no      [home]/.local/share/lyra/lyra.db
    log folder      no      [home]/.local/share/lyra/logs
    --- exit 0
    ");
    home.write("here/lyra.db", "");
    insta::assert_snapshot!(home.run("config path --data-dir here --config mine.toml"), @r"
    PLACE           EXISTS  PATH
    ─────           ──────  ────
    config file     no      [home]/mine.toml
    config folder   yes     [home]
    domain policy   no      [home]/domains.toml
    data directory  yes     [home]/here
    database        yes     [home]/here/lyra.db
    log folder      no      [home]/here/logs
    --- exit 0
    ");
    let places = home.run("config path --data-dir here --json").json()["places"].clone();
    assert_eq!(
        places[3],
        json!({ "name": "data directory", "path": home.path().join("here"), "exists": true })
    );
}

#[test]
fn the_default_file_is_a_configuration_that_changes_nothing() {
    let home = Home::new();
    let printed = home.run("config default");
    assert_eq!(printed.stdout, include_str!("../../src/config/default.toml"));
    home.write("mine.toml", &printed.stdout);
    let with_file = home.run("config show --config mine.toml");
    assert_eq!(with_file.code, Some(0));
    assert_eq!(with_file.stdout, home.run("config show").stdout);
    assert_eq!(home.run("config default --json").json()["toml"], printed.stdout);
}

#[test]
fn a_configuration_that_cannot_be_used_stops_every_command_before_it_acts() {
    let home = Home::new();
    let file = ".config/lyra/config.toml";
    home.write(file, "[task]\nmax_page = 3\n");
    insta::assert_snapshot!(home.run("task new question"), @r"
    --- stderr
    error: unknown setting `task.max_page` ([home]/.config/lyra/config.toml:2)
    hint: did you mean `task.max_pages`?
    --- exit 4
    ");
    home.write(file, "[task]\nmax_pages = \"three\"\n");
    insta::assert_snapshot!(home.run("task new question"), @r#"
    --- stderr
    error: `task.max_pages` must be a whole number from 1 to 100000, not "three" ([home]/.config/lyra/config.toml:2)
    hint: `lyra config default` explains it, in section [task]
    --- exit 4
    "#);
    home.write(file, "[task\nmax_pages = 3\n");
    insta::assert_snapshot!(home.run("config show"), @r"
    --- stderr
    error: [home]/.config/lyra/config.toml:1: unclosed table, expected `]`
    hint: the file is TOML; compare it with `lyra config default`
    --- exit 4
    ");
    fs::write(home.path().join(file), b"[task]\nmax_pages = \xff\n").unwrap();
    insta::assert_snapshot!(home.run("config show"), @r"
    --- stderr
    error: cannot read the configuration file [home]/.config/lyra/config.toml
    cause: stream did not contain valid UTF-8
    hint: name another file with --config
    --- exit 4
    ");
    assert!(!home.data().exists());
}

#[test]
fn a_broken_configuration_still_lets_one_find_and_mend_it() {
    let home = Home::new();
    home.write(".config/lyra/config.toml", "nonsense");
    assert_eq!(home.run("config path").code, Some(0));
    assert_eq!(home.run("config default").code, Some(0));
}

#[test]
fn a_file_that_was_named_must_exist() {
    insta::assert_snapshot!(Home::new().run("config show --config missing.toml"), @r"
    --- stderr
    error: cannot read the configuration file [home]/missing.toml
    cause: No such file or directory (os error 2)
    hint: `lyra config default` prints a file to start from
    --- exit 4
    ");
}

#[test]
fn without_a_home_the_places_must_be_named() {
    let home = Home::new();
    let run = |arguments: &[&str]| {
        let mut command = home.command(arguments);
        home.answer(command.env_remove("HOME").output().unwrap())
    };
    insta::assert_snapshot!(run(&["task", "list"]), @r"
    --- stderr
    error: cannot tell where the configuration folder is: HOME is not set
    hint: name the file with --config or LYRA_CONFIG
    --- exit 4
    ");
    assert_eq!(run(&["task", "list", "--data-dir", "d", "--config", "/dev/null"]).code, Some(0));
}
