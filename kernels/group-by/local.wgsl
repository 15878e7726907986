// Group-by, rows to groups: a workgroup adds its rows up in a table in its own memory (group.wgsl), and at its end adds each group to the
// table in global memory. Rows whose group has no room in the workgroup's table go to the other at once.
// Condition DIRECT: all rows do, and there is no table in workgroup memory.
// Bounds: tiles of rows, TURNS of a tile.
import package::kernels::common::keys::EMPTY;
import package::kernels::group_by::table::{LANES, Part, add_to_table, part_of_row};
import package::kernels::group_by::rows::{TURNS, NONE, Rows, rows_at, values_of, hash_at, row_count, next_tile};
@if(!DIRECT) import package::kernels::group_by::group::{SLOTS, held, clear_group, slots_in_group, add_to_group, part_of_slot};

@if(DIRECT) fn add(slot: u32, hash: u32, part: Part) { add_to_table(hash, part); }
@if(!DIRECT) fn add(slot: u32, hash: u32, part: Part) {
  if (slot == EMPTY) {
    add_to_table(hash, part);
  } else {
    add_to_group(slot, part);
  }
}
fn add_four(four: Rows, rows: u32) {
  let hashes = vec4u(hash_at(four, 0u), hash_at(four, 1u), hash_at(four, 2u), hash_at(four, 3u));
  @if(DIRECT) let slots = hashes;
  @else let slots = slots_in_group(hashes, vec4u(0u, 1u, 2u, 3u) < vec4u(rows));
  add(slots.x, hashes.x, part_of_row(values_of(four, 0u)));
  if (rows > 1u) { add(slots.y, hashes.y, part_of_row(values_of(four, 1u))); }
  if (rows > 2u) { add(slots.z, hashes.z, part_of_row(values_of(four, 2u))); }
  if (rows > 3u) { add(slots.w, hashes.w, part_of_row(values_of(four, 3u))); }
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
      if (4u * at < rows) { add_four(rows_at(at), min(4u, rows - 4u * at)); }
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
