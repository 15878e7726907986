// cuckoo/fig4.7-strided: Alcantara et al., GPU Computing Gems 2011, 4.5.3. Lane k updates element k * stride mod sizes.elements.
//
// sizes.elements is odd, so that every lane has an element of its own whatever the stride: with the power of two that fills
// the array, a stride that is one too would come back to the same few elements, which the caches hold.
// After t runs on zeros the element of lane k holds t (k + 1), and in its second word t ~k. `check` looks at all of them.
// Bound: sizes.log_stride doublings.
import package::kernels::common::grid::{grid, WORKGROUP};

const ADD = 0u;
const EXCHANGE = 1u;
const CAS = 2u;

struct Sizes {
  // Below 2^31.
  elements: u32,
  log_stride: u32,
}
@group(0) @binding(31) var<uniform> sizes: Sizes;
override ACCESS: u32 = 0u;

@if(RMW) @group(0) @binding(0) var<storage, read_write> data: array<atomic<u32>>;
@if(WORD) @group(0) @binding(0) var<storage, read_write> data: array<u32>;
@if(PAIR) @group(0) @binding(0) var<storage, read_write> data: array<vec2u>;
// Runs before this one.
@group(0) @binding(1) var<uniform> runs: u32;
// Elements that do not hold what `runs` runs leave.
@group(0) @binding(2) var<storage, read_write> failed: atomic<u32>;

// lane * 2^sizes.log_stride mod sizes.elements, by doublings: the product itself may not fit into a word.
fn element(lane: u32) -> u32 {
  var at = lane;
  for (var i = 0u; i < sizes.log_stride; i++) {
    at *= 2u;
    if (at >= sizes.elements) { at -= sizes.elements; }
  }
  return at;
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let lane = grid(wid, nwg, lid).index;
  if (lane >= sizes.elements) { return; }
  let at = element(lane);
  let own = lane + 1u;
  @if(WORD) data[at] += own;
  @if(PAIR) data[at] += vec2u(own, ~lane);
  @if(RMW) {
    if (ACCESS == ADD) { atomicAdd(&data[at], own); }
    if (ACCESS == EXCHANGE) { atomicExchange(&data[at], own * (runs + 1u)); }
    if (ACCESS == CAS) { atomicCompareExchangeWeak(&data[at], own * runs, own * (runs + 1u)); }
  }
}

@if(RMW) fn is_right(at: u32, lane: u32) -> bool { return atomicLoad(&data[at]) == runs * (lane + 1u); }
@if(WORD) fn is_right(at: u32, lane: u32) -> bool { return data[at] == runs * (lane + 1u); }
@if(PAIR) fn is_right(at: u32, lane: u32) -> bool { return all(data[at] == runs * vec2u(lane + 1u, ~lane)); }

@compute @workgroup_size(WORKGROUP)
fn check(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let lane = grid(wid, nwg, lid).index;
  if (lane < sizes.elements && !is_right(element(lane), lane)) { atomicAdd(&failed, 1u); }
}
