//! Views of the user's own: files that replace or add one, and what happens to those that fail.

use std::fs;
use std::path::{Path, PathBuf};

use graph::{Access, Graph, Options, ViewOptions, ViewOrigin, ViewSettings};
use rusqlite::Connection;
use tempfile::TempDir;

use crate::support::{claim, options, task, write};

/// A folder for the database and one for the user's views.
struct Home(TempDir);

impl Home {
    fn new() -> Self {
        let home = Self(tempfile::tempdir().unwrap());
        fs::create_dir(home.views()).unwrap();
        home
    }

    fn views(&self) -> PathBuf {
        self.0.path().join("views")
    }

    fn database(&self) -> PathBuf {
        self.0.path().join("lyra.db")
    }

    fn file(&self, name: &str) -> PathBuf {
        self.views().join(format!("{name}.sql.j2"))
    }

    fn put(&self, name: &str, text: &str) {
        fs::write(self.file(name), text).unwrap();
    }

    fn options(&self) -> Options {
        let views = ViewOptions { user_dir: Some(self.views()), settings: ViewSettings::default() };
        Options { views, ..options() }
    }

    fn open(&self) -> Graph {
        self.open_for(Access::Write)
    }

    fn open_for(&self, access: Access) -> Graph {
        Graph::open(&self.database(), access, self.options()).unwrap()
    }
}

fn problems(graph: &Graph) -> Vec<String> {
    graph.view_problems().iter().map(ToString::to_string).collect()
}

fn origin(graph: &Graph, name: &str) -> Option<ViewOrigin> {
    let views = graph.read(|r| r.views()).unwrap();
    views.into_iter().find(|it| it.name == name).map(|it| it.origin)
}

fn schema_version(database: &Path) -> i64 {
    let connection = Connection::open(database).unwrap();
    connection.pragma_query_value(None, "schema_version", |row| row.get(0)).unwrap()
}

const MINE: &str = "-- How long is each claim?
--   task_id  task the claim belongs to
--   length   characters of its text
SELECT task_id, length(claim_text) AS length FROM claims;
";

#[test]
fn a_users_file_replaces_the_shipped_view() {
    let home = Home::new();
    home.put("v_hub_pages", MINE);
    let graph = home.open();
    let task = write(&graph, |w| {
        let task = task(w, "q");
        claim(w, task, "緑茶");
        Ok(task)
    });
    assert_eq!(graph.view_problems(), []);
    assert_eq!(origin(&graph, "v_hub_pages"), Some(ViewOrigin::User(home.file("v_hub_pages"))));
    assert_eq!(origin(&graph, "v_contradictions"), Some(ViewOrigin::Shipped));
    let rows = graph.read(|r| r.query_view("v_hub_pages", Some(task), 10)).unwrap();
    assert_eq!(rows.columns, ["task_id", "length"]);
    assert_eq!(rows.rows, [[serde_json::json!(task), serde_json::json!(2)]]);
}

#[test]
fn a_users_file_of_a_new_name_adds_a_view() {
    let home = Home::new();
    home.put("v_length", MINE);
    let graph = home.open();
    let views = graph.read(|r| r.views()).unwrap();
    let mine = views.iter().find(|it| it.name == "v_length").unwrap();
    assert_eq!(views.len(), graph::SHIPPED_VIEWS.len() + 1);
    assert_eq!(mine.answers, "How long is each claim?");
    let meanings: Vec<_> = mine.columns.iter().map(|it| it.meaning.as_deref().unwrap()).collect();
    assert_eq!(meanings, ["task the claim belongs to", "characters of its text"]);
    assert_eq!(
        graph.read(|r| r.render_view("length", None)).unwrap(),
        "SELECT task_id, length(claim_text) AS length FROM claims\n"
    );
}

#[test]
fn a_shipped_template_can_be_copied_as_it_is() {
    let home = Home::new();
    for view in graph::SHIPPED_VIEWS {
        home.put(view.name, view.template);
    }
    let graph = home.open();
    assert_eq!(graph.view_problems(), []);
    let views = graph.read(|r| r.views()).unwrap();
    assert!(views.iter().all(|it| it.origin == ViewOrigin::User(home.file(&it.name))));
}

#[test]
fn a_users_view_may_stand_on_another_and_on_settings_and_shared_pieces() {
    let home = Home::new();
    home.put("v_a", "SELECT task_id, {{ max_hops }} AS hops FROM v_b");
    home.put("v_b", "{% from 'parts.sql.j2' import task_pages %}{{ task_pages() }}");
    let graph = home.open();
    assert_eq!(graph.view_problems(), []);
    let sql = graph.read(|r| r.render_view("v_a", None)).unwrap();
    assert_eq!(sql, "SELECT task_id, 3 AS hops FROM v_b\n");
}

