// Two-level table, phase 4: one workgroup a bucket places its keys in workgroup memory (rounds.wgsl), puts the values beside
// them, and writes the bucket's slots and its seed.
//
// Counted: probes are attempts to place a key in workgroup memory (rounds.wgsl); reads, writes and RMWs are those of global memory beside the
// input, one a sector where words are in sequence.
// Bounds: those of rounds.wgsl; three slots a lane.
@if(BANKED) import package::kernels::common::banks::{block_at, offset};
import package::kernels::common::grid::WORKGROUP;
import package::kernels::common::keys::EMPTY;
@if(BANKED) import package::kernels::common::parts::put_part;
import package::kernels::common::status::Status;
import package::kernels::two_level::buckets::{parameters, sizes, BUCKET_SLOTS};
import package::kernels::two_level::rounds::{place_keys, place_of, slots, BUCKET_KEYS, LANE_KEYS, TRIES};
@if(COUNT) import package::kernels::common::count::{count_begin, count_read, count_write, count_flush};

@if(!BANKED) @group(0) @binding(0) var<storage, read_write> table: array<vec2u>;
// The pairs of bucket b are those from starts[b] to starts[b + 1].
@group(0) @binding(1) var<storage, read> starts: array<u32>;
// Once a bucket has failed, by too many pairs or because no seed was found, nothing more is done.
@group(0) @binding(4) var<storage, read_write> status: Status;
@if(!BANKED) @group(0) @binding(6) var<storage, read> pairs: array<vec2u>;
@if(BANKED) @group(0) @binding(6) var<storage, read> pairs: array<u32>;
@if(BANKED) @group(0) @binding(8) var<storage, read> item_values: array<u32>;
@group(0) @binding(7) var<storage, read_write> seeds: array<u32>;

// The bucket's pairs; NOTHING if the attempt has failed.
var<workgroup> size: u32;
const NOTHING = 0xffffffffu;
// Atomic, because equal keys write the same one.
var<workgroup> slot_values: array<atomic<u32>, BUCKET_SLOTS>;

@compute @workgroup_size(WORKGROUP)
fn build(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  @if(COUNT) count_begin(lid);
  let bucket = wid.y * nwg.x + wid.x;
  if (bucket < sizes.buckets) {
    if (lid == 0u) {
      size = starts[bucket + 1u] - starts[bucket];
      if (atomicLoad(&status.failed) != 0u) { size = NOTHING; }
    }
    let count = workgroupUniformLoad(&size);
    if (count <= BUCKET_KEYS) { build_bucket(bucket, count, lid); }
    @if(COUNT) count_flush(bucket, lid, lid < count);
  }
}

fn build_bucket(bucket: u32, count: u32, lid: u32) {
  let start = starts[bucket];
  var keys = array(EMPTY, EMPTY);
  var values: array<u32, LANE_KEYS>;
  for (var i = 0u; i < LANE_KEYS; i++) {
    let item = lid + i * WORKGROUP;
    if (item < count) {
      // Neighbouring lanes share a sector.
      @if(COUNT) { if (lid % 4u == 0u) { count_read(); } }
      @if(!BANKED) let pair = pairs[start + item];
      @if(BANKED) let pair = vec2u(pairs[start + item], item_values[start + item]);
      keys[i] = pair.x;
      values[i] = pair.y;
      // Its value is reserved (scatter.wgsl).
      if (pair.x == EMPTY) { atomicAdd(&status.refused, 1u); }
    }
  }
  let placement = place_keys(keys, parameters.draw + bucket * TRIES, lid);
  if (lid == 0u) {
    @if(COUNT) count_write();
    seeds[bucket] = placement.seed;
    if (!placement.placed) { atomicAdd(&status.failed, 1u); }
  }
  for (var i = 0u; i < LANE_KEYS; i++) {
    if (keys[i] != EMPTY) { atomicStore(&slot_values[place_of(keys[i], placement.seed)], values[i]); }
  }
  workgroupBarrier();
  for (var slot = lid; slot < BUCKET_SLOTS; slot += WORKGROUP) {
    @if(COUNT) { if (lid % 4u == 0u) { count_write(); } }
    let key = atomicLoad(&slots[slot]);
    @if(!BANKED) table[bucket * BUCKET_SLOTS + slot] = vec2u(key, select(atomicLoad(&slot_values[slot]), EMPTY, key == EMPTY));
    @if(BANKED) put_part(offset(block_at(bucket, BUCKET_SLOTS), slot), vec2u(key, select(atomicLoad(&slot_values[slot]), EMPTY, key == EMPTY)));
  }
}
