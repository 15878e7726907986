// What a table answers for every key of an input, in its order: of the first `inserted` keys the value, or EMPTY where it
// refused the pair; of the others EMPTY. One lane a key.
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::keys::EMPTY;
import package::bench::workload::values::value_of;

struct Parameters { n: u32, inserted: u32, salt: u32 }
@group(0) @binding(0) var<storage, read> keys: array<u32>;
@group(0) @binding(1) var<storage, read> answers: array<u32>;
@group(0) @binding(2) var<uniform> p: Parameters;
// Answers that are neither the value nor EMPTY, the first of them, and inserted keys that are absent.
@group(0) @binding(3) var<storage, read_write> verdict: array<atomic<u32>, 3>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let i = grid(wid, nwg, lid).index;
  if (i >= p.n) { return; }
  if (answers[i] == EMPTY) {
    if (i < p.inserted) { atomicAdd(&verdict[2], 1u); }
  } else if (i >= p.inserted || answers[i] != value_of(keys[i], p.salt)) {
    atomicAdd(&verdict[0], 1u);
    atomicMin(&verdict[1], i);
  }
}
