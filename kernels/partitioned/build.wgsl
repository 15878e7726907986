// Partitioned build, after the passes: each part of the table in workgroup memory, one workgroup a part, four pairs a lane.
// Where in which bucket a pair goes, the table says. What the part has no room for is left over.
import package::kernels::common::grid::grid;
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
// [1]: pairs in the list.
@group(0) @binding(5) var<storage, read_write> status: array<atomic<u32>, 4>;
@group(0) @binding(6) var<uniform> plan: Plan;

var<workgroup> left_count: atomic<u32>;
var<workgroup> left_place: u32;
const PLACED = 0xffffffffu;

var<workgroup> any_unsettled: atomic<u32>;
var<workgroup> written_again: u32;

fn write_buckets(first: u32, buckets: u32, lid: u32) {
  for (var half = lid; half < 2u * buckets; half += LANES) {
    table[2u * first + half] = four_words(half / 2u, half % 2u * 4u);
  }
}

// Whether the pair has no place yet.
fn homeless(phase: u32, waits: bool, pair: vec2u, first: u32) -> bool { return waits && !place(phase, pair.x, first, pair.y); }
// Read again: few are left over, and nobody keeps a pair in registers for it.
fn pair_at(pair: u32) -> vec2u {
  let two = pairs[pair / 2u];
  return select(two.xy, two.zw, vec2<bool>(pair % 2u == 1u));
}
// After a barrier: the pair's rank among those that are left over, or PLACED.
fn rank_left(waits: bool, number: u32, first: u32) -> u32 {
  if (!waits) { return PLACED; }
  let pair = pair_at(number);
  if (there_already(pair.x, first, pair.y)) { return PLACED; }
  return atomicAdd(&left_count, 1u);
}
fn write_left(rank: u32, number: u32) {
  if (rank != PLACED) { list[left_place + rank] = pair_at(number); }
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
    waits.x = homeless(phase, waits.x, near.xy, first);
    waits.y = homeless(phase, waits.y, near.zw, first);
    waits.z = homeless(phase, waits.z, far.xy, first);
    waits.w = homeless(phase, waits.w, far.zw, first);
    workgroupBarrier();
  }
  let x = rank_left(waits.x, begin + in_bin.x, first);
  let y = rank_left(waits.y, begin + in_bin.y, first);
  let z = rank_left(waits.z, begin + in_bin.z, first);
  let w = rank_left(waits.w, begin + in_bin.w, first);
  if (SETTLES_ALL) {
    settle(lid);
    workgroupBarrier();
  } else if (unsettled(lid)) {
    atomicStore(&any_unsettled, 1u);
  }
  write_buckets(first, buckets, lid);
  workgroupBarrier();
  if (lid == 0u) {
    let left = atomicLoad(&left_count);
    if (left > 0u) { left_place = atomicAdd(&status[1], left); }
    counts[part] = 0u;
    if (part < LANES) { counts_before[part] = 0u; }
    written_again = atomicLoad(&any_unsettled);
  }
  if (workgroupUniformLoad(&written_again) != 0u) {
    settle(lid);
    // Before the buckets are written for the second time.
    storageBarrier();
    workgroupBarrier();
    write_buckets(first, buckets, lid);
  }
  write_left(x, begin + in_bin.x);
  write_left(y, begin + in_bin.y);
  write_left(z, begin + in_bin.z);
  write_left(w, begin + in_bin.w);
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
