// Quotiented buckets, erase (our own table; sources and layout: layout.wgsl). One lane a key: its tag becomes FREE, which no
// search stops at, and a slot of the stash DELETED. Both are used again by later insertions, and have the value EMPTY until then.
// Bounds: HASHES buckets, STASH_PROBES slots of the stash.
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::status::Status;
import package::kernels::common::keys::{EMPTY, DELETED};
import package::kernels::quotient::layout::{first_hash, is_served, next_hash, place_of, slot_of, shift_of, stash_home, stash_next, stash_word, PAIRS, WORDS, HASHES, FREE, STASH_PROBES};
import package::kernels::quotient::words::{load_word, store_word, or_word, exchange_word};
@if(COUNT) import package::kernels::common::count::{count_step, count_read, count_write, count_rmw, count_once, count_region, PROLOGUE, NEXT, CLAIM, EPILOGUE, count_flush};

@group(0) @binding(1) var<storage, read> keys: array<u32>;
@group(0) @binding(2) var<uniform> n: u32;
@group(0) @binding(3) var<storage, read_write> status: Status;

// Nobody inserts in this dispatch.
fn clear_value(word: u32) {
  @if(COUNT) count_write();
  store_word(word, EMPTY);
}

// Of several lanes with one key, one erases it.
fn erase_in_stash(key: u32) -> bool {
  var slot = stash_home(key);
  for (var probe = 0u; probe < STASH_PROBES; probe++) {
    @if(COUNT) count_region(EPILOGUE);
    @if(COUNT) count_read();
    let word = stash_word(slot);
    let seen = load_word(word);
    if (seen == key) {
      @if(COUNT) count_rmw();
      if (exchange_word(word, DELETED) != key) { return false; }
      clear_value(word + 1u);
      return true;
    }
    if (seen == EMPTY) { break; }
    slot = stash_next(slot);
  }
  return false;
}

fn erase(key: u32) -> bool {
  @if(COUNT) count_once(PROLOGUE);
  if (key >= DELETED) { return false; }
  var hash = first_hash(key);
  for (var number = 0u; number < HASHES; number++) {
    let place = place_of(hash, number);
    if (place.tag == FREE) { break; }
    @if(COUNT) count_step();
    for (var i = 0u; i < WORDS; i++) {
      let part = (place.start + i) % WORDS;
      let word = 8u * place.bucket + part;
      @if(COUNT) count_read();
      let seen = load_word(word);
      let slot = slot_of(seen, part, place.tag);
      if (slot < PAIRS) {
        @if(COUNT) count_region(CLAIM);
        @if(COUNT) count_rmw();
        let shift = shift_of(slot);
        let old = or_word(word, FREE << shift);
        if (((old >> shift) & FREE) != place.tag) { return false; }
        clear_value(8u * place.bucket + WORDS + slot);
        return true;
      }
      if ((seen & place.mark) != 0u) { return false; }
    }
    @if(COUNT) count_region(NEXT);
    hash = next_hash(hash, number);
  }
  return erase_in_stash(key);
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let at = grid(wid, nwg, lid);
  let has_item = at.index < n;
  if (has_item && is_served(keys[at.index]) && erase(keys[at.index])) { atomicAdd(&status.changed, 1u); }
  @if(COUNT) count_flush(at.group, lid, has_item);
}
