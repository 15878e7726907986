// Slab hash, operations that change it (Ashkiani et al., IPDPS 2018, Fig. 2), by warp-cooperative work sharing
// (common/warp.wgsl): a lane holds an operation, and the TILE lanes of a tile do one after another, a slab a turn; what is done to a slot or
// a pointer is done by the lane that holds the operation.
//   INSERTS  every operation inserts: UNIQUE, REPLACE; else INSERT, which does not look for the key
//   ERASES   every operation erases: DELETE; with ALL, DELETEALL
//   ONCE     no operation is done again: an insertion that finds no slab is refused
//   else     kinds say: insertions, searches and erasures in one dispatch
//
// A slot is claimed by a CAS of its key, always the list's first EMPTY one, and published by a store of its value. With UNIQUE
// a slot never becomes EMPTY again in a dispatch, so that two lanes with one key meet at the same slot: README.md.
//   OVERWRITES  an insertion that does not find its key takes the list's first DELETED slot, if there is one. In this dispatch such a slot
//               never becomes DELETED again, so that the order of claims is as without: lanes with one key meet at the first slot to be had.
//   LONG        lists have many slabs; 32 lanes go down two lists at once, to a slab of each where there is something to do, before other
//               operations have their turn. They wait for memory, and for two slabs hardly longer than for one. Counted they go down one.
// A lane reads LOOKS words of a slab: the keys and the last word, or (32 lanes) all 32 words as in the paper.
//
// Layout: as in slab.wgsl.  Bound of the loop: TURNS.
import package::kernels::common::keys::{EMPTY, DELETED, is_pair};
import package::kernels::common::kinds::{INSERT, FIND, ERASE};
import package::kernels::common::warp::{warp_lane, warp_ballot, warp_broadcast, tile_ballot, tile_shuffle, first_lane, convoy_any, leader, WARP, WARP_GROUP};
import package::kernels::common::words::{load_word, store_word, swap_word, exchange_word};
import package::kernels::slab_hash::alloc::{allocate, deallocate, status, NO_SLAB};
@if(!ERASES && !ONCE) import package::kernels::slab_hash::pending::{is_pending, set_pending, clear_pending};
import package::kernels::slab_hash::slab::{word_in, bucket_of, base_slab, address_of, SLAB_WORDS, NEXT};
@if(COUNT) import package::kernels::common::count::{count_begin, count_turn, count_reads, count_rmw, count_write, count_failed_cas, count_once, count_region, PROLOGUE, PROBE, CLAIM, STEP, EPILOGUE, NEXT as GOES_ON, count_flush};
@if(SUBGROUPS) enable subgroups;
@if(SUBGROUPS) diagnostic(off, subgroup_uniformity);

// Lanes that read a slab together.
override TILE: u32;
// Turns of a warp; never reached unless a list is broken.
override TURNS: u32 = 16777216u;

struct Batch {
  // Operations first … end - 1 of the input.
  first: u32,
  end: u32,
  // Number of the slice, from 1.
  slice: u32,
  // 1: only operations that are pending.
  retry: u32,
  // Memory blocks of the allocator.
  blocks: u32,
}
@group(0) @binding(1) var<storage, read> keys: array<u32>;
@if(!ERASES && !KEYS) @group(0) @binding(2) var<storage, read> values: array<u32>;
@group(0) @binding(3) var<uniform> batch: Batch;
// alloc.wgsl's status.  left: insertions that found no slab.  halted: the slice in which there were such; EMPTY if a loop reached its
// bound, so that no slice after it is begun.
@if(!INSERTS && !ERASES) @group(0) @binding(7) var<storage, read> kinds: array<u32>;
@if(!INSERTS && !ERASES) @group(0) @binding(8) var<storage, read_write> results: array<u32>;

// Look i of a slab is at this word; the last look is at the pointer.
@if(EVEN) fn word_of(i: u32) -> u32 { return select(2u * i, NEXT, i == 15u); }
@if(!EVEN) fn word_of(i: u32) -> u32 { return i; }
// Looks that are at keys: the paper's VALID_KEY_MASK.
@if(EVEN) const KEY_LOOKS = 0x7fffu;
@if(!EVEN && !KEYS) const KEY_LOOKS = 0x15555555u;
@if(!EVEN && KEYS) const KEY_LOOKS = 0x3fffffffu;

