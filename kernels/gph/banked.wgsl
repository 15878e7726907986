// GPH, a table in several banks (common/banks.wgsl): its words by their numbers, of which it has no more than 2^32.
import package::kernels::common::banks::{At, block_at, offset};
import package::kernels::common::words::{load_word, store_word, exchange_word, swap_word};
import package::kernels::gph::hash::M;
import package::kernels::gph::pair::STRIDE;

fn place_of(word: u32) -> At {
  let words = STRIDE * M;
  return offset(block_at(word / words, words), word % words);
}

fn load(word: u32) -> u32 { return load_word(place_of(word)); }
fn put_word(word: u32, value: u32) { store_word(place_of(word), value); }
fn exchange(word: u32, value: u32) -> u32 { return exchange_word(place_of(word), value); }

// What a CAS of EMPTY in one buffer gives.
struct Claim { exchanged: bool, old_value: u32 }
fn claim_word(word: u32, seen: u32, key: u32) -> Claim {
  let got = swap_word(place_of(word), seen, key);
  return Claim(got.done, got.found);
}
