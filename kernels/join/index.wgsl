// Join, the index of the build side: a workgroup a part of its rows (bins of pairs of hash and row), which puts the rows of each key side by
// side. A hash is a bijection of its key, and stands for it.
//
// Condition SORTED: all rows are in the order of their hashes, and parts are ranges of them (ranges.wgsl).
// Layout: part p has slots p * (SLOTS + 1) and the SLOTS after it, a hash and where the rows of its key begin in the list; they end
// where those of the next slot begin. A slot without a key has the hash EMPTY and no rows, and so has the last one.
// Condition UNIQUE, for keys that each have one row: a slot has the row itself, and there is no list. Where a key repeats the pass has failed.
// Bounds: the pairs of a part, SLOTS, lg LANES.
import package::kernels::common::grid::grid;
import package::kernels::common::keys::EMPTY;
import package::kernels::group_by::group::{SLOTS, held, words, clear_group, slots_in_group};
@if(!UNIQUE) import package::kernels::group_by::group::{add_to_group, word_of_slot};
@if(!UNIQUE) import package::kernels::group_by::table::part_of_row;
import package::kernels::group_by::table::{LANES, said};

struct BinPlan {
  bins: u32,
  // Pairs that a bin holds; an even number. Of sorted rows unused.
  size: u32,
}
@group(0) @binding(0) var<uniform> bin_plan: BinPlan;
@if(!SORTED) @group(0) @binding(1) var<storage, read> pairs: array<vec2u>;
@if(!SORTED) @group(0) @binding(2) var<storage, read> counts: array<u32>;
@if(SORTED) @group(0) @binding(1) var<storage, read> hashes: array<u32>;
@if(SORTED) @group(0) @binding(2) var<storage, read> ranges: array<u32>;
@if(SORTED) @group(0) @binding(5) var<storage, read> numbers: array<u32>;
@group(0) @binding(3) var<storage, read_write> slots: array<vec2u>;
@if(!UNIQUE) @group(0) @binding(4) var<storage, read_write> row_list: array<u32>;

// A hash and the number of its row.
@if(!SORTED) fn pair_at(at: u32) -> vec2u { return pairs[at]; }
@if(SORTED) fn pair_at(at: u32) -> vec2u { return vec2u(hashes[at], numbers[at]); }
// The first pair of a part, and how many it has.
@if(!SORTED) fn range_of(bin: u32) -> vec2u { return vec2u(bin * bin_plan.size, min(counts[bin], bin_plan.size)); }
@if(SORTED) fn range_of(bin: u32) -> vec2u { return vec2u(ranges[bin], ranges[bin + 1u] - ranges[bin]); }

// Four rows of a lane, and the slots of their keys; of those of the part that there are.
struct Four {
  there: vec4<bool>,
  numbers: vec4u,
  slots: vec4u,
}
fn four_at(range: vec2u, lane: u32) -> Four {
  let at = lane + LANES * vec4u(0u, 1u, 2u, 3u);
  let there = at < vec4u(range.y);
  let rows = range.x + min(at, vec4u(range.y - 1u));
  let x = pair_at(rows.x);
  let y = pair_at(rows.y);
  let z = pair_at(rows.z);
  let w = pair_at(rows.w);
  return Four(there, vec4u(x.y, y.y, z.y, w.y), slots_in_group(vec4u(x.x, y.x, z.x, w.x), there));
}

@if(UNIQUE) fn put(number: u32, slot: u32) {
  if (slot == EMPTY) {
    atomicMax(&said.status.bound, 1u);
  } else if (atomicExchange(&words[slot], ~number) != 0u) {
    atomicMax(&said.status.failed, 1u);
  }
}
@compute @workgroup_size(LANES)
@if(UNIQUE) fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let bin = grid(wid, nwg, 0u).group;
  if (bin >= bin_plan.bins) { return; }
  clear_group(lid);
  workgroupBarrier();
  let range = range_of(bin);
  for (var i = lid; i < range.y; i += 4u * LANES) {
    let four = four_at(range, i);
    put(four.numbers.x, four.slots.x);
    if (four.there.y) { put(four.numbers.y, four.slots.y); }
    if (four.there.z) { put(four.numbers.z, four.slots.z); }
    if (four.there.w) { put(four.numbers.w, four.slots.w); }
  }
  workgroupBarrier();
  for (var slot = lid; slot < SLOTS; slot += LANES) {
    slots[bin * (SLOTS + 1u) + slot] = vec2u(atomicLoad(&held[slot]), ~atomicLoad(&words[slot]));
  }
}

// By lane: rows of its slots; then of those before it too.
@if(!UNIQUE) var<workgroup> begins: array<u32, LANES>;
// Where the part's rows begin in the list.
@if(!UNIQUE) var<workgroup> part_begin: u32;

@if(!UNIQUE) fn count(slot: u32) {
  if (slot == EMPTY) {
    atomicMax(&said.status.bound, 1u);
  } else {
    add_to_group(slot, part_of_row(vec4u()));
  }
}
// The slot's word is where its next row goes.
@if(!UNIQUE) fn place(number: u32, slot: u32) {
  if (slot != EMPTY) { row_list[atomicAdd(&words[slot], 1u)] = number; }
}

@compute @workgroup_size(LANES)
@if(!UNIQUE) fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let bin = grid(wid, nwg, 0u).group;
  if (bin >= bin_plan.bins) { return; }
  clear_group(lid);
  workgroupBarrier();
  let range = range_of(bin);
  let rows = range.y;
  for (var i = lid; i < rows; i += 4u * LANES) {
    let four = four_at(range, i);
    count(four.slots.x);
    if (four.there.y) { count(four.slots.y); }
    if (four.there.z) { count(four.slots.z); }
    if (four.there.w) { count(four.slots.w); }
  }
  if (lid == 0u) { part_begin = atomicAdd(&said.tiles, rows); }
  workgroupBarrier();
  // Neighbouring slots are a lane's.
  let each = (SLOTS + LANES - 1u) / LANES;
  var mine = 0u;
  for (var slot = lid * each; slot < min(SLOTS, (lid + 1u) * each); slot++) { mine += word_of_slot(0u, slot); }
  begins[lid] = mine;
  workgroupBarrier();
  for (var distance = 1u; distance < LANES; distance *= 2u) {
    let before = select(0u, begins[max(lid, distance) - distance], lid >= distance);
    workgroupBarrier();
    begins[lid] += before;
    workgroupBarrier();
  }
  var begin = part_begin + begins[lid] - mine;
  let out = bin * (SLOTS + 1u);
  for (var slot = lid * each; slot < min(SLOTS, (lid + 1u) * each); slot++) {
    slots[out + slot] = vec2u(atomicLoad(&held[slot]), begin);
    let count = atomicExchange(&words[slot], begin);
    begin += count;
  }
  if (lid == 0u) { slots[out + SLOTS] = vec2u(EMPTY, part_begin + rows); }
  workgroupBarrier();
  for (var i = lid; i < rows; i += 4u * LANES) {
    let four = four_at(range, i);
    place(four.numbers.x, four.slots.x);
    if (four.there.y) { place(four.numbers.y, four.slots.y); }
    if (four.there.z) { place(four.numbers.z, four.slots.z); }
    if (four.there.w) { place(four.numbers.w, four.slots.w); }
  }
}
