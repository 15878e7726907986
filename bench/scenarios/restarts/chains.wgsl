// Whether a build of a cuckoo table fails, and how long its insertions take: Alcantara et al., GPU Computing Gems 2011, 4.3.1.
// One lane a key. Keys travel alone, because values decide nothing; functions and their order are those of kernels/cuckoo.
//
// Layout: table[s] = key in slot s, EMPTY for none.
// Bound: `chain` evictions a lane (7 lg n). A build that has failed already is left soon.
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::keys::EMPTY;
import package::kernels::cuckoo::functions::{place, FUNCTIONS};
import package::kernels::cuckoo::insert::{next_place, f};

const BINS = 64u;
// Evictions after which a lane looks whether another one has failed.
const PATIENCE = 64u;

@group(0) @binding(0) var<storage, read_write> table: array<atomic<u32>>;
@group(0) @binding(1) var<storage, read> keys: array<u32>;
// Binding 3: `f`, the hash functions.
struct Report {
  // Insertions given up.
  failed: atomic<u32>,
  // Iterations of all other insertions, and of the longest one.
  iterations: atomic<u32>,
  longest: atomic<u32>,
  // Keys that `check` did not find.
  missing: atomic<u32>,
  // Insertions by their number of iterations; the last word has those with more.
  lengths: array<atomic<u32>, BINS>,
}
@group(0) @binding(4) var<storage, read_write> report: Report;

var<workgroup> group_iterations: atomic<u32>;
var<workgroup> group_longest: atomic<u32>;
var<workgroup> group_lengths: array<atomic<u32>, BINS>;

// Iterations until the key, or what it evicted last, has an empty slot; 0 if it never has.
fn insert(own: u32) -> u32 {
  var key = own;
  var slot = place(key, f.constants[0]);
  for (var evictions = 0u; evictions < f.chain; evictions++) {
    if (evictions % PATIENCE == PATIENCE - 1u && atomicLoad(&report.failed) > 0u) { return 0u; }
    key = atomicExchange(&table[slot], key);
    if (key == EMPTY) { return evictions + 1u; }
    slot = next_place(key, slot);
  }
  return 0u;
}

@compute @workgroup_size(WORKGROUP)
fn build(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let item = grid(wid, nwg, lid).index;
  if (item < f.n) {
    let length = insert(keys[item]);
    if (length == 0u) {
      atomicAdd(&report.failed, 1u);
    } else {
      atomicAdd(&group_iterations, length);
      atomicMax(&group_longest, length);
      atomicAdd(&group_lengths[min(length, BINS) - 1u], 1u);
    }
  }
  workgroupBarrier();
  if (lid == 0u) {
    atomicAdd(&report.iterations, atomicLoad(&group_iterations));
    atomicMax(&report.longest, atomicLoad(&group_longest));
  }
  if (lid < BINS) {
    let insertions = atomicLoad(&group_lengths[lid]);
    if (insertions > 0u) { atomicAdd(&report.lengths[lid], insertions); }
  }
}

// Looks for every key in the slots of its functions.
@compute @workgroup_size(WORKGROUP)
fn check(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let item = grid(wid, nwg, lid).index;
  if (item >= f.n) { return; }
  let key = keys[item];
  var found = false;
  for (var i = 0u; i < FUNCTIONS; i++) { found = found || atomicLoad(&table[place(key, f.constants[i])]) == key; }
  if (!found) { atomicAdd(&report.missing, 1u); }
}
