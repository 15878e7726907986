// device/limits: random 32-bit read-modify-writes and plain writes. One lane an access; what it does is `ACCESS`.
// VALUE: the table is two arrays, one behind the other, and what is done to a word of the first writes that of the second too.
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::hash::mix32;

const EXCHANGE = 0u;
const CAS = 1u;
const AND = 2u;

// Blocks of one word (RMW, write4) or two (write8, VALUE); @if(BANKS), blocks of a binding: the table is in up to six.
struct Sizes { blocks: u32, bank: u32 }
@group(0) @binding(31) var<uniform> sizes: Sizes;

override ACCESS: u32 = 0u;

@if(RMW) alias Word = atomic<u32>;
@if(WORD) alias Word = u32;
@if(PAIR) alias Word = vec2u;

@if(!BANKS) @group(0) @binding(0) var<storage, read_write> table: array<Word>;
@if(BANKS) @group(0) @binding(0) var<storage, read_write> bank0: array<Word>;
@if(BANKS) @group(0) @binding(20) var<storage, read_write> bank1: array<Word>;
@if(BANKS) @group(0) @binding(21) var<storage, read_write> bank2: array<Word>;
@if(BANKS) @group(0) @binding(22) var<storage, read_write> bank3: array<Word>;
@if(BANKS) @group(0) @binding(23) var<storage, read_write> bank4: array<Word>;
@if(BANKS) @group(0) @binding(24) var<storage, read_write> last_bank: array<Word>;
@group(0) @binding(3) var<uniform> n: u32;

fn modify(word: ptr<storage, Word, read_write>, item: u32) {
  @if(WORD) *word = item;
  @if(PAIR) *word = vec2u(item, ~item);
  @if(RMW) {
    // The old value is not used; on NVIDIA an RMW without a use of it costs as much (measured).
    if (ACCESS == EXCHANGE) { atomicExchange(word, item); }
    if (ACCESS == CAS) { atomicCompareExchangeWeak(word, 0u, item); }
    if (ACCESS == AND) { atomicAnd(word, item); }
  }
}

@if(!BANKS) fn modify_at(at: u32, item: u32) { modify(&table[at], item); }
@if(BANKS) fn modify_at(word: u32, item: u32) {
  let at = word % sizes.bank;
  switch word / sizes.bank {
    case 0u: { modify(&bank0[at], item); }
    case 1u: { modify(&bank1[at], item); }
    case 2u: { modify(&bank2[at], item); }
    case 3u: { modify(&bank3[at], item); }
    case 4u: { modify(&bank4[at], item); }
    default: { modify(&last_bank[at], item); }
  }
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let item = grid(wid, nwg, lid).index;
  if (item >= n) { return; }
  let at = mix32(item) % sizes.blocks;
  modify_at(at, item);
  @if(VALUE) atomicStore(&table[at + sizes.blocks], item);
}
