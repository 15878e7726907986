// Retrieval from the multivalue table (Alcantara et al., GPU Computing Gems 2011, 4.4): the key's id from the cuckoo table,
// then where the key's values are and how many. One lane a query.
//
// Layout: as in find.wgsl; info[id] = (first, count). Bound: as there.
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::keys::EMPTY;
import package::kernels::cuckoo::find::{find, f};
@if(COUNT) import package::kernels::common::count::{count_read, count_region, CLAIM, count_flush};

// Bindings 0 and 3: the table and the hash functions.
@group(0) @binding(1) var<storage, read> keys: array<u32>;
@group(0) @binding(4) var<storage, read> info: array<vec2u>;
@group(0) @binding(5) var<storage, read_write> results: array<vec2u>;

fn range_of(id: u32) -> vec2u {
  if (id == EMPTY) { return vec2u(EMPTY); }
  @if(COUNT) count_region(CLAIM);
  @if(COUNT) count_read();
  return info[id];
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let at = grid(wid, nwg, lid);
  let has_item = at.index < f.n;
  if (has_item) { results[at.index] = range_of(find(keys[at.index])); }
  @if(COUNT) count_flush(at.group, lid, has_item);
}
