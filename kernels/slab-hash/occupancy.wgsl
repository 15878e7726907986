// Slab hash: how many keys and slabs its lists have. LANES lanes take a list: each looks at its part of every slab, and at the slab's last part,
// which says where the next one is.  Layout: as in slab.wgsl.
// Bound: a list has no more slabs than the table.
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::keys::{EMPTY, DELETED};
import package::kernels::common::parts::Part;
import package::kernels::common::status::Status;
import package::kernels::slab_hash::read::part_of;
import package::kernels::slab_hash::slab::{base_slab, sizes};

// Parts of a slab.
const LANES = 8u;
// Slabs of the table.
@group(0) @binding(3) var<uniform> slabs: u32;
@group(0) @binding(4) var<storage, read_write> status: Status;
struct Counts { keys: atomic<u32>, slabs: atomic<u32> }
// Zero at first.
@group(0) @binding(5) var<storage, read_write> counted: Counts;
var<workgroup> counts: Counts;

fn is_key(word: u32) -> u32 { return select(0u, 1u, word < DELETED); }

// Of a slab's last part, the third word is EMPTY and the fourth the next slab's address.
@if(!KEYS) fn keys_in(words: Part) -> u32 { return is_key(words.x) + is_key(words.z); }
@if(KEYS) fn keys_in(words: Part) -> u32 { return is_key(words.x) + is_key(words.y) + is_key(words.z) + is_key(words.w); }

struct Walked { keys: u32, slabs: u32 }

fn walk(bucket: u32, part: u32) -> Walked {
  var count = Walked(0u, 0u);
  var slab = base_slab(bucket);
  for (; count.slabs < slabs && slab != EMPTY; count.slabs += 1u) {
    let last = part_of(slab, LANES - 1u);
    if (part == LANES - 1u) { count.keys += keys_in(vec4u(last.xyz, EMPTY)); }
    else { count.keys += keys_in(part_of(slab, part)); }
    slab = last.w;
  }
  if (slab != EMPTY) { atomicAdd(&status.bound, 1u); }
  return count;
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let lane = grid(wid, nwg, lid).index;
  let bucket = lane / LANES;
  if (bucket < sizes.buckets) {
    let own = walk(bucket, lane % LANES);
    atomicAdd(&counts.keys, own.keys);
    if (lane % LANES == 0u) { atomicAdd(&counts.slabs, own.slabs); }
  }
  workgroupBarrier();
  if (lid == 0u) {
    atomicAdd(&counted.keys, atomicLoad(&counts.keys));
    atomicAdd(&counted.slabs, atomicLoad(&counts.slabs));
  }
}
