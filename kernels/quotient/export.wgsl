// Quotiented buckets: all pairs, side by side in two other buffers (common/exported.wgsl; layout: layout.wgsl). One lane a bucket, or four slots of
// the stash. A key is made of its bucket and tag: the hash is the one whose product with the number of buckets begins so, and the hash' steps are
// taken backwards.
// Bounds: PAIRS slots; 32 steps of a division, HASHES steps of a hash.
import package::kernels::common::banks::{block_at, offset};
import package::kernels::common::exported::{place_of, put};
@if(PIECE) import package::kernels::common::exported::piece_first;
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::hash::unmix32b;
@if(!KEYED) import package::kernels::common::hash::unmix32;
@if(KEYED) import package::kernels::common::keyed::unmix32;
import package::kernels::common::keys::{EMPTY, DELETED};
import package::kernels::common::parts::{part_at, Two};
import package::kernels::quotient::layout::{neighbour_of, sizes, PAIRS, TAGS, TAG_BITS, WORDS, REMAINDER_BITS, FREE};

fn word_of(halves: Two, number: u32) -> u32 {
  if (number < 4u) { return halves.first[number]; }
  return halves.second[number - 4u];
}

// Slot `slot` of a bucket of these halves, or of four slots of the stash.
fn tag_of(halves: Two, slot: u32) -> u32 { return (word_of(halves, slot / TAGS) >> (slot % TAGS * TAG_BITS)) & FREE; }
fn key_in_stash(halves: Two, slot: u32) -> u32 { return word_of(halves, 2u * slot); }

// ceil((high * 2^32 + low) / by), where that is less than 2^32.
fn divided(high: u32, low: u32, by: u32) -> u32 {
  var rest = high;
  var quotient = 0u;
  for (var bit = 0u; bit < 32u; bit++) {
    let over = rest >> 31u;
    rest = (rest << 1u) | ((low >> (31u - bit)) & 1u);
    quotient <<= 1u;
    if (over != 0u || rest >= by) {
      rest -= by;
      quotient |= 1u;
    }
  }
  return quotient + select(0u, 1u, rest != 0u);
}

fn key_of(bucket: u32, tag: u32) -> u32 {
  let number = tag >> REMAINDER_BITS;
  var own = bucket;
  if (number == 1u) { own = neighbour_of(bucket); }
  var hash = divided(own, tag << (32u - REMAINDER_BITS), sizes.buckets);
  for (var step = number; step > 1u; step--) { hash = unmix32b(hash) - 0x9e3779b9u; }
  return unmix32(hash) ^ sizes.seed;
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  @if(!PIECE) let number = grid(wid, nwg, lid).index;
  @if(PIECE) let number = piece_first + grid(wid, nwg, lid).index;
  let in_stash = number >= sizes.buckets;
  // A last vec4 has half as many.
  let stashed = select(0u, min(4u, sizes.stash - (number - sizes.buckets) * 4u), in_stash);
  let has_block = number < sizes.buckets + (sizes.stash + 3u) / 4u;
  var halves = Two(vec4u(EMPTY), vec4u(EMPTY));
  var pairs = 0u;
  if (has_block) {
    let at = block_at(number, 2u);
    halves.first = part_at(at);
    if (!in_stash || stashed > 2u) { halves.second = part_at(offset(at, 1u)); }
    for (var slot = 0u; slot < PAIRS; slot++) {
      if (!in_stash && tag_of(halves, slot) != FREE) { pairs++; }
    }
    for (var slot = 0u; slot < stashed; slot++) {
      if (key_in_stash(halves, slot) < DELETED) { pairs++; }
    }
  }
  var place = place_of(pairs, lid);
  if (pairs == 0u) { return; }
  for (var slot = 0u; slot < PAIRS; slot++) {
    let tag = tag_of(halves, slot);
    if (in_stash || tag == FREE) { continue; }
    put(place, key_of(number, tag), word_of(halves, WORDS + slot));
    place++;
  }
  for (var slot = 0u; slot < stashed; slot++) {
    let key = key_in_stash(halves, slot);
    if (key >= DELETED) { continue; }
    put(place, key, word_of(halves, 2u * slot + 1u));
    place++;
  }
}
