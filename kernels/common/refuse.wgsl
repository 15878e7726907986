// The end of an insertion that is recorded: pairs that are still pending are refused, and no bit stays. One lane a word of the bits.
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::status::Status;

@group(0) @binding(0) var<storage, read_write> pending: array<u32>;
// `left` and `failed` are what the kernels before say to one another.
@group(0) @binding(1) var<storage, read_write> status: Status;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let word = grid(wid, nwg, lid).index;
  if (word == 0u) {
    atomicStore(&status.left, 0u);
    atomicStore(&status.failed, 0u);
  }
  if (word < arrayLength(&pending)) {
    let bits = pending[word];
    if (bits != 0u) {
      atomicAdd(&status.refused, countOneBits(bits));
      pending[word] = 0u;
    }
  }
}
