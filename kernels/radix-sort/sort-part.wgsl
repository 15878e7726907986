// Hybrid radix sort, after the passes that partition: each part in workgroup memory, and from there to its place: the local sort
// of E. Stehle and H.-A. Jacobsen, SIGMOD 2017, in another way. One workgroup a part, four pairs a lane.
//
// Of P parts a key is in part floor(key · P / 2^32), and in sub-bucket floor(f · SUBS / 2^32) of it, f = key · P mod 2^32: both
// rise with the key. A pair's place: where its sub-bucket begins, and how many of the sub-bucket's keys are smaller, which
// are compared one by one: there is less than one pair a sub-bucket. Parts begin where the counts of those before them end.
//
// Layout of `counters`: of sub-bucket s half s % 2 of word s / 2, low half first. Zero; then its pairs; then where it begins.
// The order in which equal keys came is known with condition STABLE alone, by their numbers in the input; without it they raise status.failed, as
// do sub-buckets of more than MOST pairs and, in the passes, full bins. What is written here is not used then. No workgroup waits for another.
// Bounds: MOST turns a pair, and those of sums.wgsl.
import package::kernels::common::grid::grid;
import package::kernels::common::status::Status;
import package::kernels::partitioned::parts::LANES;
import package::kernels::partitioned::sums::sum_before;
@if(SUBGROUPS) import package::kernels::common::warp::{is_in_place, SUBGROUP};
@if(COUNT) import package::kernels::common::count::{count_step, count_reads, count_writes, count_once, PROLOGUE, count_flush};
@if(SUBGROUPS) enable subgroups;
@if(SUBGROUPS) diagnostic(off, subgroup_uniformity);

struct Parts {
  parts: u32,
  // Of a bin of the first pass; a power of two. All parts where there is one pass.
  in_bin: u32,
  // Pairs that a part's bin holds, at most 4 LANES.
  size: u32,
}

// The bins of the last pass, a bin a part; two pairs an element.
@group(0) @binding(0) var<storage, read> pairs: array<vec4u>;
// Pairs of the bins of the first pass, and of the parts; LANES bins, and LANES parts of each, at most.
@group(0) @binding(1) var<storage, read> bin_counts: array<u32>;
@group(0) @binding(2) var<storage, read> part_counts: array<u32>;
@group(0) @binding(3) var<storage, read_write> keys_out: array<u32>;
@group(0) @binding(4) var<storage, read_write> values_out: array<u32>;
@group(0) @binding(5) var<storage, read_write> status: Status;
@group(0) @binding(6) var<uniform> plan: Parts;
// Numbers of the pairs in the input, two an element.
@if(STABLE) @group(0) @binding(7) var<storage, read> numbers_in: array<vec2u>;

// Sub-buckets, and pairs of a part at most.
override SUBS: u32 = 4u * LANES;
override COUNTERS: u32 = 2u * LANES;
const MOST = 32u;

var<workgroup> counters: array<atomic<u32>, COUNTERS>;
// The part's pairs by place. Until values are put there, the second array has the numbers of the pairs in the input.
var<workgroup> keys: array<u32, SUBS>;
var<workgroup> values: array<u32, SUBS>;
// Where the part begins in the output: sums up, from zero.
var<workgroup> start: atomic<u32>;
// Not 0 if the part is not to be sorted.
var<workgroup> given_up: atomic<u32>;

fn half_of(sub: u32) -> u32 { return 16u * (sub % 2u); }

// How many pairs of the sub-bucket came before this one.
fn rank(there: bool, sub: u32) -> u32 {
  if (!there) { return 0u; }
  return (atomicAdd(&counters[sub / 2u], 1u << half_of(sub)) >> half_of(sub)) & 0xffffu;
}

fn begin_of(sub: u32) -> u32 { return (atomicLoad(&counters[sub / 2u]) >> half_of(sub)) & 0xffffu; }
fn end_of(sub: u32, count: u32) -> u32 {
  if (sub + 1u == SUBS) { return count; }
  return begin_of(sub + 1u);
}

