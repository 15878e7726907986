// Ranks of pairs within a tile. Each lane of a warp holds a pair, and the warp finds by a ballot a bit which lanes hold the
// same digit (warp-level multi-split: Ashkiani et al., GPU Multisplit, PPoPP 2016); turn by turn, the next pair of each lane.
//
// Layout of `counters`: of warp w, digit d: half (d / (DIGITS / 2)) of word w * DIGITS / 2 + d % (DIGITS / 2), low half first.
//   While pairs are ranked: the warp's pairs with the digit so far. Then: the place in the tile where those of the warp begin.
// Without subgroups of WARP lanes, barriers order what the lanes tell one another through workgroup memory.
import package::kernels::common::grid::WORKGROUP;
import package::kernels::common::warp::{WARP, lanes_below, leader, prefix_count};
import package::kernels::radix_sort::digits::DIGITS;
@if(SUBGROUPS) import package::kernels::common::warp::{warp_ballot, warp_shuffle};

override HALF: u32 = DIGITS / 2u;
override WARPS: u32 = WORKGROUP / WARP;
override COUNTERS: u32 = WARPS * HALF;
var<workgroup> counters: array<atomic<u32>, COUNTERS>;

// Bits a digit has, at most.
const BITS = 8u;
@if(!SUBGROUPS) override VOTES: u32 = WARPS * BITS;
@if(!SUBGROUPS) var<workgroup> votes: array<atomic<u32>, VOTES>;

// How far a digit's count is from the lowest bit of its word.
fn shift_of(digit: u32) -> u32 { return 16u * (digit / HALF); }
fn word_of(digit: u32, lid: u32) -> u32 { return lid / WARP * HALF + digit % HALF; }
// The count, or place, of the digit in the lane's warp.
fn held(digit: u32, lid: u32) -> u32 {
  return (atomicLoad(&counters[word_of(digit, lid)]) >> shift_of(digit)) & 0xffffu;
}

// Those of the lanes whose bit is as this lane's is, by the votes of all.
fn agreeing(lanes: u32, ballot: u32, bit: bool) -> u32 { return lanes & select(~ballot, ballot, bit); }
fn bit_of(digit: u32, bit: u32) -> bool { return ((digit >> bit) & 1u) == 1u; }

// The lanes of the warp that have this digit too.
@if(SUBGROUPS) fn matching(digit: u32, lane: u32, lid: u32) -> u32 {
  var lanes = lanes_below(WARP);
  for (var bit = 0u; bit < BITS; bit++) {
    lanes = agreeing(lanes, warp_ballot(bit_of(digit, bit), lane), bit_of(digit, bit));
  }
  return lanes;
}
@if(!SUBGROUPS) fn matching(digit: u32, lane: u32, lid: u32) -> u32 {
  let own = lid / WARP * BITS;
  for (var bit = 0u; bit < BITS; bit++) {
    if (bit_of(digit, bit)) { atomicOr(&votes[own + bit], 1u << lane); }
  }
  workgroupBarrier();
  var lanes = lanes_below(WARP);
  for (var bit = 0u; bit < BITS; bit++) {
    lanes = agreeing(lanes, atomicLoad(&votes[own + bit]), bit_of(digit, bit));
  }
  return lanes;
}

// The next pair of each lane: how many of the warp's pairs with its digit come before it.
@if(SUBGROUPS) fn rank(digit: u32, lane: u32, lid: u32) -> u32 {
  let lanes = matching(digit, lane, lid);
  let shift = shift_of(digit);
  var before = 0u;
  if (lane == leader(lanes)) { before = atomicAdd(&counters[word_of(digit, lid)], countOneBits(lanes) << shift); }
  return ((warp_shuffle(before, leader(lanes), lane) >> shift) & 0xffffu) + prefix_count(lanes, lane);
}
@if(!SUBGROUPS) fn rank(digit: u32, lane: u32, lid: u32) -> u32 {
  let lanes = matching(digit, lane, lid);
  let before = held(digit, lid);
  workgroupBarrier();
  if (lane == leader(lanes)) { atomicAdd(&counters[word_of(digit, lid)], countOneBits(lanes) << shift_of(digit)); }
  for (var bit = lane; bit < BITS; bit += WARP) { atomicStore(&votes[lid / WARP * BITS + bit], 0u); }
  workgroupBarrier();
  return before + prefix_count(lanes, lane);
}
