// Double hashing with one pair a slot, insert. One lane a pair: look at the slot, claim it by a CAS of the key if it is
// EMPTY, and store the value at once, while the cache has the sector. A key that is there already gets the new value.
//
// Layout: a slot is a word of its key and one of its value. Slots only go EMPTY → key: no key is ever claimed twice.
// Bounds: sizes.slots probes; at a slot one CAS and, if it failed for no reason, another.
// REUSE: DELETED slots are free too, and the search for one begins where insert-reuse.wgsl says.
import package::kernels::common::banks::{At, block_at, offset, is_nowhere, nowhere};
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::range::Range;
import package::kernels::common::status::Status;
import package::kernels::common::keys::{EMPTY, DELETED, is_pair};
import package::kernels::common::words::{load_word, store_word, swap_word};
@if(REUSE) import package::kernels::common::reach::extend_reach;
@if(REUSE) import package::kernels::double_hashing::insert_reuse::look;
import package::kernels::double_hashing::layout::{first_slot, slot_step, next_slot, sizes};
@if(COUNT) import package::kernels::common::count::{count_step, count_read, count_write, count_rmw, count_failed_cas, count_once, count_region, PROLOGUE, NEXT, STEP, CLAIM, EPILOGUE, count_flush};

@group(0) @binding(1) var<storage, read> keys: array<u32>;
@group(0) @binding(2) var<storage, read> values: array<u32>;
@group(0) @binding(3) var<uniform> range: Range;
@group(0) @binding(4) var<storage, read_write> status: Status;

@if(!REUSE) fn is_free(word: u32) -> bool { return word == EMPTY; }
@if(REUSE) fn is_free(word: u32) -> bool { return word >= DELETED; }

// The value of the key whose word this is, unless it is EMPTY. In the loop: behind it the cache has the sector no longer.
fn put(word: At, value: u32) {
  if (value == EMPTY) { return; }
  @if(COUNT) count_region(EPILOGUE);
  store_word(offset(word, 1u), value);
  @if(COUNT) count_write();
}

// Whether the slot is the key's now.
fn claim(word: At, key: u32, value: u32) -> bool {
  @if(COUNT) count_read();
  // Looking first is faster than trying a CAS on every slot: 10.4 against 7.1 G pairs/s on an H200 at load factor 0.8.
  var seen = load_word(word);
  for (var attempt = 0u; attempt < 32u && is_free(seen); attempt++) {
    @if(COUNT) count_region(CLAIM);
    @if(!REUSE) let got = swap_word(word, EMPTY, key);
    @if(REUSE) let got = swap_word(word, seen, key);
    @if(COUNT) count_rmw();
    if (got.done) {
      put(word, value);
      return true;
    }
    @if(COUNT) count_failed_cas();
    seen = got.found;
  }
  if (seen == key) { put(word, value); }
  return seen == key;
}

// The word of the key's value, EMPTY at first; nowhere: no slot is left.
fn value_slot(key: u32) -> At { return value_slot_with(key, EMPTY); }

// With this value, if it is not EMPTY.
fn value_slot_with(key: u32, value: u32) -> At {
  @if(!REUSE) let begin = 0u;
  @if(!REUSE) var slot = first_slot(key);
  @if(!REUSE) var step = 0u;
  @if(REUSE) let step = slot_step(key);
  @if(REUSE) let place = look(key, step);
  @if(REUSE) let begin = place.probe;
  @if(REUSE) var slot = place.slot;
  for (var probe = begin; probe < sizes.slots; probe++) {
    @if(COUNT) count_step();
    let word = block_at(slot, 2u);
    if (claim(word, key, value)) {
      @if(REUSE) extend_reach(probe + 1u);
      return offset(word, 1u);
    }
    @if(COUNT) count_region(NEXT);
    @if(!REUSE) if (probe == 0u) {
      @if(COUNT) count_region(STEP);
      step = slot_step(key);
    }
    slot = next_slot(slot, step);
  }
  return nowhere();
}

fn insert(key: u32, value: u32) -> bool {
  @if(COUNT) count_once(PROLOGUE);
  return is_pair(key, value) && !is_nowhere(value_slot_with(key, value));
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let at = grid(wid, nwg, lid);
  let item = range.first + at.index;
  let has_item = item < range.end;
  if (has_item && !insert(keys[item], values[item])) { atomicAdd(&status.refused, 1u); }
  @if(COUNT) count_flush(at.group, lid, has_item);
}
