// GPH, lookup kernel (Cao et al., SIGMOD 2025, section 5). A lane holds a query and computes its bucket; the TILE lanes of a
// lookup group read one bucket after another together, each exactly once.
//
// Bucket requester (algorithms 1 to 3): a lane reads its part of a bucket, VECTORS adjacent vectors of up to 16 bytes, all of
// them before the first is looked at. With SLOT_VECTORS a vector is one slot, else two.
// Layout: as in hash.wgsl.  Bound of the loop: TILE turns.
import package::kernels::common::keys::{EMPTY, DELETED};
import package::kernels::common::warp::{warp_lane, tile_ballot, tile_shuffle, leader, WARP_GROUP};
import package::kernels::gph::hash::{cell_of, cell_word, cell_in, bucket_by, M};
@if(COUNT) import package::kernels::common::count::{count_begin, count_turn, count_reads, count_once, count_region, PROLOGUE, PROBE, CLAIM, count_flush};
@if(SUBGROUPS) enable subgroups;
@if(SUBGROUPS) diagnostic(off, subgroup_uniformity);

// Lanes of a lookup group: |g|.
override TILE: u32;

@if(SLOT_VECTORS) alias Vector = vec2u;
@if(!SLOT_VECTORS) alias Vector = vec4u;

@group(0) @binding(0) var<storage, read> table: array<Vector>;
@group(0) @binding(1) var<storage, read> queries: array<u32>;
@group(0) @binding(2) var<storage, read_write> results: array<u32>;
@group(0) @binding(3) var<uniform> n: u32;
@group(0) @binding(5) var<storage, read> cells: array<u32>;

// What a lane has read: whether it holds the key, and its value.
struct Look { hit: bool, value: u32 }

@if(SLOT_VECTORS) fn check(slot: Vector, key: u32) -> Look { return Look(slot.x == key, slot.y); }
@if(!SLOT_VECTORS) fn check(slots: Vector, key: u32) -> Look {
  return Look(slots.x == key || slots.z == key, select(slots.w, slots.y, slots.x == key));
}
fn either(a: Look, b: Look) -> Look { return Look(a.hit || b.hit, select(b.value, a.value, a.hit)); }
fn check2(a: Vector, b: Vector, key: u32) -> Look { return either(check(a, key), check(b, key)); }
fn check4(a: Vector, b: Vector, c: Vector, d: Vector, key: u32) -> Look {
  return either(check2(a, b, key), check2(c, d, key));
}

// Vectors that a lane reads.
@if(VECTORS_1) fn request(bucket: u32, part: u32, key: u32) -> Look {
  return check(table[bucket * TILE + part], key);
}
@if(VECTORS_2) fn request(bucket: u32, part: u32, key: u32) -> Look {
  let at = 2u * (bucket * TILE + part);
  let a = table[at];
  let b = table[at + 1u];
  return check2(a, b, key);
}
@if(VECTORS_4) fn request(bucket: u32, part: u32, key: u32) -> Look {
  let at = 4u * (bucket * TILE + part);
  let a = table[at];
  let b = table[at + 1u];
  let c = table[at + 2u];
  let d = table[at + 3u];
  return check4(a, b, c, d, key);
}
@if(VECTORS_8) fn request(bucket: u32, part: u32, key: u32) -> Look {
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

@compute @workgroup_size(WARP_GROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let group = wid.y * nwg.x + wid.x;
  let lane = warp_lane(lid);
  let part = lane % TILE;
  let item = group * WARP_GROUP + lid;
  let has_item = item < n;
  @if(COUNT) count_begin(lid);
  @if(COUNT) count_once(PROLOGUE);
  var key = EMPTY;
  if (has_item) { key = queries[item]; }
  let cell = cell_of(key);
  let bucket = bucket_by(key, cell, cell_in(cells[cell_word(cell)], cell));
  var result = EMPTY;
  // Lanes without a query stand for EMPTY, which has a bucket too: no turn branches around its loads.
  for (var turn = 0u; turn < TILE; turn++) {
    @if(COUNT) {
      let works = item - part + turn < n;
      count_turn(works);
      if (works) {
        count_region(PROBE);
        if (part == 0u) { count_reads(M / 4u); }
      }
    }
    let wanted = tile_shuffle(key, turn, TILE, lane);
    let at = tile_shuffle(bucket, turn, TILE, lane);
    let seen = request(at, part, wanted);
    let hits = tile_ballot(seen.hit, TILE, lane);
    let told = tile_shuffle(seen.value, leader(hits) & (TILE - 1u), TILE, lane);
    if (part == turn && hits != 0u) {
      @if(COUNT) count_region(CLAIM);
      result = told;
    }
  }
  if (has_item) { results[item] = select(result, EMPTY, key >= DELETED); }
  @if(COUNT) count_flush(group, lid, has_item);
}
