// Partitioned build, after the passes: each part of the table in workgroup memory, one workgroup a part, four pairs a lane.
// Where in which bucket a pair goes, the table says. What the part has no room for is left over.
import package::kernels::common::grid::grid;
import package::kernels::common::hash::mix32;
import package::kernels::common::keys::EMPTY;
import package::kernels::partitioned::image::{clear_image, four_words};
import package::kernels::partitioned::parts::{LANES, Plan};
@if(BUCKETED) import package::kernels::bucketed::place::{place, there_already, settle, unsettled, PHASES, SETTLES_ALL};
@if(QUOTIENT) import package::kernels::quotient::place::{place, there_already, settle, unsettled, PHASES, SETTLES_ALL};
@if(COUNT) import package::kernels::common::count::{count_step, count_reads, count_writes, count_once, PROLOGUE, count_flush};

// The bins, a bin a part; two pairs an element.
@group(0) @binding(0) var<storage, read> pairs: array<vec4u>;
// Counts of the bins, and of those of the pass before: zero afterwards, for the next build.
@group(0) @binding(1) var<storage, read_write> counts: array<u32>;
@group(0) @binding(2) var<storage, read_write> counts_before: array<u32>;
@group(0) @binding(3) var<storage, read_write> table: array<vec4u>;
@group(0) @binding(4) var<storage, read_write> list: array<vec2u>;
// [1]: pairs in the list.  [2]: as in rest.wgsl.
@group(0) @binding(5) var<storage, read_write> status: array<atomic<u32>, 4>;
@group(0) @binding(6) var<uniform> plan: Plan;

// Pairs that are left over: how many, which of the bin's, and where they begin in the list. Few, so that workgroup memory is
// left for other workgroups: an H200 takes one fewer at a time if each has 25 KiB in place of 21.
const MOST_LEFT = 128u;
var<workgroup> left_count: atomic<u32>;
var<workgroup> left_pairs: array<u32, MOST_LEFT>;
var<workgroup> left_place: u32;

var<workgroup> any_unsettled: atomic<u32>;

fn write_buckets(first: u32, buckets: u32, lid: u32) {
  for (var half = lid; half < 2u * buckets; half += LANES) {
    table[2u * first + half] = four_words(half / 2u, half % 2u * 4u);
  }
}

// Whether the pair has no place yet.
fn homeless(phase: u32, waits: bool, pair: vec2u, first: u32) -> bool { return waits && !place(phase, pair.x, first, pair.y); }
// Skewed keys leave more, which go to the list one by one, and nobody looks for them here.
fn leave(waits: bool, pair: vec2u, number: u32) {
  if (!waits) { return; }
  let rank = atomicAdd(&left_count, 1u);
  if (rank < MOST_LEFT) {
    left_pairs[rank] = number;
  } else {
    list[atomicAdd(&status[1], 1u)] = pair;
    atomicMax(&status[2], 1u);
  }
}
// After a barrier: pairs that are left over are read again, one by each of the first lanes, which is soon enough to wait for none.
fn left_pair(begin: u32, lid: u32, left: u32) -> vec2u {
  if (lid >= left) { return vec2u(); }
  let number = begin + left_pairs[lid];
  let two = pairs[number / 2u];
  return select(two.xy, two.zw, vec2<bool>(number % 2u == 1u));
}
fn write_left(pair: vec2u, first: u32, lid: u32, left: u32) {
  if (lid >= left) { return; }
  // In place of one whose key has a slot a reserved key, which rest.wgsl leaves out.
  let hash = select(pair.x, mix32(EMPTY ^ plan.seed), there_already(pair.x, first));
  list[left_place + lid] = vec2u(hash, pair.y);
}

fn build(part: u32, lid: u32) {
  let first = part * LANES;
  let buckets = min(LANES, plan.buckets - first);
  let begin = part * plan.size_in;
  let in_bin = vec4u(2u * lid) + vec4u(0u, 1u, 2u * LANES, 2u * LANES + 1u);
  // Read beside the count: that many the bin can hold.
  var near = vec4u();
  var far = vec4u();
  if (in_bin.x < plan.size_in) { near = pairs[begin / 2u + lid]; }
  if (in_bin.z < plan.size_in) { far = pairs[begin / 2u + lid + LANES]; }
  let there = in_bin < vec4u(min(counts[part], plan.size_in));
  clear_image(lid);
  if (lid == 0u) {
    atomicStore(&left_count, 0u);
    atomicStore(&any_unsettled, 0u);
  }
  workgroupBarrier();
  var waits = there;
  for (var phase = 0u; phase < PHASES; phase++) {
    if (phase > 0u) { workgroupBarrier(); }
    waits.x = homeless(phase, waits.x, near.xy, first);
    waits.y = homeless(phase, waits.y, near.zw, first);
    waits.z = homeless(phase, waits.z, far.xy, first);
    waits.w = homeless(phase, waits.w, far.zw, first);
  }
  leave(waits.x, near.xy, in_bin.x);
  leave(waits.y, near.zw, in_bin.y);
  leave(waits.z, far.xy, in_bin.z);
  leave(waits.w, far.zw, in_bin.w);
  workgroupBarrier();
  let left = min(atomicLoad(&left_count), MOST_LEFT);
  let left_over = left_pair(begin, lid, left);
  if (SETTLES_ALL) {
    settle(lid);
    workgroupBarrier();
  } else if (unsettled(lid)) {
    atomicStore(&any_unsettled, 1u);
  }
  if (lid == 0u) {
    if (left > 0u) { left_place = atomicAdd(&status[1], left); }
    counts[part] = 0u;
    if (part < LANES) { counts_before[part] = 0u; }
  }
  write_buckets(first, buckets, lid);
  if (workgroupUniformLoad(&any_unsettled) != 0u) {
    settle(lid);
    // Before the buckets are written for the second time.
    storageBarrier();
    workgroupBarrier();
    write_buckets(first, buckets, lid);
  }
  write_left(left_over, first, lid, left);
  // A step a pair, 32 bytes of pairs a lane, a sector a bucket.
  @if(COUNT) { if (there.x) { count_reads(1u); } }
  @if(COUNT) { for (var i = 0u; i < 4u; i++) { if (there[i]) { count_step(); } } }
  @if(COUNT) { if (lid < buckets) { count_writes(1u); } }
}

@compute @workgroup_size(LANES)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  // Without the lane, it is uniform for WGSL's analysis.
  let part = grid(wid, nwg, 0u).group;
  if (part * LANES >= plan.buckets) { return; }
  @if(COUNT) count_once(PROLOGUE);
  build(part, lid);
  @if(COUNT) count_flush(part, lid, true);
}
