// The paper's reversible hash (Fig. 5) and what is made of it: a key's first slot, its step, the info bits of its ticket.
//   one round: x := ((x >> 8) ^ x) * multiplier + j, for j = 4 … 1.
// A key of one word is hashed exactly as in the paper. WGSL has no 64-bit words, so a wider key's words are folded in one
// after another, four rounds each.
import package::kernels::common::hash::{mulhi, stepped};
import package::kernels::common::records::Key;

struct Sizes {
  // A prime, so that every step visits every slot.
  slots: u32,
}
@group(0) @binding(31) var<uniform> sizes: Sizes;
const FIRST = 0xe9d58a6bu;
const STEP = 0x6e5b9d8au;
// The paper says "a different multiplication operand" and not which.
const INFO = 0x9e3779b1u;

fn rounds(word: u32, multiplier: u32) -> u32 {
  var x = word;
  x = ((x >> 8u) ^ x) * multiplier + 4u;
  x = ((x >> 8u) ^ x) * multiplier + 3u;
  x = ((x >> 8u) ^ x) * multiplier + 2u;
  return ((x >> 8u) ^ x) * multiplier + 1u;
}

@if(KEY_16 || KEY_32 || KEY_64) fn rounds4(h: u32, words: vec4u, multiplier: u32) -> u32 {
  let xy = rounds(rounds(h ^ words.x, multiplier) ^ words.y, multiplier);
  return rounds(rounds(xy ^ words.z, multiplier) ^ words.w, multiplier);
}

@if(KEY_4) fn hash_key(key: Key, multiplier: u32) -> u32 { return rounds(key, multiplier); }
@if(KEY_8) fn hash_key(key: Key, multiplier: u32) -> u32 {
  return rounds(rounds(key.x, multiplier) ^ key.y, multiplier);
}
@if(KEY_16) fn hash_key(key: Key, multiplier: u32) -> u32 { return rounds4(0u, key, multiplier); }
@if(KEY_32) fn hash_key(key: Key, multiplier: u32) -> u32 {
  return rounds4(rounds4(0u, key[0], multiplier), key[1], multiplier);
}
@if(KEY_64) fn hash_key(key: Key, multiplier: u32) -> u32 {
  let half = rounds4(rounds4(0u, key[0], multiplier), key[1], multiplier);
  return rounds4(rounds4(half, key[2], multiplier), key[3], multiplier);
}

fn first_slot(key: Key) -> u32 { return mulhi(hash_key(key, FIRST), sizes.slots); }
fn slot_step(key: Key) -> u32 { return 1u + mulhi(hash_key(key, STEP), sizes.slots - 1u); }
fn next_slot(slot: u32, step: u32) -> u32 { return stepped(slot, step, sizes.slots); }
fn info_of(key: Key) -> u32 { return hash_key(key, INFO); }
