//! A zip file in memory: as much of the format as an office document needs.
//!
//! The same entries give the same bytes: every file carries the first moment the format knows.

use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};
use std::io::Write;

/// 1 January 1980, midnight: the date, and the time before it.
const MOMENT: [u8; 4] = [0, 0, 0x21, 0];
/// The version of the format that knows compression.
const VERSION: [u8; 2] = [20, 0];
/// Names are UTF-8.
const FLAGS: [u8; 2] = [0, 0x08];
const DEFLATED: [u8; 2] = [8, 0];

/// Packs files, each with its name, in this order.
pub(super) fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    for (name, bytes) in files {
        let offset = small(out.len());
        let entry = entry(name, bytes);
        out.extend(b"PK\x03\x04");
        out.extend(&entry.about);
        out.extend(name.as_bytes());
        out.extend(&entry.packed);
        directory.extend(b"PK\x01\x02");
        directory.extend(VERSION);
        directory.extend(&entry.about);
        // No comment, one disk, nothing about the file system.
        directory.extend([0; 10]);
        directory.extend(offset);
        directory.extend(name.as_bytes());
    }
    let (count, start, length) = (short(files.len()), small(out.len()), small(directory.len()));
    out.extend(directory);
    out.extend(b"PK\x05\x06\0\0\0\0");
    out.extend([count, count].concat());
    out.extend([length, start].concat());
    out.extend([0, 0]);
    out
}

struct Entry {
    /// What both headers say.
    about: Vec<u8>,
    packed: Vec<u8>,
}

fn entry(name: &str, bytes: &[u8]) -> Entry {
    let mut packer = DeflateEncoder::new(Vec::new(), Compression::default());
    packer.write_all(bytes).expect("memory takes every byte");
    let packed = packer.finish().expect("memory takes every byte");
    let mut sum = Crc::new();
    sum.update(bytes);
    let mut about = [VERSION, FLAGS, DEFLATED].concat();
    about.extend(MOMENT);
    about.extend(sum.sum().to_le_bytes());
    about.extend([small(packed.len()), small(bytes.len())].concat());
    about.extend([short(name.len()), [0, 0]].concat());
    Entry { about, packed }
}

fn small(number: usize) -> [u8; 4] {
    u32::try_from(number).expect("a report is smaller than four gigabytes").to_le_bytes()
}

fn short(number: usize) -> [u8; 2] {
    u16::try_from(number).expect("an office document has few parts").to_le_bytes()
}
