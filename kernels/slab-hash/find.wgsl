// Slab hash, SEARCH in bulk (Ashkiani et al., IPDPS 2018, Fig. 2, warp_search_macro), by warp-cooperative work sharing
// (common/warp.wgsl): a lane holds a query, and the TILE lanes of a tile search for one of their queries after another, a slab a turn;
// then each takes another query, QUERIES in all, whose key it has read meanwhile.
//
// How lanes read a slab (nothing changes it in this dispatch):
//   WORDS  32 lanes, a word each, as in the paper
//   WIDE   4 lanes, two adjacent vec4 each;  else 8 lanes, a vec4 each
// LONG: lists have many slabs; 32 lanes go down two lists at once, to the end of both, before other queries have their turn. They wait
// for memory, and for two slabs hardly longer than for one. Where it is counted they go down one.
// Layout: as in slab.wgsl.  Bound of the loops: QUERIES; TURNS, of all queries together.
import package::kernels::common::keys::{EMPTY, DELETED};
import package::kernels::common::range::Range;
import package::kernels::common::status::Status;
import package::kernels::common::warp::{warp_lane, warp_ballot, warp_broadcast, tile_ballot, tile_shuffle, first_lane, convoy_any, leader, WARP_GROUP};
import package::kernels::slab_hash::read::part_of;
import package::kernels::slab_hash::slab::{bucket_of, base_slab, SLAB_WORDS, NEXT};
@if(COUNT) import package::kernels::common::count::{count_begin, count_turn, count_reads, count_once, count_region, PROLOGUE, PROBE, CLAIM, NEXT as GOES_ON, count_flush};
@if(SUBGROUPS) enable subgroups;
@if(SUBGROUPS) diagnostic(off, subgroup_uniformity);

// Lanes that read a slab together.
override TILE: u32;
// Queries of a lane.
override QUERIES: u32 = 1u;
// Turns of a warp; never reached unless a list is broken.
override TURNS: u32 = 16777216u;

@group(0) @binding(1) var<storage, read> queries: array<u32>;
@group(0) @binding(2) var<storage, read_write> results: array<u32>;
@group(0) @binding(3) var<uniform> range: Range;
@group(0) @binding(4) var<storage, read_write> status: Status;

// What a lane has read: whether it holds the key, and the word to tell the tile of: the value, or else the next slab.
struct Look { hit: bool, word: u32 }

@if(!WORDS && !KEYS) fn look_at(pairs: vec4u, key: u32) -> Look {
  return Look(pairs.x == key || pairs.z == key, select(pairs.w, pairs.y, pairs.x == key));
}
// The last word of a slab is not a key.
@if(!WORDS && KEYS) fn look_at(keys: vec4u, key: u32, last: bool) -> Look {
  let hit = any(keys.xyz == vec3u(key)) || (keys.w == key && !last);
  return Look(hit, select(keys.w, 1u, hit));
}

// The part of the slab that the lane reads.
@if(!WORDS && !KEYS && WIDE) fn look(slab: u32, part: u32, key: u32) -> Look {
  let lower = part_of(slab, 2u * part);
  let upper = part_of(slab, 2u * part + 1u);
  let a = look_at(lower, key);
  let b = look_at(upper, key);
  return Look(a.hit || b.hit, select(b.word, a.word, a.hit));
}
@if(!WORDS && !KEYS && !WIDE) fn look(slab: u32, part: u32, key: u32) -> Look {
  return look_at(part_of(slab, part), key);
}
@if(!WORDS && KEYS && WIDE) fn look(slab: u32, part: u32, key: u32) -> Look {
  let lower = part_of(slab, 2u * part);
  let upper = part_of(slab, 2u * part + 1u);
  let a = look_at(lower, key, false);
  let b = look_at(upper, key, part == TILE - 1u);
  return Look(a.hit || b.hit, select(b.word, a.word, a.hit));
}
@if(!WORDS && KEYS && !WIDE) fn look(slab: u32, part: u32, key: u32) -> Look {
  return look_at(part_of(slab, part), key, part == TILE - 1u);
}
// Also of words that are not keys: hits_of leaves their lanes out.
@if(WORDS) fn look(slab: u32, part: u32, key: u32) -> Look {
  let word = part_of(slab, part);
  return Look(word == key, word);
}

