// DyCuckoo, downsizing a sub-table (Li et al., 4.4, Fig. 4): half the buckets. The pairs of buckets b and b + |h| / 2 go to bucket
// b, those of b into the slots that they had, the others into the free ones in order. Pairs that do not fit, the residuals, go to their
// other sub-table in the same kernel. One lane a slot of the new bucket. Nothing else is inserted, and all keys are different:
// slots of other sub-tables are claimed by a CAS, without locks.
//
// A residual whose bucket there is full keeps a bit: evict.wgsl takes it up, after this kernel. The sub-table's old buffer stays as
// it was; if a residual finds no room at all the host keeps that.
//
// Layout: as in upsize.wgsl, and places.wgsl.  Bound of the residual's loop: PASSES over its bucket.
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::keys::{EMPTY, DELETED};
import package::kernels::common::status::Status;
import package::kernels::common::warp::{nth_set, lanes_below};
import package::kernels::dycuckoo::locks::{change, flush_changes};
import package::kernels::dycuckoo::places::{places_of, Places, BUCKET};
import package::kernels::dycuckoo::words::{load_key, claim_key, store_value};
@if(COUNT) import package::kernels::common::count::{count_step, count_buckets, count_reads, count_writes, count_rmw, count_flush};

struct SubTable { buckets: u32, number: u32 }
@group(0) @binding(13) var<uniform> before: SubTable;
@group(0) @binding(10) var<storage, read> old: array<u32>;
@group(0) @binding(11) var<storage, read_write> resized: array<u32>;
// left: residuals, to evict.wgsl.
@group(0) @binding(14) var<storage, read_write> status: Status;
// A bit a slot of the old buffer; all clear before.
@group(0) @binding(15) var<storage, read_write> pending: array<atomic<u32>>;

const BUCKETS = WORKGROUP / BUCKET;
// A weak CAS may fail though it found what it compares with.
const PASSES = 8u;

// Bit i: slot i of the lower bucket is taken; of the upper one.
var<workgroup> lower_taken: array<atomic<u32>, BUCKETS>;
var<workgroup> upper_taken: array<atomic<u32>, BUCKETS>;

fn settle(key: u32, value: u32, from_slot: u32) -> bool {
  let places = places_of(key);
  let at_first = places.first_table == before.number;
  let bucket = select(places.first, places.second, at_first);
  let table = select(places.first_table, places.second_table, at_first);
  @if(COUNT) { count_step(); count_buckets(1u); count_reads(4u); }
  for (var i = 0u; i < PASSES * BUCKET; i++) {
    let slot = bucket * BUCKET + (from_slot + i) % BUCKET;
    if (load_key(slot) != EMPTY) { continue; }
    @if(COUNT) count_rmw();
    if (claim_key(slot, key).done) {
      store_value(slot, value);
      change(table, 1);
      change(before.number, -1);
      return true;
    }
  }
  return false;
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let lane = grid(wid, nwg, lid);
  let half = before.buckets / 2u * BUCKET;
  let slot = lane.index;
  let mine = lid / BUCKET;
  let at = slot % BUCKET;
  var lower = EMPTY;
  var upper = EMPTY;
  if (slot < half) {
    lower = old[slot];
    upper = old[half + slot];
    @if(COUNT) { if (at == 0u) { count_step(); count_reads(16u); count_writes(8u); } }
    // A bucket a pair, as in the paper's Table 4.
    @if(COUNT) count_buckets(u32(lower < DELETED) + u32(upper < DELETED));
  }
  if (lower < DELETED) { atomicOr(&lower_taken[mine], 1u << at); }
  if (upper < DELETED) { atomicOr(&upper_taken[mine], 1u << at); }
  workgroupBarrier();
  let taken = atomicLoad(&lower_taken[mine]);
  let coming = atomicLoad(&upper_taken[mine]);
  if (slot < half) {
    let free = countOneBits(~taken);
    // The slot's number among the free ones: it stays free if no pair comes for it.
    let number = countOneBits(~taken & lanes_below(at));
    if (lower < DELETED) {
      resized[slot] = lower;
      resized[half + slot] = old[2u * half + slot];
    } else if (number >= countOneBits(coming)) {
      resized[slot] = EMPTY;
    }
    if (upper < DELETED) {
      let value = old[3u * half + slot];
      let rank = countOneBits(coming & lanes_below(at));
      if (rank < free) {
        let to = slot - at + nth_set(~taken, rank);
        resized[to] = upper;
        resized[half + to] = value;
      } else {
        if (!settle(upper, value, at)) {
          atomicAdd(&status.left, 1u);
          atomicOr(&pending[(half + slot) / 32u], 1u << ((half + slot) % 32u));
        }
      }
    }
  }
  flush_changes(lid, WORKGROUP);
  @if(COUNT) count_flush(lane.group, lid, slot < half);
}
