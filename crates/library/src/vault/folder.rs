//! An open folder: everything is done relative to it and no link is followed by the system.
//!
//! On Unix it is a descriptor, so a folder cannot be swapped for a link between the check and the work.
//! Elsewhere it is a path whose parts were looked at one by one: the moment between is short, not zero.

#[cfg(not(unix))]
mod by_path;
#[cfg(unix)]
mod descriptor;

#[cfg(not(unix))]
pub(crate) use self::by_path::Folder;
#[cfg(unix)]
pub(crate) use self::descriptor::Folder;

/// What a name refers to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Entry {
    Missing,
    File,
    Folder,
    /// The text of the link; `None` where it is not Unicode.
    Link(Option<String>),
    /// A pipe, a socket, a device.
    Other,
}
