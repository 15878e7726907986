// A table with a fault, to see whether the conformance cases find it: linear probing in which an insertion takes the first slot
// that is empty or was erased, without looking on for its key. One lane an operation.
//
// Layout: slot = (key, value). Bound of the loops: sizes.slots.
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::keys::{EMPTY, DELETED};
import package::kernels::common::kinds::{INSERT, FIND};
import package::kernels::common::hash::{mix32, mulhi};
import package::kernels::common::range::Range;

struct Sizes { slots: u32 }
@group(0) @binding(31) var<uniform> sizes: Sizes;
@group(0) @binding(0) var<storage, read_write> table: array<atomic<u32>>;
@group(0) @binding(1) var<storage, read> keys: array<u32>;
@group(0) @binding(2) var<storage, read> values: array<u32>;
@group(0) @binding(3) var<storage, read> kinds: array<u32>;
@group(0) @binding(4) var<uniform> range: Range;
@group(0) @binding(5) var<storage, read_write> results: array<u32>;

fn slot_of(key: u32, probe: u32) -> u32 { return (mulhi(mix32(key), sizes.slots) + probe) % sizes.slots; }

fn insert(key: u32, value: u32) -> u32 {
  for (var probe = 0u; probe < sizes.slots; probe++) {
    let at = 2u * slot_of(key, probe);
    var seen = atomicLoad(&table[at]);
    // The fault is the second condition, for which the slot would have to be kept in mind.
    if (seen == EMPTY || seen == DELETED) {
      let result = atomicCompareExchangeWeak(&table[at], seen, key);
      seen = select(result.old_value, key, result.exchanged);
    }
    if (seen == key) {
      atomicStore(&table[at + 1u], value);
      return 1u;
    }
  }
  return 0u;
}

fn find(key: u32) -> u32 {
  for (var probe = 0u; probe < sizes.slots; probe++) {
    let at = 2u * slot_of(key, probe);
    let seen = atomicLoad(&table[at]);
    if (seen == key) { return atomicLoad(&table[at + 1u]); }
    if (seen == EMPTY) { break; }
  }
  return EMPTY;
}

fn erase(key: u32) -> u32 {
  for (var probe = 0u; probe < sizes.slots; probe++) {
    let at = 2u * slot_of(key, probe);
    let seen = atomicLoad(&table[at]);
    if (seen == key) { return select(0u, 1u, atomicExchange(&table[at], DELETED) == key); }
    if (seen == EMPTY) { break; }
  }
  return 0u;
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let item = range.first + grid(wid, nwg, lid).index;
  if (item >= range.end) { return; }
  let key = keys[item];
  let kind = kinds[item];
  if (kind == INSERT) {
    results[item] = insert(key, values[item]);
  } else if (kind == FIND) {
    results[item] = find(key);
  } else {
    results[item] = erase(key);
  }
}