#[test]
fn a_broken_view_is_reported_by_name_and_the_shipped_one_stays() {
    let home = Home::new();
    home.put("v_hub_pages", "SELECT task_id, no_such FROM claims");
    home.put("v_contradictions", "SELECT id FROM claims");
    home.put("v_evidence_chain", "SELECT {{ max_hops FROM claims");
    home.put("v_citation_flow", "SELECT task_id, {{ max_hop }} AS hops FROM claims");
    home.put("v_evidence_timeline", "SELECT task_id FROM claims; DROP TABLE claims");
    home.put("v_outdated_evidence", "DELETE FROM claims");
    home.put("v_orphan_sources", "PRAGMA user_version");
    home.put("v_empty", "  -- nothing\n");
    home.put("v_itself", "SELECT task_id FROM v_itself");
    home.put("v_Upper", MINE);
    home.put("claim_totals", MINE);
    fs::write(home.file("v_bytes"), b"\xff\xfe").unwrap();
    fs::write(home.views().join("notes.txt"), "not a view").unwrap();
    let graph = home.open();
    insta::assert_snapshot!(problems(&graph).join("\n"), @r#"
    claim_totals: is not named v_ followed by lower-case letters, digits or _
    v_Upper: is not named v_ followed by lower-case letters, digits or _
    v_bytes: cannot be read: it is not UTF-8 text
    v_citation_flow: the template fails: undefined value: `max_hop` is undefined (in v_citation_flow.sql.j2:1)
    v_empty: is empty
    v_evidence_chain: the template fails: syntax error: unexpected identifier, expected end of variable block (in v_evidence_chain.sql.j2:1)
    v_contradictions: has no column task_id
    v_evidence_timeline: near ";": syntax error
    v_hub_pages: no such column: no_such
    v_itself: no such table: v_itself
    v_orphan_sources: no such table: PRAGMA
    v_outdated_evidence: near "DELETE": syntax error
    "#);
    assert_eq!(graph.view_problems()[0].path, Some(home.file("claim_totals")));
    let views = graph.read(|r| r.views()).unwrap();
    assert_eq!(views.len(), graph::SHIPPED_VIEWS.len());
    assert!(views.iter().all(|it| it.origin == ViewOrigin::Shipped));
    graph.read(|r| r.query_view("v_hub_pages", None, 10)).unwrap();
}

#[test]
fn a_template_that_does_not_end_or_makes_too_much_is_reported_and_the_others_stay() {
    let home = Home::new();
    let loops = |body: &str| {
        let each = "{% for _ in range(1000) %}";
        format!("SELECT task_id{}{body}{} FROM claims", each.repeat(3), "{% endfor %}".repeat(3))
    };
    home.put("v_hub_pages", &loops(""));
    let much = "x".repeat(5000);
    home.put(
        "v_contradictions",
        &format!("-- {{% for _ in range(1000) %}}{much}{{% endfor %}}\n{MINE}"),
    );
    home.put("v_large", &format!("{MINE} -- {}", "x".repeat(300_000)));
    home.put("v_mine", MINE);
    let graph = home.open();
    insta::assert_snapshot!(problems(&graph).join("\n"), @"
    v_contradictions: the template makes more than 1000000 bytes of SQL
    v_hub_pages: the template takes more than 100000 steps
    v_large: cannot be read: it has more than 262144 bytes
    ");
    assert_eq!(origin(&graph, "v_mine"), Some(ViewOrigin::User(home.file("v_mine"))));
    assert_eq!(origin(&graph, "v_hub_pages"), Some(ViewOrigin::Shipped));
}

#[test]
fn a_view_that_would_break_another_of_the_user_is_not_taken() {
    let home = Home::new();
    home.put("v_a", "SELECT task_id, claims_supported FROM v_hub_pages");
    home.put("v_hub_pages", MINE);
    let graph = home.open();
    assert_eq!(problems(&graph), ["v_hub_pages: lacks what v_a takes from it"]);
    assert_eq!(origin(&graph, "v_hub_pages"), Some(ViewOrigin::Shipped));
}

#[test]
fn a_folder_that_is_not_there_is_no_problem_and_one_that_is_a_file_is_reported() {
    let home = Home::new();
    fs::remove_dir(home.views()).unwrap();
    assert_eq!(home.open().view_problems(), []);
    fs::write(home.views(), "").unwrap();
    let problems = problems(&home.open());
    assert_eq!(problems.len(), 1);
    assert!(problems[0].starts_with("v_*: the folder cannot be read: "), "{}", problems[0]);
}

#[test]
fn views_follow_the_files_at_the_next_opening() {
    let home = Home::new();
    home.put("v_mine", "SELECT broken");
    assert_eq!(problems(&home.open()), ["v_mine: no such column: broken"]);
    home.put("v_mine", MINE);
    home.put("v_hub_pages", MINE);
    let graph = home.open();
    assert_eq!(graph.view_problems(), []);
    assert_eq!(origin(&graph, "v_mine"), Some(ViewOrigin::User(home.file("v_mine"))));
    drop(graph);
    fs::remove_file(home.file("v_mine")).unwrap();
    fs::remove_file(home.file("v_hub_pages")).unwrap();
    let graph = home.open();
    assert_eq!(origin(&graph, "v_mine"), None);
    assert_eq!(origin(&graph, "v_hub_pages"), Some(ViewOrigin::Shipped));
    drop(graph);
    let left: i64 = Connection::open(home.database())
        .unwrap()
        .query_row("SELECT count(*) FROM sqlite_schema WHERE name = 'v_mine'", [], |row| row.get(0))
        .unwrap();
    assert_eq!(left, 0);
}

#[test]
fn problems_are_still_known_when_nothing_has_changed_since() {
    let home = Home::new();
    home.put("v_mine", "SELECT broken");
    let first = problems(&home.open());
    let version = schema_version(&home.database());
    assert_eq!(problems(&home.open()), first);
    assert_eq!(problems(&home.open_for(Access::Read)), first);
    assert_eq!(schema_version(&home.database()), version, "no view was made anew");
}

#[test]
fn a_changed_setting_changes_the_views() {
    let home = Home::new();
    let threshold = |controversy_threshold| {
        let settings = ViewSettings { controversy_threshold, ..ViewSettings::default() };
        let views = ViewOptions { user_dir: None, settings };
        let graph =
            Graph::open(&home.database(), Access::Read, Options { views, ..options() }).unwrap();
        graph.read(|r| r.render_view("v_claim_evidence_summary", None)).unwrap()
    };
    drop(home.open());
    assert!(threshold(0.2).contains("controversy >= 0.2 AS"));
    assert!(threshold(0.35).contains("controversy >= 0.35 AS"), "a reader renews them too");
}

#[test]
fn a_reader_goes_on_with_the_installed_views_while_another_writes() {
    let home = Home::new();
    let writer = home.open();
    home.put("v_mine", MINE);
    let reader = home.open_for(Access::Read);
    assert_eq!(origin(&reader, "v_mine"), None);
    let problem = &problems(&reader)[0];
    let expected = format!("v_*: not renewed, because {} is in use", home.database().display());
    assert!(problem.starts_with(&expected), "{problem}");
    drop(writer);
    let reader = home.open_for(Access::Read);
    assert_eq!(reader.view_problems(), []);
    assert_eq!(origin(&reader, "v_mine"), Some(ViewOrigin::User(home.file("v_mine"))));
}

#[test]
fn views_made_by_others_in_the_file_are_left_alone() {
    let home = Home::new();
    drop(home.open());
    let other = Connection::open(home.database()).unwrap();
    other.execute_batch("CREATE VIEW v_other AS SELECT 1 AS one").unwrap();
    home.put("v_mine", MINE);
    let graph = home.open();
    assert_eq!(origin(&graph, "v_other"), None);
    let one: i64 = other.query_row("SELECT one FROM v_other", [], |row| row.get(0)).unwrap();
    assert_eq!(one, 1);
}

#[test]
fn settings_that_make_no_view_are_refused_before_anything_is_changed() {
    let refused = |settings| {
        let home = Home::new();
        let views = ViewOptions { user_dir: None, settings };
        let error = Graph::open(&home.database(), Access::Write, Options { views, ..options() });
        error.unwrap_err().to_string()
    };
    let default = ViewSettings::default;
    assert_eq!(
        refused(ViewSettings { controversy_threshold: f64::NAN, ..default() }),
        "the view setting `controversy_threshold` must be a number from 0.001 to 0.5, not nan"
    );
    assert_eq!(
        refused(ViewSettings { max_hops: 0, ..default() }),
        "the view setting `max_hops` must be a whole number from 1 to 100, not 0"
    );
    assert_eq!(
        refused(ViewSettings { cluster_rounds: 101, ..default() }),
        "the view setting `cluster_rounds` must be a whole number from 1 to 100, not 101"
    );
    assert_eq!(
        refused(ViewSettings { authority_half_age: 0, ..default() }),
        "the view setting `authority_half_age` must be a whole number from 1 to 1000, not 0"
    );
    assert_eq!(
        refused(ViewSettings { emerging_min_trend: f64::INFINITY, ..default() }),
        "the view setting `emerging_min_trend` must be a number from -1000.0 to 1000.0, not inf"
    );
}
