//! Near duplicates: small sketches of texts that can be kept and compared without the texts.
//!
//! A [`Sketch`] holds a MinHash of the text's shingles, from which the share of common shingles
//! (Jaccard) is estimated, and a SimHash for a quick look. [`cluster()`] puts copies together. Texts
//! that say the same in other words or another language are not near; that is left to embeddings.

mod cluster;
mod shingles;

use settings::settings;

pub use cluster::cluster;

/// Hash functions of the MinHash. The standard error of the estimate is at most
/// `sqrt(0.25 / 128)` = 0.044.
const HASHES: usize = 128;
/// The first byte of a stored sketch: another way to cut or hash shingles gets another number.
const VERSION: u8 = 1;
const STORED_BYTES: usize = 1 + 4 + 8 + 4 * HASHES;

settings! {
    /// Copies of one text.
    pub struct NearDuplicateSettings {}
    expert {
        /// The share of common word sequences at which two pages are copies. A press release with a changed
        /// headline stays above 0.5; articles on the same event stay below 0.2.
        threshold: f64 = 0.5, in 0.0..=1.0;
        /// Texts with fewer word sequences are copies only if they are equal but for spaces, marks and case.
        min_shingles: u32 = 30, in 0..=1_000;
    }
    internal {
        /// Texts compared with each new one in one bucket of the index; a bound on the work that texts
        /// made to collide can cause.
        max_compared: usize = 64;
    }
    removed {
        "max_compared": "searches never compared that way";
    }
}

/// What is kept of a text to compare it with others.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sketch {
    simhash: u64,
    shingles: u32,
    lowest: [u32; HASHES],
}

/// Sketches a text. The same text gives the same sketch on every machine.
pub fn sketch(text: &str) -> Sketch {
    let mut shingles = 0u32;
    let mut lowest = [u32::MAX; HASHES];
    let mut votes = [0i64; 64];
    shingles::each(text, |hash| {
        shingles = shingles.saturating_add(1);
        for (low, (times, plus)) in lowest.iter_mut().zip(&HASHERS) {
            let value = (hash.wrapping_mul(*times).wrapping_add(*plus) >> 32) as u32;
            *low = value.min(*low);
        }
        for (bit, vote) in votes.iter_mut().enumerate() {
            *vote += if hash >> bit & 1 == 1 { 1 } else { -1 };
        }
    });
    let bits = votes.iter().enumerate().filter(|(_, vote)| **vote > 0);
    let simhash = bits.fold(0, |bits, (bit, _)| bits | 1 << bit);
    Sketch { simhash, shingles, lowest }
}

impl Sketch {
    /// How many shingles the text had, repeated ones counted each time.
    pub fn shingles(&self) -> u32 {
        self.shingles
    }

    /// The estimated share of common shingles among all of both texts, 0 to 1. A text without words
    /// is like nothing.
    pub fn likeness(&self, other: &Self) -> f64 {
        if self.shingles == 0 || other.shingles == 0 {
            return 0.0;
        }
        let equal = self.lowest.iter().zip(&other.lowest).filter(|(one, two)| one == two).count();
        equal as f64 / HASHES as f64
    }

    /// In how many of 64 bits the SimHashes differ; copies differ in few, other texts in about 32.
    pub fn distance(&self, other: &Self) -> u32 {
        (self.simhash ^ other.simhash).count_ones()
    }

    /// Whether two texts count as copies.
    pub fn is_near(&self, other: &Self, options: &NearDuplicateSettings) -> bool {
        if self.shingles.min(other.shingles) < options.min_shingles {
            return self.shingles > 0 && self == other;
        }
        self.likeness(other) >= options.threshold
    }

    /// The form to store, 525 bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(STORED_BYTES);
        bytes.push(VERSION);
        bytes.extend(self.shingles.to_le_bytes());
        bytes.extend(self.simhash.to_le_bytes());
        bytes.extend(self.lowest.iter().flat_map(|it| it.to_le_bytes()));
        bytes
    }

    /// Reads the stored form; `None` for one of another version or length.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (version, rest) = bytes.split_first()?;
        let (shingles, rest) = rest.split_first_chunk()?;
        let (simhash, rest) = rest.split_first_chunk()?;
        if *version != VERSION || bytes.len() != STORED_BYTES {
            return None;
        }
        let mut lowest = [0; HASHES];
        for (low, four) in lowest.iter_mut().zip(rest.as_chunks().0) {
            *low = u32::from_le_bytes(*four);
        }
        let shingles = u32::from_le_bytes(*shingles);
        Some(Self { simhash: u64::from_le_bytes(*simhash), shingles, lowest })
    }
}

impl std::fmt::Debug for Sketch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Sketch({} shingles, {:016x})", self.shingles, self.simhash)
    }
}

/// A factor (odd, so that no bit is lost) and a summand for each hash function.
const HASHERS: [(u64, u64); HASHES] = {
    let mut hashers = [(0, 0); HASHES];
    let mut index = 0;
    while index < HASHES {
        let seed = 2 * index as u64;
        hashers[index] = (shingles::mixed(seed) | 1, shingles::mixed(seed + 1));
        index += 1;
    }
    hashers
};

#[cfg(test)]
mod tests;
