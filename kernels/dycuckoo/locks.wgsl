// Locks of buckets, and how many pairs the sub-tables hold.
//
// Layout: 8 counts, by sub-table; then a lock a bucket, 0 while nobody has it.
@if(SEVERAL) import package::kernels::dycuckoo::places::tables;

@group(0) @binding(12) var<storage, read_write> locks: array<atomic<u32>>;

const COUNTS = 8u;

@if(!SEVERAL) fn lock_of(bucket: u32) -> u32 { return COUNTS + bucket; }
@if(SEVERAL) fn lock_of(bucket: u32) -> u32 { return COUNTS + (bucket >> 24u) * tables.stride + (bucket & 0xffffffu); }

// Tries once.
fn try_lock(bucket: u32) -> bool { return atomicCompareExchangeWeak(&locks[lock_of(bucket)], 0u, 1u).exchanged; }
// `zero` is 0, but nothing that the compiler knows: computed from what atomics returned, it keeps the release behind them.
fn unlock(bucket: u32, zero: u32) { atomicStore(&locks[lock_of(bucket)], zero); }

// Pairs of the workgroup that came or went, by sub-table.
var<workgroup> changes: array<atomic<u32>, COUNTS>;

// A lane's pair came to the sub-table, or went.
fn change(table: u32, by: i32) { atomicAdd(&changes[table], bitcast<u32>(by)); }
// Called once by every lane of the workgroup, after all changes. One atomic on the table's counts a workgroup.
fn flush_changes(local_index: u32, lanes: u32) {
  workgroupBarrier();
  for (var i = local_index; i < COUNTS; i += lanes) {
    let by = atomicLoad(&changes[i]);
    if (by != 0u) { atomicAdd(&locks[i], by); }
  }
}
