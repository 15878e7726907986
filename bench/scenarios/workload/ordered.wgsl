// Puts sorted queries into an order that is as random as asked for: blocks of 2^bits neighbours stay where they are, and each is shuffled
// within itself. One lane a query.
import package::kernels::common::grid::{grid, WORKGROUP};
import package::bench::scenarios::workload::shuffle::shuffled;

struct Plan { count: u32, bits: u32, seed: u32 }
@group(0) @binding(0) var<storage, read> sorted: array<u32>;
@group(0) @binding(1) var<storage, read_write> queries: array<u32>;
@group(0) @binding(2) var<uniform> plan: Plan;

@compute @workgroup_size(WORKGROUP)
fn order(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let j = grid(wid, nwg, lid).index;
  if (j >= plan.count) { return; }
  let first = j & ~((1u << plan.bits) - 1u);
  // The last block may be shorter.
  let block = min(1u << plan.bits, plan.count - first);
  let bits = max(1u, 32u - countLeadingZeros(block - 1u));
  queries[j] = sorted[first + shuffled(j - first, block, bits, plan.seed)];
}
