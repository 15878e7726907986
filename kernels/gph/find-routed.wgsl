// GPH, lookup kernel (Cao et al., SIGMOD 2025, section 5), with the cell index in workgroup memory: a workgroup loads one
// partition of it and answers up to CHUNK of the queries that route.wgsl brought there. Buckets as in find.wgsl.
//   ORDERED  answers stand in the order of the routed queries, as where the paper's are mapped before its kernel; else each
//            goes to its query's place
//
// Partition p has the workgroups from starts[p] / CHUNK + p on: as many as it needs, or one more.
// Layout: as in hash.wgsl and route.wgsl.  Bounds: 32 halvings; CHUNK / WARP_GROUP turns; the TILE turns of requester.wgsl.
import package::kernels::common::keys::{EMPTY, DELETED};
import package::kernels::common::warp::{warp_lane, WARP_GROUP};
import package::kernels::gph::hash::{cell_of, cell_word, cell_in, bucket_by, CELL_BITS};
import package::kernels::gph::requester::{look_up, TILE};
@if(COUNT) import package::kernels::common::count::{count_begin, count_once, PROLOGUE, count_flush};
@if(SUBGROUPS) enable subgroups;
@if(SUBGROUPS) diagnostic(off, subgroup_uniformity);

override CELLS: u32;
override PARTITIONS: u32;
override CHUNK: u32;
override WORDS: u32 = CELLS * CELL_BITS / 32u;

@group(0) @binding(2) var<storage, read_write> results: array<u32>;
@group(0) @binding(5) var<storage, read> cells: array<u32>;
@group(0) @binding(6) var<storage, read> routed: array<vec2u>;
@group(0) @binding(7) var<storage, read> starts: array<u32>;

var<workgroup> loaded: array<u32, WORDS>;

fn first_group(p: u32) -> u32 { return starts[p] / CHUNK + p; }

// The partition that has workgroup `group`: the last one whose first workgroup is not after it.
fn partition_of(group: u32) -> u32 {
  var low = 0u;
  var high = PARTITIONS;
  for (var halving = 0u; halving < 32u && high - low > 1u; halving++) {
    let middle = (low + high) / 2u;
    if (first_group(middle) <= group) { low = middle; } else { high = middle; }
  }
  return low;
}

@compute @workgroup_size(WARP_GROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let group = wid.y * nwg.x + wid.x;
  let lane = warp_lane(lid);
  @if(COUNT) count_begin(lid);
  @if(COUNT) count_once(PROLOGUE);
  let own = partition_of(group);
  let first = min(starts[own] + (group - first_group(own)) * CHUNK, starts[own + 1u]);
  let end = min(first + CHUNK, starts[own + 1u]);
  let from_word = own * WORDS;
  if (first < end) {
    for (var i = lid; i < WORDS; i += WARP_GROUP) { loaded[i] = cells[min(from_word + i, arrayLength(&cells) - 1u)]; }
  }
  workgroupBarrier();
  for (var base = first; base < end; base += WARP_GROUP) {
    let at = base + lid;
    var query = vec2u(EMPTY, 0u);
    if (at < end) { query = routed[at]; }
    // Of lanes without a query: any cell of the partition.
    let cell = select(own * CELLS, cell_of(query.x), at < end);
    let bucket = bucket_by(query.x, cell, cell_in(loaded[cell_word(cell) - from_word], cell));
    let tile = at - lane % TILE;
    let result = look_up(query.x, bucket, max(end, tile) - tile, lane);
    @if(ORDERED) let place = at;
    @else let place = query.y;
    if (at < end) { results[place] = select(result, EMPTY, query.x >= DELETED); }
  }
  @if(COUNT) count_flush(group, lid, first + lid < end);
}
