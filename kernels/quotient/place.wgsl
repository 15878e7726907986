// Quotiented buckets, a pair of a partitioned build (kernels/partitioned/build.wgsl; layout: layout.wgsl), on the buckets of a
// part in workgroup memory. Slots are taken in the order in which insert.wgsl looks for them, but by rank: a counter a word
// says how many came before, and nobody looks at tags. So a key that occurs twice is there twice until `settle`.
// Bound: WORDS words of a bucket.
import package::kernels::common::keys::EMPTY;
import package::kernels::partitioned::image::image;
import package::kernels::partitioned::parts::LANES;
import package::kernels::quotient::layout::{place_of, shift_of, PAIRS, TAGS, WORDS, FREE};

// Pairs that asked for a slot, by word of tags.
override WORDS_OF_TAGS: u32 = WORDS * LANES;
var<workgroup> asked: array<atomic<u32>, WORDS_OF_TAGS>;

fn prepare(lid: u32) {
  for (var word = lid; word < WORDS_OF_TAGS; word += LANES) { atomicStore(&asked[word], 0u); }
}

// Whether the pair has a slot of its first bucket now. The part begins with bucket `first`.
fn place(hash: u32, first: u32, value: u32) -> bool {
  let own = place_of(hash, 0u);
  let bucket = own.bucket - first;
  for (var i = 0u; i < WORDS; i++) {
    let word = (own.start + i) % WORDS;
    let rank = atomicAdd(&asked[WORDS * bucket + word], 1u);
    let slot = TAGS * word + rank;
    if (rank < TAGS && slot < PAIRS) {
      // From FREE, which is all ones.
      atomicAnd(&image[8u * bucket + word], ~((FREE ^ own.tag) << shift_of(slot)));
      atomicStore(&image[8u * bucket + WORDS + slot], value);
      return true;
    }
    // The key goes on past a full word.
    atomicAnd(&image[8u * bucket + word], ~own.mark);
  }
  return false;
}

fn tag_in(bucket: u32, slot: u32) -> u32 {
  return (atomicLoad(&image[8u * bucket + slot / TAGS]) >> shift_of(slot)) & FREE;
}

// After a barrier, a lane a bucket of the part: of slots with one tag, that is one key, all but the first become free, as if
// they were erased.
fn settle(bucket: u32) {
  for (var slot = 1u; slot < PAIRS; slot++) {
    let tag = tag_in(bucket, slot);
    if (tag == FREE) { continue; }
    for (var before = 0u; before < slot; before++) {
      if (tag_in(bucket, before) == tag) {
        atomicOr(&image[8u * bucket + slot / TAGS], FREE << shift_of(slot));
        atomicStore(&image[8u * bucket + WORDS + slot], EMPTY);
        break;
      }
    }
  }
}
