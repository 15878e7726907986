// Partitioned build, a pass: each pair to the bin of its part, or of the parts around it. One workgroup a tile, four pairs a
// lane; tiles do not wait for one another, and the order within a bin is any.
//
// A tile is ordered by bin in workgroup memory first, so that pairs of a bin leave for global memory side by side. A pair's
// rank among those of its bin is what an atomic counter held; then a lane a bin takes as many places of the output bin.
//
// Condition FIRST: of keys and values as they come; else of the bins of the pass before.
// Condition SORT: keys are their own hashes, a key with a reserved value becomes EMPTY, and a bin without room for a pair raises
// status.failed: the sort has failed.
// Condition ALL: no key and no value is reserved, and every pair is taken.
// Condition STABLE: beside each pair goes its number in the input, by which equal keys are put into their order.
// Layout: bin b of the output begins at pair b * size_out; cursors[b] is its count, zero at first.
import package::kernels::common::grid::grid;
import package::kernels::common::status::Status;
@if(!SORT) import package::kernels::common::hash::mix32;
@if(SORT) import package::kernels::common::keys::EMPTY;
import package::kernels::common::keys::is_pair;
import package::kernels::partitioned::parts::{LANES, Plan, bucket_of};
import package::kernels::partitioned::sums::{sum_before, sum_of_all};
@if(SUBGROUPS) import package::kernels::common::warp::is_in_place;
@if(COUNT) import package::kernels::common::count::{count_step, count_reads, count_writes, count_rmw, count_once, PROLOGUE, count_flush};
@if(SUBGROUPS) enable subgroups;
@if(SUBGROUPS) diagnostic(off, subgroup_uniformity);

// Output bins of an input bin, or of the input: LANES at most.
override BINS: u32 = LANES;
override TILE: u32 = 4u * LANES;

@if(FIRST) @group(0) @binding(0) var<storage, read> keys: array<vec4u>;
@if(FIRST) @group(0) @binding(1) var<storage, read> values: array<vec4u>;
// Two pairs an element; the counts of the bins.
@if(!FIRST) @group(0) @binding(0) var<storage, read> pairs_in: array<vec4u>;
@if(!FIRST) @group(0) @binding(1) var<storage, read> counts_in: array<u32>;
@group(0) @binding(2) var<storage, read_write> pairs_out: array<vec2u>;
@group(0) @binding(3) var<storage, read_write> cursors: array<atomic<u32>>;
// Pairs that no bin has room for: status.left is how many. Their first buckets were not looked at: status.failed is not 0 then.
@if(!SORT) @group(0) @binding(4) var<storage, read_write> list: array<vec2u>;
@group(0) @binding(5) var<storage, read_write> status: Status;
@group(0) @binding(6) var<uniform> plan: Plan;
// Numbers of the pairs, two an element; those that leave, laid out as pairs_out.
@if(STABLE && !FIRST) @group(0) @binding(7) var<storage, read> numbers_in: array<vec2u>;
@if(STABLE) @group(0) @binding(8) var<storage, read_write> numbers_out: array<u32>;

struct Four {
  hashes: vec4u,
  values: vec4u,
  there: vec4<bool>,
}

@if(FIRST) fn tile_of(group: u32) -> vec2u { return vec2u(group, 0u); }
@if(!FIRST) fn tile_of(group: u32) -> vec2u { return vec2u(group % plan.tiles, group / plan.tiles); }

// Pairs of the input, or of the input bin.
@if(FIRST) fn pairs_of(bin: u32) -> u32 { return plan.pairs; }
@if(!FIRST) fn pairs_of(bin: u32) -> u32 {
  if (bin >= plan.bins_in) { return 0u; }
  return min(counts_in[bin], plan.size_in);
}

@if(!SORT) fn hash_of(key: u32) -> u32 { return mix32(key ^ plan.seed); }

fn are_pairs(k: vec4u, v: vec4u) -> vec4<bool> {
  return vec4<bool>(is_pair(k.x, v.x), is_pair(k.y, v.y), is_pair(k.z, v.z), is_pair(k.w, v.w));
}

// The pairs that go on. Those that are refused are counted; of a sort their keys, whose place is at its end, go on.
@if(FIRST && SORT) fn taken(seen: vec4u, seen_values: vec4u, inside: vec4<bool>) -> Four {
  return Four(select(vec4u(EMPTY), seen, are_pairs(vec4u(), seen_values)), seen_values, inside);
}
@if(FIRST && !SORT && ALL) fn taken(seen: vec4u, seen_values: vec4u, inside: vec4<bool>) -> Four {
  return Four(vec4u(hash_of(seen.x), hash_of(seen.y), hash_of(seen.z), hash_of(seen.w)), seen_values, inside);
}
@if(FIRST && !SORT && !ALL) fn taken(seen: vec4u, seen_values: vec4u, inside: vec4<bool>) -> Four {
  let refused = inside & !are_pairs(seen, seen_values);
  if (any(refused)) {
    let ones = select(vec4u(), vec4u(1u), refused);
    atomicAdd(&status.refused, ones.x + ones.y + ones.z + ones.w);
  }
  let hashes = vec4u(hash_of(seen.x), hash_of(seen.y), hash_of(seen.z), hash_of(seen.w));
  return Four(hashes, seen_values, inside & !refused);
}

