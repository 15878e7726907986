// Tables whose keys have two words, insert. One lane a pair. WGSL has no CAS of 64 bits, so a slot is claimed word after word: a CAS puts the first word
// of the key where it is EMPTY. In a slot that has this first word, whoever put it there, a CAS puts the second word where that is EMPTY.
// Then the slot has the lane's key, and the value is stored at once; or another key, which came first, and the lane goes on.
//
// No key is claimed twice and no lane waits: both words only go EMPTY → word, and lanes with one key try the same slots in the same order. A lane
// goes on only past slots whose words can no longer become its key. A slot with a first word alone holds nothing yet.
//
// Layout: as in layout.wgsl.
// Bound: most_blocks() probes.
// REUSE: DELETED slots, whose other words are EMPTY, are free too; the search for one begins where insert-reuse.wgsl says.
import package::kernels::common::banks::{At, block_at, offset};
@if(REUSE) import package::kernels::common::banks::is_nowhere;
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::range::Range;
import package::kernels::common::status::Status;
import package::kernels::common::keys::EMPTY;
import package::kernels::common::words::store_word;
@if(REUSE) import package::kernels::common::reach::extend_reach;
@if(REUSE) import package::kernels::wide_keys::insert_reuse::look;
import package::kernels::wide_keys::claim::claim;
import package::kernels::wide_keys::layout::{first_block, block_after, most_blocks, first_inside, hash_of, is_key, BLOCK_WORDS, IN_BLOCK};
@if(COUNT) import package::kernels::common::count::{count_step, count_write, count_once, count_region, PROLOGUE, NEXT, EPILOGUE, count_flush};

@group(0) @binding(1) var<storage, read> keys: array<vec2u>;
@group(0) @binding(2) var<storage, read> values: array<u32>;
@group(0) @binding(3) var<uniform> range: Range;
@group(0) @binding(4) var<storage, read_write> status: Status;

// In the loop: behind it the cache has the sector no longer.
fn put(word: At, value: u32) {
  @if(COUNT) count_region(EPILOGUE);
  store_word(offset(word, 2u * IN_BLOCK), value);
  @if(COUNT) count_write();
}

fn insert(key: vec2u, value: u32) -> bool {
  @if(COUNT) count_once(PROLOGUE);
  if (!is_key(key) || value == EMPTY) { return false; }
  let hash = hash_of(key);
  let start = first_inside(hash);
  @if(!REUSE) let begin = 0u;
  @if(!REUSE) var number = first_block(hash);
  @if(REUSE) let place = look(key, hash);
  @if(REUSE) if (!is_nowhere(place.word)) {
    put(place.word, value);
    return true;
  }
  @if(REUSE) let begin = place.probe;
  @if(REUSE) var number = place.number;
  for (var probe = begin; probe < most_blocks(); probe++) {
    @if(COUNT) count_step();
    let at = block_at(number, BLOCK_WORDS);
    for (var i = 0u; i < IN_BLOCK; i++) {
      let word = offset(at, (start + i) % IN_BLOCK);
      if (claim(word, IN_BLOCK, key)) {
        put(word, value);
        @if(REUSE) extend_reach(probe + 1u);
        return true;
      }
    }
    @if(COUNT) count_region(NEXT);
    number = block_after(probe, number, hash);
  }
  return false;
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let at = grid(wid, nwg, lid);
  let item = range.first + at.index;
  let has_item = item < range.end;
  if (has_item && !insert(keys[item], values[item])) { atomicAdd(&status.refused, 1u); }
  @if(COUNT) count_flush(at.group, lid, has_item);
}
