// Two-level table, phase 3: pairs, or keys only, into the order of their buckets. One lane a pair.
// REFUSES: a pair whose value is reserved leaves its place to the key EMPTY, which build.wgsl counts as refused.
// BANKED: keys and values in a buffer each, as one of their pairs may be larger than a binding.
//
// Layout: starts[b]: the prefix sum of the counts; items[starts[b] + j] = (key, value) of the j-th pair of bucket b, or its key.
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::keys::EMPTY;
@if(REFUSES) import package::kernels::common::keys::is_pair;
import package::kernels::common::status::StatusWords;
import package::kernels::two_level::buckets::{bucket_of, parameters, Item};
@if(COUNT) import package::kernels::common::count::{count_read, count_write, count_flush};

@group(0) @binding(0) var<storage, read> starts: array<u32>;
@group(0) @binding(1) var<storage, read> keys: array<u32>;
@group(0) @binding(2) var<storage, read> offsets: array<u32>;
// If a bucket has too many pairs the attempt has failed, and nothing is done.
@group(0) @binding(4) var<storage, read> status: StatusWords;
@if(!KEYS_ONLY) @group(0) @binding(5) var<storage, read> values: array<u32>;
@group(0) @binding(6) var<storage, read_write> items: array<Item>;
@if(BANKED) @group(0) @binding(7) var<storage, read_write> item_values: array<u32>;

fn scatter_item(key: u32, item: Item, offset: u32) {
  @if(COUNT) count_read();
  @if(COUNT) count_write();
  items[starts[bucket_of(key)] + offset] = item;
}

@compute @workgroup_size(WORKGROUP)
fn scatter(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let at = grid(wid, nwg, lid);
  let has_item = at.index < parameters.n && status.failed == 0u;
  if (has_item) {
    let offset = offsets[at.index];
    // Neighbouring lanes share a sector.
    @if(COUNT) { if (lid % 8u == 0u) { count_read(); } }
    if (offset != EMPTY) {
      let key = keys[at.index];
      @if(KEYS_ONLY) scatter_item(key, key, offset);
      @if(!KEYS_ONLY) let value = values[at.index];
      @if(!KEYS_ONLY && !REFUSES) scatter_item(key, vec2u(key, value), offset);
      @if(REFUSES && !BANKED) scatter_item(key, vec2u(select(EMPTY, key, is_pair(key, value)), value), offset);
      @if(BANKED) scatter_item(key, select(EMPTY, key, is_pair(key, value)), offset);
      @if(BANKED && COUNT) count_write();
      @if(BANKED) item_values[starts[bucket_of(key)] + offset] = value;
    }
  }
  @if(COUNT) count_flush(at.group, lid, has_item);
}
