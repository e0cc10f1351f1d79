//! Making a graph of rows that survived by chance sound again.

use evidence::EventId;
use rusqlite::{Connection, params};

use super::SalvagedTable;
use super::reading::copy_event;
use crate::Result;

/// The kind of an event of which only the name is left.
const LOST_EVENT: &str = "lost";

/// The triggers that keep logs append-only, while they are off.
pub(super) struct Seals(Vec<String>);

/// Lets rows be removed from logs again: a salvaged log may hold rows about things that are lost.
pub(super) fn unseal_logs(target: &Connection) -> Result<Seals> {
    let mut statement = target.prepare(
        "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'
         AND (name GLOB '*_keep_update' OR name GLOB '*_keep_delete')",
    )?;
    let triggers: Vec<(String, String)> = statement
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<rusqlite::Result<_>>()?;
    for (name, _) in &triggers {
        target.execute_batch(&format!("DROP TRIGGER {name}"))?;
    }
    Ok(Seals(triggers.into_iter().map(|(_, sql)| sql).collect()))
}

impl Seals {
    pub(super) fn seal(self, target: &Connection) -> Result<()> {
        self.0.iter().try_for_each(|sql| target.execute_batch(sql))?;
        Ok(())
    }
}

/// Finds the causes that rows name: in the damaged log, where a single entry may be within reach
/// although the way along it is not, or by putting a stand-in in their place. Otherwise one spoiled
/// page of the log would take all the evidence with it that it caused.
pub(super) fn restore_causes(
    source: &Connection,
    target: &Connection,
    tables: &mut [SalvagedTable],
    now: &str,
) -> Result<u64> {
    let mut stand_ins = 0;
    loop {
        let missing = missing_causes(target, tables)?;
        let mut added = 0;
        for id in missing {
            let restored = if copy_event(source, target, &id)? {
                count_as_read(tables, "events");
                true
            } else {
                let stood_in = stand_in(target, &id, now)?;
                stand_ins += u64::from(stood_in);
                stood_in
            };
            added += u64::from(restored);
        }
        // Events name causes too, so those just added may ask for more.
        if added == 0 {
            return Ok(stand_ins);
        }
    }
}

fn missing_causes(target: &Connection, tables: &[SalvagedTable]) -> Result<Vec<String>> {
    let mut missing = Vec::new();
    for table in tables {
        let has_cause: bool = target.query_row(
            "SELECT count(*) FROM pragma_table_info(?1) WHERE name = 'cause_id'",
            [&table.name],
            |row| row.get(0),
        )?;
        if !has_cause {
            continue;
        }
        let sql = format!(
            "SELECT DISTINCT cause_id FROM {} WHERE cause_id NOT IN (SELECT id FROM events)",
            table.name
        );
        let mut statement = target.prepare(&sql)?;
        let ids = statement.query_map([], |row| row.get::<_, String>(0))?;
        missing.extend(ids.collect::<rusqlite::Result<Vec<_>>>()?);
    }
    missing.sort();
    missing.dedup();
    Ok(missing)
}

fn count_as_read(tables: &mut [SalvagedTable], name: &str) {
    if let Some(table) = tables.iter_mut().find(|it| it.name == name) {
        table.read += 1;
        table.lost = table.lost.map(|it| it.saturating_sub(1));
    }
}

/// All that is known of a lost event is its name; its time is that of the salvage.
fn stand_in(target: &Connection, id: &str, now: &str) -> Result<bool> {
    // What is no id at all is spoiled text, and so is the row that holds it.
    if id.parse::<EventId>().is_err() {
        return Ok(false);
    }
    let added = target.execute(
        "INSERT OR IGNORE INTO events (id, kind, created_at) VALUES (?1, ?2, ?3)",
        params![id, LOST_EVENT, now],
    )?;
    Ok(added > 0)
}

/// Clears references to lost rows where the row can do without, and removes it where it cannot,
/// until nothing refers to nothing.
pub(super) fn drop_what_hangs_in_the_air(
    target: &Connection,
    tables: &mut [SalvagedTable],
) -> Result<()> {
    loop {
        let mut changed = 0;
        for table in tables.iter_mut() {
            for reference in references(target, &table.name)? {
                let Reference { from, parent, to, optional } = reference;
                let child = &table.name;
                let dangling = format!(
                    "{child}.{from} IS NOT NULL AND NOT EXISTS
                     (SELECT 1 FROM {parent} AS parent WHERE parent.{to} = {child}.{from})"
                );
                let sql = match optional {
                    true => format!("UPDATE {child} SET {from} = NULL WHERE {dangling}"),
                    false => format!("DELETE FROM {child} WHERE {dangling}"),
                };
                let count = target.execute(&sql, [])? as u64;
                match optional {
                    true => table.cleared += count,
                    false => table.left_out += count,
                }
                changed += count;
            }
        }
        if changed == 0 {
            return Ok(());
        }
    }
}

struct Reference {
    from: String,
    parent: String,
    to: String,
    /// Stored, and allowed to be empty.
    optional: bool,
}

fn references(target: &Connection, table: &str) -> Result<Vec<Reference>> {
    let mut statement = target.prepare_cached(
        "SELECT fk.\"from\", fk.\"table\", fk.\"to\", c.hidden = 0 AND c.\"notnull\" = 0 AND c.pk = 0
         FROM pragma_foreign_key_list(?1) fk JOIN pragma_table_xinfo(?1) c ON c.name = fk.\"from\"",
    )?;
    let references = statement.query_map([table], |row| {
        Ok(Reference {
            from: row.get(0)?,
            parent: row.get(1)?,
            to: row.get(2)?,
            optional: row.get(3)?,
        })
    })?;
    Ok(references.collect::<rusqlite::Result<_>>()?)
}
