// A batch of insertions, and which of them are not done yet.
import package::kernels::common::status::Status;

struct Batch {
  // Pairs first … first + n - 1 of the input.
  first: u32,
  end: u32,
  // 1: only pairs that are pending.
  retry: u32,
  // 0, which the compiler does not know.
  zero: u32,
  // The value of pair i is word i + shift of the values.
  shift: u32,
  // 1: reserved keys and values are counted; else they are what a table has in free slots.
  refuses: u32,
}
@group(0) @binding(10) var<storage, read> keys_in: array<u32>;
@group(0) @binding(11) var<storage, read> values_in: array<u32>;
@group(0) @binding(13) var<uniform> batch: Batch;
// refused: reserved keys and values.  failed: not 0 once a pair found no room (GROWS).  left: pairs that did not get in.
@group(0) @binding(14) var<storage, read_write> status: Status;
// A bit a pair, from the multiple of 32 on that the first pair comes after; all clear between batches.
@group(0) @binding(15) var<storage, read_write> pending: array<atomic<u32>>;

fn word_of(item: u32) -> u32 { return item / 32u - batch.first / 32u; }
fn bit_of(item: u32) -> bool { return ((atomicLoad(&pending[word_of(item)]) >> (item % 32u)) & 1u) == 1u; }
fn is_pending(item: u32) -> bool { return batch.retry == 0u || bit_of(item); }

// The lane's insertion, if it had one, is to be done again, or no more.
fn mark(item: u32, had_one: bool, again: bool) {
  let bit = 1u << (item % 32u);
  if (again) {
    if (batch.retry == 0u) { atomicOr(&pending[word_of(item)], bit); }
  } else if (had_one && batch.retry == 1u) {
    atomicAnd(&pending[word_of(item)], ~bit);
  }
}
