// Group-by, rows to groups: a workgroup adds its rows up in a table in its own memory (group.wgsl), and at its end adds each group to the
// table in global memory. Rows whose group has no room in the workgroup's table go to the other at once.
// Condition DIRECT: all rows do, and there is no table in workgroup memory.
// Bounds: tiles of rows, TURNS of a tile.
import package::kernels::common::keys::EMPTY;
import package::kernels::group_by::table::{LANES, Part, add_to_table, part_of_row};
import package::kernels::group_by::rows::{TURNS, NONE, Rows, rows_at, values_of, hash_at, row_count, next_tile};
@if(!DIRECT) import package::kernels::group_by::group::{SLOTS, held, home_of, clear_group, slot_in_group, add_to_group, part_of_slot};

@if(DIRECT) fn add(hash: u32, values: vec4u) { add_to_table(hash, part_of_row(values)); }
@if(!DIRECT) fn add_at(slot: u32, hash: u32, part: Part) {
  if (slot == EMPTY) {
    add_to_table(hash, part);
  } else {
    add_to_group(slot, part);
  }
}
@if(!DIRECT) fn add(hash: u32, values: vec4u) { add_at(slot_in_group(hash), hash, part_of_row(values)); }

@if(!TOGETHER) fn add_four(four: Rows) {
  add(hash_at(four, 0u), values_of(four, 0u));
  add(hash_at(four, 1u), values_of(four, 1u));
  add(hash_at(four, 2u), values_of(four, 2u));
  add(hash_at(four, 3u), values_of(four, 3u));
}
// The first slots of four rows are looked at together.
@if(TOGETHER) fn add_four(four: Rows) {
  let hashes = vec4u(hash_at(four, 0u), hash_at(four, 1u), hash_at(four, 2u), hash_at(four, 3u));
  var slots = vec4u(home_of(hashes.x), home_of(hashes.y), home_of(hashes.z), home_of(hashes.w));
  let there = vec4u(atomicLoad(&held[slots.x]), atomicLoad(&held[slots.y]), atomicLoad(&held[slots.z]), atomicLoad(&held[slots.w]));
  let sought = (there != hashes) | (hashes == vec4u(EMPTY));
  if (sought.x) { slots.x = slot_in_group(hashes.x); }
  if (sought.y) { slots.y = slot_in_group(hashes.y); }
  if (sought.z) { slots.z = slot_in_group(hashes.z); }
  if (sought.w) { slots.w = slot_in_group(hashes.w); }
  add_at(slots.x, hashes.x, part_of_row(values_of(four, 0u)));
  add_at(slots.y, hashes.y, part_of_row(values_of(four, 1u)));
  add_at(slots.z, hashes.z, part_of_row(values_of(four, 2u)));
  add_at(slots.w, hashes.w, part_of_row(values_of(four, 3u)));
}

@compute @workgroup_size(LANES)
fn main(@builtin(local_invocation_index) lid: u32) {
  let rows = row_count();
  var first = next_tile(lid);
  if (first == NONE) { return; }
  @if(!DIRECT) {
    clear_group(lid);
    workgroupBarrier();
  }
  for (; first != NONE; first = next_tile(lid)) {
    for (var turn = 0u; turn < TURNS; turn++) {
      let at = first + turn * LANES + lid;
      if (4u * at + 3u < rows) {
        add_four(rows_at(at));
      } else if (4u * at < rows) {
        let four = rows_at(at);
        for (var row = 0u; 4u * at + row < rows; row++) { add(hash_at(four, row), values_of(four, row)); }
      }
    }
  }
  @if(!DIRECT) {
    workgroupBarrier();
    for (var slot = lid; slot < SLOTS; slot += LANES) {
      let hash = atomicLoad(&held[slot]);
      if (hash != EMPTY) { add_to_table(hash, part_of_slot(slot)); }
    }
  }
}
