// Radix sort, one pass: every pair to its place, in the order it came within its digit. One workgroup a tile, LANE_PAIRS pairs a
// lane, which stay in registers with names: an array that a loop indexes would lie in memory.
//
// A tile is ordered in workgroup memory first, so that pairs with equal digits leave for global memory side by side: the keys,
// and then, in the same memory, the values. A warp takes neighbouring pairs of the input, WARP of them a turn, so that its
// ranks (rank.wgsl) are in the input's order; where the tile's digits go, the tiles tell one another (look-back.wgsl).
//
// Condition KEYS_ONLY: there are no values.
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::scan::group_scan;
import package::kernels::common::warp::{warp_lane, WARP};
import package::kernels::radix_sort::digits::{DIGITS, QUADS, LANE_PAIRS, TILE, OWN};
import package::kernels::radix_sort::look_back::{look_back, tell};
import package::kernels::radix_sort::pairs::{keys_in, digit_of, sort};
import package::kernels::radix_sort::rank::{counters, rank, held, HALF, WARPS};
@if(COUNT) import package::kernels::common::count::{count_step, count_reads, count_writes, count_once, PROLOGUE, count_flush};
@if(SUBGROUPS) enable subgroups;
@if(SUBGROUPS) diagnostic(off, subgroup_uniformity);

@if(!KEYS_ONLY) @group(0) @binding(1) var<storage, read> values_in: array<u32>;
@group(0) @binding(2) var<storage, read_write> keys_out: array<u32>;
@if(!KEYS_ONLY) @group(0) @binding(3) var<storage, read_write> values_out: array<u32>;

// Arrays that are ordered.
@if(COUNT && KEYS_ONLY) const SIDES = 1u;
@if(COUNT && !KEYS_ONLY) const SIDES = 2u;

// The tile's keys, then its values, by place.
var<workgroup> words: array<u32, TILE>;
// By digit: first the place where it begins in the tile, and its count 16 bits higher; then where its pairs begin in the output,
// minus that place.
var<workgroup> offsets: array<u32, DIGITS>;

// Places after the last pair have the largest key: they stay last, and are not written.
fn key_at(at: u32) -> u32 {
  if (at >= sort.n) { return 0xffffffffu; }
  return keys_in[at];
}
@if(SUBGROUPS) fn four_keys(at: u32) -> vec4u { return vec4u(key_at(at), key_at(at + WARP), key_at(at + 2u * WARP), key_at(at + 3u * WARP)); }

@if(!KEYS_ONLY) fn value_at(at: u32) -> u32 {
  if (at >= sort.n) { return 0u; }
  return values_in[at];
}
@if(SUBGROUPS && !KEYS_ONLY) fn four_values(at: u32) -> vec4u {
  return vec4u(value_at(at), value_at(at + WARP), value_at(at + 2u * WARP), value_at(at + 3u * WARP));
}

@if(SUBGROUPS) fn four_ranks(keys: vec4u, lane: u32, lid: u32) -> vec4u {
  let x = rank(digit_of(keys.x), lane, lid);
  let y = rank(digit_of(keys.y), lane, lid);
  let z = rank(digit_of(keys.z), lane, lid);
  let w = rank(digit_of(keys.w), lane, lid);
  return vec4u(x, y, z, w);
}
@if(SUBGROUPS) fn four_places(keys: vec4u, ranks: vec4u, lid: u32) -> vec4u {
  let begin = vec4u(
    held(digit_of(keys.x), lid),
    held(digit_of(keys.y), lid),
    held(digit_of(keys.z), lid),
    held(digit_of(keys.w), lid),
  );
  return begin + ranks;
}
@if(SUBGROUPS) fn put_four(places: vec4u, four: vec4u) {
  words[places.x] = four.x;
  words[places.y] = four.y;
  words[places.z] = four.z;
  words[places.w] = four.w;
}

