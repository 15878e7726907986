// Slab hash: how many keys and slabs its lists have. A lane takes a list.  Layout: as in slab.wgsl.
// Bound: a list has no more slabs than the table.
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::keys::{EMPTY, DELETED};
import package::kernels::common::status::Status;
import package::kernels::common::words::load_word;
import package::kernels::slab_hash::slab::{word_in, base_slab, sizes, SLOTS, PITCH, NEXT};

// Slabs of the table.
@group(0) @binding(3) var<uniform> slabs: u32;
@group(0) @binding(4) var<storage, read_write> status: Status;
struct Counts { keys: atomic<u32>, slabs: atomic<u32> }
// Zero at first.
@group(0) @binding(5) var<storage, read_write> counted: Counts;
var<workgroup> counts: Counts;

struct Walked { keys: u32, slabs: u32 }

fn walk(bucket: u32) -> Walked {
  var count = Walked(0u, 0u);
  var slab = base_slab(bucket);
  for (; count.slabs < slabs && slab != EMPTY; count.slabs += 1u) {
    for (var slot = 0u; slot < SLOTS; slot++) {
      if (load_word(word_in(slab, PITCH * slot)) < DELETED) { count.keys += 1u; }
    }
    slab = load_word(word_in(slab, NEXT));
  }
  if (slab != EMPTY) { atomicAdd(&status.bound, 1u); }
  return count;
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let bucket = grid(wid, nwg, lid).index;
  if (bucket < sizes.buckets) {
    let own = walk(bucket);
    atomicAdd(&counts.keys, own.keys);
    atomicAdd(&counts.slabs, own.slabs);
  }
  workgroupBarrier();
  if (lid == 0u) {
    atomicAdd(&counted.keys, atomicLoad(&counts.keys));
    atomicAdd(&counted.slabs, atomicLoad(&counts.slabs));
  }
}
