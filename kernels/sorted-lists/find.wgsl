// Binary search in the list of different keys (Alcantara et al., GPU Computing Gems 2011, 4.5.2). One lane a query, one key a
// probe. The answer is the key's id, which is its place in the list; with RANGES, `info` of the id.
//
// Layout: list and info as in lists.wgsl. Bound of the probe loop: 32, for fewer than 2^32 keys.
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::keys::{EMPTY, DELETED};
@if(COUNT) import package::kernels::common::count::{count_step, count_read, count_once, count_region, PROLOGUE, CLAIM, NEXT, count_flush};

struct Search {
  queries: u32,
  distinct: u32,
}
@group(0) @binding(0) var<storage, read> list: array<u32>;
@if(RANGES) @group(0) @binding(1) var<storage, read> info: array<vec2u>;
@group(0) @binding(2) var<storage, read> queries: array<u32>;
@if(RANGES) @group(0) @binding(3) var<storage, read_write> results: array<vec2u>;
@if(!RANGES) @group(0) @binding(3) var<storage, read_write> results: array<u32>;
@group(0) @binding(4) var<uniform> search: Search;

fn id_of(key: u32) -> u32 {
  @if(COUNT) count_once(PROLOGUE);
  if (key >= DELETED) { return EMPTY; }
  // Keys before `low` are smaller than `key`, those from `high` on are larger.
  var low = 0u;
  var high = search.distinct;
  for (var probe = 0u; probe < 32u && low < high; probe++) {
    @if(COUNT) count_step();
    @if(COUNT) count_read();
    let middle = low + (high - low) / 2u;
    let seen = list[middle];
    if (seen == key) { return middle; }
    if (seen < key) {
      @if(COUNT) count_region(NEXT);
      low = middle + 1u;
    } else {
      high = middle;
    }
  }
  return EMPTY;
}

@if(!RANGES) fn answer(id: u32) -> u32 { return id; }
@if(RANGES) fn answer(id: u32) -> vec2u {
  if (id == EMPTY) { return vec2u(EMPTY); }
  @if(COUNT) count_region(CLAIM);
  @if(COUNT) count_read();
  return info[id];
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let at = grid(wid, nwg, lid);
  let has_item = at.index < search.queries;
  if (has_item) { results[at.index] = answer(id_of(queries[at.index])); }
  @if(COUNT) count_flush(at.group, lid, has_item);
}