// Tells the tile's counts, and makes places of the warps' counts: by digit, then by warp. A lane has two digits, whose counts
// and places share a word.
fn count_tile(tile: u32, lid: u32) {
  var both = 0u;
  if (lid < HALF) {
    for (var warp = 0u; warp < WARPS; warp++) { both += atomicLoad(&counters[warp * HALF + lid]); }
    tell(tile, lid, OWN | (both & 0xffffu));
    tell(tile, lid + HALF, OWN | (both >> 16u));
  }
  let all = group_scan(both, lid);
  // The digits of the upper half come after all of the lower.
  var begin = all.before + (all.total << 16u);
  if (lid < HALF) {
    offsets[lid] = (begin & 0xffffu) | (both << 16u);
    offsets[lid + HALF] = (begin >> 16u) | (both & 0xffff0000u);
    for (var warp = 0u; warp < WARPS; warp++) {
      let count = atomicLoad(&counters[warp * HALF + lid]);
      atomicStore(&counters[warp * HALF + lid], begin);
      begin += count;
    }
  }
  workgroupBarrier();
}

// Where the digits' pairs begin in the output.
fn place_digits(tile: u32, lid: u32) {
  var own = 0u;
  if (lid < DIGITS) { own = offsets[lid]; }
  let begin = look_back(tile, own >> 16u, lid);
  if (lid < DIGITS) { offsets[lid] = begin - (own & 0xffffu); }
  workgroupBarrier();
}

// Sends the key at the place to the output; its digit.
fn send_key(place: u32, first: u32) -> u32 {
  let key = words[place];
  let digit = digit_of(key);
  if (first + place < sort.n) {
    keys_out[offsets[digit] + place] = key;
  }
  return digit;
}
// The digits of four, a byte each.
@if(SUBGROUPS) fn send_four_keys(place: u32, first: u32) -> u32 {
  let x = send_key(place, first);
  let y = send_key(place + WORKGROUP, first);
  let z = send_key(place + 2u * WORKGROUP, first);
  let w = send_key(place + 3u * WORKGROUP, first);
  return x | (y << 8u) | (z << 16u) | (w << 24u);
}
@if(!KEYS_ONLY) fn send_value(place: u32, first: u32, digit: u32) {
  if (first + place < sort.n) { values_out[offsets[digit] + place] = words[place]; }
}
@if(SUBGROUPS && !KEYS_ONLY) fn send_four_values(place: u32, first: u32, digits: u32) {
  send_value(place, first, digits & 0xffu);
  send_value(place + WORKGROUP, first, (digits >> 8u) & 0xffu);
  send_value(place + 2u * WORKGROUP, first, (digits >> 16u) & 0xffu);
  send_value(place + 3u * WORKGROUP, first, digits >> 24u);
}

// Counts what the lane does with its pairs. In a loop of its own: beside the work it would be repeated twenty times, and take long to compile.
@if(COUNT) fn count_pairs(first: u32, lid: u32) {
  for (var place = lid; place < TILE && first + place < sort.n; place += WORKGROUP) {
    count_step();
    if (place % 8u == 0u) { count_reads(SIDES); }
    let digit = digit_of(words[place]);
    // A sector of keys and one of values for every eight places, and for every digit that begins within one.
    if ((offsets[digit] + place) % 8u == 0u || place == 0u || digit_of(words[max(place, 1u) - 1u]) != digit) {
      count_writes(SIDES);
    }
  }
}

