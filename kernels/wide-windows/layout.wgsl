// Cooperative probing of keys that have two words: windows of GROUP slots, in the order of warpcore's layout.wgsl, which goes by one word that is made
// of the two.
//
// Layout of a window's 4 · GROUP words:
//   word i               first word of the key of slot i
//   word GROUP + i       its second word
//   word 2 · GROUP + i   its value
//   the others           not used: a slot takes 16 bytes
import package::kernels::common::banks::{At, block_at, offset};
import package::kernels::common::hash::mix32;
import package::kernels::common::keys::{EMPTY, DELETED};
import package::kernels::warpcore::layout::{sizes, GROUP};

// The first word says whether a slot is free, the second one whether it has a key yet.
fn is_key(key: vec2u) -> bool { return key.x < DELETED && key.y != EMPTY; }

// Keys that have one word in common have different hashes.
fn hash_of(key: vec2u) -> u32 { return mix32(key.x ^ sizes.seed) ^ key.y; }

// The first word of a slot of a window.
fn first_in(window: u32, slot: u32) -> At { return offset(block_at(window, 4u * GROUP), slot); }
// The same, of slots that are numbered window after window.
fn first_at(slot: u32) -> At { return first_in(slot / GROUP, slot % GROUP); }
