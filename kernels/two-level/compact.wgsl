// Two-level compacting table, phase 4: one workgroup a bucket places its different keys (distinct.wgsl), numbers them, and
// writes the bucket's slots and the number of its keys. What is to be added to the numbers comes from the prefix sum of these.
//
// Layout: table[576 b + s] = (key, its number in the bucket), (EMPTY, EMPTY) for an empty slot; counts[b]: keys of bucket b.
// Bounds: three slots a lane; those of distinct.wgsl.
import package::kernels::common::grid::WORKGROUP;
import package::kernels::common::keys::EMPTY;
import package::kernels::two_level::buckets::{sizes, BUCKET_SLOTS};
import package::kernels::two_level::distinct::place_distinct;
import package::kernels::two_level::rounds::slots;
@if(COUNT) import package::kernels::common::count::{count_begin, count_write, count_flush};

@group(0) @binding(0) var<storage, read_write> table: array<vec2u>;
// One word more than buckets: a zero, which the prefix sum makes the number of all.
@group(0) @binding(8) var<storage, read_write> counts: array<u32>;

var<workgroup> numbered: atomic<u32>;

@compute @workgroup_size(WORKGROUP)
fn compact(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  @if(COUNT) count_begin(lid);
  let number = wid.y * nwg.x + wid.x;
  if (number < sizes.buckets) {
    let bucket = place_distinct(number, lid);
    if (bucket.placed) { write_slots(number, lid); }
    @if(COUNT) count_flush(number, lid, lid < bucket.count);
  }
}

fn write_slots(bucket: u32, lid: u32) {
  for (var slot = lid; slot < BUCKET_SLOTS; slot += WORKGROUP) {
    let key = atomicLoad(&slots[slot]);
    var id = EMPTY;
    if (key != EMPTY) { id = atomicAdd(&numbered, 1u); }
    @if(COUNT) { if (lid % 4u == 0u) { count_write(); } }
    table[bucket * BUCKET_SLOTS + slot] = vec2u(key, id);
  }
  workgroupBarrier();
  if (lid == 0u) {
    @if(COUNT) count_write();
    counts[bucket] = atomicLoad(&numbered);
    if (bucket == 0u) { counts[sizes.buckets] = 0u; }
  }
}
