// Cuckoo hashing, the insertions of a mixed slice: the first of its two kernels (Stadium hashing, PACT 2015, IV.A: one that
// ignores retrievals, then one that ignores insertions). One lane an operation.
//
// Layout: slot s = a word of its key and one of its value. The table has pairs from the slices before, so a
// value has to travel with its key. WGSL has no 64-bit exchange: a lane takes a slot by exchanging its key for LOCKED, then
// exchanges the value, then publishes its own key, and goes on with the pair it found.
// All atomics are relaxed: the key that is published depends on the value that came back, so that the lane which locks the slot
// next finds this lane's value there.
// Bounds: `chain` evictions a lane, and PATIENCE turns in which another lane had the slot. A lane that has to wait tries
// again in the next turn of its loop, so that it never holds up its neighbours, one of which may have the slot.
import package::kernels::common::banks::{block_at, offset};
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::keys::{EMPTY, DELETED, is_pair};
import package::kernels::common::kinds::INSERT;
import package::kernels::common::status::Status;
import package::kernels::common::words::{exchange_word, store_word};
import package::kernels::cuckoo::functions::place;
import package::kernels::cuckoo::insert::{next_place, f};
@if(COUNT) import package::kernels::common::count::{count_once, count_region, count_step, count_write, count_rmw, count_failed_cas, PROLOGUE, NEXT, count_flush};

// No key is DELETED, and no key of this table is ever erased.
const LOCKED = DELETED;
// Many, because a thread of a software adapter that has a slot may lose its core for a while.
const PATIENCE = 1u << 24u;

struct Slice {
  first: u32,
  count: u32,
  // Always 0, which the compiler does not know.
  zero: u32,
}
@group(0) @binding(1) var<storage, read> keys: array<u32>;
@group(0) @binding(2) var<storage, read> values: array<u32>;
// Binding 3: `f`, the hash functions.
// failed: chains that reached the limit; the pair at their end is lost.
@group(0) @binding(4) var<storage, read_write> status: Status;
@group(0) @binding(5) var<storage, read> kinds: array<u32>;
@group(0) @binding(6) var<storage, read_write> results: array<u32>;
@group(0) @binding(7) var<uniform> slice: Slice;

fn insert_pair(own: u32, own_value: u32) -> bool {
  @if(COUNT) count_once(PROLOGUE);
  var key = own;
  var value = own_value;
  var slot = place(key, f.constants[0]);
  var evictions = 0u;
  for (var turn = 0u; turn < f.chain + PATIENCE && evictions < f.chain; turn++) {
    let word = block_at(slot, 2u);
    let evicted = exchange_word(word, LOCKED);
    if (evicted != LOCKED) {
      @if(COUNT) count_step();
      @if(COUNT) count_rmw();
      @if(COUNT) count_rmw();
      let evicted_value = exchange_word(offset(word, 1u), value);
      @if(COUNT) count_write();
      store_word(word, key | (evicted_value & slice.zero));
      if (evicted == EMPTY) { return true; }
      key = evicted;
      value = evicted_value;
      @if(COUNT) count_region(NEXT);
      slot = next_place(key, slot);
      evictions += 1u;
    } else {
      // Counted apart: how often a lane waits says how lanes were scheduled, not what was done.
      @if(COUNT) count_failed_cas();
    }
  }
  return false;
}

fn insert_item(item: u32) -> u32 {
  let key = keys[item];
  let value = values[item];
  if (!is_pair(key, value)) {
    atomicAdd(&status.refused, 1u);
    return 0u;
  }
  if (insert_pair(key, value)) { return 1u; }
  atomicAdd(&status.failed, 1u);
  return 0u;
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let at = grid(wid, nwg, lid);
  let item = slice.first + at.index;
  var has_item = at.index < slice.count;
  if (has_item) { has_item = kinds[item] == INSERT; }
  if (has_item) { results[item] = insert_item(item); }
  @if(COUNT) count_flush(at.group, lid, has_item);
}
