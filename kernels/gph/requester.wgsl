// GPH, bucket requester and slot check (Cao et al., SIGMOD 2025, section 5.2, algorithms 1 to 3): a lane reads its part of a
// bucket, VECTORS adjacent vectors of up to 16 bytes, all of them before the first is looked at. With SLOT_VECTORS or WIDE a
// vector is one slot, with KEYS_ONLY four (the answer is the key), else two. REQUESTER false: neither vectors nor reads that do
// not wait; a lane reads a slot at a time, and looks at it before it reads the next. The loop, its votes and what is read stay.
// Layout: as in hash.wgsl.  Bounds of the loops: TILE turns; M / TILE reads.
@if(BANKED) import package::kernels::common::banks::block_at;
import package::kernels::common::keys::EMPTY;
@if(!REQUESTER) import package::kernels::common::keys::DELETED;
import package::kernels::common::warp::{tile_ballot, tile_shuffle, first_lane};
import package::kernels::gph::pair::Value;
@if(COUNT) import package::kernels::gph::hash::SECTORS;
@if(!REQUESTER) import package::kernels::gph::hash::M;
@if(COUNT) import package::kernels::common::count::{count_turn, count_reads, count_region, PROBE, CLAIM};

// Lanes of a lookup group: |g|.
override TILE: u32;

@if(SLOT_VECTORS) alias Vector = vec2u;
@if(!SLOT_VECTORS) alias Vector = vec4u;

@each_bank @group(0) @binding(0) var<storage, read> table: array<Vector>;

// What a lane has read: whether it holds the key, and its value.
struct Look { hit: bool, value: Value }

@if(SLOT_VECTORS) fn check(slot: Vector, key: u32) -> Look { return Look(slot.x == key, slot.y); }
@if(WIDE) fn check(slot: Vector, key: u32) -> Look { return Look(slot.x == key, slot.yzw); }
@if(KEYS_ONLY) fn check(slots: Vector, key: u32) -> Look { return Look(any(slots == vec4u(key)), key); }
@if(!SLOT_VECTORS && !WIDE && !KEYS_ONLY) fn check(slots: Vector, key: u32) -> Look {
  return Look(slots.x == key || slots.z == key, select(slots.w, slots.y, slots.x == key));
}
fn either(a: Look, b: Look) -> Look { return Look(a.hit || b.hit, select(b.value, a.value, a.hit)); }
fn check2(a: Vector, b: Vector, key: u32) -> Look { return either(check(a, key), check(b, key)); }
fn check4(a: Vector, b: Vector, c: Vector, d: Vector, key: u32) -> Look {
  return either(check2(a, b, key), check2(c, d, key));
}

@if(!WIDE) fn told_by(value: Value, source: u32, lane: u32) -> Value { return tile_shuffle(value, source, TILE, lane); }
@if(WIDE) fn told_by(value: Value, source: u32, lane: u32) -> Value {
  let x = tile_shuffle(value.x, source, TILE, lane);
  let y = tile_shuffle(value.y, source, TILE, lane);
  return Value(x, y, tile_shuffle(value.z, source, TILE, lane));
}

// Vectors that a lane reads.
@if(VECTORS_1) @each_bank fn request(@if(BANKED) bank: u32, bucket: u32, part: u32, key: u32) -> Look {
  return check(table[bucket * TILE + part], key);
}
@if(VECTORS_2) @each_bank fn request(@if(BANKED) bank: u32, bucket: u32, part: u32, key: u32) -> Look {
  let at = 2u * (bucket * TILE + part);
  let a = table[at];
  let b = table[at + 1u];
  return check2(a, b, key);
}
@if(VECTORS_4) @each_bank fn request(@if(BANKED) bank: u32, bucket: u32, part: u32, key: u32) -> Look {
  let at = 4u * (bucket * TILE + part);
  let a = table[at];
  let b = table[at + 1u];
  let c = table[at + 2u];
  let d = table[at + 3u];
  return check4(a, b, c, d, key);
}
@if(VECTORS_8) @each_bank fn request(@if(BANKED) bank: u32, bucket: u32, part: u32, key: u32) -> Look {
  let at = 8u * (bucket * TILE + part);
  let a = table[at];
  let b = table[at + 1u];
  let c = table[at + 2u];
  let d = table[at + 3u];
  let e = table[at + 4u];
  let f = table[at + 5u];
  let g = table[at + 6u];
  let h = table[at + 7u];
  return either(check4(a, b, c, d, key), check4(e, f, g, h, key));
}

// The lanes of a group read adjacent slots, as DyCuckoo's. No slot holds DELETED: the term is there so that the address of a
// read depends on the one before it, as no compiler can then issue them together.
@if(!REQUESTER) @each_bank fn request(@if(BANKED) bank: u32, bucket: u32, part: u32, key: u32) -> Look {
  var at = bucket * M + part;
  var slot = table[at];
  var seen = check(slot, key);
  for (var done = TILE; done < M; done += TILE) {
    at += TILE + u32(slot.x == DELETED);
    slot = table[at];
    seen = either(seen, check(slot, key));
  }
  return seen;
}

// The values of the keys that the lanes of the group hold, each from its bucket; EMPTY where it is not there. The first `busy`
// lanes of the group have a query; the others stand for EMPTY, which has a bucket too: no turn branches around its loads.
fn look_up(key: u32, bucket: u32, busy: u32, lane: u32) -> Value {
  let part = lane % TILE;
  var result = Value(EMPTY);
  for (var turn = 0u; turn < TILE; turn++) {
    @if(COUNT) count_turn(turn < busy);
    @if(COUNT) count_region(PROBE);
    @if(COUNT) { if (turn < busy && part == 0u) { count_reads(SECTORS); } }
    let wanted = tile_shuffle(key, turn, TILE, lane);
    let at = tile_shuffle(bucket, turn, TILE, lane);
    @if(!BANKED) let seen = request(at, part, wanted);
    @if(BANKED) let place = block_at(at, 1u);
    @if(BANKED) let seen = request(place.bank, place.word, part, wanted);
    let hits = tile_ballot(seen.hit, TILE, lane);
    let told = told_by(seen.value, first_lane(hits, TILE - 1u), lane);
    if (part == turn && hits != 0u) {
      @if(COUNT) count_region(CLAIM);
      result = told;
    }
  }
  return result;
}
