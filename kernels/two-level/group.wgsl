// Two-level multivalue table, phase 4: one workgroup a bucket places its different keys (distinct.wgsl), counts the values of
// each, gives them room in the bucket's own segment of the list, writes the bucket's slots and puts the values into their room.
//
// Layout: table[576 b + s] = (key, first, count, 0): list[first] … list[first + count - 1] are the key's values; an empty slot
// is (EMPTY, EMPTY, EMPTY, 0). 16 bytes, not 12, so that a slot is in one sector. Bucket b's segment of the list is that of its
// pairs, starts[b] … starts[b + 1] - 1.
// Bounds: two walks through the bucket's pairs; three slots a lane; those of distinct.wgsl.
import package::kernels::common::grid::WORKGROUP;
import package::kernels::common::keys::EMPTY;
import package::kernels::two_level::buckets::{sizes, BUCKET_SLOTS};
import package::kernels::two_level::distinct::{place_distinct, key_at, items, status, Bucket};
import package::kernels::two_level::rounds::{place_of, slots};
@if(COUNT) import package::kernels::common::count::{count_begin, count_write, count_flush};

@group(0) @binding(0) var<storage, read_write> table: array<vec4u>;
@group(0) @binding(8) var<storage, read_write> list: array<u32>;

// Values of the slot's key; later, where in the list its next value goes.
var<workgroup> slot_values: array<atomic<u32>, BUCKET_SLOTS>;
// Slots with a key, and the values that have room.
var<workgroup> keys_seen: atomic<u32>;
var<workgroup> values_seen: atomic<u32>;

@compute @workgroup_size(WORKGROUP)
fn group(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  @if(COUNT) count_begin(lid);
  let number = wid.y * nwg.x + wid.x;
  if (number < sizes.buckets) {
    let bucket = place_distinct(number, lid);
    if (bucket.placed) { group_values(number, bucket, lid); }
    @if(COUNT) count_flush(number, lid, lid < bucket.count);
  }
}

fn group_values(number: u32, bucket: Bucket, lid: u32) {
  let end = bucket.start + bucket.count;
  for (var item = bucket.start + lid; item < end; item += WORKGROUP) {
    atomicAdd(&slot_values[place_of(key_at(item), bucket.seed)], 1u);
  }
  workgroupBarrier();
  for (var slot = lid; slot < BUCKET_SLOTS; slot += WORKGROUP) {
    let key = atomicLoad(&slots[slot]);
    var range = vec2u(EMPTY);
    if (key != EMPTY) {
      atomicAdd(&keys_seen, 1u);
      let count = atomicLoad(&slot_values[slot]);
      range = vec2u(bucket.start + atomicAdd(&values_seen, count), count);
    }
    atomicStore(&slot_values[slot], range.x);
    @if(COUNT) { if (lid % 2u == 0u) { count_write(); } }
    table[number * BUCKET_SLOTS + slot] = vec4u(key, range, 0u);
  }
  workgroupBarrier();
  if (lid == 0u) { atomicAdd(&status.distinct, atomicLoad(&keys_seen)); }
  for (var item = bucket.start + lid; item < end; item += WORKGROUP) {
    let place = place_of(key_at(item), bucket.seed);
    // The segment's sectors are not written in their order.
    @if(COUNT) count_write();
    list[atomicAdd(&slot_values[place], 1u)] = items[item].y;
  }
}
