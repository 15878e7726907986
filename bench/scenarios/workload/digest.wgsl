// A 64-bit digest of a buffer's words and their order: the sums, modulo 2^32, of two hashes of each (word, index).
// One lane a word, one atomic a workgroup and sum.
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::hash::{mix32, mix32b};

@group(0) @binding(0) var<storage, read> data: array<u32>;
@group(0) @binding(1) var<storage, read_write> digest: array<atomic<u32>, 2>;
@group(0) @binding(2) var<uniform> n: u32;
var<workgroup> sums: array<atomic<u32>, 2>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let i = grid(wid, nwg, lid).index;
  if (i < n) {
    let word = data[i];
    atomicAdd(&sums[0], mix32(word ^ mix32b(i)));
    atomicAdd(&sums[1], mix32b(word + mix32(i + 1u)));
  }
  workgroupBarrier();
  if (lid < 2u) { atomicAdd(&digest[lid], atomicLoad(&sums[lid])); }
}