// Makes beginnings of counts: a lane has four sub-buckets.
fn place_subs(lid: u32) {
  let near = atomicLoad(&counters[2u * lid]);
  let far = atomicLoad(&counters[2u * lid + 1u]);
  let of_near = (near & 0xffffu) + (near >> 16u);
  let begin = sum_before(of_near + (far & 0xffffu) + (far >> 16u), lid);
  let middle = begin + of_near;
  atomicStore(&counters[2u * lid], begin | ((begin + (near & 0xffffu)) << 16u));
  atomicStore(&counters[2u * lid + 1u], middle | ((middle + (far & 0xffffu)) << 16u));
}

// Puts the key where others of its sub-bucket see it; that place.
fn show(there: bool, key: u32, number: u32, sub: u32, rank: u32) -> u32 {
  if (!there) { return 0u; }
  let place = begin_of(sub) + rank;
  keys[place] = key;
  @if(STABLE) { values[place] = number; }
  return place;
}

// Where the sub-bucket begins, and how many pairs it has.
fn span_of(there: bool, sub: u32, count: u32) -> vec2u {
  if (!there) { return vec2u(); }
  let begin = begin_of(sub);
  return vec2u(begin, end_of(sub, count) - begin);
}

// Of the lane's four keys the places among all of the part. All four are compared with others at the same time: one after another they would
// wait for memory four times as often.
fn places_of(there: vec4<bool>, keys_of_lane: vec4u, numbers: vec4u, subs: vec4u, count: u32) -> vec4u {
  let x = span_of(there.x, subs.x, count);
  let y = span_of(there.y, subs.y, count);
  let z = span_of(there.z, subs.z, count);
  let w = span_of(there.w, subs.w, count);
  let begin = vec4u(x.x, y.x, z.x, w.x);
  let pairs_there = vec4u(x.y, y.y, z.y, w.y);
  // Where there is no other nothing is compared.
  let size = select(vec4u(), pairs_there, pairs_there > vec4u(1u));
  let most = max(max(size.x, size.y), max(size.z, size.w));
  var smaller = vec4u();
  @if(!STABLE) var equal = vec4u();
  for (var other = 0u; other < min(most, MOST); other++) {
    let at = min(begin + vec4u(other), vec4u(SUBS - 1u));
    let seen = vec4u(keys[at.x], keys[at.y], keys[at.z], keys[at.w]);
    let compared = vec4u(other) < size;
    @if(STABLE) {
      let before = vec4u(values[at.x], values[at.y], values[at.z], values[at.w]) < numbers;
      smaller += select(vec4u(), vec4u(1u), compared & ((seen < keys_of_lane) | ((seen == keys_of_lane) & before)));
    }
    @if(!STABLE) { smaller += select(vec4u(), vec4u(1u), compared & (seen < keys_of_lane)); }
    @if(!STABLE) { equal += select(vec4u(), vec4u(1u), compared & (seen == keys_of_lane)); }
  }
  var undecided = most > MOST;
  @if(!STABLE) { undecided |= any(equal > vec4u(1u)); }
  if (undecided) { atomicMax(&status.failed, 1u); }
  return begin + smaller;
}

fn put(there: bool, shown: u32, place: u32, key: u32, value: u32) {
  if (!there) { return; }
  if (place != shown) { keys[place] = key; }
  values[place] = value;
}

fn send(place: u32, first: u32, count: u32) {
  if (place >= count) { return; }
  keys_out[first + place] = keys[place];
  values_out[first + place] = values[place];
  // A sector of keys and one of values for every eight places.
  @if(COUNT) { if ((first + place) % 8u == 0u || place == 0u) { count_writes(2u); } }
}

