// Every primitive of warp.wgsl on one warp's inputs, for warp.gpu.test.ts. One lane an item.
import package::kernels::common::warp::{warp_lane, warp_base, warp_ballot, warp_shuffle, warp_any, warp_all, warp_sync, leader, prefix_count, nth_set, tile_ballot, tile_shuffle, WARP, WARP_GROUP};
@if(SUBGROUPS) enable subgroups;
@if(SUBGROUPS) diagnostic(off, subgroup_uniformity);

override TILE: u32;
// predicate, value, source lane.
@group(0) @binding(0) var<storage, read> inputs: array<vec3u>;
@group(0) @binding(1) var<storage, read_write> outputs: array<array<u32, 12>>;

@compute @workgroup_size(WARP_GROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(local_invocation_index) lid: u32) {
  let lane = warp_lane(lid);
  let item = wid.x * WARP_GROUP + lid;
  let input = inputs[item];
  let predicate = input.x == 1u;
  let mask = warp_ballot(predicate, lane);
  let shuffled = warp_shuffle(input.y, input.z, lane);
  let some = warp_any(predicate, lane);
  let all = warp_all(predicate, lane);
  warp_sync();
  let in_tile = tile_ballot(predicate, TILE, lane);
  let from_tile = tile_shuffle(input.y, input.z % TILE, TILE, lane);
  outputs[item] = array(lane, warp_base(lid) % WARP, mask, shuffled, u32(some), u32(all), leader(mask),
    prefix_count(mask, lane), nth_set(mask, input.z), in_tile, from_tile, 0u);
}
