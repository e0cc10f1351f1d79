//! Times as people read them: by the clock on their wall. What programs read stays in UTC.

use jiff::Timestamp;
use jiff::Zoned;
use jiff::tz::TimeZone;

/// The zone of this machine; UTC where it does not say.
pub(crate) fn zone() -> TimeZone {
    TimeZone::try_system().unwrap_or(TimeZone::UTC)
}

/// A time on the clock of this machine.
pub(crate) fn local(time: Timestamp) -> Zoned {
    time.to_zoned(zone())
}

/// To the minute, for tables.
pub(crate) fn minute(time: Timestamp) -> String {
    local(time).strftime("%Y-%m-%d %H:%M").to_string()
}

/// To the second, for tables.
pub(crate) fn second(time: Timestamp) -> String {
    local(time).strftime("%Y-%m-%d %H:%M:%S").to_string()
}

/// To the minute and with the name of the zone, where a text may be read elsewhere.
pub(crate) fn minute_and_zone(time: Timestamp) -> String {
    local(time).strftime("%Y-%m-%d %H:%M %Z").to_string()
}
