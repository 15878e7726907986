// Cuckoo hashing after Alcantara et al., GPU Computing Gems 2011, 4.3.1.2, Listing 4.1. One lane a pair.
//
// WGSL has no 64-bit exchange, so what travels is not the pair but its number in the input. Two dispatches: `exchange` puts
// keys and values side by side and is the listing, and `settle` writes each slot's pair.
//
// IN_PLACE, for tables beyond a binding: numbers travel in the table itself. `exchange` is then the first of two dispatches, and
// settle-in-place.wgsl the second, which gathers key and value from two buffers.
//
// Layout: homes[s] = number of the pair in slot s, EMPTY for none; table[s] = (key, value). IN_PLACE: slot s = (number of its pair, EMPTY).
// Bound: `chain` evictions a lane (7 lg n).
@if(IN_PLACE) import package::kernels::common::banks::block_at;
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::keys::{EMPTY, is_pair};
import package::kernels::common::status::Status;
@if(IN_PLACE) import package::kernels::common::words::exchange_word;
import package::kernels::cuckoo::functions::{place, Functions, FUNCTIONS, sizes};
@if(COUNT) import package::kernels::common::count::{count_step, count_read, count_write, count_rmw, count_once, count_region, PROLOGUE, NEXT, count_flush};

@if(!IN_PLACE) @group(0) @binding(0) var<storage, read_write> table: array<vec2u>;
@group(0) @binding(1) var<storage, read> keys: array<u32>;
@group(0) @binding(2) var<storage, read> values: array<u32>;
@group(0) @binding(3) var<uniform> f: Functions;
// failed: chains that reached the limit; refused: reserved keys and values.
@group(0) @binding(4) var<storage, read_write> status: Status;
@if(!IN_PLACE) @group(0) @binding(5) var<storage, read_write> homes: array<atomic<u32>>;
@if(!IN_PLACE) @group(0) @binding(6) var<storage, read_write> pairs: array<vec2u>;

// The slot of the function after the one that put `key` into `slot`, in round-robin order; the first match counts.
fn next_place(key: u32, slot: u32) -> u32 {
  let first = place(key, f.constants[0]);
  var here = first;
  for (var i = 1u; i < FUNCTIONS; i++) {
    let there = place(key, f.constants[i]);
    if (here == slot) { return there; }
    here = there;
  }
  return first;
}

// Whether it did not reach the limit.
fn insert(own: u32) -> bool {
  @if(COUNT) count_once(PROLOGUE);
  var item = own;
  var key = keys[item];
  let value = values[item];
  if (!is_pair(key, value)) {
    atomicAdd(&status.refused, 1u);
    return true;
  }
  @if(!IN_PLACE) pairs[item] = vec2u(key, value);
  var slot = place(key, f.constants[0]);
  for (var evictions = 0u; evictions < f.chain; evictions++) {
    @if(COUNT) count_step();
    @if(COUNT) count_rmw();
    @if(!IN_PLACE) item = atomicExchange(&homes[slot], item);
    @if(IN_PLACE) item = exchange_word(block_at(slot, 2u), item);
    if (item == EMPTY) { return true; }
    @if(COUNT) count_region(NEXT);
    @if(COUNT) count_read();
    key = keys[item];
    slot = next_place(key, slot);
  }
  return false;
}

@compute @workgroup_size(WORKGROUP)
fn exchange(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let at = grid(wid, nwg, lid);
  let has_item = at.index < f.n;
  if (has_item && !insert(at.index)) { atomicAdd(&status.failed, 1u); }
  @if(COUNT) count_flush(at.group, lid, has_item);
}

// One lane a slot.
@if(!IN_PLACE)
@compute @workgroup_size(WORKGROUP)
fn settle(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let at = grid(wid, nwg, lid);
  let slot = at.index;
  var has_item = false;
  if (slot < sizes.slots) {
    let item = atomicLoad(&homes[slot]);
    has_item = item != EMPTY;
    var pair = vec2u(EMPTY);
    if (has_item) {
      @if(COUNT) count_read();
      pair = pairs[item];
    }
    table[slot] = pair;
    // Neighbouring slots share a sector.
    @if(COUNT) { if (slot % 4u == 0u) { count_write(); } }
  }
  @if(COUNT) count_flush(at.group, lid, has_item);
}
