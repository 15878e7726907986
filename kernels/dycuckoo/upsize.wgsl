// DyCuckoo, upsizing a sub-table (Li et al., 4.4, Fig. 4): twice the buckets. A pair of bucket b goes to bucket b or b + |h|, into
// the slot that it had: no two pairs meet, and there are no locks. One lane moves four slots, eight a bucket.
//
// Layout: keys, then values, 32 slots a bucket; before |h| buckets, after 2|h|.
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::hash::mix32;
import package::kernels::common::keys::{EMPTY, DELETED};
@if(COUNT) import package::kernels::common::count::{count_step, count_buckets, count_reads, count_writes, count_flush};

struct SubTable { buckets: u32, salt: u32 }
@group(0) @binding(13) var<uniform> before: SubTable;
@group(0) @binding(0) var<storage, read> old: array<vec4u>;
@group(0) @binding(1) var<storage, read_write> resized: array<vec4u>;

const PARTS = 8u;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let lane = grid(wid, nwg, lid);
  let half = before.buckets * PARTS;
  let part = lane.index;
  if (part < half) {
    // Of bytes that eight lanes move together, one counts: a bucket of keys and one of values each time.
    @if(COUNT) { if (part % PARTS == 0u) { count_step(); count_reads(8u); count_writes(16u); } }
    let keys = old[part];
    // A bucket a pair, as in the paper's Table 4.
    @if(COUNT) count_buckets(dot(vec4u(1u), select(vec4u(0u), vec4u(1u), keys < vec4u(DELETED))));
    let values = old[half + part];
    var hashes = vec4u(mix32(keys.x ^ before.salt), mix32(keys.y ^ before.salt), mix32(keys.z ^ before.salt), mix32(keys.w ^ before.salt));
    let stays = hashes % vec4u(2u * before.buckets) == vec4u(part / PARTS);
    resized[part] = select(vec4u(EMPTY), keys, stays);
    // An EMPTY key stays EMPTY.
    resized[half + part] = select(keys, vec4u(EMPTY), stays);
    resized[2u * half + part] = values;
    resized[3u * half + part] = values;
  }
  @if(COUNT) count_flush(lane.group, lid, part < half);
}