// The lane's pairs of the tile.
@if(FIRST) fn four(tile: u32, bin: u32, lid: u32) -> Four {
  let at = tile * LANES + lid;
  let pairs = vec4u(4u * at) + vec4u(0u, 1u, 2u, 3u);
  if (4u * at >= plan.pairs) { return Four(vec4u(), vec4u(), vec4<bool>()); }
  return taken(keys[at], values[at], pairs < vec4u(plan.pairs));
}
@if(!FIRST) fn four(tile: u32, bin: u32, lid: u32) -> Four {
  // Elements of two pairs: neighbouring lanes read neighbouring ones.
  let first = tile * (2u * LANES) + lid;
  let begin = bin * (plan.size_in / 2u);
  let in_bin = vec4u(2u * first) + vec4u(0u, 1u, 2u * LANES, 2u * LANES + 1u);
  let there = in_bin < vec4u(pairs_of(bin));
  var near = vec4u();
  var far = vec4u();
  if (there.x) { near = pairs_in[begin + first]; }
  if (there.z) { far = pairs_in[begin + first + LANES]; }
  return Four(
    vec4u(near.xz, far.xz),
    vec4u(near.yw, far.yw),
    there,
  );
}

// Of the lane's pairs the numbers in the input.
@if(STABLE && FIRST) fn numbers_of(tile: u32, bin: u32, lid: u32) -> vec4u { return vec4u(4u * (tile * LANES + lid)) + vec4u(0u, 1u, 2u, 3u); }
@if(STABLE && !FIRST) fn numbers_of(tile: u32, bin: u32, lid: u32) -> vec4u {
  let first = tile * (2u * LANES) + lid;
  let begin = bin * (plan.size_in / 2u);
  let pairs = pairs_of(bin);
  var near = vec2u();
  var far = vec2u();
  if (2u * first < pairs) { near = numbers_in[begin + first]; }
  if (2u * (first + LANES) < pairs) { far = numbers_in[begin + first + LANES]; }
  return vec4u(near, far);
}

fn bin_of(hash: u32) -> u32 { return (bucket_of(hash, plan.buckets) >> plan.shift) % BINS; }

// By bin: pairs of the tile; and then where they begin in the tile, and in the upper half how many of them the output has room for.
var<workgroup> counts: array<atomic<u32>, BINS>;
// Where the tile's place 0 would lie in the output, if all places before the bin's first were of the bin.
var<workgroup> bases: array<u32, BINS>;
// Where the list would begin, if these were in it.
@if(!SORT) var<workgroup> lefts: array<u32, BINS>;
// The tile's pairs by place; then, in the first words, their numbers.
var<workgroup> ordered: array<vec2u, TILE>;

// So many of the bin's pairs have no room, of `count`.
@if(SORT) fn take_left(bin: u32, count: u32, room: u32) { atomicMax(&status.failed, 1u); }
@if(!SORT) fn take_left(bin: u32, count: u32, room: u32) {
  lefts[bin] = atomicAdd(&status.left, count - room) - room;
  atomicMax(&status.failed, 1u);
}

// Lane `lid` takes places for the pairs of that bin.
fn take_places(bin_in: u32, lid: u32) {
  var count = 0u;
  var room = 0u;
  var taken = 0u;
  let bin_out = bin_in * BINS + lid;
  if (lid < BINS) {
    count = atomicLoad(&counts[lid]);
    if (count > 0u) {
      @if(COUNT) count_rmw();
      taken = atomicAdd(&cursors[bin_out], count);
      room = min(count, plan.size_out - min(taken, plan.size_out));
    }
  }
  let begin = sum_before(room, lid);
  if (lid < BINS) {
    atomicStore(&counts[lid], begin | (room << 16u));
    bases[lid] = bin_out * plan.size_out + taken - begin;
    if (count > room) { take_left(lid, count, room); }
  }
  workgroupBarrier();
}

fn rank(there: bool, bin: u32) -> u32 {
  if (!there) { return 0u; }
  return atomicAdd(&counts[bin], 1u);
}

@if(SORT) fn leave(bin: u32, rank: u32, pair: vec2u) {}
@if(!SORT) fn leave(bin: u32, rank: u32, pair: vec2u) { list[lefts[bin] + rank] = pair; }

