// Quotiented buckets, a pair of a partitioned build (kernels/partitioned/build.wgsl; layout: layout.wgsl), on the buckets of a
// part in workgroup memory. Slots are taken in the order in which insert.wgsl looks for them, but by rank: a counter a word
// says how many came before, and tags are not compared. So a key that occurs twice is there twice until `settle`. What the first
// bucket has no room for goes to the second one, which lies in the part too, if its key is not there.
// Bound: WORDS words of a bucket.
import package::kernels::common::keys::EMPTY;
import package::kernels::partitioned::image::{image, ask, STRIDE};
import package::kernels::partitioned::parts::in_part;
import package::kernels::quotient::layout::{Place, place_from, shift_of, sizes, slot_of, PAIRS, TAGS, TAG_BITS, WORDS, FREE};

// Few buckets have a key twice: only these are settled.
const SETTLES_ALL = false;
// What the part has no room for was compared with its first bucket: the second may have got the key since.
const SEARCHED = 1u;
const NO_ROOM = 2u;

// Whether the pair has a slot of its first bucket now. The part begins with bucket `first`.
fn place(hash: u32, first: u32, value: u32) -> bool { return place_in(own_place(hash, first, 0u), first, value); }

// After a barrier: 1 if a pair that its first bucket turned away has a slot of the second one now, 0 if the first one has its key
// (of copies either value may stay), else NO_ROOM.
fn place_next(hash: u32, first: u32, value: u32) -> u32 {
  if (there_already(hash, first)) { return 0u; }
  return select(NO_ROOM, 1u, place_in(own_place(hash, first, 1u), first, value));
}
fn left_over(number: u32, hash: u32, first: u32) -> bool { return number == NO_ROOM; }

fn own_place(hash: u32, first: u32, number: u32) -> Place {
  return place_from(first + in_part(hash, sizes.buckets), hash, number);
}

fn place_in(own: Place, first: u32, value: u32) -> bool {
  let bucket = own.bucket - first;
  for (var i = 0u; i < WORDS; i++) {
    let word = (own.start + i) % WORDS;
    let rank = ask(WORDS * bucket + word);
    let slot = TAGS * word + rank;
    if (rank < TAGS && slot < PAIRS) {
      // From FREE, which is all ones.
      atomicAnd(&image[STRIDE * bucket + word], ~((FREE ^ own.tag) << (rank * TAG_BITS)));
      atomicStore(&image[STRIDE * bucket + WORDS + slot], value);
      return true;
    }
    // The key goes on past a full word.
    atomicAnd(&image[STRIDE * bucket + word], ~own.mark);
  }
  return false;
}

// Whether another copy of the key has a slot of the first bucket.
fn there_already(hash: u32, first: u32) -> bool {
  let own = own_place(hash, first, 0u);
  let bucket = own.bucket - first;
  for (var word = 0u; word < WORDS; word++) {
    if (slot_of(atomicLoad(&image[STRIDE * bucket + word]), word, own.tag) < PAIRS) { return true; }
  }
  return false;
}

// The highest bit of every tag. That of a tag in a part is 0, as its number is 0 or 1, and that of FREE is 1.
@if(PAIRS6) const TOPS = 0x20080200u;
@if(PAIRS5) const TOPS = 0x20004000u;
@if(PAIRS4) const TOPS = 0x20000000u;
const TAG_MASK = 0x3fffffffu;
const BELOW_TOPS = TAG_MASK ^ TOPS;

// The word's tags, each in the place of the one after the next `by`.
fn turned(word: u32, by: u32) -> u32 {
  let tags = word & TAG_MASK;
  return (tags << (by * TAG_BITS)) | (tags >> (30u - by * TAG_BITS));
}
// The highest bits of those tags, not FREE, that are the same in both words.
fn alike(one: u32, other: u32) -> u32 {
  let x = one ^ other;
  return ~(((x & BELOW_TOPS) + BELOW_TOPS) | x | one) & TOPS;
}

// After a barrier: whether a key is in the bucket twice.
fn unsettled(bucket: u32) -> bool {
  var words = vec4u();
  for (var word = 0u; word < WORDS; word++) { words[word] = atomicLoad(&image[STRIDE * bucket + word]); }
  var same = 0u;
  for (var word = 0u; word < WORDS; word++) {
    if (TAGS > 1u) { same |= alike(words[word], turned(words[word], 1u)); }
    for (var other = word + 1u; other < WORDS; other++) {
      for (var by = 0u; by < TAGS; by++) { same |= alike(words[word], turned(words[other], by)); }
    }
  }
  return same != 0u;
}

fn tag_of(bucket: u32, slot: u32) -> u32 {
  return (atomicLoad(&image[STRIDE * bucket + slot / TAGS]) >> shift_of(slot)) & FREE;
}

// Of slots with one tag, that is one key, all but the first become free, as if they were erased.
fn settle(bucket: u32) {
  for (var slot = 1u; slot < PAIRS; slot++) {
    let tag = tag_of(bucket, slot);
    for (var before = 0u; tag != FREE && before < slot; before++) {
      if (tag_of(bucket, before) == tag) {
        atomicOr(&image[STRIDE * bucket + slot / TAGS], FREE << shift_of(slot));
        atomicStore(&image[STRIDE * bucket + WORDS + slot], EMPTY);
        break;
      }
    }
  }
}
