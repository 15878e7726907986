// Quotiented buckets, operations of several kinds (our own table; layout: layout.wgsl). Two dispatches a slice: insertions and
// searches, one lane each, and then, with condition ERASING, its erasures: the lanes of a slice may come in any order, and so no
// slot becomes FREE while insertions look for theirs.
//
// A search beside insertions reads word by word, atomically: first the tags, then the value. A slot that is free has the value
// EMPTY, so that a tag whose value is not stored yet is answered like an absent key. Marks are only ever cleared: a key that was
// there before is never behind one that stands.
// Bounds: as insert.wgsl, erase.wgsl; HASHES buckets of WORDS words, STASH_PROBES slots of the stash a search.
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::range::Range;
import package::kernels::common::keys::{EMPTY, DELETED};
import package::kernels::common::kinds::{INSERT, FIND, ERASE};
@if(ERASING) import package::kernels::quotient::erase::erase;
@if(!ERASING) import package::kernels::quotient::insert::{insert, status};
@if(!ERASING) import package::kernels::quotient::layout::{first_hash, next_hash, place_of, slot_of, stash_home, stash_next, stash_word, PAIRS, WORDS, HASHES, FREE, STASH_PROBES};
@if(!ERASING) import package::kernels::quotient::words::load_word;
@if(COUNT && !ERASING) import package::kernels::common::count::{count_step, count_read, count_once, count_region, PROLOGUE, NEXT, CLAIM, EPILOGUE};
@if(COUNT) import package::kernels::common::count::count_flush;

// Beside those of insert.wgsl or erase.wgsl: table, and insert's status.
@group(0) @binding(5) var<storage, read> kinds: array<u32>;
@group(0) @binding(6) var<storage, read> keys: array<u32>;
@if(!ERASING) @group(0) @binding(7) var<storage, read> values: array<u32>;
@group(0) @binding(8) var<storage, read_write> results: array<u32>;
// The slice's first operation, and the one after its last.
@group(0) @binding(9) var<uniform> range: Range;

@if(!ERASING) fn find_in_stash(key: u32) -> u32 {
  var slot = stash_home(key);
  for (var probe = 0u; probe < STASH_PROBES; probe++) {
    @if(COUNT) count_region(EPILOGUE);
    @if(COUNT) count_read();
    let word = stash_word(slot);
    let seen = load_word(word);
    if (seen == key) { return load_word(word + 1u); }
    if (seen == EMPTY) { break; }
    slot = stash_next(slot);
  }
  return EMPTY;
}

@if(!ERASING) fn find(key: u32) -> u32 {
  @if(COUNT) count_once(PROLOGUE);
  if (key >= DELETED) { return EMPTY; }
  var hash = first_hash(key);
  for (var number = 0u; number < HASHES; number++) {
    let place = place_of(hash, number);
    if (place.tag == FREE) { break; }
    @if(COUNT) count_step();
    for (var i = 0u; i < WORDS; i++) {
      let part = (place.start + i) % WORDS;
      @if(COUNT) count_read();
      let seen = load_word(8u * place.bucket + part);
      let slot = slot_of(seen, part, place.tag);
      if (slot < PAIRS) {
        @if(COUNT) count_region(CLAIM);
        @if(COUNT) count_read();
        return load_word(8u * place.bucket + WORDS + slot);
      }
      if ((seen & place.mark) != 0u) { return EMPTY; }
    }
    @if(COUNT) count_region(NEXT);
    hash = next_hash(hash, number);
  }
  return find_in_stash(key);
}

@if(!ERASING) fn operate(item: u32) {
  let key = keys[item];
  if (kinds[item] == FIND) { results[item] = find(key); }
  if (kinds[item] == INSERT) {
    let inserted = insert(key, values[item]);
    if (!inserted) { atomicAdd(&status.refused, 1u); }
    results[item] = u32(inserted);
  }
}
@if(ERASING) fn operate(item: u32) {
  if (kinds[item] == ERASE) { results[item] = u32(erase(keys[item])); }
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let at = grid(wid, nwg, lid);
  let item = range.first + at.index;
  let has_item = item < range.end;
  if (has_item) { operate(item); }
  @if(COUNT) count_flush(at.group, lid, has_item);
}
