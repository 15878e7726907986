// Partitioned build, last dispatch: the pairs that are left over, one by one, as any later insertion. Lanes take them in turns:
// how many there are, the host does not know.
// Bound: the pairs of the list.
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::hash::unmix32;
import package::kernels::partitioned::parts::{FROM, FROM_INPUT, FROM_FIRST};
@if(BUCKETED) import package::kernels::bucketed::insert::{insert, status};
@if(QUOTIENT) import package::kernels::quotient::insert::{insert, status};
@if(COUNT) import package::kernels::common::count::count_flush;

// Beside those of insert.wgsl that it uses: table and status.
@group(0) @binding(5) var<storage, read> list: array<u32>;
@group(0) @binding(6) var<storage, read> input_keys: array<u32>;
@group(0) @binding(7) var<storage, read> input_values: array<u32>;
@group(0) @binding(8) var<storage, read> first_bins: array<vec2u>;
@group(0) @binding(9) var<storage, read> second_bins: array<vec2u>;
// Of the hashes.
@group(0) @binding(10) var<uniform> seed: u32;

// Key and value.
fn pair_of(entry: u32) -> vec2u {
  let at = entry & ~FROM;
  if ((entry & FROM) == FROM_INPUT) { return vec2u(input_keys[at], input_values[at]); }
  var pair = vec2u();
  if ((entry & FROM) == FROM_FIRST) { pair = first_bins[at]; } else { pair = second_bins[at]; }
  return vec2u(unmix32(pair.x) ^ seed, pair.y);
}

var<workgroup> listed: u32;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let at = grid(wid, nwg, lid);
  let lanes = nwg.x * nwg.y * WORKGROUP;
  // Once a workgroup: all of them ask for the same word.
  if (lid == 0u) { listed = atomicLoad(&status[1]); }
  let all = workgroupUniformLoad(&listed);
  for (var i = at.index; i < all; i += lanes) {
    let pair = pair_of(list[i]);
    if (!insert(pair.x, pair.y)) { atomicAdd(&status[0], 1u); }
  }
  @if(COUNT) count_flush(at.group, lid, at.index < all);
}
