//! One binary for all tests that run `lyra` as a user would. One command, one file.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop where it stands")]

mod cli;
mod cli_archive;
mod cli_auth;
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
mod cli_import;
mod cli_man;
mod cli_models;
mod cli_read;
mod cli_research;
mod cli_sources;
mod cli_sql;
mod cli_task;
mod cli_views;
mod mcp;
mod mcp_budget;
mod mcp_client;
mod mcp_examples;
mod mcp_http;
mod mcp_install;
mod mcp_malformed;
mod support;
mod world;
