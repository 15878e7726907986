// Partitioned build, last dispatch: the pairs that are left over (image.wgsl), one by one, as any later insertion. Lanes take
// them in turns: how many there are, the host does not know.
// Bounds: the pairs of the list; all pairs.
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::hash::unmix32;
import package::kernels::partitioned::image::CAP;
@if(BUCKETED) import package::kernels::bucketed::insert::{insert, status};
@if(QUOTIENT) import package::kernels::quotient::insert::{insert, status};
@if(COUNT) import package::kernels::common::count::count_flush;

struct Plan { pairs: u32, parts: u32, shift: u32, buckets: u32, seed: u32 }
// Beside those of insert.wgsl that it uses: table and status.
@group(0) @binding(5) var<storage, read> hashes: array<u32>;
@group(0) @binding(6) var<storage, read> values: array<u32>;
@group(0) @binding(7) var<storage, read> starts: array<u32>;
@group(0) @binding(8) var<storage, read> list: array<u32>;
@group(0) @binding(9) var<uniform> plan: Plan;

fn insert_pair(pair: u32) {
  if (!insert(unmix32(hashes[pair]) ^ plan.seed, values[pair])) { atomicAdd(&status[0], 1u); }
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let at = grid(wid, nwg, lid);
  let lanes = nwg.x * nwg.y * WORKGROUP;
  let listed = atomicLoad(&status[1]);
  for (var i = at.index; i < listed; i += lanes) { insert_pair(list[i]); }
  if (atomicLoad(&status[2]) != 0u) {
    for (var pair = at.index; pair < plan.pairs; pair += lanes) {
      if (pair - starts[hashes[pair] >> plan.shift] >= CAP) { insert_pair(pair); }
    }
  }
  @if(COUNT) count_flush(at.group, lid, at.index < listed);
}
