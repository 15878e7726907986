// How a lane claims a slot for a key of two words: see insert.wgsl.
// Bounds: a CAS per word and, if it failed for no reason, another.
import package::kernels::common::banks::{At, offset};
import package::kernels::common::keys::EMPTY;
@if(REUSE || WINDOWS) import package::kernels::common::keys::DELETED;
import package::kernels::common::words::{load_word, swap_word};
@if(COUNT) import package::kernels::common::count::{count_read, count_rmw, count_failed_cas, count_region, CLAIM};

@if(!REUSE && !WINDOWS) fn is_free(word: u32) -> bool { return word == EMPTY; }
@if(REUSE || WINDOWS) fn is_free(word: u32) -> bool { return word >= DELETED; }

// Whether the slot is the key's now. @param word of the slot's first word; the second one is `apart` words later
fn claim(word: At, apart: u32, key: vec2u) -> bool {
  @if(COUNT) count_read();
  var seen = load_word(word);
  var second = EMPTY;
  if (seen == key.x) {
    @if(COUNT) count_read();
    second = load_word(offset(word, apart));
  }
  for (var attempt = 0u; attempt < 32u && is_free(seen); attempt++) {
    @if(COUNT) count_region(CLAIM);
    @if(COUNT) count_rmw();
    let got = swap_word(word, seen, key.x);
    @if(COUNT) { if (!got.done) { count_failed_cas(); } }
    seen = select(got.found, key.x, got.done);
  }
  if (seen != key.x) { return false; }
  for (var attempt = 0u; attempt < 32u && second == EMPTY; attempt++) {
    @if(COUNT) count_region(CLAIM);
    @if(COUNT) count_rmw();
    let got = swap_word(offset(word, apart), EMPTY, key.y);
    @if(COUNT) { if (!got.done) { count_failed_cas(); } }
    second = select(got.found, key.y, got.done);
  }
  return second == key.y;
}
