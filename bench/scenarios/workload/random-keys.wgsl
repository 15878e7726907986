// Keys `first` … `first + n - 1` of the data set "random", one lane a key.
import package::kernels::common::grid::{grid, WORKGROUP};
import package::bench::scenarios::workload::key_of::key_of;

struct Plan { constants: vec3u, n: u32, first: u32 }
@group(0) @binding(0) var<storage, read_write> keys: array<u32>;
@group(0) @binding(1) var<uniform> plan: Plan;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let i = grid(wid, nwg, lid).index;
  if (i < plan.n) { keys[i] = key_of(plan.first + i, plan.constants); }
}
