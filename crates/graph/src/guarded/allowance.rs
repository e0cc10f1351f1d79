//! What one query may hold in memory, enforced where SQLite allocates.
//!
//! SQLite's own heap limits count for the whole process, so one query could starve a writer. Here the limit belongs
//! to the thread that runs the query: beyond it an allocation fails, which the engine answers by ending the
//! statement. Other threads pay for a look at a thread-local number.
#![expect(unsafe_code, reason = "SQLite takes an allocator only through its C interface")]

use std::cell::Cell;
use std::ffi::{c_int, c_void};
use std::ptr;
use std::sync::OnceLock;
use std::time::Instant;

use rusqlite::ffi;

/// Bytes that SQLite may hold for one query: its page cache (16 MiB), and a few of the largest values.
pub(super) const BYTES: i64 = 64 << 20;

thread_local! {
    static HELD: Cell<Option<Held>> = const { Cell::new(None) };
}

/// The query that runs on this thread.
#[derive(Clone, Copy)]
struct Held {
    left: i64,
    refused: bool,
    deadline: Instant,
}

/// Lends this thread an allowance until it is dropped.
pub(super) struct Allowance(());

impl Allowance {
    pub(super) fn until(deadline: Instant) -> Self {
        HELD.set(Some(Held { left: BYTES, refused: false, deadline }));
        Self(())
    }
}

impl Drop for Allowance {
    fn drop(&mut self) {
        HELD.set(None);
    }
}

/// Whether the query on this thread was refused memory.
pub(super) fn is_spent() -> bool {
    HELD.get().is_some_and(|it| it.refused)
}

/// Whether the time of the query on this thread is over. For functions that take long in one step.
pub(super) fn is_late() -> bool {
    HELD.get().is_some_and(|it| Instant::now() >= it.deadline)
}

/// SQLite's own allocator, which does the work.
static SYSTEM: OnceLock<System> = OnceLock::new();

#[derive(Clone, Copy)]
struct System {
    malloc: unsafe extern "C" fn(c_int) -> *mut c_void,
    free: unsafe extern "C" fn(*mut c_void),
    realloc: unsafe extern "C" fn(*mut c_void, c_int) -> *mut c_void,
    size: unsafe extern "C" fn(*mut c_void) -> c_int,
}

/// Puts the allowance before SQLite's allocator. It has to happen before the first connection of the process; where
/// another part of it was faster, queries run without the limit, and the log says so.
pub(crate) fn install() {
    static DONE: OnceLock<()> = OnceLock::new();
    DONE.get_or_init(|| {
        if !put_before_the_allocator() {
            tracing::warn!("SQLite was used before: the memory of queries is not limited");
        }
    });
}

fn put_before_the_allocator() -> bool {
    let mut methods = ffi::sqlite3_mem_methods {
        xMalloc: None,
        xFree: None,
        xRealloc: None,
        xSize: None,
        xRoundup: None,
        xInit: None,
        xShutdown: None,
        pAppData: ptr::null_mut(),
    };
    // SAFETY: the option takes a pointer to a struct of this type and fills it.
    let code = unsafe { ffi::sqlite3_config(ffi::SQLITE_CONFIG_GETMALLOC, &raw mut methods) };
    let (Some(malloc), Some(free), Some(realloc), Some(size)) =
        (methods.xMalloc, methods.xFree, methods.xRealloc, methods.xSize)
    else {
        return false;
    };
    if code != ffi::SQLITE_OK {
        return false;
    }
    let _ = SYSTEM.set(System { malloc, free, realloc, size });
    methods.xMalloc = Some(allocate);
    methods.xFree = Some(release);
    methods.xRealloc = Some(resize);
    // SAFETY: SQLite copies the struct; its functions live as long as the program, `SYSTEM` is set before they can be
    // called, and they pass everything on to the allocator that was there before.
    unsafe { ffi::sqlite3_config(ffi::SQLITE_CONFIG_MALLOC, &raw const methods) == ffi::SQLITE_OK }
}

/// Takes `bytes` from the allowance of this thread, if there is one and it has so many left.
fn take(bytes: i64) -> bool {
    let Some(mut held) = HELD.get() else { return true };
    let enough = bytes <= held.left;
    if enough {
        held.left = (held.left - bytes).min(BYTES);
    } else {
        held.refused = true;
    }
    HELD.set(Some(held));
    enough
}

unsafe extern "C" fn allocate(bytes: c_int) -> *mut c_void {
    let Some(system) = SYSTEM.get() else { return ptr::null_mut() };
    if !take(i64::from(bytes)) {
        return ptr::null_mut();
    }
    // SAFETY: SQLite's call, passed on.
    unsafe { (system.malloc)(bytes) }
}

unsafe extern "C" fn release(block: *mut c_void) {
    let Some(system) = SYSTEM.get() else { return };
    // SAFETY: SQLite's call, passed on; the size is asked while the block is alive, and only where it is counted.
    unsafe {
        if HELD.get().is_some() {
            take(-i64::from((system.size)(block)));
        }
        (system.free)(block);
    }
}

unsafe extern "C" fn resize(block: *mut c_void, bytes: c_int) -> *mut c_void {
    let Some(system) = SYSTEM.get() else { return ptr::null_mut() };
    // SAFETY: as above. A refused or failed call leaves the block as it was.
    unsafe {
        if HELD.get().is_none() {
            return (system.realloc)(block, bytes);
        }
        let more = i64::from(bytes) - i64::from((system.size)(block));
        if !take(more) {
            return ptr::null_mut();
        }
        let moved = (system.realloc)(block, bytes);
        if moved.is_null() {
            take(-more);
        }
        moved
    }
}
