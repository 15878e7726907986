// Locks of buckets, and how many pairs the sub-tables hold.
//
// Layout: COPIES times 8 counts, by sub-table, which the host adds up; a word that is 1 if there was no pair when vacant.wgsl ran last;
// then a bit a bucket, set while a lane has its lock. With a word each, the locks of 125 M slots would take 16 MiB of the cache.
import package::kernels::common::warp::{warp_ballot, warp_shuffle, convoy_any, leader};
import package::kernels::dycuckoo::bucket::NONE;
@if(SEVERAL) import package::kernels::dycuckoo::places::tables;

@group(0) @binding(12) var<storage, read_write> locks: array<atomic<u32>>;

const TABLES = 8u;
// Each warp adds to one copy, so that few add to a word at the same time.
const COPIES = 64u;
const COUNTS = TABLES * COPIES;
const VACANT = COUNTS;
const FIRST_LOCK = COUNTS + 1u;

// The number of the bucket's lock.
@if(!SEVERAL) fn lock_of(bucket: u32) -> u32 { return bucket; }
@if(SEVERAL) fn lock_of(bucket: u32) -> u32 { return (bucket >> 24u) * tables.stride + (bucket & 0xffffffu); }

// Tries once.
fn try_lock(bucket: u32) -> bool {
  let lock = lock_of(bucket);
  let bit = 1u << (lock % 32u);
  return (atomicOr(&locks[FIRST_LOCK + lock / 32u], bit) & bit) == 0u;
}
// `zero` is 0, which the compiler does not know: computed from what atomics returned, it keeps the release behind them.
fn unlock(bucket: u32, zero: u32) {
  let lock = lock_of(bucket);
  atomicAnd(&locks[FIRST_LOCK + lock / 32u], ~(1u << (lock % 32u)) | zero);
}

// Pairs of the workgroup that came or went, by sub-table.
var<workgroup> changes: array<atomic<u32>, TABLES>;

// A lane's pair came to the sub-table, or went.
fn change(table: u32, by: i32) { atomicAdd(&changes[table], bitcast<u32>(by)); }
// Called once by every lane of the workgroup, after all changes. One atomic on the table's counts a workgroup.
fn flush_changes(local_index: u32, lanes: u32) {
  workgroupBarrier();
  for (var i = local_index; i < TABLES; i += lanes) {
    let by = atomicLoad(&changes[i]);
    if (by != 0u) { atomicAdd(&locks[i], by); }
  }
}

// The same for kernels of warps in which a lane's pair changes once: no warp waits for the others of its workgroup. Called by all
// lanes together; NONE: the lane's pair changed nothing.
fn change_once(table: u32, by: i32, group: u32, lane: u32) {
  var rest = warp_ballot(table != NONE, lane);
  for (var i = 0u; i < TABLES; i++) {
    if (!convoy_any(rest != 0u, lane)) { break; }
    let first = leader(rest) & 31u;
    let one = warp_shuffle(table, first, lane);
    let same = warp_ballot(table == one, lane) & rest;
    if (rest != 0u && lane == first) { atomicAdd(&locks[group % COPIES * TABLES + one], bitcast<u32>(by) * countOneBits(same)); }
    rest &= ~same;
  }
}
