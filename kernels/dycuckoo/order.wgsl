// Ordering of a batch, second: the pairs of each region side by side, in any order. One workgroup a tile, four pairs a lane.
//
// A tile is ordered in workgroup memory, so that the pairs of a region leave it side by side: a pair's rank among those of its
// region is what an atomic counter held, and a lane a region takes as many places of the output.
// Bound: REGIONS sums.
import package::kernels::common::grid::grid;
import package::kernels::dycuckoo::regions::{REGIONS, Order, order, keys_in, region_of};

override LANES: u32 = 256u;
override TILE: u32 = 4u * LANES;

@group(0) @binding(11) var<storage, read> values_in: array<u32>;
// Pairs of each region; how many of them have a place, zero at first.
@group(0) @binding(14) var<storage, read> totals: array<u32, REGIONS>;
@group(0) @binding(15) var<storage, read_write> cursors: array<atomic<u32>, REGIONS>;
@group(0) @binding(16) var<storage, read_write> keys_out: array<u32>;
@group(0) @binding(17) var<storage, read_write> values_out: array<u32>;

// By region: pairs of the tile, of all tiles, and where the tile's begin in it.
var<workgroup> counts: array<atomic<u32>, REGIONS>;
var<workgroup> region_pairs: array<u32, REGIONS>;
var<workgroup> begins: array<u32, REGIONS>;
// Where the tile's place 0 would lie in the output, if all places before the region's first were of the region.
var<workgroup> bases: array<u32, REGIONS>;
// The tile's pairs by place, and where they go.
var<workgroup> keys: array<u32, TILE>;
var<workgroup> values: array<u32, TILE>;
var<workgroup> targets: array<u32, TILE>;

struct Pair { there: bool, key: u32, value: u32, region: u32, rank: u32 }

fn pair_of(item: u32) -> Pair {
  if (item >= order.n) { return Pair(false, 0u, 0u, 0u, 0u); }
  let key = keys_in[order.first + item];
  let value = values_in[order.first + item];
  let region = region_of(key);
  return Pair(true, key, value, region, atomicAdd(&counts[region], 1u));
}

fn take_places(lid: u32) {
  if (lid < order.regions) {
    let count = atomicLoad(&counts[lid]);
    var base = atomicAdd(&cursors[lid], count);
    var begin = 0u;
    for (var region = 0u; region < lid; region++) {
      begin += atomicLoad(&counts[region]);
      base += region_pairs[region];
    }
    bases[lid] = base - begin;
    begins[lid] = begin;
  }
}

fn put(pair: Pair) {
  if (!pair.there) { return; }
  let place = begins[pair.region] + pair.rank;
  keys[place] = pair.key;
  values[place] = pair.value;
  targets[place] = bases[pair.region] + place;
}

fn send(place: u32, all: u32) {
  if (place >= all) { return; }
  let target_place = targets[place];
  keys_out[target_place] = keys[place];
  values_out[target_place] = values[place];
}

@compute @workgroup_size(LANES)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let tile = grid(wid, nwg, 0u).group * TILE;
  if (lid < REGIONS) {
    atomicStore(&counts[lid], 0u);
    region_pairs[lid] = totals[lid];
  }
  workgroupBarrier();
  let x = pair_of(tile + lid);
  let y = pair_of(tile + LANES + lid);
  let z = pair_of(tile + 2u * LANES + lid);
  let w = pair_of(tile + 3u * LANES + lid);
  workgroupBarrier();
  take_places(lid);
  workgroupBarrier();
  put(x);
  put(y);
  put(z);
  put(w);
  workgroupBarrier();
  let all = min(TILE, order.n - min(order.n, tile));
  send(lid, all);
  send(lid + LANES, all);
  send(lid + 2u * LANES, all);
  send(lid + 3u * LANES, all);
}
