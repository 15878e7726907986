// device/limits: random 32-bit read-modify-writes and plain writes. One lane an access; what it does is `ACCESS`.
// LINE: a word of the other half of its line is written too, in another sector.
// MOVE: a word is read, and then another one written: half of the accesses are reads.
// VALUE: the table is two arrays, one behind the other, and what is done to a word of the first writes that of the second too.
import package::kernels::common::banks::{block_at, offset};
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::hash::mix32;
@if(!RMW) import package::kernels::common::parts::put_part;
@if(MOVE) import package::kernels::common::parts::part_at;
@if(RMW) import package::kernels::common::words::{and_word, exchange_word, store_word, swap_word};

const EXCHANGE = 0u;
const CAS = 1u;
const AND = 2u;

const LINE_WORDS = 16u;
const NEVER = 0xffffffffu;

// Blocks of one word (RMW, write4), two (write8, VALUE) or a line (LINE).
struct Sizes { blocks: u32 }
@group(0) @binding(31) var<uniform> sizes: Sizes;

override ACCESS: u32 = 0u;
// As in read.wgsl.
override SPREAD: u32 = 1u;

@group(0) @binding(3) var<uniform> n: u32;

@if(WORDS && !MOVE) fn modify(block: u32, item: u32) { put_part(block_at(block, SPREAD), item); }
@if(MOVE) fn modify(block: u32, item: u32) {
  let word = part_at(block_at(mix32(~item) % sizes.blocks, SPREAD));
  // No word is NEVER, which only a read tells.
  put_part(block_at(block, SPREAD), select(item, 0u, word == NEVER));
}
@if(PAIR) fn modify(block: u32, item: u32) { put_part(block_at(block, SPREAD), vec2u(item, ~item)); }
@if(RMW) fn modify(block: u32, item: u32) {
  @if(!LINE) let at = block_at(block, SPREAD);
  @if(LINE) let at = block_at(block, LINE_WORDS * SPREAD);
  // The old value is not used; on NVIDIA an RMW without a use of it costs as much (measured).
  if (ACCESS == EXCHANGE) { exchange_word(at, item); }
  if (ACCESS == CAS) { swap_word(at, 0u, item); }
  if (ACCESS == AND) { and_word(at, item); }
  @if(VALUE) store_word(offset(at, sizes.blocks), item);
  @if(LINE) store_word(offset(at, LINE_WORDS / 2u), item);
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let item = grid(wid, nwg, lid).index;
  if (item >= n) { return; }
  modify(mix32(item) % sizes.blocks, item);
}
