// Counters of the counting variants (@if(COUNT)). A lane adds up its own work in private variables; at the kernel's end
// the workgroup writes one record, so that nothing overflows and no lane waits on a global atomic. The host adds the
// records up (bench/benchmarks/counters.ts knows their layout).
import package::kernels::common::grid::WORKGROUP;

// Words a record: lanes with an item, steps, warp steps, table reads, table writes, table RMWs, failed CASes, longest warp.
const RECORD = 8u;
// The papers' warp, whatever the adapter's own width is.
const WARP = 32u;

@group(1) @binding(0) var<storage, read_write> counters: array<u32>;

var<private> steps: u32;
var<private> reads: u32;
var<private> writes: u32;
var<private> rmws: u32;
var<private> failed_cas: u32;
var<workgroup> lane_steps: array<u32, WORKGROUP>;
var<workgroup> record: array<atomic<u32>, RECORD>;

// One turn of the probe loop.
fn count_step() { steps += 1u; }
// Table accesses, in 32-byte sectors.
fn count_read() { reads += 1u; }
fn count_write() { writes += 1u; }
fn count_rmw() { rmws += 1u; }
fn count_failed_cas() { failed_cas += 1u; }

// Called once by every lane of the workgroup, in uniform control flow, after its item.
fn count_flush(group: u32, local_index: u32, has_item: bool) {
  lane_steps[local_index] = steps;
  workgroupBarrier();
  atomicAdd(&record[0], select(0u, 1u, has_item));
  atomicAdd(&record[1], steps);
  atomicAdd(&record[3], reads);
  atomicAdd(&record[4], writes);
  atomicAdd(&record[5], rmws);
  atomicAdd(&record[6], failed_cas);
  if (local_index % WARP == 0u) {
    var longest = 0u;
    for (var lane = 0u; lane < WARP; lane++) { longest = max(longest, lane_steps[local_index + lane]); }
    atomicAdd(&record[2], longest);
    atomicMax(&record[7], longest);
  }
  workgroupBarrier();
  if (local_index < RECORD) { counters[group * RECORD + local_index] = atomicLoad(&record[local_index]); }
}
