// Quotiented buckets: where a key is, word by word, in a dispatch that changes the table (layout: layout.wgsl). A slot that holds the key
// when it is looked at may be free when it is used.
// Bounds: HASHES buckets of WORDS words, STASH_PROBES slots of the stash.
import package::kernels::common::banks::{At, block_at, offset, is_nowhere, nowhere};
import package::kernels::common::keys::{EMPTY, DELETED};
import package::kernels::common::words::load_word;
import package::kernels::quotient::layout::{first_hash, next_hash, place_of, slot_of, shift_of, stash_home, stash_next, stash_at, PAIRS, WORDS, HASHES, FREE, STASH_PROBES};
@if(COUNT) import package::kernels::common::count::{count_step, count_read, count_once, count_region, PROLOGUE, NEXT, CLAIM, EPILOGUE};

struct Location {
  // The word that has the key's tag, or, of the stash, the key; nowhere: the key is not there.
  word: At,
  // The tag, and the bit of the word that it begins at; IN_STASH: it has none.
  tag: u32,
  shift: u32,
  // The word of its value.
  value: At,
}
const IN_STASH = 0xffffffffu;
fn not_there() -> Location { return Location(nowhere(), 0u, 0u, nowhere()); }

fn locate(key: u32) -> Location {
  var hash = first_hash(key);
  for (var number = 0u; number < HASHES; number++) {
    let place = place_of(hash, number);
    if (place.tag == FREE) { break; }
    @if(COUNT) count_step();
    let bucket = block_at(place.bucket, 8u);
    for (var i = 0u; i < WORDS; i++) {
      let part = (place.start + i) % WORDS;
      let word = offset(bucket, part);
      @if(COUNT) count_read();
      let seen = load_word(word);
      let slot = slot_of(seen, part, place.tag);
      if (slot < PAIRS) { return Location(word, place.tag, shift_of(slot), offset(bucket, WORDS + slot)); }
      if ((seen & place.mark) != 0u) { return not_there(); }
    }
    @if(COUNT) count_region(NEXT);
    hash = next_hash(hash, number);
  }
  return locate_in_stash(key);
}

fn locate_in_stash(key: u32) -> Location {
  var slot = stash_home(key);
  for (var probe = 0u; probe < STASH_PROBES; probe++) {
    @if(COUNT) count_region(EPILOGUE);
    @if(COUNT) count_read();
    let word = stash_at(slot);
    let seen = load_word(word);
    if (seen == key) { return Location(word, IN_STASH, 0u, offset(word, 1u)); }
    if (seen == EMPTY) { break; }
    slot = stash_next(slot);
  }
  return not_there();
}

// The key's value; EMPTY if it is not there, or its value is not yet.
fn find(key: u32) -> u32 {
  @if(COUNT) count_once(PROLOGUE);
  if (key >= DELETED) { return EMPTY; }
  let at = locate(key);
  if (is_nowhere(at.word)) { return EMPTY; }
  @if(COUNT) count_region(CLAIM);
  // In the stash it is in the same sector as the key.
  @if(COUNT) { if (at.tag != IN_STASH) { count_read(); } }
  return load_word(at.value);
}
