// device/limits: random reads. `LANES` consecutive lanes read one block of a table at a random place together, each lane
// `LOADS` adjacent words of its type: 4 bytes (@if(WORD)), 8 bytes (@if(PAIR)) or 16 bytes. A lane has one item; @if(TILES) lanes
// serve theirs together, one after another, as those of tables do: a warp for each block would wait for warps to be launched.
// With @if(LOOKUP) every read also owes what a lookup owes: the key is read, and 4 bytes of result are written.
// The block of the last item holds a needle, so that the host can check that blocks are really read.
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::hash::mix32;

// Blocks of LANES * LOADS words of the lane's type; @if(BANKS), such words of a binding: the table is in up to six.
struct Sizes { blocks: u32, bank: u32 }
@group(0) @binding(31) var<uniform> sizes: Sizes;

override LANES: u32 = 1u;
override LOADS: u32 = 1u;

@if(WORD) alias Word = u32;
@if(PAIR) alias Word = vec2u;
@if(!WORD && !PAIR) alias Word = vec4u;

@if(!BANKS) @group(0) @binding(0) var<storage, read> table: array<Word>;
@if(BANKS) @group(0) @binding(0) var<storage, read> bank0: array<Word>;
@if(BANKS) @group(0) @binding(20) var<storage, read> bank1: array<Word>;
@if(BANKS) @group(0) @binding(21) var<storage, read> bank2: array<Word>;
@if(BANKS) @group(0) @binding(22) var<storage, read> bank3: array<Word>;
@if(BANKS) @group(0) @binding(23) var<storage, read> bank4: array<Word>;
@if(BANKS) @group(0) @binding(24) var<storage, read> last_bank: array<Word>;
@if(LOOKUP) @group(0) @binding(1) var<storage, read> keys: array<u32>;
@if(LOOKUP) @group(0) @binding(2) var<storage, read_write> results: array<u32>;
@group(0) @binding(3) var<uniform> n: u32;
// Lanes that saw the needle.
struct Seen { needles: atomic<u32> }
@group(0) @binding(4) var<storage, read_write> seen: Seen;

const NEEDLE = 0x6e656564u;

@if(WORD) fn bits(word: Word) -> u32 { return word; }
@if(PAIR) fn bits(word: Word) -> u32 { return word.x & word.y; }
@if(!WORD && !PAIR) fn bits(word: Word) -> u32 { return (word.x & word.y) & (word.z & word.w); }

// What a lane sees of a block, from that word on.
fn seen_in(bank: ptr<storage, array<Word>, read>, first: u32) -> u32 {
  var words = bits(bank[first]);
  if (LOADS >= 2u) { words &= bits(bank[first + 1u]); }
  if (LOADS >= 4u) { words &= bits(bank[first + 2u]) & bits(bank[first + 3u]); }
  if (LOADS >= 8u) { words &= bits(bank[first + 4u]) & bits(bank[first + 5u]) & bits(bank[first + 6u]) & bits(bank[first + 7u]); }
  return words;
}

@if(!BANKS) fn seen_from(first: u32) -> u32 { return seen_in(&table, first); }
// A bank has whole blocks.
@if(BANKS) fn seen_from(first: u32) -> u32 {
  let at = first % sizes.bank;
  switch first / sizes.bank {
    case 0u: { return seen_in(&bank0, at); }
    case 1u: { return seen_in(&bank1, at); }
    case 2u: { return seen_in(&bank2, at); }
    case 3u: { return seen_in(&bank3, at); }
    case 4u: { return seen_in(&bank4, at); }
    default: { return seen_in(&last_bank, at); }
  }
}

// POWER: there are 2^k blocks. Every lane of a block computes where it is, and a mask takes fewer instructions than a division.
@if(POWER) fn block_of(hash: u32) -> u32 { return hash & (sizes.blocks - 1u); }
@if(!POWER) fn block_of(hash: u32) -> u32 { return hash % sizes.blocks; }

@if(TILES && LOOKUP) var<workgroup> keys_of: array<u32, WORKGROUP>;

// What a lane sees of its block.
fn read_block(key: u32, part: u32) -> u32 {
  let words = seen_from(block_of(mix32(key)) * (LANES * LOADS) + part * LOADS);
  if (words == NEEDLE) { atomicAdd(&seen.needles, 1u); }
  return words;
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let lane = grid(wid, nwg, lid).index;
  let has_item = lane < n;
  var key = lane;
  @if(LOOKUP) if (has_item) { key = keys[lane]; }
  var own = 0u;
  @if(!TILES) if (has_item) { own = read_block(key, 0u); }
  @if(TILES && LOOKUP) keys_of[lid] = key;
  @if(TILES && LOOKUP) workgroupBarrier();
  @if(TILES) let part = lane % LANES;
  @if(TILES) for (var turn = 0u; turn < LANES && lane - part + turn < n; turn++) {
    @if(LOOKUP) let of_turn = keys_of[lid - part + turn];
    @if(!LOOKUP) let of_turn = lane - part + turn;
    let mine = read_block(of_turn, part);
    if (part == turn) { own = mine; }
  }
  @if(LOOKUP) if (has_item) { results[lane] = own; }
}
