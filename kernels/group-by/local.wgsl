// Group-by, rows to groups: a workgroup adds its rows up in a table in its own memory (group.wgsl), and at its end adds each group to the
// table in global memory. Rows whose group has no room in the workgroup's table go to the other at once.
// Condition DIRECT: all rows do, and there is no table in workgroup memory.
// Condition HOT: rows of the keys that the sample found most frequent are added up by each lane in variables of its own, which come to the
// workgroup's table at the end.
// Bounds: tiles of rows, TURNS of a tile.
import package::kernels::common::keys::EMPTY;
import package::kernels::group_by::table::{LANES, Part, add_to_table, part_of_row};
@if(HOT) import package::kernels::group_by::table::{add_row, hash_of, no_rows};
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
@if(!DIRECT && !HOT) fn add(hash: u32, values: vec4u) { add_at(slot_in_group(hash), hash, part_of_row(values)); }

// The keys, `known` of them.
@if(HOT) @group(0) @binding(10) var<storage, read> hot: array<u32>;
@if(HOT) @group(0) @binding(11) var<uniform> known: u32;
@if(HOT) var<private> hottest: vec4u;
@if(HOT) var<private> part_x: Part;
@if(HOT) var<private> part_y: Part;
@if(HOT) var<private> part_z: Part;
@if(HOT) var<private> part_w: Part;

// Of two that are equal the first counts.
@if(HOT) fn hash_of_hot(number: u32) -> u32 { return select(EMPTY, hash_of(hot[number]), number < known); }
@if(HOT) fn begin_hot() {
  hottest = vec4u(hash_of_hot(0u), hash_of_hot(1u), hash_of_hot(2u), hash_of_hot(3u));
  part_x = no_rows();
  part_y = no_rows();
  part_z = no_rows();
  part_w = no_rows();
}
@if(HOT) fn add(hash: u32, values: vec4u) {
  if (hash == hottest.x) {
    part_x = add_row(part_x, values);
  } else if (hash == hottest.y) {
    part_y = add_row(part_y, values);
  } else if (hash == hottest.z) {
    part_z = add_row(part_z, values);
  } else if (hash == hottest.w) {
    part_w = add_row(part_w, values);
  } else {
    add_at(slot_in_group(hash), hash, part_of_row(values));
  }
}
// A part after another: drivers compile four calls four times as long.
@if(HOT) fn end_hot() {
  for (var number = 0u; number < 4u; number++) {
    var part = part_x;
    if (number == 1u) { part = part_y; }
    if (number == 2u) { part = part_z; }
    if (number == 3u) { part = part_w; }
    let hash = hottest[number];
    if (part.rows > 0u) { add_at(slot_in_group(hash), hash, part); }
  }
}

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
  @if(HOT) begin_hot();
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
  @if(HOT) end_hot();
  @if(!DIRECT) {
    workgroupBarrier();
    for (var slot = lid; slot < SLOTS; slot += LANES) {
      let hash = atomicLoad(&held[slot]);
      if (hash != EMPTY) { add_to_table(hash, part_of_slot(slot)); }
    }
  }
}
