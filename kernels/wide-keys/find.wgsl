// Tables whose keys have two words, find. One lane a query, a block a probe: of a slot one load has all, of a bucket two loads have the keys.
// Keys go on only past blocks that are full, and words never become EMPTY again: a first word that is EMPTY ends the search.
//
// Layout: as in layout.wgsl.  Bound of the probe loop: most_blocks().
import package::kernels::common::banks::block_at;
@if(BUCKETS) import package::kernels::common::banks::offset;
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::keys::EMPTY;
import package::kernels::common::parts::part_at;
@if(BUCKETS) import package::kernels::common::parts::two_at;
@if(REUSE) import package::kernels::common::reach::get_reach;
import package::kernels::common::range::Range;
import package::kernels::wide_keys::layout::{first_block, block_after, most_blocks, hash_of, is_key, IN_BLOCK};
@if(COUNT) import package::kernels::common::count::{count_step, count_read, count_once, count_region, PROLOGUE, NEXT, count_flush};
@if(COUNT && BUCKETS) import package::kernels::common::count::CLAIM;

@group(0) @binding(1) var<storage, read> queries: array<vec2u>;
@group(0) @binding(2) var<storage, read_write> results: array<u32>;
@group(0) @binding(3) var<uniform> range: Range;

fn find(key: vec2u) -> u32 {
  @if(COUNT) count_once(PROLOGUE);
  if (!is_key(key)) { return EMPTY; }
  let hash = hash_of(key);
  var number = first_block(hash);
  @if(REUSE) let reach = get_reach();
  for (var probe = 0u; probe < most_blocks(); probe++) {
    @if(REUSE) { if (probe == reach) { break; } }
    @if(COUNT) count_step();
    @if(COUNT) count_read();
    let at = block_at(number, IN_BLOCK);
    @if(!BUCKETS) let slot = part_at(at);
    @if(!BUCKETS) if (slot.x == key.x && slot.y == key.y) { return slot.z; }
    @if(!BUCKETS) if (slot.x == EMPTY) { return EMPTY; }
    @if(BUCKETS) let words = two_at(at);
    @if(BUCKETS) let hit = (words.first == vec4u(key.x)) & (words.second == vec4u(key.y));
    @if(BUCKETS) if (any(hit)) {
      @if(COUNT) count_region(CLAIM);
      @if(COUNT) count_read();
      let values = part_at(offset(at, 2u));
      return select(select(select(values.w, values.z, hit.z), values.y, hit.y), values.x, hit.x);
    }
    @if(BUCKETS) if (any(words.first == vec4u(EMPTY))) { return EMPTY; }
    @if(COUNT) count_region(NEXT);
    number = block_after(probe, number, hash);
  }
  return EMPTY;
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let at = grid(wid, nwg, lid);
  let item = range.first + at.index;
  let has_item = item < range.end;
  if (has_item) { results[item] = find(queries[item]); }
  @if(COUNT) count_flush(at.group, lid, has_item);
}
