// GPH, locks of cells and buckets (Cao et al., SIGMOD 2025, section 6.3): wait-die. A word is 0, or the stamp of the insert
// group that holds the lock, the pair's number plus 1, which a group keeps when it starts again: of two pairs the one with the
// smaller stamp is the older. The older waits, the younger dies: it gives back all that it holds and starts again.
//
// A group is a workgroup, and settles one pair at a time: no lane of a subgroup waits for another one.
// Bound of the waits: WAITS, after which the older dies too; nothing in WGSL promises that the holder makes progress.
import package::kernels::gph::hash::{sizes, R};

// Lanes of an insert group, which is a workgroup: |h|.
override TILE: u32;
const WAITS = 64u;

// Pairs of the insertion.
struct LockedRange { first: u32, end: u32, zero: u32 }
@group(0) @binding(3) var<uniform> range: LockedRange;
// Of cells, then of buckets.
@group(0) @binding(7) var<storage, read_write> locks: array<atomic<u32>>;

// Places of the workspace for the buckets of the cell as it is, and for those of another mapping.
const OLD = 0u;
override NEW: u32 = R;
var<workgroup> ids: array<u32, 2u * R>;
// NOT, HELD, or SHARED: held through another place, which has the same bucket.
var<workgroup> holds: array<u32, 2u * R>;
const NOT = 0u;
const HELD = 1u;
const SHARED = 2u;
const BUSY = 3u;
const DIE = 4u;
var<workgroup> verdict: atomic<u32>;
// What writes to the table have found there. Locks are given back with a word that is made of it, so that no release
// overtakes a write: `zero` is not known to the compiler.
var<workgroup> trace: atomic<u32>;

fn ask(at: u32, stamp: u32) -> u32 {
  let got = atomicCompareExchangeWeak(&locks[at], 0u, stamp);
  if (got.exchanged) { return HELD; }
  if (got.old_value == stamp) { return SHARED; }
  return select(DIE, BUSY, got.old_value == 0u || stamp < got.old_value);
}

// All functions below are called by all lanes of the workgroup together.

fn lock_cell(cell: u32, stamp: u32, lane: u32) -> bool {
  for (var wait = 0u; wait < WAITS; wait++) {
    if (lane == 0u) { atomicStore(&verdict, ask(cell, stamp)); }
    let said = workgroupUniformLoad(&verdict);
    if (said == HELD) { return true; }
    if (said == DIE) { return false; }
  }
  return false;
}

// The buckets of R places. If it fails, some of them may be held.
fn lock_buckets(base: u32, stamp: u32, lane: u32) -> bool {
  for (var wait = 0u; wait < WAITS; wait++) {
    if (lane == 0u) { atomicStore(&verdict, HELD); }
    workgroupBarrier();
    for (var place = base + lane; place < base + R; place += TILE) {
      if (holds[place] != NOT) { continue; }
      let said = ask(sizes.cells + ids[place], stamp);
      if (said <= SHARED) { holds[place] = said; } else { atomicMax(&verdict, said); }
    }
    let said = workgroupUniformLoad(&verdict);
    if (said == HELD) { return true; }
    if (said == DIE) { return false; }
  }
  return false;
}

fn unlock_buckets(base: u32, lane: u32) {
  storageBarrier();
  workgroupBarrier();
  for (var place = base + lane; place < base + R; place += TILE) {
    if (holds[place] == HELD) { atomicStore(&locks[sizes.cells + ids[place]], atomicLoad(&trace) & range.zero); }
    holds[place] = NOT;
  }
  workgroupBarrier();
}

fn unlock_cell(cell: u32, lane: u32) {
  storageBarrier();
  workgroupBarrier();
  if (lane == 0u) { atomicStore(&locks[cell], atomicLoad(&trace) & range.zero); }
}
