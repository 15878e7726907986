// Slab hash: how many keys and slabs its lists have. A lane takes a list.  Layout: as in slab.wgsl.
// Bound: a list has no more slabs than the table.
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::keys::{EMPTY, DELETED};
import package::kernels::slab_hash::slab::{base_slab, sizes, SLOTS, PITCH, NEXT};
import package::kernels::slab_hash::words::load_word;

// Slabs of the table.
@group(0) @binding(3) var<uniform> slabs: u32;
// [0]: keys.  [1]: slabs.  [3]: a loop reached its bound.
@group(0) @binding(4) var<storage, read_write> status: array<atomic<u32>, 4>;
var<workgroup> counts: array<atomic<u32>, 2>;

fn walk(bucket: u32) -> vec2u {
  var count = vec2u();
  var slab = base_slab(bucket);
  for (; count.y < slabs && slab != EMPTY; count.y += 1u) {
    for (var slot = 0u; slot < SLOTS; slot++) {
      if (load_word(slab, PITCH * slot) < DELETED) { count.x += 1u; }
    }
    slab = load_word(slab, NEXT);
  }
  if (slab != EMPTY) { atomicMax(&status[3], EMPTY); }
  return count;
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let bucket = grid(wid, nwg, lid).index;
  if (bucket < sizes.buckets) {
    let own = walk(bucket);
    atomicAdd(&counts[0], own.x);
    atomicAdd(&counts[1], own.y);
  }
  workgroupBarrier();
  if (lid < 2u) { atomicAdd(&status[lid], atomicLoad(&counts[lid])); }
}
