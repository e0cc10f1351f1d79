//! One binary for all tests that run `lyra` as a user would. One command, one file.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop where it stands")]

mod bad_files;
mod cli;
mod cli_answer;
mod cli_archive;
mod cli_auth;
#[cfg(unix)]
mod cli_auth_open;
mod cli_backup;
mod cli_browser;
mod cli_calibration;
mod cli_claims;
mod cli_completions;
mod cli_config;
mod cli_crawl;
mod cli_demo;
mod cli_doctor;
mod cli_domain;
mod cli_egress;
mod cli_engines;
mod cli_evidence;
mod cli_export;
mod cli_feedback;
mod cli_find;
mod cli_gc;
mod cli_ids;
mod cli_import;
mod cli_japanese;
mod cli_json;
#[cfg(target_os = "linux")]
mod cli_kills;
mod cli_live;
mod cli_man;
mod cli_manual;
mod cli_models;
mod cli_printed;
mod cli_read;
mod cli_refs;
mod cli_report;
mod cli_research;
mod cli_restore;
mod cli_sandbox;
mod cli_sources;
mod cli_sql;
mod cli_task;
mod cli_task_delete;
mod cli_usage;
mod cli_versions;
mod cli_views;
mod cli_words;
mod danger;
mod demo_labels;
mod docs_book;
mod docs_runbooks;
mod docs_tasks;
mod mcp;
#[cfg(unix)]
mod mcp_auth;
mod mcp_budget;
mod mcp_callers;
mod mcp_client;
mod mcp_examples;
mod mcp_http;
mod mcp_install;
mod mcp_library;
mod mcp_malformed;
mod mcp_others;
mod mcp_search;
mod mcp_status;
#[cfg(unix)]
mod person;
mod stored_prompts;
mod support;
mod two_tasks;
mod web;
mod world;
