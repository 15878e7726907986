// Partitioned build, last dispatch: the pairs that are left over, one by one, as any later insertion. Lanes take them in turns:
// how many there are, the host does not know. Of those of a part the first SEARCHED buckets, which lie in it, are full and do not
// have the key: their search begins after these, if that is so of the whole list, as lanes with one key have to search alike.
// Bound: the pairs of the list.
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::hash::unmix32;
import package::kernels::common::keys::EMPTY;
@if(BUCKETED) import package::kernels::bucketed::insert::{insert_after, status};
@if(BUCKETED) import package::kernels::bucketed::place::SEARCHED;
@if(QUOTIENT) import package::kernels::quotient::insert::{insert_after, status};
@if(QUOTIENT) import package::kernels::quotient::place::SEARCHED;
@if(COUNT) import package::kernels::common::count::count_flush;

// Beside those of insert.wgsl that it uses: table and status. status.left is how many pairs there are; status.failed is not 0 if one has
// not been to its first bucket.
@group(0) @binding(5) var<storage, read> list: array<vec2u>;
// Of the hashes.
@group(0) @binding(6) var<uniform> seed: u32;

var<workgroup> listed: vec2u;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let at = grid(wid, nwg, lid);
  let lanes = nwg.x * nwg.y * WORKGROUP;
  // Once a workgroup: all of them ask for the same words.
  if (lid == 0u) { listed = vec2u(atomicLoad(&status.left), atomicLoad(&status.failed)); }
  let said = workgroupUniformLoad(&listed);
  let tried = select(0u, SEARCHED, said.y == 0u);
  for (var i = at.index; i < said.x; i += lanes) {
    let pair = list[i];
    let key = unmix32(pair.x) ^ seed;
    if (key != EMPTY && !insert_after(key, pair.y, tried)) { atomicAdd(&status.refused, 1u); }
  }
  @if(COUNT) count_flush(at.group, lid, at.index < said.x);
}
