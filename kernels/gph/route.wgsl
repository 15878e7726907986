// GPH, routing of queries to the partition of the cell index that has their cell (Cao et al., SIGMOD 2025, section 7.1: "lookups
// resolve their target SM through a precomputed mapping"). Two entries, a prefix sum between them; a workgroup takes ITEMS
// queries a lane, and adds up its own in workgroup memory first. A third, `restore`, puts answers in the order of the routed queries into
// that of the queries, one a lane.
//
// Layout: starts[p] is the number of partition p's queries, then their place in `routed`; routed[…] = (key, number of query).
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::range::Range;
import package::kernels::gph::hash::cell_of;

// Cells of a partition; partitions.
override CELLS: u32;
override PARTITIONS: u32;
// Queries a lane.
override ITEMS: u32;

@group(0) @binding(1) var<storage, read> queries: array<u32>;
@group(0) @binding(3) var<uniform> range: Range;
@group(0) @binding(7) var<storage, read_write> starts: array<atomic<u32>>;
// Queries of each partition that have their place. Zero before.
@group(0) @binding(8) var<storage, read_write> placed: array<atomic<u32>>;
@group(0) @binding(6) var<storage, read_write> routed: array<vec2u>;
@group(0) @binding(2) var<storage, read_write> results: array<u32>;
@group(0) @binding(9) var<storage, read> answers: array<u32>;

var<workgroup> mine: array<atomic<u32>, PARTITIONS>;

fn add_up(group: u32, lid: u32) {
  for (var p = lid; p < PARTITIONS; p += WORKGROUP) { atomicStore(&mine[p], 0u); }
  workgroupBarrier();
  for (var i = 0u; i < ITEMS; i++) {
    let item = range.first + (group * ITEMS + i) * WORKGROUP + lid;
    if (item < range.end) { atomicAdd(&mine[cell_of(queries[item]) / CELLS], 1u); }
  }
  workgroupBarrier();
}

@compute @workgroup_size(WORKGROUP)
fn count(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  add_up(wid.y * nwg.x + wid.x, lid);
  for (var p = lid; p < PARTITIONS; p += WORKGROUP) {
    let own = atomicLoad(&mine[p]);
    if (own > 0u) { atomicAdd(&starts[p], own); }
  }
}

@compute @workgroup_size(WORKGROUP)
fn scatter(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let group = wid.y * nwg.x + wid.x;
  add_up(group, lid);
  for (var p = lid; p < PARTITIONS; p += WORKGROUP) {
    let own = atomicLoad(&mine[p]);
    if (own > 0u) { atomicStore(&mine[p], atomicLoad(&starts[p]) + atomicAdd(&placed[p], own)); }
  }
  workgroupBarrier();
  for (var i = 0u; i < ITEMS; i++) {
    let item = range.first + (group * ITEMS + i) * WORKGROUP + lid;
    if (item < range.end) {
      let key = queries[item];
      routed[atomicAdd(&mine[cell_of(key) / CELLS], 1u)] = vec2u(key, item);
    }
  }
}

@compute @workgroup_size(WORKGROUP)
fn restore(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let i = grid(wid, nwg, lid).index;
  if (i < range.end - range.first) { results[routed[i].y] = answers[i]; }
}