// The paper's VALID_KEY_MASK.
@if(WORDS && !KEYS) const KEY_LANES = 0x15555555u;
@if(WORDS && KEYS) const KEY_LANES = 0x3fffffffu;
// Bit i is lane i's vote, of the lanes that may hold a key. A tile that is the whole warp has nothing to cut out: fewer
// instructions, and every lane of the warp knows that all see the same.
@if(WORDS) fn ballot(vote: bool, lane: u32) -> u32 { return warp_ballot(vote, lane); }
@if(!WORDS) fn ballot(vote: bool, lane: u32) -> u32 { return tile_ballot(vote, TILE, lane); }
@if(WORDS) fn hits_of(vote: bool, lane: u32) -> u32 { return warp_ballot(vote, lane) & KEY_LANES; }
@if(!WORDS) fn hits_of(vote: bool, lane: u32) -> u32 { return tile_ballot(vote, TILE, lane); }
// Whether no tile of the subgroup has a query left.
@if(WORDS && SUBGROUPS) fn all_done(queue: u32, lane: u32) -> bool { return queue == 0u; }
@if(!WORDS || !SUBGROUPS) fn all_done(queue: u32, lane: u32) -> bool { return !convoy_any(queue != 0u, lane); }

// The lane that tells: the one that hit (of single words, the one beside it has the value), else the last.
fn teller(hits: u32) -> u32 {
  @if(WORDS && !KEYS) return select(NEXT, leader(hits) + 1u, hits != 0u);
  @if(WORDS && KEYS) return select(NEXT, leader(hits), hits != 0u);
  @if(!WORDS) return select(TILE - 1u, leader(hits), hits != 0u);
}

@if(WORDS) fn tell(word: u32, hits: u32, lane: u32) -> u32 { return warp_broadcast(word, teller(hits), lane); }
@else fn tell(word: u32, hits: u32, lane: u32) -> u32 { return tile_shuffle(word, teller(hits), TILE, lane); }

@compute @workgroup_size(WARP_GROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let group = wid.y * nwg.x + wid.x;
  let lane = warp_lane(lid);
  let part = lane % TILE;
  var item = range.first + group * QUERIES * WARP_GROUP + lid;
  let has_item = item < range.end;
  @if(COUNT) count_begin(lid);
  @if(COUNT) count_once(PROLOGUE);
  var turn = 0u;
  var key_ahead = EMPTY;
  if (has_item) { key_ahead = queries[item]; }
  for (var number = 0u; number < QUERIES; number++) {
    let key = key_ahead;
    let next_item = item + WARP_GROUP;
    key_ahead = EMPTY;
    if (number + 1u < QUERIES && next_item < range.end) { key_ahead = queries[next_item]; }
    var slab = base_slab(bucket_of(key));
    var result = EMPTY;
    // Lanes whose queries are to be answered.
    var queue = ballot(key < DELETED, lane);
    for (; turn < TURNS; turn++) {
      if (all_done(queue, lane)) { break; }
      @if(WORDS) let waits = true;
      @else let waits = queue != 0u;
      @if(COUNT) count_turn(waits);
      @if(COUNT) count_region(PROBE);
      let source = first_lane(queue, TILE - 1u);
      @if(WORDS && LONG && !COUNT) {
        let rest = queue & (queue - 1u);
        // Of one query both are it.
        let second = select(source, leader(rest), rest != 0u);
        let wanted = vec2u(tile_shuffle(key, source, TILE, lane), tile_shuffle(key, second, TILE, lane));
        var at = vec2u(tile_shuffle(slab, source, TILE, lane), tile_shuffle(slab, second, TILE, lane));
        var hits = vec2u();
        var told = vec2u();
        for (; turn < TURNS; turn++) {
          let x = look(at.x, part, wanted.x);
          let y = look(at.y, part, wanted.y);
          hits = vec2u(hits_of(x.hit, lane), hits_of(y.hit, lane));
          told = vec2u(tell(x.word, hits.x, lane), tell(y.word, hits.y, lane));
          let ended = (hits != vec2u()) | (told == vec2u(EMPTY));
          if (all(ended)) { break; }
          at = select(told, at, ended);
        }
        let own = select(vec2u(hits.x, told.x), vec2u(hits.y, told.y), part == second);
        if ((part == source || part == second) && own.x != 0u) {
          @if(KEYS) result = 1u;
          @else result = own.y;
        }
        queue = rest & (rest - 1u);
      }
      @if(!WORDS || !LONG || COUNT) {
        let wanted = tile_shuffle(key, source, TILE, lane);
        let at = tile_shuffle(slab, source, TILE, lane);
        var seen = Look(false, EMPTY);
        if (waits) {
          @if(COUNT) { if (part == 0u) { count_reads(SLAB_WORDS / 8u); } }
          seen = look(at, part, wanted);
        }
        let hits = hits_of(seen.hit, lane);
        let told = tell(seen.word, hits, lane);
        if (waits && part == source) {
          if (hits != 0u) {
            @if(COUNT) count_region(CLAIM);
            @if(KEYS) result = 1u;
            @else result = told;
          } else {
            @if(COUNT) count_region(GOES_ON);
            slab = told;
          }
        }
        if (hits != 0u || told == EMPTY) { queue &= queue - 1u; }
      }
    }
    if (item < range.end) { results[item] = result; }
    item = next_item;
  }
  if (turn >= TURNS) { atomicAdd(&status.bound, 1u); }
  @if(COUNT) count_flush(group, lid, has_item);
}
