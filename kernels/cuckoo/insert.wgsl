// Cuckoo hashing after Alcantara et al., GPU Computing Gems 2011, 4.3.1.2, Listing 4.1. One lane a pair.
//
// Layout: slot s = table[2s] key, table[2s+1] value.
// WGSL has no 64-bit exchange, so the pair does not travel as one: `keys_pass` moves keys alone by exchange (the
// alternative that the chapter names), and `values_pass`, in the next dispatch, writes every value beside its key.
// Bounds: `chain` evictions a lane (7 lg n), FUNCTIONS slots a value.
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::keys::{EMPTY, DELETED};
import package::kernels::cuckoo::functions::{place, Functions, FUNCTIONS};
@if(COUNT) import package::kernels::common::count::{count_step, count_read, count_write, count_rmw, count_once, count_region, PROLOGUE, NEXT, CLAIM, count_flush};

@group(0) @binding(0) var<storage, read_write> table: array<atomic<u32>>;
@group(0) @binding(1) var<storage, read> keys: array<u32>;
@group(0) @binding(2) var<storage, read> values: array<u32>;
@group(0) @binding(3) var<uniform> f: Functions;
// [0]: chains that reached the limit: the build has failed.  [1]: values whose key was not found (only after a failure).
@group(0) @binding(4) var<storage, read_write> status: array<atomic<u32>, 4>;

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

fn insert(own: u32) -> bool {
  @if(COUNT) count_once(PROLOGUE);
  if (own >= DELETED) { return false; }
  var key = own;
  var slot = place(key, f.constants[0]);
  for (var evictions = 0u; evictions < f.chain; evictions++) {
    @if(COUNT) count_step();
    @if(COUNT) count_rmw();
    key = atomicExchange(&table[2u * slot], key);
    if (key == EMPTY) { return true; }
    @if(COUNT) count_region(NEXT);
    slot = next_place(key, slot);
  }
  return false;
}

@compute @workgroup_size(WORKGROUP)
fn keys_pass(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let at = grid(wid, nwg, lid);
  let has_item = at.index < f.n;
  if (has_item && !insert(keys[at.index])) { atomicAdd(&status[0], 1u); }
  @if(COUNT) count_flush(at.group, lid, has_item);
}

fn write_value(key: u32, value: u32) -> bool {
  @if(COUNT) count_once(PROLOGUE);
  for (var i = 0u; i < FUNCTIONS; i++) {
    let slot = place(key, f.constants[i]);
    @if(COUNT) count_step();
    @if(COUNT) count_read();
    if (atomicLoad(&table[2u * slot]) == key) {
      @if(COUNT) count_region(CLAIM);
      @if(COUNT) count_write();
      atomicStore(&table[2u * slot + 1u], value);
      return true;
    }
  }
  return false;
}

@compute @workgroup_size(WORKGROUP)
fn values_pass(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let at = grid(wid, nwg, lid);
  let has_item = at.index < f.n;
  if (has_item && !write_value(keys[at.index], values[at.index])) { atomicAdd(&status[1], 1u); }
  @if(COUNT) count_flush(at.group, lid, has_item);
}
