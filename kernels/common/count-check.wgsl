// A kernel whose lanes do what the input says, for count.gpu.test.ts: `turns` turns of a loop, of which every multiple of
// `claims` claims and all but the last go on; and an epilogue if `ends`. One lane an item; COOPERATIVE: in the loop of its warp.
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::warp::{warp_lane, warp_any, WARP_GROUP};
@if(COUNT) import package::kernels::common::count::{count_step, count_region, count_once, count_flush, PROLOGUE, PROBE, CLAIM, NEXT, EPILOGUE};
@if(COUNT && COOPERATIVE) import package::kernels::common::count::{count_begin, count_turn};
@if(SUBGROUPS) enable subgroups;
@if(SUBGROUPS) diagnostic(off, subgroup_uniformity);

struct Lane { turns: u32, claims: u32, ends: u32 }
@group(0) @binding(0) var<storage, read> lanes: array<Lane>;
@group(0) @binding(1) var<uniform> n: u32;

fn turn(lane: Lane, number: u32) {
  @if(COUNT) {
    if (number % lane.claims == 0u) { count_region(CLAIM); }
    if (number < lane.turns) { count_region(NEXT); }
  }
}

@if(!COOPERATIVE) @compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let at = grid(wid, nwg, lid);
  let has_item = at.index < n;
  if (has_item) {
    @if(COUNT) count_once(PROLOGUE);
    let lane = lanes[at.index];
    for (var number = 1u; number <= lane.turns; number++) {
      @if(COUNT) count_step();
      turn(lane, number);
    }
    if (lane.ends == 1u) {
      @if(COUNT) count_once(EPILOGUE);
    }
  }
  @if(COUNT) count_flush(at.group, lid, has_item);
}

@if(COOPERATIVE) @compute @workgroup_size(WARP_GROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(local_invocation_index) lid: u32) {
  let item = wid.x * WARP_GROUP + lid;
  let has_item = item < n;
  let index = warp_lane(lid);
  @if(COUNT) count_begin(lid);
  var lane = Lane(0u, 1u, 0u);
  if (has_item) {
    @if(COUNT) count_once(PROLOGUE);
    lane = lanes[item];
  }
  var number = 1u;
  while (warp_any(number <= lane.turns, index)) {
    @if(COUNT) count_turn(number <= lane.turns);
    if (number <= lane.turns) {
      @if(COUNT) count_region(PROBE);
      turn(lane, number);
    }
    number += 1u;
  }
  if (lane.ends == 1u) {
    @if(COUNT) count_once(EPILOGUE);
  }
  @if(COUNT) count_flush(wid.x, lid, has_item);
}
