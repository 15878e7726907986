// Votes and shuffles of the TILE lanes that look at a window together. ALONE: a tile is one lane, and does not wait for others.
import package::kernels::common::warp::{warp_lane, tile_ballot, tile_shuffle, first_lane, convoy_any};

@if(!ALONE) override TILE: u32;
@if(ALONE) const TILE = 1u;

@if(!ALONE) fn lane_of(local_index: u32) -> u32 { return warp_lane(local_index); }
@if(ALONE) fn lane_of(local_index: u32) -> u32 { return 0u; }

// Bit i is the predicate of lane i of the tile.
@if(!ALONE) fn votes(predicate: bool, lane: u32) -> u32 { return tile_ballot(predicate, TILE, lane); }
@if(ALONE) fn votes(predicate: bool, lane: u32) -> u32 { return select(0u, 1u, predicate); }

// The word of the lowest lane of the mask; of any lane if it is empty.
@if(!ALONE) fn word_of(word: u32, mask: u32, lane: u32) -> u32 {
  return tile_shuffle(word, first_lane(mask, TILE - 1u), TILE, lane);
}
@if(ALONE) fn word_of(word: u32, mask: u32, lane: u32) -> u32 { return word; }

// Whether any tile of the subgroup has work.
@if(!ALONE) fn any_works(works: bool, lane: u32) -> bool { return convoy_any(works, lane); }
@if(ALONE) fn any_works(works: bool, lane: u32) -> bool { return works; }
