// Slab hash, SEARCH in bulk without work sharing, the per-thread processing that the paper compares its own with (Ashkiani et al., IPDPS
// 2018, IV.A): a lane goes down the list of its own query, four words a step; then it takes another query, QUERIES in all.
//
// Layout: as in slab.wgsl; nothing changes it in this dispatch.  Bounds: QUERIES; SLABS slabs of a list.
import package::kernels::common::keys::{EMPTY, DELETED};
import package::kernels::common::range::Range;
import package::kernels::common::status::Status;
import package::kernels::common::warp::WARP_GROUP;
import package::kernels::slab_hash::read::part_of;
import package::kernels::slab_hash::slab::{bucket_of, base_slab, SLAB_WORDS};
@if(COUNT) import package::kernels::common::count::{count_step, count_read, count_once, count_region, PROLOGUE, CLAIM, NEXT as GOES_ON, count_flush};

// Queries of a lane.
override QUERIES: u32 = 1u;
// Never reached unless a list is broken.
override SLABS: u32 = 16777216u;

@group(0) @binding(1) var<storage, read> queries: array<u32>;
@group(0) @binding(2) var<storage, read_write> results: array<u32>;
@group(0) @binding(3) var<uniform> range: Range;
@group(0) @binding(4) var<storage, read_write> status: Status;

const LAST = SLAB_WORDS / 4u - 1u;

// What these words of a slab, a part of it, say of the key; EMPTY if they do not have it.
@if(!KEYS) fn answer_of(words: vec4u, key: u32, part: u32) -> u32 {
  if (words.x == key) { return words.y; }
  return select(EMPTY, words.w, words.z == key);
}
// The last word of a slab is not a key.
@if(KEYS) fn answer_of(words: vec4u, key: u32, part: u32) -> u32 {
  return select(EMPTY, 1u, any(words.xyz == vec3u(key)) || (words.w == key && part != LAST));
}

fn find(key: u32) -> u32 {
  @if(COUNT) count_once(PROLOGUE);
  if (key >= DELETED) { return EMPTY; }
  var slab = base_slab(bucket_of(key));
  for (var looked = 0u; looked < SLABS; looked++) {
    var words = vec4u();
    for (var part = 0u; part <= LAST; part++) {
      @if(COUNT) count_step();
      @if(COUNT) { if (part % 2u == 0u) { count_read(); } }
      words = part_of(slab, part);
      let answer = answer_of(words, key, part);
      if (answer != EMPTY) {
        @if(COUNT) count_region(CLAIM);
        return answer;
      }
    }
    @if(COUNT) count_region(GOES_ON);
    slab = words.w;
    if (slab == EMPTY) { return EMPTY; }
  }
  atomicAdd(&status.bound, 1u);
  return EMPTY;
}

@compute @workgroup_size(WARP_GROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let group = wid.y * nwg.x + wid.x;
  var item = range.first + group * QUERIES * WARP_GROUP + lid;
  let has_item = item < range.end;
  for (var number = 0u; number < QUERIES && item < range.end; number++) {
    results[item] = find(queries[item]);
    item += WARP_GROUP;
  }
  @if(COUNT) count_flush(group, lid, has_item);
}
