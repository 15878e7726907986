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
import package::kernels::group_by::group::{SLOTS, held, words, clear_group, slot_in_group};
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

@compute @workgroup_size(LANES)
@if(UNIQUE) fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let bin = grid(wid, nwg, 0u).group;
  if (bin >= bin_plan.bins) { return; }
  clear_group(lid);
  workgroupBarrier();
  let range = range_of(bin);
  for (var i = lid; i < range.y; i += LANES) {
    let pair = pair_at(range.x + i);
    let slot = slot_in_group(pair.x);
    if (slot == EMPTY) {
      atomicMax(&said.status.bound, 1u);
    } else if (atomicExchange(&words[slot], ~pair.y) != 0u) {
      atomicMax(&said.status.failed, 1u);
    }
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

@compute @workgroup_size(LANES)
@if(!UNIQUE) fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let bin = grid(wid, nwg, 0u).group;
  if (bin >= bin_plan.bins) { return; }
  clear_group(lid);
  workgroupBarrier();
  let range = range_of(bin);
  let first = range.x;
  let rows = range.y;
  for (var i = lid; i < rows; i += LANES) {
    let slot = slot_in_group(pair_at(first + i).x);
    if (slot == EMPTY) {
      atomicMax(&said.status.bound, 1u);
    } else {
      add_to_group(slot, part_of_row(vec4u()));
    }
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
    // From now on the word is where the slot's next row goes.
    let count = atomicExchange(&words[slot], begin);
    begin += count;
  }
  if (lid == 0u) { slots[out + SLOTS] = vec2u(EMPTY, part_begin + rows); }
  workgroupBarrier();
  for (var i = lid; i < rows; i += LANES) {
    let pair = pair_at(first + i);
    let slot = slot_in_group(pair.x);
    if (slot != EMPTY) { row_list[atomicAdd(&words[slot], 1u)] = pair.y; }
  }
}