fn word_at(slab: u32, i: u32) -> u32 { return load_word(word_in(slab, word_of(i))); }

@if(LOOKS_1) alias Words = u32;
@if(LOOKS_2) alias Words = vec2u;
@if(LOOKS_4) alias Words = vec4u;
@if(LOOKS_1) fn read_slab(slab: u32, part: u32) -> Words { return word_at(slab, part); }
@if(LOOKS_2) fn read_slab(slab: u32, part: u32) -> Words { return vec2u(word_at(slab, part), word_at(slab, TILE + part)); }
@if(LOOKS_4) fn read_slab(slab: u32, part: u32) -> Words {
  return vec4u(word_at(slab, part), word_at(slab, TILE + part), word_at(slab, 2u * TILE + part), word_at(slab, 3u * TILE + part));
}
@if(LOOKS_1) fn last_of(words: Words) -> u32 { return words; }
@if(LOOKS_2) fn last_of(words: Words) -> u32 { return words.y; }
@if(LOOKS_4) fn last_of(words: Words) -> u32 { return words.w; }

// Bit i: look i of the tile is at a slot that holds one of the two words.
@if(LOOKS_1) fn slots_with(words: Words, a: u32, b: u32, lane: u32) -> u32 {
  return warp_ballot(words == a || words == b, lane) & KEY_LOOKS;
}
@if(LOOKS_2) fn slots_with(words: Words, a: u32, b: u32, lane: u32) -> u32 {
  let hit = (words == Words(a)) | (words == Words(b));
  return (tile_ballot(hit.x, TILE, lane) | (tile_ballot(hit.y, TILE, lane) << TILE)) & KEY_LOOKS;
}
@if(LOOKS_4) fn slots_with(words: Words, a: u32, b: u32, lane: u32) -> u32 {
  let hit = (words == Words(a)) | (words == Words(b));
  let lower = tile_ballot(hit.x, TILE, lane) | (tile_ballot(hit.y, TILE, lane) << TILE);
  let upper = tile_ballot(hit.z, TILE, lane) | (tile_ballot(hit.w, TILE, lane) << TILE);
  return (lower | (upper << (2u * TILE))) & KEY_LOOKS;
}

// Whether the list ends here, or has a slot that the operation finds or may take: `least` is DELETED where an insertion has found no such
// slot yet.
@if(LOOKS_1 && LONG && !OVERWRITES) fn is_end(words: u32, next: u32, a: u32, b: u32, lane: u32) -> bool {
  return slots_with(words, a, b, lane) != 0u || next == EMPTY;
}
@if(LOOKS_1 && LONG && OVERWRITES) fn is_end(words: u32, next: u32, key: u32, least: u32, lane: u32) -> bool {
  return (warp_ballot(words == key || words >= least, lane) & KEY_LOOKS) != 0u || next == EMPTY;
}

// An operation as its lane holds it.
struct Operation {
  key: u32,
  value: u32,
  kind: u32,
  // The slab to look at next.
  slab: u32,
  waits: bool,
  // It found no slab.
  failed: bool,
  // It inserted, replaced or erased; or the value that it found.
  done: bool,
  found: u32,
  // Keys that it put where there was none, or took away.
  changed: u32,
  // The list's first DELETED slot so far, and its slab.
  @if(OVERWRITES) spare: u32,
  @if(OVERWRITES) spare_slab: u32,
}
@if(OVERWRITES) const NO_SPARE = 0xffffffffu;

// The slot is `free`, EMPTY or DELETED, or (UNIQUE) holds the key, or did so when it was read.
@if(!ERASES) fn claim(op: ptr<function, Operation>, slab: u32, word: u32, free: u32) {
  @if(COUNT) count_region(CLAIM);
  @if(COUNT) count_rmw();
  let got = swap_word(word_in(slab, word), free, (*op).key);
  var mine = got.done;
  if (mine) { (*op).changed = 1u; }
  @if(UNIQUE) mine = mine || got.found == (*op).key;
  if (mine) {
    @if(!KEYS) store_word(word_in(slab, word + 1u), (*op).value);
    @if(COUNT && !KEYS) count_write();
    (*op).done = true;
    (*op).waits = false;
  }
  @if(COUNT) { if (!mine) { count_failed_cas(); } }
}

