// Quotiented buckets, insert (our own table; sources and layout: layout.wgsl). One lane a pair: the key's tag is put by a CAS of
// its word into the first of the key's slots that is FREE, then the value is stored. A key that is there already gets the new
// value. Most insertions take one load, one CAS and one store.
//
// A free slot may stand before the key, as erased slots are used again: the search goes on to the first word whose mark stands.
// No slot becomes FREE in this dispatch. So lanes with one key claim the same slot: all slots of the key's sequence before it are taken,
// and stay so. The lane that comes second finds the key in that slot's word, when it loads the word or when its CAS fails.
// Bounds: HASHES buckets and STASH_PROBES slots a search, CLAIMS tries a word, ATTEMPTS searches.
import package::kernels::common::banks::{At, block_at, offset, is_nowhere, nowhere};
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::passes::is_served;
import package::kernels::common::range::Range;
import package::kernels::common::status::Status;
import package::kernels::common::keys::{EMPTY, DELETED, is_pair};
import package::kernels::common::words::{load_word, store_word, and_word, swap_word};
import package::kernels::quotient::layout::{first_hash, next_hash, place_of, slot_of, shift_of, stash_home, stash_next, stash_at, PAIRS, WORDS, HASHES, FREE, STASH_PROBES};
@if(COUNT) import package::kernels::common::count::{count_step, count_read, count_write, count_rmw, count_failed_cas, count_once, count_region, PROLOGUE, NEXT, CLAIM, EPILOGUE, WAIT, count_flush};

@group(0) @binding(1) var<storage, read> keys: array<u32>;
@group(0) @binding(2) var<storage, read> values: array<u32>;
@group(0) @binding(3) var<uniform> range: Range;
@group(0) @binding(4) var<storage, read_write> status: Status;

// In this dispatch a word changes once a slot and once a mark; the other tries are for CASes that fail for no reason.
const CLAIMS = 32u;
// A search is repeated where the word that it chose was filled meanwhile, which it then stays.
const ATTEMPTS = HASHES * WORDS + STASH_PROBES + 1u;

struct Search {
  // Value word of the key's slot; nowhere: the key is not there.
  value: At,
  // Then: the first word with a free slot, nowhere if there is none; whether it is the stash's; what it held; and the tag, or the key, to
  // put there.
  word: At,
  in_stash: bool,
  seen: u32,
  tag: u32,
}
fn found_at(value: At) -> Search { return Search(value, nowhere(), false, 0u, 0u); }

// Clears the key's mark in words that it goes on past. Begins behind the first `tried` buckets, none or one.
fn search(key: u32, tried: u32) -> Search {
  var free = found_at(nowhere());
  var hash = first_hash(key);
  if (tried != 0u) { hash = next_hash(hash, 0u); }
  for (var number = tried; number < HASHES; number++) {
    let place = place_of(hash, number);
    if (place.tag == FREE) { break; }
    @if(COUNT) count_step();
    let bucket = block_at(place.bucket, 8u);
    for (var i = 0u; i < WORDS; i++) {
      let part = (place.start + i) % WORDS;
      let word = offset(bucket, part);
      @if(COUNT) count_read();
      let seen = load_word(word);
      let own = slot_of(seen, part, place.tag);
      if (own < PAIRS) { return found_at(offset(bucket, WORDS + own)); }
      if (is_nowhere(free.word) && slot_of(seen, part, FREE) < PAIRS) {
        free = Search(nowhere(), word, false, seen, place.tag);
      }
      if ((seen & place.mark) != 0u) {
        if (!is_nowhere(free.word)) { return free; }
        @if(COUNT) count_region(WAIT);
        @if(COUNT) count_rmw();
        and_word(word, ~place.mark);
      }
    }
    @if(COUNT) count_region(NEXT);
    hash = next_hash(hash, number);
  }
  return search_stash(key, free);
}

