// Ordering of a batch, first: how many pairs each region has. A lane looks at TURNS keys.
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::dycuckoo::regions::{REGIONS, Order, order, keys_in, region_of};

override TURNS: u32;

// Zero at first.
@group(0) @binding(14) var<storage, read_write> totals: array<atomic<u32>, REGIONS>;

var<workgroup> counts: array<atomic<u32>, REGIONS>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let begin = grid(wid, nwg, lid).group * TURNS * WORKGROUP;
  if (lid < REGIONS) { atomicStore(&counts[lid], 0u); }
  workgroupBarrier();
  for (var turn = 0u; turn < TURNS; turn++) {
    let item = begin + turn * WORKGROUP + lid;
    if (item < order.n) { atomicAdd(&counts[region_of(keys_in[order.first + item])], 1u); }
  }
  workgroupBarrier();
  if (lid < REGIONS) {
    let count = atomicLoad(&counts[lid]);
    if (count > 0u) { atomicAdd(&totals[lid], count); }
  }
}