// Of several lanes that erase one key, one gets it back.
@if(!INSERTS) fn strike(op: ptr<function, Operation>, slab: u32, word: u32) {
  @if(COUNT) count_region(CLAIM);
  @if(COUNT) count_rmw();
  // Nothing is inserted beside a DELETE in bulk: the slot can be used again, unless keys are unique.
  @if(ERASES && !UNIQUE) let got = exchange_word(word_in(slab, word), EMPTY);
  @else let got = exchange_word(word_in(slab, word), DELETED);
  let mine = got == (*op).key;
  if (mine) {
    @if(ERASES && !UNIQUE && !KEYS) store_word(word_in(slab, word + 1u), EMPTY);
    (*op).done = true;
    (*op).changed += 1u;
  }
  // Where keys are not unique there may be another one; DELETEALL goes on to the list's end.
  @if(UNIQUE && !ALL) (*op).waits = false;
  @if(!UNIQUE && !ALL) (*op).waits = !mine;
}

// A key whose value is not there yet is not inserted yet.
@if(!INSERTS && !ERASES) fn answer(op: ptr<function, Operation>, slab: u32, word: u32) {
  @if(KEYS) (*op).found = 1u;
  @else (*op).found = load_word(word_in(slab, word + 1u));
  (*op).waits = false;
}

// Links a new slab to the tail of the list, or goes on to one that another lane has linked there.
@if(!ERASES) fn extend(op: ptr<function, Operation>, slab: u32, warp: u32, lane: u32) {
  @if(COUNT) count_region(STEP);
  @if(COUNT) count_rmw();
  let number = allocate(warp, lane, batch.blocks);
  if (number == NO_SLAB) {
    let next = load_word(word_in(slab, NEXT));
    if (next != EMPTY) {
      (*op).slab = next;
    } else {
      // At once: what is left of the pass does not look for long.
      atomicAdd(&status.words.left, 1u);
      (*op).failed = true;
      (*op).waits = false;
    }
    return;
  }
  @if(COUNT) count_rmw();
  let got = swap_word(word_in(slab, NEXT), EMPTY, address_of(number));
  if (got.done) {
    (*op).slab = address_of(number);
  } else {
    deallocate(number);
    if (got.found != EMPTY) { (*op).slab = got.found; }
  }
}

// At the end of a list that has no such key: takes the spare slot, or begins again if another key has come there.
@if(OVERWRITES) fn take_spare(op: ptr<function, Operation>) {
  claim(op, (*op).spare_slab, (*op).spare, DELETED);
  (*op).spare = NO_SPARE;
  if (!(*op).done) { (*op).slab = base_slab(bucket_of((*op).key)); }
}

// What the lane that holds the operation does after a look at its slab: `at` is the first slot that counts, 32 if none does.
fn act(op: ptr<function, Operation>, slab: u32, at: u32, next: u32, warp: u32, lane: u32) {
  if (at < 32u) {
    let word = word_of(at);
    @if(INSERTS) claim(op, slab, word, EMPTY);
    @if(ERASES) strike(op, slab, word);
    @if(!INSERTS && !ERASES) {
      if ((*op).kind == INSERT) {
        claim(op, slab, word, EMPTY);
      } else if ((*op).kind == ERASE) {
        strike(op, slab, word);
      } else {
        answer(op, slab, word);
      }
    }
    return;
  }
  if (next != EMPTY) {
    @if(COUNT) count_region(GOES_ON);
    (*op).slab = next;
    return;
  }
  @if(INSERTS) extend(op, slab, warp, lane);
  @if(ERASES) (*op).waits = false;
  @if(!INSERTS && !ERASES) {
    if ((*op).kind == INSERT) { extend(op, slab, warp, lane); } else { (*op).waits = false; }
  }
}

// What all lanes have seen of a slab.
struct Seen {
  slab: u32,
  next: u32,
  // Looks at slots that end the operation.
  slots: u32,
  @if(OVERWRITES) spares: u32,
  @if(OVERWRITES) hits: u32,
}
fn seen_in(words: Words, next: u32, slab: u32, key: u32, other: u32, stop: u32, lane: u32) -> Seen {
  let slots = slots_with(words, other, stop, lane);
  @if(OVERWRITES) return Seen(slab, next, slots, slots_with(words, DELETED, DELETED, lane), slots_with(words, key, key, lane));
  @else return Seen(slab, next, slots);
}