fn search_stash(key: u32, found: Search) -> Search {
  var free = found;
  var slot = stash_home(key);
  for (var probe = 0u; probe < STASH_PROBES; probe++) {
    @if(COUNT) count_region(NEXT);
    @if(COUNT) count_read();
    let word = stash_at(slot);
    let seen = load_word(word);
    if (seen == key) { return found_at(offset(word, 1u)); }
    if (is_nowhere(free.word) && seen >= DELETED) { free = Search(nowhere(), word, true, seen, key); }
    if (seen == EMPTY) { break; }
    slot = stash_next(slot);
  }
  return free;
}

// The word of the key's value; nowhere: the word was filled meanwhile.
fn claim(free: Search) -> At {
  // A bank has whole buckets.
  let part = free.word.word % 8u;
  let bucket = At(free.word.bank, free.word.word - part);
  var seen = free.seen;
  for (var attempt = 0u; attempt < CLAIMS; attempt++) {
    @if(COUNT) count_region(CLAIM);
    let own = slot_of(seen, part, free.tag);
    if (own < PAIRS) { return offset(bucket, WORDS + own); }
    let slot = slot_of(seen, part, FREE);
    if (slot == PAIRS) { return nowhere(); }
    @if(COUNT) count_rmw();
    let got = swap_word(free.word, seen, seen ^ ((FREE ^ free.tag) << shift_of(slot)));
    if (got.done) { return offset(bucket, WORDS + slot); }
    @if(COUNT) count_failed_cas();
    seen = got.found;
  }
  return nowhere();
}

fn claim_stash(free: Search) -> At {
  @if(COUNT) count_region(CLAIM);
  @if(COUNT) count_rmw();
  let got = swap_word(free.word, free.seen, free.tag);
  if (got.done || got.found == free.tag) { return offset(free.word, 1u); }
  @if(COUNT) count_failed_cas();
  return nowhere();
}

fn is_full(found: Search) -> bool { return is_nowhere(found.value) && is_nowhere(found.word); }

// The word of the key's value; nowhere: the word that was found was filled meanwhile.
fn take(found: Search) -> At {
  if (!is_nowhere(found.value)) { return found.value; }
  if (found.in_stash) { return claim_stash(found); }
  return claim(found);
}

// The word of the key's value, EMPTY at first; nowhere: no slot is left.
fn value_slot(key: u32) -> At {
  for (var attempt = 0u; attempt < ATTEMPTS; attempt++) {
    let found = search(key, 0u);
    if (is_full(found)) { return nowhere(); }
    let word = take(found);
    if (!is_nowhere(word)) { return word; }
  }
  atomicMax(&status.bound, 1u);
  return nowhere();
}

fn insert(key: u32, value: u32) -> bool { return insert_after(key, value, 0u); }

// Of a key that is not in its first `tried` buckets, which have no free slot and not its mark.
fn insert_after(key: u32, value: u32, tried: u32) -> bool {
  @if(COUNT) count_once(PROLOGUE);
  if (!is_pair(key, value)) { return false; }
  for (var attempt = 0u; attempt < ATTEMPTS; attempt++) {
    let found = search(key, tried);
    if (is_full(found)) { return false; }
    let word = take(found);
    if (!is_nowhere(word)) {
      // In the loop, while the cache has its sector: behind it a lane waits for the last of its subgroup (results/studies/quotient.md).
      @if(COUNT) count_region(EPILOGUE);
      @if(COUNT) count_write();
      store_word(word, value);
      return true;
    }
  }
  atomicMax(&status.bound, 1u);
  return false;
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let at = grid(wid, nwg, lid);
  let item = range.first + at.index;
  let has_item = item < range.end;
  if (has_item) {
    let key = keys[item];
    // Beside the key's load, not after it.
    let value = values[item];
    if (is_served(first_hash(key)) && !insert(key, value)) { atomicAdd(&status.refused, 1u); }
  }
  @if(COUNT) count_flush(at.group, lid, has_item);
}
