// values[i] = value_of(keys[i]): a function of key and salt, so that any result can be checked without a second table,
// and a value left over from an earlier build (another salt) is seen to be stale.
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::hash::mix32;

struct Plan { n: u32, salt: u32 }
@group(0) @binding(0) var<storage, read> keys: array<u32>;
@group(0) @binding(1) var<storage, read_write> values: array<u32>;
@group(0) @binding(2) var<uniform> plan: Plan;

// Never EMPTY: the top bit is clear.
fn value_of(key: u32, salt: u32) -> u32 { return mix32(key ^ salt) >> 1u; }

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let i = grid(wid, nwg, lid).index;
  if (i < plan.n) { values[i] = value_of(keys[i], plan.salt); }
}
