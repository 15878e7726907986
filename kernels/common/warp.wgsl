// Cooperation of the WARP lanes of a warp. Two implementations, chosen by the host (warp.ts):
//   SUBGROUPS  a warp is (part of) a subgroup; a workgroup has many warps.
//   else       a virtual warp: a workgroup of WARP lanes that talk through workgroup memory. Slow, but the same algorithm on
//              any adapter, and its votes are uniform for WGSL's analysis, so that loops may depend on them.
// Every function is called by all lanes of the warp together. `lane` is what warp_lane returned.
import package::kernels::common::bits::lowest_bit;

// 1, 2, 4, 8, 16 or 32.
override WARP: u32 = 32u;
// Lanes of the adapter's subgroups, a multiple of WARP.
@if(SUBGROUPS) override SUBGROUP: u32 = 32u;
// Lanes a workgroup has: WARP_GROUP of warp.ts.
@if(SUBGROUPS) override WARP_GROUP: u32 = 256u;
@else override WARP_GROUP: u32 = WARP;

// Whether this lane's subgroup is SUBGROUP neighbours of the workgroup, in their order; `id` is subgroup_invocation_id. In uniform
// control flow.
@if(SUBGROUPS) fn is_in_place(local_index: u32, id: u32) -> bool {
  return subgroupBroadcastFirst(local_index) + id == local_index && id == local_index % SUBGROUP;
}

// Where the warp begins in its subgroup.
@if(SUBGROUPS) var<private> shift: u32;

// The lane's number in its warp. Called before anything else.
fn warp_lane(local_index: u32) -> u32 {
  @if(SUBGROUPS) shift = local_index % SUBGROUP - local_index % WARP;
  return local_index % WARP;
}
// The first lane of the warp, in the workgroup.
@if(SUBGROUPS) fn warp_base(local_index: u32) -> u32 { return local_index - local_index % WARP; }
@else fn warp_base(local_index: u32) -> u32 { return 0u; }

// Bit i is lane i's predicate.
@if(SUBGROUPS) fn warp_ballot(predicate: bool, lane: u32) -> u32 {
  let votes = subgroupBallot(predicate);
  // Known when the kernel is compiled: of the usual subgroups no word has to be chosen.
  if (SUBGROUP <= 32u) { return (votes.x >> shift) & lanes_below(WARP); }
  return (votes[shift / 32u] >> (shift % 32u)) & lanes_below(WARP);
}
@if(!SUBGROUPS) var<workgroup> votes: atomic<u32>;
@if(!SUBGROUPS) fn warp_ballot(predicate: bool, lane: u32) -> u32 {
  if (lane == 0u) { atomicStore(&votes, 0u); }
  workgroupBarrier();
  if (predicate) { atomicOr(&votes, 1u << lane); }
  return workgroupUniformLoad(&votes);
}

// The value of lane `source`, which is below WARP.
@if(SUBGROUPS) fn warp_shuffle(value: u32, source: u32, lane: u32) -> u32 { return subgroupShuffle(value, shift + source); }
@if(!SUBGROUPS) var<workgroup> words: array<u32, WARP_GROUP>;
@if(!SUBGROUPS) fn warp_shuffle(value: u32, source: u32, lane: u32) -> u32 {
  words[lane] = value;
  workgroupBarrier();
  let got = words[source];
  workgroupBarrier();
  return got;
}

// The same, for loops that depend on the value: all lanes of the warp name one source.
@if(SUBGROUPS) fn warp_broadcast(value: u32, source: u32, lane: u32) -> u32 { return warp_shuffle(value, source, lane); }
@if(!SUBGROUPS) var<workgroup> word: u32;
@if(!SUBGROUPS) fn warp_broadcast(value: u32, source: u32, lane: u32) -> u32 {
  if (lane == source) { word = value; }
  return workgroupUniformLoad(&word);
}

// Whether any lane has the predicate, of all warps that a subgroup holds: a loop that ends by it keeps their lanes together.
@if(SUBGROUPS) fn convoy_any(predicate: bool, lane: u32) -> bool { return subgroupAny(predicate); }
@else fn convoy_any(predicate: bool, lane: u32) -> bool { return warp_any(predicate, lane); }

fn warp_any(predicate: bool, lane: u32) -> bool { return warp_ballot(predicate, lane) != 0u; }
fn warp_all(predicate: bool, lane: u32) -> bool { return warp_ballot(predicate, lane) == lanes_below(WARP); }

// Orders the traffic of the warp's lanes through workgroup memory. Real subgroups have no such barrier in WGSL: there, words
// that lanes exchange have to be atomics, whose values show whether they were written.
fn warp_sync() { @if(!SUBGROUPS) workgroupBarrier(); }

// A mask with the `count` lowest bits set, count <= 32.
fn lanes_below(count: u32) -> u32 { return select((1u << count) - 1u, 0xffffffffu, count >= 32u); }
// The lowest lane of a mask; 32 if there is none.
fn leader(mask: u32) -> u32 { return lowest_bit(mask); }
// How many lanes of the mask are below this one.
fn prefix_count(mask: u32, lane: u32) -> u32 { return countOneBits(mask & lanes_below(lane)); }
// The lane that has `k` lanes of the mask below it; 32 if the mask has no more than k.
fn nth_set(mask: u32, k: u32) -> u32 {
  var rest = mask;
  for (var i = 0u; i < min(k, 32u); i++) { rest &= rest - 1u; }
  return lowest_bit(rest);
}

// Tiles: the warp in parts of `tile` lanes, a power of two.
//
// Work sharing (Ashkiani et al., A Dynamic Hash Table for the GPU, IPDPS 2018, IV.A), by tiles: a lane holds an item, and the lanes of a
// tile do one of their items after another, a bucket a turn. `queue` has a bit for each lane of the tile whose item is not done.
//
//   for (var turn = 0u; turn < bound; turn++) {
//     if (!convoy_any(queue != 0u, lane)) { break; }
//     let source = first_lane(queue, TILE - 1u);
//     …the tile looks at a bucket for the item of lane `source`…
//     if (done) { queue &= queue - 1u; }
//   }
//
// All tiles of a subgroup stay in the loop until the last is done, so that no vote or shuffle is in diverged control flow; a tile without
// work loads nothing. The loop is written out in each kernel that has one: WGSL has no functions of functions ("invalid type for parameter" of
// `turn: fn(u32) -> bool`, "cannot use function 'look' as value" of its argument), and an import names one module, so that a loop
// here would import every table.
fn tile_base(tile: u32, lane: u32) -> u32 { return lane - lane % tile; }
// Bit i is the predicate of lane i of this lane's tile.
fn tile_ballot(predicate: bool, tile: u32, lane: u32) -> u32 {
  return (warp_ballot(predicate, lane) >> tile_base(tile, lane)) & lanes_below(tile);
}
fn tile_any(predicate: bool, tile: u32, lane: u32) -> bool { return tile_ballot(predicate, tile, lane) != 0u; }
// The lowest lane of a mask of the tile's lanes; 0 if there is none. `last` is the tile's last lane, TILE - 1.
fn first_lane(mask: u32, last: u32) -> u32 { return leader(mask) & last; }
// The value of lane `source` of this lane's tile.
fn tile_shuffle(value: u32, source: u32, tile: u32, lane: u32) -> u32 {
  return warp_shuffle(value, tile_base(tile, lane) + source, lane);
}
// The predicate of that lane.
fn tile_told(predicate: bool, source: u32, tile: u32, lane: u32) -> bool {
  return tile_shuffle(select(0u, 1u, predicate), source, tile, lane) == 1u;
}
