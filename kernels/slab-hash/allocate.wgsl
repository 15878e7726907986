// The allocators by themselves (Ashkiani et al., IPDPS 2018, section V): a lane allocates, or gives back, one slab.
// Layout: addresses[i] = the slab of lane i, EMPTY if there was none.
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::keys::EMPTY;
import package::kernels::slab_hash::alloc::{allocate, deallocate, status, NO_SLAB};
import package::kernels::slab_hash::slab::{address_of, number_of};

// The papers' warp: its lanes share a resident block.
const WARP = 32u;

struct Batch { n: u32, blocks: u32 }
@group(0) @binding(0) var<storage, read_write> addresses: array<u32>;
@group(0) @binding(3) var<uniform> batch: Batch;

@compute @workgroup_size(WORKGROUP)
fn take(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let item = grid(wid, nwg, lid).index;
  if (item >= batch.n) { return; }
  let number = allocate(item / WARP, item % WARP, batch.blocks);
  if (number == NO_SLAB) {
    atomicAdd(&status.words.left, 1u);
    addresses[item] = EMPTY;
  } else {
    addresses[item] = address_of(number);
  }
}

@compute @workgroup_size(WORKGROUP)
fn give(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let item = grid(wid, nwg, lid).index;
  if (item < batch.n && addresses[item] != EMPTY) { deallocate(number_of(addresses[item])); }
}
