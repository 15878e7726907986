// Radix sort, first kernel of a pass: how often each digit occurs in each span. One workgroup a span; a lane reads four keys
// at a time.
//
// Layout: counts[digit * spans + span], so that their prefix sum says where the digit's pairs of a span begin in the output.
// Bound of the loop: a span's tiles, times LANE_PAIRS / 4.
import package::kernels::common::grid::WORKGROUP;
import package::kernels::radix_sort::digits::{Pass, DIGITS, LANE_PAIRS, TILE};
@if(COUNT) import package::kernels::common::count::{count_step, count_read, count_write, count_flush};

@group(0) @binding(0) var<storage, read> keys: array<vec4u>;
@group(0) @binding(1) var<storage, read_write> counts: array<u32>;
@group(0) @binding(2) var<uniform> sort: Pass;

// Neighbouring lanes count in counters of their own: equal digits, as in sorted input, would wait for one another.
const COPIES = 8u;
var<workgroup> histogram: array<atomic<u32>, COPIES * DIGITS>;

fn note(key: u32, item: u32, lid: u32) {
  if (item >= sort.n) { return; }
  @if(COUNT) count_step();
  let digit = (key >> sort.shift) & sort.mask;
  atomicAdd(&histogram[digit * COPIES + lid % COPIES], 1u);
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(local_invocation_index) lid: u32) {
  let first = wid.x * sort.tiles * (TILE / 4u) + lid;
  for (var turn = 0u; turn < sort.tiles * (LANE_PAIRS / 4u); turn++) {
    let at = first + turn * WORKGROUP;
    if (4u * at < sort.n) {
      // 16 bytes: half a sector.
      @if(COUNT) { if (lid % 2u == 0u) { count_read(); } }
      let four = keys[at];
      note(four.x, 4u * at, lid);
      note(four.y, 4u * at + 1u, lid);
      note(four.z, 4u * at + 2u, lid);
      note(four.w, 4u * at + 3u, lid);
    }
  }
  workgroupBarrier();
  var sum = 0u;
  for (var copy = 0u; copy < COPIES; copy++) { sum += atomicLoad(&histogram[lid * COPIES + copy]); }
  @if(COUNT) count_write();
  counts[lid * sort.spans + wid.x] = sum;
  @if(COUNT) count_flush(wid.x, lid, 4u * first < sort.n);
}
