// device/limits: random reads. `LANES` consecutive lanes read one block of a table at a random place together, each lane
// `LOADS` adjacent words of its type: 4 bytes (WORDS), 8 bytes (PAIR) or 16 bytes. A lane has one item; @if(TILES) lanes
// serve theirs together, one after another, as those of tables do: a warp for each block would wait for warps to be launched.
// With @if(LOOKUP) every read also owes what a lookup owes: the key is read, and 4 bytes of result are written.
// The block of the last item holds a needle, so that the host can check that blocks are really read.
import package::kernels::common::banks::{At, block_at, offset};
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::hash::mix32;
import package::kernels::common::parts::{part_at, two_at, Part, Two};

// Blocks of LANES * LOADS words of the lane's type.
struct Sizes { blocks: u32 }
@group(0) @binding(31) var<uniform> sizes: Sizes;

override LANES: u32 = 1u;
override LOADS: u32 = 1u;
// From one block to the next, in blocks: 1, but where 32 bits do not number as many.
override SPREAD: u32 = 1u;

@if(LOOKUP) @group(0) @binding(1) var<storage, read> keys: array<u32>;
@if(LOOKUP) @group(0) @binding(2) var<storage, read_write> results: array<u32>;
@group(0) @binding(3) var<uniform> n: u32;
// Lanes that saw the needle.
struct Seen { needles: atomic<u32> }
@group(0) @binding(4) var<storage, read_write> seen: Seen;

const NEEDLE = 0x6e656564u;

@if(WORDS) fn bits(part: Part) -> u32 { return part; }
@if(PAIR) fn bits(part: Part) -> u32 { return part.x & part.y; }
@if(!WORDS && !PAIR) fn bits(part: Part) -> u32 { return (part.x & part.y) & (part.z & part.w); }
fn both_bits(two: Two) -> u32 { return bits(two.first) & bits(two.second); }

// The bits that a lane sees of a block, from that part on.
fn seen_from(at: At) -> u32 {
  if (LOADS == 1u) { return bits(part_at(at)); }
  var words = both_bits(two_at(at));
  if (LOADS >= 4u) { words &= both_bits(two_at(offset(at, 2u))); }
  if (LOADS >= 8u) { words &= both_bits(two_at(offset(at, 4u))) & both_bits(two_at(offset(at, 6u))); }
  return words;
}

// POWER: there are 2^k blocks. Every lane of a block computes where it is, and a mask takes fewer instructions than a division.
@if(POWER) fn block_of(hash: u32) -> u32 { return hash & (sizes.blocks - 1u); }
@if(!POWER) fn block_of(hash: u32) -> u32 { return hash % sizes.blocks; }

@if(TILES && LOOKUP) var<workgroup> keys_of: array<u32, WORKGROUP>;

// Reads a lane's part of its block.
fn read_block(key: u32, part: u32) -> u32 {
  let words = seen_from(offset(block_at(block_of(mix32(key)), SPREAD * LANES * LOADS), part * LOADS));
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