// The lane that holds the operation.
fn act_on(op: ptr<function, Operation>, seen: Seen, warp: u32, lane: u32) {
  @if(OVERWRITES) {
    if ((*op).spare == NO_SPARE && seen.spares != 0u) {
      (*op).spare = word_of(leader(seen.spares));
      (*op).spare_slab = seen.slab;
    }
    if ((*op).spare != NO_SPARE && seen.hits == 0u && (seen.slots != 0u || seen.next == EMPTY)) {
      take_spare(op);
      return;
    }
  }
  (*op).slab = seen.slab;
  act(op, seen.slab, leader(seen.slots), seen.next, warp, lane);
}

@if(LOOKS_1 && LONG && !COUNT) fn two(word: u32, a: u32, b: u32, lane: u32) -> vec2u {
  return vec2u(tile_shuffle(word, a, TILE, lane), tile_shuffle(word, b, TILE, lane));
}

fn is_wanted(item: u32) -> bool {
  @if(ERASES || ONCE) return true;
  @else return batch.retry == 0u || is_pending(item, batch.blocks);
}

// The lane's operation; inactive where there is none to do.
fn fetch(item: u32) -> Operation {
  @if(!OVERWRITES) var op = Operation(EMPTY, EMPTY, INSERT, 0u, false, false, false, EMPTY, 0u);
  @if(OVERWRITES) var op = Operation(EMPTY, EMPTY, INSERT, 0u, false, false, false, EMPTY, 0u, NO_SPARE, 0u);
  @if(!INSERTS && !ERASES) {
    // A slice after one that found no slab is not begun.
    let halted = atomicLoad(&status.words.halted);
    if (halted != 0u && halted != batch.slice) { return op; }
  }
  if (item >= batch.end || !is_wanted(item)) { return op; }
  op.key = keys[item];
  @if(!ERASES && !KEYS) op.value = values[item];
  @if(!INSERTS && !ERASES) op.kind = kinds[item];
  op.slab = base_slab(bucket_of(op.key));
  @if(INSERTS) let inserts = true;
  @if(ERASES) let inserts = false;
  @if(!INSERTS && !ERASES) let inserts = op.kind == INSERT;
  // What inserts no value has none that is reserved.
  @if(ERASES || KEYS) let value = 0u;
  @else let value = select(0u, op.value, inserts);
  op.waits = is_pair(op.key, value);
  if (inserts && !op.waits) { atomicAdd(&status.words.refused, 1u); }
  @if(!INSERTS && !ERASES) { if (!op.waits) { results[item] = select(0u, EMPTY, op.kind == FIND); } }
  return op;
}

// The word beside `other_of` that ends a look at a slab.
fn stop_of(op: Operation) -> u32 {
  @if(INSERTS) return EMPTY;
  @if(ERASES) return op.key;
  @if(!INSERTS && !ERASES) return select(op.key, EMPTY, op.kind == INSERT);
}
// An INSERT does not look for the key; the others look for nothing else.
fn other_of(op: Operation) -> u32 {
  @if(UNIQUE || ERASES) return op.key;
  @else return stop_of(op);
}

// After the loop, the lanes of the warp together; those that were ALONE may have come apart, and do not vote.
fn finish(op: Operation, item: u32, had_one: bool, turn: u32, lane: u32) {
  if (turn >= TURNS) {
    atomicAdd(&status.words.bound, 1u);
    atomicMax(&status.words.halted, EMPTY);
  }
  @if(ERASES && !ALL && !ALONE) {
    let won = countOneBits(warp_ballot(op.done, lane));
    if (lane == 0u && won > 0u) { atomicAdd(&status.words.changed, won); }
  }
  @if(ALL || (ALONE && (ERASES || (INSERTS && KEYS)))) {
    if (op.changed > 0u) { atomicAdd(&status.words.changed, op.changed); }
  }
  @if(INSERTS && KEYS && !ALONE) {
    let fresh = countOneBits(warp_ballot(op.changed > 0u, lane));
    if (lane == 0u && fresh > 0u) { atomicAdd(&status.words.changed, fresh); }
  }
  @if(ONCE) { if (op.failed) { atomicAdd(&status.words.refused, 1u); } }
  @if(!ERASES && !ONCE) {
    if (op.failed) {
      atomicMax(&status.words.halted, batch.slice);
      if (batch.retry == 0u) { set_pending(item, batch.blocks); }
    } else if (batch.retry == 1u && had_one) {
      clear_pending(item, batch.blocks);
    }
  }
  @if(!INSERTS && !ERASES) {
    if (had_one) { results[item] = select(select(0u, 1u, op.done), op.found, op.kind == FIND); }
  }
}

