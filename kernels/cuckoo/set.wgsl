// Cuckoo hashing of keys alone, which may repeat (Alcantara et al., GPU Computing Gems 2011, 4.4): the set, and the first
// phase of the compacting table. One lane a key in `exchange`, one a slot in the others, one a query in `contains`.
//
// Layout: slots[s] = key, EMPTY for none. marks[s] = 1 for the slot that keeps a key, and one word more, 0; after their prefix
// sum marks[s] is the key's id, and the last word the number of keys.
// Bounds: `chain` evictions a lane (7 lg n), FUNCTIONS slots.
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::keys::{EMPTY, DELETED};
import package::kernels::common::status::Status;
import package::kernels::cuckoo::functions::{place, FUNCTIONS, sizes};
import package::kernels::cuckoo::insert::{next_place, f};
@if(COUNT) import package::kernels::common::count::{count_step, count_read, count_write, count_rmw, count_once, count_region, PROLOGUE, NEXT, count_flush};

@group(0) @binding(0) var<storage, read_write> slots: array<atomic<u32>>;
@group(0) @binding(1) var<storage, read> keys: array<u32>;
@group(0) @binding(2) var<storage, read_write> results: array<u32>;
// Binding 3: `f`, the hash functions.
// failed: chains that reached the limit.
@group(0) @binding(4) var<storage, read_write> status: Status;
@group(0) @binding(5) var<storage, read_write> marks: array<u32>;
@group(0) @binding(6) var<storage, read_write> table: array<vec2u>;
@group(0) @binding(7) var<storage, read_write> list: array<u32>;

// A chain ends at an empty slot, or at another copy of its key.
fn insert(own: u32) -> bool {
  @if(COUNT) count_once(PROLOGUE);
  var key = own;
  var slot = place(key, f.constants[0]);
  for (var evictions = 0u; evictions < f.chain; evictions++) {
    @if(COUNT) count_step();
    @if(COUNT) count_rmw();
    let evicted = atomicExchange(&slots[slot], key);
    if (evicted == EMPTY || evicted == key) { return true; }
    @if(COUNT) count_region(NEXT);
    key = evicted;
    slot = next_place(key, slot);
  }
  return false;
}

@compute @workgroup_size(WORKGROUP)
fn exchange(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let at = grid(wid, nwg, lid);
  let has_item = at.index < f.n;
  if (has_item) {
    let key = keys[at.index];
    if (key >= DELETED) {
      atomicAdd(&status.refused, 1u);
    } else if (!insert(key)) {
      atomicAdd(&status.failed, 1u);
    }
  }
  @if(COUNT) count_flush(at.group, lid, has_item);
}

// Whether the slot has the first copy of its key, in the order of the functions. Of several copies one lane says so.
fn keeps(slot: u32, key: u32) -> bool {
  if (key == EMPTY) { return false; }
  for (var i = 0u; i < FUNCTIONS; i++) {
    let there = place(key, f.constants[i]);
    if (there == slot) { return true; }
    @if(COUNT) count_read();
    if (atomicLoad(&slots[there]) == key) { return false; }
  }
  return false;
}

// The set's clean-up: erases all copies but the first, which no other lane reads.
@compute @workgroup_size(WORKGROUP)
fn erase_copies(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let at = grid(wid, nwg, lid);
  let slot = at.index;
  var kept = false;
  if (slot < sizes.slots) {
    let key = atomicLoad(&slots[slot]);
    kept = keeps(slot, key);
    if (key != EMPTY && !kept) {
      @if(COUNT) count_write();
      atomicStore(&slots[slot], EMPTY);
    }
  }
  let members = members_of_group(kept, lid);
  if (lid == 0u && members > 0u) { atomicAdd(&status.distinct, members); }
  @if(COUNT) count_flush(at.group, lid, kept);
}
var<workgroup> members: atomic<u32>;
fn members_of_group(kept: bool, lid: u32) -> u32 {
  if (kept) { atomicAdd(&members, 1u); }
  workgroupBarrier();
  return atomicLoad(&members);
}

// The compacting table's clean-up: marks the first copies.
@compute @workgroup_size(WORKGROUP)
fn mark(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let at = grid(wid, nwg, lid);
  let slot = at.index;
  if (slot <= sizes.slots) { marks[slot] = 0u; }
  if (slot < sizes.slots && keeps(slot, atomicLoad(&slots[slot]))) { marks[slot] = 1u; }
  @if(COUNT) { if (slot <= sizes.slots && slot % 8u == 0u) { count_write(); } }
  @if(COUNT) count_flush(at.group, lid, slot < sizes.slots);
}

// Puts ids beside their keys, and every key in the list at its id.
@compute @workgroup_size(WORKGROUP)
fn settle(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let at = grid(wid, nwg, lid);
  let slot = at.index;
  if (slot < sizes.slots) {
    let id = marks[slot];
    var pair = vec2u(EMPTY);
    if (marks[slot + 1u] != id) {
      pair = vec2u(atomicLoad(&slots[slot]), id);
      list[id] = pair.x;
    }
    table[slot] = pair;
    // Sectors of slots and marks read, of pairs written; the list's, eight ids each, are counted with the keys.
    @if(COUNT) {
      if (slot % 8u == 0u) {
        count_read();
        count_read();
      }
      if (slot % 4u == 0u) { count_write(); }
      if (pair.x != EMPTY && id % 8u == 0u) { count_write(); }
    }
  } else if (slot == sizes.slots) {
    atomicStore(&status.distinct, marks[sizes.slots]);
  }
  @if(COUNT) count_flush(at.group, lid, slot < sizes.slots);
}

fn is_member(key: u32) -> bool {
  @if(COUNT) count_once(PROLOGUE);
  if (key >= DELETED) { return false; }
  for (var i = 0u; i < FUNCTIONS; i++) {
    @if(COUNT) count_step();
    @if(COUNT) count_read();
    if (atomicLoad(&slots[place(key, f.constants[i])]) == key) { return true; }
  }
  return false;
}

@compute @workgroup_size(WORKGROUP)
fn contains(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let at = grid(wid, nwg, lid);
  let has_item = at.index < f.n;
  if (has_item) { results[at.index] = select(EMPTY, 1u, is_member(keys[at.index])); }
  @if(COUNT) count_flush(at.group, lid, has_item);
}
