//! The bilingual tokenizer cuts as sentencepiece does: 10,000 lines made by the rule that
//! `training/encoder/parity.py` describes, compared by the hashes of their ids it wrote.

use serde::Deserialize;
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::Tokens;

const TOKENIZER: &[u8] = include_bytes!("../../weights/bilingual/tokenizer.json");
const EXPECTED: &str = include_str!("../../tests/parity/bilingual-tokens.json");
const SEED: u64 = 20_261_115;
const LINES: usize = 10_000;
const LONGEST: u64 = 200;
/// First code point and how many: ASCII, kana, kanji, full and half width, Latin, Cyrillic, faces, accents.
const BLOCKS: [(u32, u64); 8] = [
    (0x20, 95),
    (0x3041, 190),
    (0x4E00, 20_902),
    (0xFF01, 159),
    (0xA0, 96),
    (0x400, 96),
    (0x1F600, 80),
    (0x300, 112),
];
const SPACES: [u32; 18] = [
    0x20, 0x09, 0x0A, 0x0D, 0x0B, 0x0C, 0x85, 0xA0, 0x1680, 0x2002, 0x2009, 0x2028, 0x202F, 0x3000,
    0x00, 0x7F, 0x200B, 0xFEFF,
];

#[derive(Debug, PartialEq, Eq, Deserialize)]
struct Block {
    tokens: usize,
    sha256: String,
}

struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }

    fn of(&mut self, (first, count): (u32, u64)) -> char {
        let place = u32::try_from(self.below(count)).unwrap();
        char::from_u32(first + place).unwrap()
    }

    fn part(&mut self, pieces: &[String]) -> String {
        match self.below(16) {
            0..6 => pieces[self.below(pieces.len() as u64) as usize].clone(),
            kind @ 6..14 => {
                let count = 1 + self.below(8);
                (0..count).map(|_| self.of(BLOCKS[kind as usize - 6])).collect()
            }
            14 => {
                let count = 1 + self.below(9);
                (0..count).map(|_| char::from(b"0123456789.,"[self.below(12) as usize])).collect()
            }
            _ => char::from_u32(SPACES[self.below(SPACES.len() as u64) as usize]).unwrap().into(),
        }
    }

    fn line(&mut self, pieces: &[String]) -> String {
        let want = self.below(LONGEST + 1) as usize;
        let mut line = String::new();
        while line.chars().count() < want {
            line += &self.part(pieces);
        }
        line.chars().take(want).collect()
    }
}

/// The vocabulary behind the five special tokens, as text.
fn pieces() -> Vec<String> {
    let file: Value = serde_json::from_slice(TOKENIZER).unwrap();
    let entries = file["model"]["vocab"].as_array().unwrap()[5..].iter();
    entries.map(|it| it[0].as_str().unwrap().replace('\u{2581}', " ")).collect()
}

#[test]
fn ten_thousand_mixed_lines_are_cut_as_by_sentencepiece() {
    #[derive(Deserialize)]
    struct Expected {
        block: usize,
        blocks: Vec<Block>,
    }
    let Expected { block, blocks: expected } = serde_json::from_str(EXPECTED).unwrap();
    let (pieces, mut chance) = (pieces(), Chance(SEED));
    let tokens = Tokens::parse("bilingual", TOKENIZER, pieces.len() + 5).unwrap();
    let lines: Vec<String> = (0..LINES).map(|_| chance.line(&pieces)).collect();
    let cut = |lines: &[String]| {
        let (mut count, mut hash) = (0, Sha256::new());
        for line in lines {
            let ids = tokens.read(line, usize::MAX).unwrap().ids;
            count += ids.len();
            ids.iter().for_each(|it| hash.update(it.to_le_bytes()));
            hash.update([0xFF; 4]);
        }
        let hex = hash.finalize().iter().map(|it| format!("{it:02x}")).collect();
        Block { tokens: count, sha256: hex }
    };
    let found: Vec<Block> = lines.chunks(block).map(cut).collect();
    assert_eq!(found, expected);
}
