//! `lyra man`.

use std::fs;

use crate::support::Home;

#[test]
fn help_of_man() {
    insta::assert_snapshot!(Home::new().run("man --help"), @"
    Print the manual page, or write those of all commands

    Manual pages are in English; `--markdown` and `lyra COMMAND --help` are in your language.

    Usage: lyra man [OPTIONS]

    Options:
          --dir <DIR>
              Write lyra.1, lyra-task.1 and the others into this folder

          --markdown
              Print every command as one page of Markdown

      -h, --help
              Print help (see a summary with '-h')

    Options of every command:
          --json
              Answer with one JSON document; failures too, on stderr

          --json-lines
              Answer in lines of JSON: what happens, and the answer last

      -q, --quiet
              Print answers and errors only

          --color <WHEN>
              When to use colour [default: the setting output.color]
              
              [possible values: auto, always, never]

          --data-dir <DIR>
              Folder of the database and the logs

          --config <FILE>
              Configuration file

          --offline
              Send nothing over the network

          --set <KEY=VALUE>
              Change a setting for this run, e.g. task.max_pages=40; may be repeated

    Examples:
      lyra man | man -l -
      lyra man --dir ~/.local/share/man/man1
      lyra man --markdown > commands.md
    --- exit 0
    ");
}

#[test]
fn the_page_documents_the_exit_codes() {
    let answer = Home::new().run("man");
    assert_eq!((answer.code, answer.stderr.as_str()), (Some(0), ""));
    assert!(answer.stdout.contains(".TH lyra 1"), "{answer}");
    assert_eq!(Home::new().run("man --json").json()["page"], answer.stdout);
    for code in ["0  done", "7  a limit was reached", "130  interrupted (Ctrl\\-C)"] {
        assert!(answer.stdout.contains(code), "{code} is missing: {answer}");
    }
}

#[test]
fn every_command_has_a_page() {
    let home = Home::new();
    let answer = home.run("man --dir pages");
    assert_eq!((answer.code, answer.stdout.as_str()), (Some(0), ""));
    let mut pages: Vec<String> = fs::read_dir(home.path().join("pages"))
        .unwrap()
        .map(|it| it.unwrap().file_name().into_string().unwrap())
        .collect();
    pages.sort();
    insta::assert_snapshot!(pages.join("\n"), @"
    lyra-answer.1
    lyra-archive-list.1
    lyra-archive-show.1
    lyra-archive-verify.1
    lyra-archive.1
    lyra-auth-done.1
    lyra-auth-forget.1
    lyra-auth-list.1
    lyra-auth-open.1
    lyra-auth-sessions.1
    lyra-auth-skip.1
    lyra-auth.1
    lyra-backup.1
    lyra-calibration-activate.1
    lyra-calibration-evaluate.1
    lyra-calibration-evaluations.1
    lyra-calibration-fit.1
    lyra-calibration-rollback.1
    lyra-calibration-stats.1
    lyra-calibration-versions.1
    lyra-calibration.1
    lyra-claims.1
    lyra-completions.1
    lyra-config-default.1
    lyra-config-path.1
    lyra-config-show.1
    lyra-config.1
    lyra-crawl.1
    lyra-demo.1
    lyra-doctor.1
    lyra-domain-block.1
    lyra-domain-check.1
    lyra-domain-clear.1
    lyra-domain-list.1
    lyra-domain-log.1
    lyra-domain-policy.1
    lyra-domain-rates.1
    lyra-domain-unblock.1
    lyra-domain.1
    lyra-egress.1
    lyra-engines-list.1
    lyra-engines-test.1
    lyra-engines.1
    lyra-evidence.1
    lyra-export.1
    lyra-feedback-claim-reject.1
    lyra-feedback-claim-restore.1
    lyra-feedback-edge-correct.1
    lyra-feedback.1
    lyra-find.1
    lyra-gc.1
    lyra-import.1
    lyra-log.1
    lyra-man.1
    lyra-manual-audit.1
    lyra-manual-find.1
    lyra-manual-hits.1
    lyra-manual-ls.1
    lyra-manual-read.1
    lyra-manual-scan.1
    lyra-manual-toc.1
    lyra-manual.1
    lyra-mcp-install.1
    lyra-mcp-tools.1
    lyra-mcp.1
    lyra-models-add.1
    lyra-models-list.1
    lyra-models-remove.1
    lyra-models-test.1
    lyra-models-use.1
    lyra-models.1
    lyra-read.1
    lyra-refs-check.1
    lyra-refs.1
    lyra-report.1
    lyra-research.1
    lyra-restore.1
    lyra-sources-list.1
    lyra-sources-search.1
    lyra-sources.1
    lyra-sql.1
    lyra-task-delete.1
    lyra-task-list.1
    lyra-task-new.1
    lyra-task-show.1
    lyra-task-stop.1
    lyra-task.1
    lyra-vault-copy.1
    lyra-vault-coverage.1
    lyra-vault-create.1
    lyra-vault-find.1
    lyra-vault-ls.1
    lyra-vault-read.1
    lyra-vault-replace.1
    lyra-vault-scan.1
    lyra-vault-write.1
    lyra-vault.1
    lyra-versions.1
    lyra-views.1
    lyra-web.1
    lyra.1
    ");
}

#[test]
fn a_folder_that_cannot_be_written_is_named() {
    let home = Home::new();
    home.write("pages", "this is no folder");
    insta::assert_snapshot!(home.run("man --dir pages"), @r"
    --- stderr
    error: cannot write manual pages into pages
    cause: File exists (os error 17)
    hint: name a folder that you may write
    --- exit 2
    ");
}