@compute @workgroup_size(WARP_GROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let group = wid.y * nwg.x + wid.x;
  let lane = warp_lane(lid);
  let part = lane % TILE;
  let item = batch.first + group * WARP_GROUP + lid;
  let warp = (group * WARP_GROUP + lid) / WARP;
  @if(COUNT) count_begin(lid);
  @if(COUNT) count_once(PROLOGUE);
  var op = fetch(item);
  let had_one = op.waits;
  var turn = 0u;
  for (; turn < TURNS; turn++) {
    // The work queue of the tile.
    @if(LOOKS_1) let queue = warp_ballot(op.waits, lane);
    @else let queue = tile_ballot(op.waits, TILE, lane);
    @if(LOOKS_1) { if (queue == 0u) { break; } }
    @else { if (!convoy_any(queue != 0u, lane)) { break; } }
    @if(LOOKS_1) let works = true;
    @else let works = queue != 0u;
    @if(COUNT) count_turn(works);
    @if(COUNT) count_region(PROBE);
    let source = first_lane(queue, TILE - 1u);
    let own_stop = stop_of(op);
    @if(LOOKS_1 && LONG && !COUNT) {
      let rest = queue & (queue - 1u);
      // Of one operation both are it.
      let second = select(source, leader(rest), rest != 0u);
      let key = two(op.key, source, second, lane);
      let stop = two(own_stop, source, second, lane);
      @if(OVERWRITES) let least = two(select(EMPTY, DELETED, op.spare == NO_SPARE), source, second, lane);
      @else let least = stop;
      @if(UNIQUE || ERASES) let other = key;
      @if(!UNIQUE && !ERASES) let other = stop;
      var slab = two(op.slab, source, second, lane);
      var words = vec2u();
      var next = vec2u();
      for (; turn < TURNS; turn++) {
        words = vec2u(read_slab(slab.x, part), read_slab(slab.y, part));
        next = vec2u(warp_broadcast(words.x, TILE - 1u, lane), warp_broadcast(words.y, TILE - 1u, lane));
        let ends = vec2<bool>(
          is_end(words.x, next.x, other.x, least.x, lane),
          is_end(words.y, next.y, other.y, least.y, lane),
        );
        if (all(ends)) { break; }
        slab = select(next, slab, ends);
      }
      var seen = seen_in(words.x, next.x, slab.x, key.x, other.x, stop.x, lane);
      let seen_second = seen_in(words.y, next.y, slab.y, key.y, other.y, stop.y, lane);
      if (part == second) { seen = seen_second; }
      if (op.waits && (part == source || part == second)) { act_on(&op, seen, warp, lane); }
    }
    @if(!LOOKS_1 || !LONG || COUNT) {
      let key = tile_shuffle(op.key, source, TILE, lane);
      let slab = tile_shuffle(op.slab, source, TILE, lane);
      let stop = tile_shuffle(own_stop, source, TILE, lane);
      // An INSERT does not look for the key; the others look for nothing else.
      @if(UNIQUE || ERASES) let other = key;
      @if(!UNIQUE && !ERASES) let other = stop;
      var words = Words(EMPTY);
      if (works) {
        @if(COUNT) { if (part == 0u) { count_reads(SLAB_WORDS / 8u); } }
        words = read_slab(slab, part);
      }
      let next = tile_shuffle(last_of(words), TILE - 1u, TILE, lane);
      let seen = seen_in(words, next, slab, key, other, stop, lane);
      if (op.waits && part == source) { act_on(&op, seen, warp, lane); }
    }
  }
  finish(op, item, had_one, turn, lane);
  @if(COUNT) count_flush(group, lid, item < batch.end);
}
