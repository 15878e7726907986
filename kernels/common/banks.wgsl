// Where a word of a table is. A table is one buffer or, BANKED, lies in several, its banks, of BANK_BLOCKS blocks each but the last: a block is
// what the kernels number, a bucket, window or slot, and lies in one bank as a whole. Blocks have numbers of 32 bits; words of a table
// may be more. words.wgsl has the accesses of dispatches that change the table, parts.wgsl those of others.
//
// @each_bank there: a table may have up to 15 banks (conditions BANK_3 ... BANK_15 of banks.ts: so many, at least). An access stands for one
// to the buffer `table` and, BANKED, for a switch with the same access to bank0, bank1, ... and, by default, last_bank: the linkers write
// it (each-bank.ts). bank0 has binding 0, bank1 binding 33, and so on; last_bank has binding 46.
struct At {
  bank: u32,
  // In the bank; of parts.wgsl, a part.
  word: u32,
}

@if(BANKED) override BANK_BLOCKS: u32;

// The first word (or part) of the block with that number; blocks have so many words each.
@if(!BANKED) fn block_at(number: u32, words: u32) -> At { return At(0u, number * words); }
@if(BANKED) fn block_at(number: u32, words: u32) -> At { return At(number / BANK_BLOCKS, number % BANK_BLOCKS * words); }

// So many words offset, in the same block.
fn offset(at: At, words: u32) -> At { return At(at.bank, at.word + words); }

// No word: a bank has fewer than 2^30.
const NOWHERE = 0xffffffffu;
fn nowhere() -> At { return At(0u, NOWHERE); }
fn is_nowhere(at: At) -> bool { return at.word == NOWHERE; }
