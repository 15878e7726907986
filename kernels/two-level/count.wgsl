// Two-level table, phase 1: how many pairs each bucket gets, and in which order. One lane a pair; its atomicAdd on the
// bucket's counter gives the pair its place in the bucket.
//
// Layout: counts[b], zeroed before; offsets[i]: place of pair i in its bucket, EMPTY for a reserved key.
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::keys::{EMPTY, DELETED};
import package::kernels::common::status::Status;
import package::kernels::two_level::buckets::{bucket_of, parameters};
@if(COUNT) import package::kernels::common::count::{count_rmw, count_write, count_flush};

// Pairs a bucket may have.
override MOST: u32;

@group(0) @binding(0) var<storage, read_write> counts: array<atomic<u32>>;
@group(0) @binding(1) var<storage, read> keys: array<u32>;
@group(0) @binding(2) var<storage, read_write> offsets: array<u32>;
// `failed` counts buckets with too many pairs.
@group(0) @binding(4) var<storage, read_write> status: Status;

fn count_pair(key: u32) -> u32 {
  if (key >= DELETED) {
    atomicAdd(&status.refused, 1u);
    return EMPTY;
  }
  @if(COUNT) count_rmw();
  let offset = atomicAdd(&counts[bucket_of(key)], 1u);
  if (offset == MOST) { atomicAdd(&status.failed, 1u); }
  return offset;
}

@compute @workgroup_size(WORKGROUP)
fn count(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let at = grid(wid, nwg, lid);
  let has_item = at.index < parameters.n;
  if (has_item) {
    offsets[at.index] = count_pair(keys[at.index]);
    // Neighbouring lanes share a sector.
    @if(COUNT) { if (lid % 8u == 0u) { count_write(); } }
  }
  @if(COUNT) count_flush(at.group, lid, has_item);
}
