// A part of a table as it is built in workgroup memory, bucket after bucket, of 8 words each; at first EMPTY, as in a table
// that is cleared. What pairs share there is atomic.
import package::kernels::common::keys::EMPTY;
import package::kernels::partitioned::parts::LANES;

override WORDS_A_PART: u32 = 8u * LANES;
var<workgroup> image: array<atomic<u32>, WORDS_A_PART>;

fn clear_image(lid: u32) {
  for (var word = lid; word < WORDS_A_PART; word += LANES) { atomicStore(&image[word], EMPTY); }
}

fn four_words(at: u32) -> vec4u {
  return vec4u(atomicLoad(&image[at]), atomicLoad(&image[at + 1u]), atomicLoad(&image[at + 2u]), atomicLoad(&image[at + 3u]));
}
