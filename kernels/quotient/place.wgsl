// Quotiented buckets, a pair of a partitioned build (kernels/partitioned/build.wgsl; layout: layout.wgsl), on the buckets of a
// part in workgroup memory. Slots are taken in the order in which insert.wgsl looks for them, but by rank: a counter a word
// says how many came before, and nobody looks at tags. So a key that occurs twice is there twice until `settle`.
// Bound: WORDS words of a bucket.
import package::kernels::common::keys::EMPTY;
import package::kernels::partitioned::image::{image, ask, STRIDE};
import package::kernels::quotient::layout::{place_of, shift_of, PAIRS, TAGS, WORDS, FREE};

const PHASES = 1u;

// Whether the pair has a slot of its first bucket now. The part begins with bucket `first`.
fn place(phase: u32, hash: u32, first: u32, value: u32) -> bool {
  let own = place_of(hash, 0u);
  let bucket = own.bucket - first;
  for (var i = 0u; i < WORDS; i++) {
    let word = (own.start + i) % WORDS;
    let rank = ask(WORDS * bucket + word);
    let slot = TAGS * word + rank;
    if (rank < TAGS && slot < PAIRS) {
      // From FREE, which is all ones.
      atomicAnd(&image[STRIDE * bucket + word], ~((FREE ^ own.tag) << shift_of(slot)));
      atomicStore(&image[STRIDE * bucket + WORDS + slot], value);
      return true;
    }
    // The key goes on past a full word.
    atomicAnd(&image[STRIDE * bucket + word], ~own.mark);
  }
  return false;
}

fn tag_in(words: vec4u, slot: u32) -> u32 {
  if (slot >= PAIRS) { return FREE; }
  return (words[slot / TAGS] >> shift_of(slot)) & FREE;
}

// Whether slots of the bucket have one tag: three by three, and each three among themselves.
fn has_twins(words: vec4u) -> bool {
  let low = vec3u(tag_in(words, 0u), tag_in(words, 1u), tag_in(words, 2u));
  let high = vec3u(tag_in(words, 3u), tag_in(words, 4u), tag_in(words, 5u));
  let same = (low == low.yzx) | (low == high) | (low == high.yzx) | (low == high.zxy);
  return any(same & (low != vec3u(FREE))) || any((high == high.yzx) & (high != vec3u(FREE)));
}

// After a barrier, a lane a bucket of the part: of slots with one tag, that is one key, all but the first become free, as if
// they were erased.
fn settle(bucket: u32) {
  var words = vec4u();
  for (var word = 0u; word < WORDS; word++) { words[word] = atomicLoad(&image[STRIDE * bucket + word]); }
  if (!has_twins(words)) { return; }
  for (var slot = 1u; slot < PAIRS; slot++) {
    let tag = tag_in(words, slot);
    for (var before = 0u; tag != FREE && before < slot; before++) {
      if (tag_in(words, before) == tag) {
        atomicOr(&image[STRIDE * bucket + slot / TAGS], FREE << shift_of(slot));
        atomicStore(&image[STRIDE * bucket + WORDS + slot], EMPTY);
        break;
      }
    }
  }
}