@if(SUBGROUPS) fn order(tile: u32, lane: u32, lid: u32) {
  let first = tile * TILE;
  let mine = first + lid / WARP * (WARP * LANE_PAIRS) + lane;
  let k0 = four_keys(mine);
  let k1 = four_keys(mine + 4u * WARP);
  let k2 = four_keys(mine + 8u * WARP);
  let k3 = four_keys(mine + 12u * WARP);
  let k4 = four_keys(mine + 16u * WARP);
  let ranks = array<vec4u, QUADS>(
    four_ranks(k0, lane, lid),
    four_ranks(k1, lane, lid),
    four_ranks(k2, lane, lid),
    four_ranks(k3, lane, lid),
    four_ranks(k4, lane, lid),
  );
  workgroupBarrier();
  count_tile(tile, lid);
  let p0 = four_places(k0, ranks[0], lid);
  let p1 = four_places(k1, ranks[1], lid);
  let p2 = four_places(k2, ranks[2], lid);
  let p3 = four_places(k3, ranks[3], lid);
  let p4 = four_places(k4, ranks[4], lid);
  put_four(p0, k0);
  put_four(p1, k1);
  put_four(p2, k2);
  put_four(p3, k3);
  put_four(p4, k4);
  // Under way while the lane looks back.
  @if(!KEYS_ONLY) let v0 = four_values(mine);
  @if(!KEYS_ONLY) let v1 = four_values(mine + 4u * WARP);
  @if(!KEYS_ONLY) let v2 = four_values(mine + 8u * WARP);
  @if(!KEYS_ONLY) let v3 = four_values(mine + 12u * WARP);
  @if(!KEYS_ONLY) let v4 = four_values(mine + 16u * WARP);
  place_digits(tile, lid);
  @if(COUNT) count_pairs(first, lid);
  let d0 = send_four_keys(lid, first);
  let d1 = send_four_keys(lid + 4u * WORKGROUP, first);
  let d2 = send_four_keys(lid + 8u * WORKGROUP, first);
  let d3 = send_four_keys(lid + 12u * WORKGROUP, first);
  let d4 = send_four_keys(lid + 16u * WORKGROUP, first);
  @if(!KEYS_ONLY) {
    workgroupBarrier();
    put_four(p0, v0);
    put_four(p1, v1);
    put_four(p2, v2);
    put_four(p3, v3);
    put_four(p4, v4);
    workgroupBarrier();
    send_four_values(lid, first, d0);
    send_four_values(lid + 4u * WORKGROUP, first, d1);
    send_four_values(lid + 8u * WORKGROUP, first, d2);
    send_four_values(lid + 12u * WORKGROUP, first, d3);
    send_four_values(lid + 16u * WORKGROUP, first, d4);
  }
}

// The same in loops, whose number of turns a driver does not know: unrolled twenty times, with all barriers, it takes seconds to
// compile.
@if(!SUBGROUPS) fn order(tile: u32, lane: u32, lid: u32) {
  let first = tile * TILE;
  let mine = first + lid / WARP * (WARP * LANE_PAIRS) + lane;
  let pairs = select(0u, LANE_PAIRS, sort.n > 0u);
  var keys: array<u32, LANE_PAIRS>;
  var places: array<u32, LANE_PAIRS>;
  for (var i = 0u; i < pairs; i++) {
    keys[i] = key_at(mine + i * WARP);
    places[i] = rank(digit_of(keys[i]), lane, lid);
  }
  workgroupBarrier();
  count_tile(tile, lid);
  for (var i = 0u; i < pairs; i++) {
    places[i] += held(digit_of(keys[i]), lid);
    words[places[i]] = keys[i];
  }
  place_digits(tile, lid);
  @if(COUNT) count_pairs(first, lid);
  // From here on the digits of what the lane sends.
  for (var i = 0u; i < pairs; i++) { keys[i] = send_key(lid + i * WORKGROUP, first); }
  @if(!KEYS_ONLY) {
    workgroupBarrier();
    for (var i = 0u; i < pairs; i++) { words[places[i]] = value_at(mine + i * WARP); }
    workgroupBarrier();
    for (var i = 0u; i < pairs; i++) { send_value(lid + i * WORKGROUP, first, keys[i]); }
  }
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  @if(COUNT) count_once(PROLOGUE);
  // Without the lane, it is uniform for WGSL's analysis.
  let tile = grid(wid, nwg, 0u).group;
  if (tile < sort.tiles) { order(tile, warp_lane(lid), lid); }
  @if(COUNT) count_flush(tile, lid, tile * TILE + lid < sort.n);
}
