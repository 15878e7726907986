// Partitioned build, after the passes: each part of the table in workgroup memory, one workgroup a part, four pairs a lane.
// Where in which bucket a pair goes, the table says. What the part has no room for is left over.
import package::kernels::common::grid::grid;
import package::kernels::common::status::Status;
import package::kernels::partitioned::image::{clear_image, four_words, LISTS};
import package::kernels::partitioned::parts::{LANES, Plan};
@if(BUCKETED) import package::kernels::bucketed::place::{place, place_next, left_over, settle, unsettled, SETTLES_ALL};
@if(QUOTIENT) import package::kernels::quotient::place::{place, place_next, left_over, settle, unsettled, SETTLES_ALL};
@if(COUNT) import package::kernels::common::count::{count_step, count_reads, count_writes, count_once, PROLOGUE, count_flush};

// The bins, a bin a part; two pairs an element.
@group(0) @binding(0) var<storage, read> pairs: array<vec4u>;
// Counts of the bins, and of those of the pass before: zero afterwards, for the next build.
@group(0) @binding(1) var<storage, read_write> counts: array<u32>;
@group(0) @binding(2) var<storage, read_write> counts_before: array<u32>;
@group(0) @binding(3) var<storage, read_write> table: array<vec4u>;
@group(0) @binding(4) var<storage, read_write> list: array<vec2u>;
@group(0) @binding(5) var<storage, read_write> status: Status;
@group(0) @binding(6) var<uniform> plan: Plan;

// Pairs that their first bucket has no room for: the list is what the counters of image.wgsl leave of 5 KiB, so that four
// workgroups of 23 KiB fit an H200's processor. What it has no room for waits for the next round.
override MOST_LEFT: u32 = LANES * (5u - LISTS) / 4u;
var<workgroup> left_count: atomic<u32>;
var<workgroup> left_pairs: array<vec2u, MOST_LEFT>;
// Of these, pairs that find no room in the part.
var<workgroup> rest_count: atomic<u32>;
var<workgroup> rest_begin: u32;

var<workgroup> any_unsettled: atomic<u32>;
// A part has 4 · LANES pairs, and a round takes MOST_LEFT of them: LANES / 4 at least.
const ROUNDS = 16u;

fn write_buckets(first: u32, buckets: u32, lid: u32) {
  for (var half = lid; half < 2u * buckets; half += LANES) {
    table[2u * first + half] = four_words(half / 2u, half % 2u * 4u);
  }
}

// Whether the pair has no place yet, and waits for a later round.
fn waits_for_round(there: bool, pair: vec2u, first: u32) -> bool { return there && !place(pair.x, first, pair.y) && !put_in_list(pair); }
// Whether the list had room for the pair.
fn put_in_list(pair: vec2u) -> bool {
  let rank = atomicAdd(&left_count, 1u);
  if (rank >= MOST_LEFT) { return false; }
  left_pairs[rank] = pair;
  return true;
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
    atomicStore(&rest_count, 0u);
    atomicStore(&any_unsettled, 0u);
  }
  workgroupBarrier();
  var waits = vec4<bool>(
    waits_for_round(there.x, near.xy, first),
    waits_for_round(there.y, near.zw, first),
    waits_for_round(there.z, far.xy, first),
    waits_for_round(there.w, far.zw, first),
  );
  // Neighbouring lanes take those that wait: few of a subgroup's own do.
  var pair = vec2u();
  var rest = false;
  for (var round = 0u; round < ROUNDS; round++) {
    let left = workgroupUniformLoad(&left_count);
    rest = lid < left && lid < MOST_LEFT;
    var number = 0u;
    if (rest) {
      pair = left_pairs[lid];
      number = place_next(pair.x, first, pair.y);
    }
    @if(BUCKETED) workgroupBarrier();
    rest = left_over(number, pair.x, first);
    if (left <= MOST_LEFT) { break; }
    // Skewed keys, and small tables of quotient.
    if (rest) { list[atomicAdd(&status.left, 1u)] = pair; }
    workgroupBarrier();
    if (lid == 0u) { atomicStore(&left_count, 0u); }
    workgroupBarrier();
    waits.x = waits.x && !put_in_list(near.xy);
    waits.y = waits.y && !put_in_list(near.zw);
    waits.z = waits.z && !put_in_list(far.xy);
    waits.w = waits.w && !put_in_list(far.zw);
  }
  var rank = 0u;
  if (rest) { rank = atomicAdd(&rest_count, 1u); }
  workgroupBarrier();
  // Asked for before the buckets are written, and waited for after.
  var own_begin = 0u;
  if (lid == 0u) {
    let count = atomicLoad(&rest_count);
    if (count > 0u) { own_begin = atomicAdd(&status.left, count); }
    counts[part] = 0u;
    if (part < LANES) { counts_before[part] = 0u; }
  }
  if (SETTLES_ALL) {
    settle(lid);
    workgroupBarrier();
  } else if (unsettled(lid)) {
    atomicStore(&any_unsettled, 1u);
  }
  write_buckets(first, buckets, lid);
  if (lid == 0u) { rest_begin = own_begin; }
  if (workgroupUniformLoad(&any_unsettled) != 0u) {
    settle(lid);
    // Before the buckets are written for the second time.
    storageBarrier();
    workgroupBarrier();
    write_buckets(first, buckets, lid);
  }
  if (rest) { list[rest_begin + rank] = pair; }
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
