// A part of a table as it is built in workgroup memory, bucket after bucket, of 8 words each. What pairs share there is atomic.
@if(QUOTIENT) import package::kernels::common::keys::EMPTY;
import package::kernels::partitioned::parts::LANES;
@if(QUOTIENT) import package::kernels::quotient::layout::WORDS;

// From one bucket to the next: odd, so that lanes that each look at one bucket read different banks of workgroup memory.
const STRIDE = 9u;
override WORDS_A_PART: u32 = STRIDE * LANES;
var<workgroup> image: array<atomic<u32>, WORDS_A_PART>;

// Lists of a bucket that pairs ask for places in: four at most.
@if(BUCKETED) const LISTS = 1u;
@if(QUOTIENT) const LISTS = WORDS;
override LISTS_IN_PAIRS: u32 = LISTS * LANES / 2u;
// How many pairs asked, two lists a word: fewer than 2^16 pairs are in a part.
var<workgroup> asked: array<atomic<u32>, LISTS_IN_PAIRS>;

// No place is taken; quotient's buckets are EMPTY, as in a table that is cleared.
fn clear_image(lid: u32) {
  @if(QUOTIENT) for (var word = lid; word < WORDS_A_PART; word += LANES) { atomicStore(&image[word], EMPTY); }
  for (var word = lid; word < LISTS_IN_PAIRS; word += LANES) { atomicStore(&asked[word], 0u); }
}

// How many pairs asked for a place in the list before this one.
fn ask(list: u32) -> u32 {
  let shift = 16u * (list % 2u);
  return (atomicAdd(&asked[list / 2u], 1u << shift) >> shift) & 0xffffu;
}
fn asked_for(list: u32) -> u32 { return (atomicLoad(&asked[list / 2u]) >> (16u * (list % 2u))) & 0xffffu; }

// Four words of a bucket, from that number on.
fn four_words(bucket: u32, word: u32) -> vec4u {
  let at = STRIDE * bucket + word;
  return vec4u(atomicLoad(&image[at]), atomicLoad(&image[at + 1u]), atomicLoad(&image[at + 2u]), atomicLoad(&image[at + 3u]));
}