fn put(there: bool, bin: u32, rank: u32, pair: vec2u) {
  if (!there) { return; }
  let places = atomicLoad(&counts[bin]);
  if (rank < (places >> 16u)) {
    ordered[(places & 0xffffu) + rank] = pair;
  } else {
    leave(bin, rank, pair);
  }
}

// Where it went.
fn send(place: u32, all: u32) -> u32 {
  if (place >= all) { return 0u; }
  let pair = ordered[place];
  let at = bases[bin_of(pair.x)] + place;
  // Of a sector's four pairs, and of a bin's in the tile, the first.
  @if(COUNT) { if (at % 4u == 0u || place == 0u || bin_of(ordered[max(place, 1u) - 1u].x) != bin_of(pair.x)) { count_writes(1u); } }
  pairs_out[at] = pair;
  return at;
}

// What there is no room for makes the sort fail.
@if(STABLE) fn put_number(there: bool, bin: u32, rank: u32, number: u32) {
  if (!there) { return; }
  let places = atomicLoad(&counts[bin]);
  if (rank < (places >> 16u)) { ordered[(places & 0xffffu) + rank].x = number; }
}
@if(STABLE) fn send_number(place: u32, all: u32, at: u32) {
  if (place < all) { numbers_out[at] = ordered[place].x; }
}

// Not 0 if a lane of the workgroup is not where sums.wgsl takes it to be. Then the workgroup moves no pair.
@if(SUBGROUPS) var<workgroup> misplaced: atomic<u32>;
@if(SUBGROUPS) fn report_misplaced() {
  atomicStore(&misplaced, 1u);
  atomicMax(&status.misplaced, 1u);
}

fn order(tile: u32, bin_in: u32, lid: u32, in_place: bool) {
  if (lid < BINS) { atomicStore(&counts[lid], 0u); }
  @if(SUBGROUPS) { if (!in_place) { report_misplaced(); } }
  var mine = four(tile, bin_in, lid);
  @if(STABLE) let numbers = numbers_of(tile, bin_in, lid);
  workgroupBarrier();
  @if(SUBGROUPS) mine.there &= vec4<bool>(atomicLoad(&misplaced) == 0u);
  let bins = vec4u(bin_of(mine.hashes.x), bin_of(mine.hashes.y), bin_of(mine.hashes.z), bin_of(mine.hashes.w));
  let x = rank(mine.there.x, bins.x);
  let y = rank(mine.there.y, bins.y);
  let z = rank(mine.there.z, bins.z);
  let w = rank(mine.there.w, bins.w);
  workgroupBarrier();
  take_places(bin_in, lid);
  put(mine.there.x, bins.x, x, vec2u(mine.hashes.x, mine.values.x));
  put(mine.there.y, bins.y, y, vec2u(mine.hashes.y, mine.values.y));
  put(mine.there.z, bins.z, z, vec2u(mine.hashes.z, mine.values.z));
  put(mine.there.w, bins.w, w, vec2u(mine.hashes.w, mine.values.w));
  let all = workgroupUniformLoad(&sum_of_all);
  let sent = vec4u(send(lid, all), send(lid + LANES, all), send(lid + 2u * LANES, all), send(lid + 3u * LANES, all));
  @if(STABLE) {
    workgroupBarrier();
    put_number(mine.there.x, bins.x, x, numbers.x);
    put_number(mine.there.y, bins.y, y, numbers.y);
    put_number(mine.there.z, bins.z, z, numbers.z);
    put_number(mine.there.w, bins.w, w, numbers.w);
    workgroupBarrier();
    send_number(lid, all, sent.x);
    send_number(lid + LANES, all, sent.y);
    send_number(lid + 2u * LANES, all, sent.z);
    send_number(lid + 3u * LANES, all, sent.w);
  }
  // A step a pair; 32 bytes of pairs a lane.
  @if(COUNT) { if (mine.there.x) { count_reads(1u); } }
  @if(COUNT) { for (var i = 0u; i < 4u; i++) { if (mine.there[i]) { count_step(); } } }
}

@compute @workgroup_size(LANES)
@if(SUBGROUPS) fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32, @builtin(subgroup_invocation_id) id: u32) {
  work(wid, nwg, lid, is_in_place(lid, id));
}
@compute @workgroup_size(LANES)
@if(!SUBGROUPS) fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  work(wid, nwg, lid, true);
}

fn work(wid: vec3u, nwg: vec3u, lid: u32, in_place: bool) {
  @if(COUNT) count_once(PROLOGUE);
  // Without the lane, it is uniform for WGSL's analysis.
  let group = grid(wid, nwg, 0u).group;
  let tile = tile_of(group);
  let first = tile.x * TILE;
  // Of an input bin's tiles, those after its last pair have nothing to do.
  if (first < pairs_of(tile.y)) { order(tile.x, tile.y, lid, in_place); }
  @if(COUNT) count_flush(group, lid, first + lid < pairs_of(tile.y));
}
