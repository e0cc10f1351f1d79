//! The FTS5 tokenizer `lyra`: a thin C face on [`text::tokenize`].
//!
//! FTS5 takes tokenizers only through its C interface, so this file is one of the few that may use
//! `unsafe`. It keeps no state and lends SQLite nothing that outlives a call.
#![expect(unsafe_code, reason = "FTS5 tokenizers can only be registered through the C interface")]

use std::ffi::{c_char, c_int, c_void};
use std::panic::catch_unwind;
use std::{ptr, slice};

use rusqlite::{Connection, ffi};
use text::tokenize::{self, TokenizeFor};

use crate::{Error, Result};

/// Makes `tokenize='lyra'` known to this connection.
pub(crate) fn register(connection: &Connection) -> Result<()> {
    // SAFETY: the handle is valid while `connection` is borrowed; the statement is finalized before
    // this function returns; `fts5` fills `api` with a pointer that lives as long as the database.
    let result = unsafe {
        let database = connection.handle();
        let mut api: *mut ffi::fts5_api = ptr::null_mut();
        let mut statement = ptr::null_mut();
        let code = ffi::sqlite3_prepare_v2(
            database,
            c"SELECT fts5(?1)".as_ptr(),
            -1,
            &raw mut statement,
            ptr::null_mut(),
        );
        if code == ffi::SQLITE_OK {
            ffi::sqlite3_bind_pointer(
                statement,
                1,
                (&raw mut api).cast(),
                c"fts5_api_ptr".as_ptr(),
                None,
            );
            ffi::sqlite3_step(statement);
        }
        ffi::sqlite3_finalize(statement);
        match api.as_ref().and_then(|it| it.xCreateTokenizer) {
            None if code == ffi::SQLITE_OK => ffi::SQLITE_ERROR,
            None => code,
            Some(create) => {
                let mut tokenizer = ffi::fts5_tokenizer {
                    xCreate: Some(create_instance),
                    xDelete: Some(delete_instance),
                    xTokenize: Some(tokenize),
                };
                create(api, c"lyra".as_ptr(), ptr::null_mut(), &raw mut tokenizer, None)
            }
        }
    };
    match result {
        ffi::SQLITE_OK => Ok(()),
        code => Err(Error::from(rusqlite::Error::SqliteFailure(ffi::Error::new(code), None))),
    }
}

unsafe extern "C" fn create_instance(
    _context: *mut c_void,
    _arguments: *mut *const c_char,
    _count: c_int,
    out: *mut *mut ffi::Fts5Tokenizer,
) -> c_int {
    // FTS5 wants some pointer; there is no state behind it and it is never read.
    // SAFETY: `out` is FTS5's own variable.
    unsafe { *out = ptr::dangling_mut() };
    ffi::SQLITE_OK
}

unsafe extern "C" fn delete_instance(_tokenizer: *mut ffi::Fts5Tokenizer) {}

type TokenSink =
    unsafe extern "C" fn(*mut c_void, c_int, *const c_char, c_int, c_int, c_int) -> c_int;

unsafe extern "C" fn tokenize(
    _tokenizer: *mut ffi::Fts5Tokenizer,
    context: *mut c_void,
    flags: c_int,
    text: *const c_char,
    length: c_int,
    sink: Option<TokenSink>,
) -> c_int {
    let (Some(sink), Ok(length)) = (sink, usize::try_from(length)) else {
        return ffi::SQLITE_OK;
    };
    if text.is_null() {
        return ffi::SQLITE_OK;
    }
    // SAFETY: FTS5 promises `length` readable bytes for the duration of the call.
    let bytes = unsafe { slice::from_raw_parts(text.cast::<u8>(), length) };
    let is_query = flags & ffi::FTS5_TOKENIZE_QUERY != 0;
    let purpose = if is_query { TokenizeFor::Query } else { TokenizeFor::Document };
    // A panic must not cross into C. Nothing here should panic; if it does, the statement fails.
    catch_unwind(|| {
        let mut code = ffi::SQLITE_OK;
        let mut offset = 0;
        // Text of a foreign file may not be valid UTF-8: read what is, skip what is not.
        for chunk in bytes.utf8_chunks() {
            tokenize::tokenize(chunk.valid(), purpose, |term| {
                let colocated = if term.same_position { ffi::FTS5_TOKEN_COLOCATED } else { 0 };
                // SAFETY: the term outlives the call, and FTS5 copies it.
                code = unsafe {
                    sink(
                        context,
                        colocated,
                        term.text.as_ptr().cast(),
                        to_int(term.text.len()),
                        to_int(offset + term.bytes.start),
                        to_int(offset + term.bytes.end),
                    )
                };
                code == ffi::SQLITE_OK
            });
            if code != ffi::SQLITE_OK {
                break;
            }
            offset += chunk.valid().len() + chunk.invalid().len();
        }
        code
    })
    .unwrap_or(ffi::SQLITE_ERROR)
}

/// Lengths came in as a C int, so they fit into one.
fn to_int(value: usize) -> c_int {
    c_int::try_from(value).unwrap_or(c_int::MAX)
}
