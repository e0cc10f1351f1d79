//! Reading columns into the types of the domain.

use std::str::FromStr;

use rusqlite::types::Type;
use rusqlite::{Row, RowIndex};

/// Parses columns that hold ids, names of enums and times.
pub(crate) trait RowExt {
    fn parse<T>(&self, column: &str) -> rusqlite::Result<T>
    where
        T: FromStr,
        T::Err: std::error::Error + Send + Sync + 'static;

    fn parse_opt<T>(&self, column: &str) -> rusqlite::Result<Option<T>>
    where
        T: FromStr,
        T::Err: std::error::Error + Send + Sync + 'static;
}

impl RowExt for Row<'_> {
    fn parse<T>(&self, column: &str) -> rusqlite::Result<T>
    where
        T: FromStr,
        T::Err: std::error::Error + Send + Sync + 'static,
    {
        let index = column.idx(self.as_ref())?;
        convert(index, self.get_ref(index)?.as_str()?)
    }

    fn parse_opt<T>(&self, column: &str) -> rusqlite::Result<Option<T>>
    where
        T: FromStr,
        T::Err: std::error::Error + Send + Sync + 'static,
    {
        let index = column.idx(self.as_ref())?;
        self.get_ref(index)?.as_str_or_null()?.map(|text| convert(index, text)).transpose()
    }
}

fn convert<T>(index: usize, text: &str) -> rusqlite::Result<T>
where
    T: FromStr,
    T::Err: std::error::Error + Send + Sync + 'static,
{
    text.parse().map_err(|error| {
        rusqlite::Error::FromSqlConversionFailure(index, Type::Text, Box::new(error))
    })
}
