// Quotiented buckets: where a key is, word by word, in a dispatch that changes the table (layout: layout.wgsl). A slot that holds the key
// when it is looked at may be free when it is used.
// Bounds: HASHES buckets of WORDS words, STASH_PROBES slots of the stash.
import package::kernels::common::keys::EMPTY;
import package::kernels::quotient::layout::{first_hash, next_hash, place_of, slot_of, shift_of, stash_home, stash_next, stash_word, PAIRS, WORDS, HASHES, FREE, STASH_PROBES};
import package::kernels::quotient::words::load_word;
@if(COUNT) import package::kernels::common::count::{count_step, count_read, count_region, NEXT, EPILOGUE};

const NOWHERE = 0xffffffffu;

struct Location {
  // The word that has the key's tag, or, of the stash, the key; NOWHERE: the key is not there.
  word: u32,
  // The tag, and the bit of the word that it begins at.
  tag: u32,
  shift: u32,
  // The word of its value.
  value: u32,
}
fn nowhere() -> Location { return Location(NOWHERE, 0u, 0u, 0u); }
fn is_in_stash(at: Location) -> bool { return at.word >= stash_word(0u); }

fn locate(key: u32) -> Location {
  var hash = first_hash(key);
  for (var number = 0u; number < HASHES; number++) {
    let place = place_of(hash, number);
    if (place.tag == FREE) { break; }
    @if(COUNT) count_step();
    for (var i = 0u; i < WORDS; i++) {
      let part = (place.start + i) % WORDS;
      let word = 8u * place.bucket + part;
      @if(COUNT) count_read();
      let seen = load_word(word);
      let slot = slot_of(seen, part, place.tag);
      if (slot < PAIRS) { return Location(word, place.tag, shift_of(slot), 8u * place.bucket + WORDS + slot); }
      if ((seen & place.mark) != 0u) { return nowhere(); }
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
    let word = stash_word(slot);
    let seen = load_word(word);
    if (seen == key) { return Location(word, 0u, 0u, word + 1u); }
    if (seen == EMPTY) { break; }
    slot = stash_next(slot);
  }
  return nowhere();
}
