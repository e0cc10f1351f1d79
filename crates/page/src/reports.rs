//! Reports that were gathered lately: most screens of a question are drawn from the same one, and gathering ten thousand
//! claims takes seconds. One is used again for as long as the log of the graph has nothing new.

use std::sync::{Arc, Mutex, PoisonError};

use evidence::{EventId, TaskId};
use report::{Language, Report};

/// Reports that are kept.
const KEPT: usize = 6;

/// Which report: of what, for whom, and how many findings it may have.
type Key = (TaskId, Language, usize);

#[derive(Debug, Default)]
pub(crate) struct Reports(Mutex<Vec<Kept>>);

#[derive(Debug)]
struct Kept {
    key: Key,
    /// The newest entry of the log when it was gathered.
    as_of: Option<EventId>,
    report: Arc<Report>,
}

impl Reports {
    /// The report, if nothing has happened since.
    pub(crate) fn find(&self, key: Key, now: Option<EventId>) -> Option<Arc<Report>> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = kept.iter().find(|it| it.key == key && it.as_of == now);
        found.map(|it| Arc::clone(&it.report))
    }

    pub(crate) fn keep(&self, key: Key, as_of: Option<EventId>, report: &Arc<Report>) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|it| it.key != key);
        kept.truncate(KEPT - 1);
        kept.insert(0, Kept { key, as_of, report: Arc::clone(report) });
    }
}