// The lane's share of where the part begins: after the bins before its own, and the parts before it there.
fn before_part(part: u32, lid: u32) -> u32 {
  let bin = part / plan.in_bin;
  let in_bin = part % plan.in_bin;
  var before = 0u;
  if (lid < bin) { before = bin_counts[lid]; }
  if (lid < in_bin) { before += part_counts[part - in_bin + lid]; }
  return before;
}
// One operation a subgroup, or a lane.
@if(SUBGROUPS) fn add_start(before: u32, lid: u32) {
  let sum = subgroupAdd(before);
  if (lid % SUBGROUP == 0u && sum > 0u) { atomicAdd(&start, sum); }
}
@if(!SUBGROUPS) fn add_start(before: u32, lid: u32) {
  if (before > 0u) { atomicAdd(&start, before); }
}

fn give_up() { atomicStore(&given_up, 1u); }
// A lane is not where sums.wgsl takes it to be.
@if(SUBGROUPS) fn report_misplaced() {
  give_up();
  atomicMax(&status.misplaced, 1u);
}

fn sort_part(part: u32, lid: u32, in_place: bool) {
  let begin = part * (plan.size / 2u);
  let in_bin = vec4u(2u * lid) + vec4u(0u, 1u, 2u * LANES, 2u * LANES + 1u);
  // Read beside the counts: that many the bin can hold.
  var near = vec4u();
  var far = vec4u();
  var own = vec4u();
  if (in_bin.x < plan.size) {
    near = pairs[begin + lid];
    @if(STABLE) { own = vec4u(numbers_in[begin + lid], vec2u()); }
  }
  if (in_bin.z < plan.size) {
    far = pairs[begin + lid + LANES];
    @if(STABLE) { own = vec4u(own.xy, numbers_in[begin + lid + LANES]); }
  }
  let count = min(part_counts[part], plan.size);
  let before = before_part(part, lid);
  if (lid == 0u && atomicLoad(&status.failed) != 0u) { give_up(); }
  @if(SUBGROUPS) { if (!in_place) { report_misplaced(); } }
  if (workgroupUniformLoad(&given_up) != 0u) { return; }
  add_start(before, lid);
  let there = in_bin < vec4u(count);
  let subs = (vec4u(near.xz, far.xz) * plan.parts) >> vec4u(countLeadingZeros(SUBS) + 1u);
  let x = rank(there.x, subs.x);
  let y = rank(there.y, subs.y);
  let z = rank(there.z, subs.z);
  let w = rank(there.w, subs.w);
  workgroupBarrier();
  place_subs(lid);
  workgroupBarrier();
  let shown = vec4u(
    show(there.x, near.x, own.x, subs.x, x),
    show(there.y, near.z, own.y, subs.y, y),
    show(there.z, far.x, own.z, subs.z, z),
    show(there.w, far.z, own.w, subs.w, w),
  );
  workgroupBarrier();
  let places = places_of(there, vec4u(near.xz, far.xz), own, subs, count);
  workgroupBarrier();
  put(there.x, shown.x, places.x, near.x, near.y);
  put(there.y, shown.y, places.y, near.z, near.w);
  put(there.z, shown.z, places.z, far.x, far.y);
  put(there.w, shown.w, places.w, far.z, far.w);
  workgroupBarrier();
  let first = atomicLoad(&start);
  send(lid, first, count);
  send(lid + LANES, first, count);
  send(lid + 2u * LANES, first, count);
  send(lid + 3u * LANES, first, count);
  // A sector for two lanes' elements; a step a pair.
  @if(COUNT) { if (lid % 2u == 0u && there.x) { count_reads(1u); } }
  @if(COUNT) { if (lid % 2u == 0u && there.z) { count_reads(1u); } }
  @if(COUNT) { for (var i = 0u; i < 4u; i++) { if (there[i]) { count_step(); } } }
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
  let part = grid(wid, nwg, 0u).group;
  if (part < plan.parts) { sort_part(part, lid, in_place); }
  @if(COUNT) count_flush(part, lid, part < plan.parts && lid * 2u < part_counts[min(part, plan.parts - 1u)]);
}
