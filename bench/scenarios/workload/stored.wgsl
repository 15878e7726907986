// What a table answers for every key of an input, in its order: of the first `inserted` keys the value, or EMPTY where it
// refused the pair; of the others EMPTY. One lane a key.
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::keys::EMPTY;
import package::bench::scenarios::workload::values::value_of;

struct Plan { n: u32, inserted: u32, salt: u32 }
@group(0) @binding(0) var<storage, read> keys: array<u32>;
@group(0) @binding(1) var<storage, read> answers: array<u32>;
@group(0) @binding(2) var<uniform> plan: Plan;
// Answers that are neither the value nor EMPTY, the first of them, and inserted keys that are absent.
struct Stored { wrong: atomic<u32>, first: atomic<u32>, missing: atomic<u32> }
@group(0) @binding(3) var<storage, read_write> stored: Stored;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let i = grid(wid, nwg, lid).index;
  if (i >= plan.n) { return; }
  if (answers[i] == EMPTY) {
    if (i < plan.inserted) { atomicAdd(&stored.missing, 1u); }
  } else if (i >= plan.inserted || answers[i] != value_of(keys[i], plan.salt)) {
    atomicAdd(&stored.wrong, 1u);
    atomicMin(&stored.first, i);
  }
}
