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

@group(0) @binding(0) var<storage, read> table: array<Word>;
@if(BANKS) @group(0) @binding(20) var<storage, read> bank1: array<Word>;
@if(BANKS) @group(0) @binding(21) var<storage, read> bank2: array<Word>;
@if(BANKS) @group(0) @binding(22) var<storage, read> bank3: array<Word>;
@if(BANKS) @group(0) @binding(23) var<storage, read> bank4: array<Word>;
@if(BANKS) @group(0) @binding(24) var<storage, read> bank5: array<Word>;
@if(LOOKUP) @group(0) @binding(1) var<storage, read> keys: array<u32>;
@if(LOOKUP) @group(0) @binding(2) var<storage, read_write> results: array<u32>;
@group(0) @binding(3) var<uniform> n: u32;
// [0]: lanes that saw the needle.
@group(0) @binding(4) var<storage, read_write> status: array<atomic<u32>, 4>;

const NEEDLE = 0x6e656564u;

@if(!BANKS) fn word_at(at: u32) -> Word { return table[at]; }
@if(BANKS) fn word_at(word: u32) -> Word {
  let at = word % sizes.bank;
  switch word / sizes.bank {
    case 0u: { return table[at]; }
    case 1u: { return bank1[at]; }
    case 2u: { return bank2[at]; }
    case 3u: { return bank3[at]; }
    case 4u: { return bank4[at]; }
    default: { return bank5[at]; }
  }
}
@if(WORD) fn load(at: u32) -> u32 { return word_at(at); }
@if(PAIR) fn load(at: u32) -> u32 { let v = word_at(at); return v.x & v.y; }
@if(!WORD && !PAIR) fn load(at: u32) -> u32 { let v = word_at(at); return (v.x & v.y) & (v.z & v.w); }

// POWER: there are 2^k blocks. Every lane of a block computes where it is, and a mask takes fewer instructions than a division.
@if(POWER) fn block_of(hash: u32) -> u32 { return hash & (sizes.blocks - 1u); }
@if(!POWER) fn block_of(hash: u32) -> u32 { return hash % sizes.blocks; }

@if(TILES && LOOKUP) var<workgroup> keys_of: array<u32, WORKGROUP>;

// What a lane sees of its block.
fn read_block(key: u32, part: u32) -> u32 {
  let first = block_of(mix32(key)) * (LANES * LOADS) + part * LOADS;
  var seen = load(first);
  if (LOADS >= 2u) { seen &= load(first + 1u); }
  if (LOADS >= 4u) { seen &= load(first + 2u) & load(first + 3u); }
  if (LOADS >= 8u) { seen &= load(first + 4u) & load(first + 5u) & load(first + 6u) & load(first + 7u); }
  if (seen == NEEDLE) { atomicAdd(&status[0], 1u); }
  return seen;
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let lane = grid(wid, nwg, lid).index;
  let has_item = lane < n;
  var key = lane;
  @if(LOOKUP) if (has_item) { key = keys[lane]; }
  var seen = 0u;
  @if(!TILES) if (has_item) { seen = read_block(key, 0u); }
  @if(TILES && LOOKUP) keys_of[lid] = key;
  @if(TILES && LOOKUP) workgroupBarrier();
  @if(TILES) let part = lane % LANES;
  @if(TILES) for (var turn = 0u; turn < LANES && lane - part + turn < n; turn++) {
    @if(LOOKUP) let of_turn = keys_of[lid - part + turn];
    @if(!LOOKUP) let of_turn = lane - part + turn;
    let mine = read_block(of_turn, part);
    if (part == turn) { seen = mine; }
  }
  @if(LOOKUP) if (has_item) { results[lane] = seen; }
}
