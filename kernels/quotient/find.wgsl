// Quotiented buckets, find (our own table; sources and layout: layout.wgsl). One lane a query: both halves of the 32-byte
// bucket are loaded together (two vec4 loads in one sector), and all tags are compared at once. A mark that stands in any word
// of the bucket ends the search: the key would have cleared it to be anywhere else.
//
// Nothing changes the table in this dispatch, and no value is EMPTY.
// Bounds: HASHES buckets, STASH_PROBES slots of the stash.
import package::kernels::common::banks::{block_at, offset};
import package::kernels::common::parts::{part_at, two_at};
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::keys::{EMPTY, DELETED};
import package::kernels::common::passes::is_served;
import package::kernels::common::range::Range;
import package::kernels::quotient::layout::{first_hash, next_hash, place_of, stash_home, stash_next, sizes, TAG_BITS, HASHES, FREE, STASH_PROBES};
@if(COUNT) import package::kernels::common::count::{count_step, count_read, count_once, count_region, PROLOGUE, NEXT, CLAIM, EPILOGUE, count_flush};

@group(0) @binding(1) var<storage, read> queries: array<u32>;
@group(0) @binding(2) var<storage, read_write> results: array<u32>;
// By this name, as programs that have taken the text of this kernel know it.
@group(0) @binding(3) var<uniform> n: Range;

// The value that has the tag in a bucket of these halves; EMPTY if none has.
@if(PAIRS6) fn value_of(lower: vec4u, upper: vec4u, tag: u32) -> u32 {
  const SHIFTS = vec3u(0u, TAG_BITS, 2u * TAG_BITS);
  let first = ((vec3u(lower.x) >> SHIFTS) & vec3u(FREE)) == vec3u(tag);
  let second = ((vec3u(lower.y) >> SHIFTS) & vec3u(FREE)) == vec3u(tag);
  let one = select(select(select(EMPTY, upper.x, first.z), lower.w, first.y), lower.z, first.x);
  return select(select(select(one, upper.w, second.z), upper.z, second.y), upper.y, second.x);
}
@if(PAIRS5) fn value_of(lower: vec4u, upper: vec4u, tag: u32) -> u32 {
  let words = vec4u(lower.x, lower.x >> TAG_BITS, lower.y, lower.y >> TAG_BITS);
  let hit = (words & vec4u(FREE)) == vec4u(tag);
  let one = select(EMPTY, upper.w, (lower.z & FREE) == tag);
  return select(select(select(select(one, upper.z, hit.w), upper.y, hit.z), upper.x, hit.y), lower.w, hit.x);
}
@if(PAIRS4) fn value_of(lower: vec4u, upper: vec4u, tag: u32) -> u32 {
  let hit = (lower & vec4u(FREE)) == vec4u(tag);
  return select(select(select(select(EMPTY, upper.w, hit.w), upper.z, hit.z), upper.y, hit.y), upper.x, hit.x);
}

// The marks that stand in any word of the bucket, beside tags.
@if(PAIRS6) fn marks_of(lower: vec4u) -> u32 { return lower.x | lower.y; }
@if(PAIRS5) fn marks_of(lower: vec4u) -> u32 { return lower.x | lower.y | lower.z; }
@if(PAIRS4) fn marks_of(lower: vec4u) -> u32 { return lower.x | lower.y | lower.z | lower.w; }

fn find_in_stash(key: u32) -> u32 {
  var slot = stash_home(key);
  for (var probe = 0u; probe < STASH_PROBES; probe++) {
    @if(COUNT) count_region(EPILOGUE);
    @if(COUNT) count_read();
    let pairs = part_at(offset(block_at(sizes.buckets + slot / 4u, 2u), slot / 2u % 2u));
    let pair = select(pairs.xy, pairs.zw, (slot & 1u) != 0u);
    if (pair.x == key) { return pair.y; }
    if (pair.x == EMPTY) { break; }
    slot = stash_next(slot);
  }
  return EMPTY;
}

fn find(key: u32) -> u32 {
  @if(COUNT) count_once(PROLOGUE);
  if (key >= DELETED) { return EMPTY; }
  var hash = first_hash(key);
  for (var number = 0u; number < HASHES; number++) {
    let place = place_of(hash, number);
    if (place.tag == FREE) { break; }
    @if(COUNT) count_step();
    @if(COUNT) count_read();
    let halves = two_at(block_at(place.bucket, 2u));
    let value = value_of(halves.first, halves.second, place.tag);
    if (value != EMPTY) {
      @if(COUNT) count_region(CLAIM);
      return value;
    }
    if ((marks_of(halves.first) & place.mark) != 0u) { return EMPTY; }
    @if(COUNT) count_region(NEXT);
    hash = next_hash(hash, number);
  }
  return find_in_stash(key);
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let at = grid(wid, nwg, lid);
  let item = n.first + at.index;
  var has_item = item < n.end;
  if (has_item) {
    let key = queries[item];
    has_item = is_served(first_hash(key));
    if (has_item) { results[item] = find(key); }
  }
  @if(COUNT) count_flush(at.group, lid, has_item);
}
