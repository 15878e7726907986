// Quotiented buckets, a pair of a partitioned build (kernels/partitioned/image.wgsl; layout: layout.wgsl): as insert.wgsl
// does it, on the buckets of a part in workgroup memory. Pairs whose first bucket is full are left over.
// Bounds: WORDS words of a bucket, CLAIMS tries each.
import package::kernels::quotient::layout::{place_of, slot_of, shift_of, PAIRS, WORDS, FREE};
import package::kernels::partitioned::image::{hashes, values, image, Part};

// In this dispatch a word changes once a slot and once a mark; the other tries are for CASes that fail for no reason.
const CLAIMS = 32u;
const NO_SLOT = PAIRS;
const NOT_NOW = PAIRS + 1u;

// The bucket's slot that is the key's now. NO_SLOT: the word is full; NOT_NOW: no CAS succeeded.
fn claim(at: u32, word: u32, tag: u32) -> u32 {
  var seen = atomicLoad(&image[at]);
  for (var attempt = 0u; attempt < CLAIMS; attempt++) {
    let own = slot_of(seen, word, tag);
    if (own < PAIRS) { return own; }
    let slot = slot_of(seen, word, FREE);
    if (slot == PAIRS) { return NO_SLOT; }
    let got = atomicCompareExchangeWeak(&image[at], seen, seen ^ ((FREE ^ tag) << shift_of(slot)));
    if (got.exchanged) { return slot; }
    seen = got.old_value;
  }
  return NOT_NOW;
}

// Whether the pair has a slot of its first bucket now.
fn place(part: Part, pair: u32) -> bool {
  let hash = hashes[pair];
  let value = values[pair];
  let own = place_of(hash, 0u);
  let local = own.bucket - part.bucket;
  if (local >= part.buckets) { return false; }
  for (var i = 0u; i < WORDS; i++) {
    let word = (own.start + i) % WORDS;
    let slot = claim(8u * local + word, word, own.tag);
    if (slot == NOT_NOW) { return false; }
    if (slot != NO_SLOT) {
      atomicStore(&image[8u * local + WORDS + slot], value);
      return true;
    }
    atomicAnd(&image[8u * local + word], ~own.mark);
  }
  return false;
}
