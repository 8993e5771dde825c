//! What several suites need: the data files, and a small source of repeatable chance.
#![allow(dead_code, unreachable_pub)] // each suite uses its own part

use draughts_rules::rules::notation::fen;
use draughts_rules::rules::{Position, Variant};
use std::fs;

/// A data file of a variant.
pub fn data_file(folder: &str, variant: Variant, extension: &str) -> String {
    let name = variant.about().name.to_lowercase().replace(' ', "_");
    let path = format!("{}/tests/data/{folder}/{name}.{extension}", env!("CARGO_MANIFEST_DIR"));
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The position of a FEN that a test states.
pub fn position(variant: Variant, id: &str, text: &str) -> Position<'static> {
    let setup = fen::parse(text).unwrap_or_else(|error| panic!("{id}: {text}: {error}"));
    Position::new(variant.ruleset(), &setup).unwrap_or_else(|error| panic!("{id}: {text}: {error:?}"))
}

/// The generator SplitMix64, for choices that are the same in every run.
pub struct Chance(u64);

impl Chance {
    pub fn new(seed: u64) -> Chance {
        Chance(seed)
    }

    pub fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % count as u64) as usize
    }
}
