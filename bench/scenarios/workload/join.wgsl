// The relations of a join, and its aggregate: SELECT COUNT(*), SUM(R.value + S.payload) FROM R, S WHERE R.key = S.key. R has the
// keys of a data set; row j of S has the key of a row of R, drawn evenly and with replacement, and the payload j. S is made and
// joined part by part. One lane a row, but in `aggregate`.
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::keys::EMPTY;
import package::kernels::common::hash::{mix32, mix32b, mulhi};

// first: number of the part's first row.
struct Part { rows: u32, first: u32, n: u32, seed: u32 }
@group(0) @binding(0) var<uniform> part: Part;
@group(0) @binding(1) var<storage, read> keys: array<u32>;
@group(0) @binding(2) var<storage, read_write> probes: array<u32>;
@group(0) @binding(3) var<storage, read_write> payloads: array<u32>;

// The row of R that a row of S goes with.
fn partner(row: u32) -> u32 { return mulhi(mix32b(mix32(row) ^ part.seed), part.n); }

@compute @workgroup_size(WORKGROUP)
fn make(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let j = grid(wid, nwg, lid).index;
  if (j >= part.rows) { return; }
  probes[j] = keys[partner(part.first + j)];
  payloads[j] = part.first + j;
}

// For the oracle: how many rows of S go with each row of R.
@group(0) @binding(4) var<storage, read_write> partners: array<atomic<u32>>;

@compute @workgroup_size(WORKGROUP)
fn count(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let j = grid(wid, nwg, lid).index;
  if (j < part.rows) { atomicAdd(&partners[partner(part.first + j)], 1u); }
}

// What the table answered: the value of R, or EMPTY.
@group(0) @binding(5) var<storage, read> answers: array<u32>;
@group(0) @binding(6) var<storage, read> matched: array<u32>;
// A sum of 64 bits.
struct Wide { low: atomic<u32>, high: atomic<u32> }
// Rows of the join, and the sums of the lower and of the upper halves of their words.
struct Sums { rows: atomic<u32>, lower: Wide, upper: Wide }
@group(0) @binding(7) var<storage, read_write> sums: Sums;

// Rows a lane: the halves of WORKGROUP · ROWS pairs of words add up to less than 2^32.
const ROWS = 16u;
var<workgroup> total: array<atomic<u32>, 3>;

fn add_wide(wide: ptr<storage, Wide, read_write>, sum: u32) {
  let before = atomicAdd(&wide.low, sum);
  if (before + sum < before) { atomicAdd(&wide.high, 1u); }
}

@compute @workgroup_size(WORKGROUP)
fn aggregate(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let base = (wid.y * nwg.x + wid.x) * WORKGROUP * ROWS + lid;
  var rows = 0u;
  var lower = 0u;
  var upper = 0u;
  for (var i = 0u; i < ROWS; i++) {
    let j = base + i * WORKGROUP;
    if (j >= part.rows) { break; }
    let value = answers[j];
    if (value == EMPTY) { continue; }
    let payload = matched[j];
    rows += 1u;
    lower += (value & 0xffffu) + (payload & 0xffffu);
    upper += (value >> 16u) + (payload >> 16u);
  }
  atomicAdd(&total[0], rows);
  atomicAdd(&total[1], lower);
  atomicAdd(&total[2], upper);
  workgroupBarrier();
  if (lid == 0u) {
    atomicAdd(&sums.rows, atomicLoad(&total[0]));
    add_wide(&sums.lower, atomicLoad(&total[1]));
    add_wide(&sums.upper, atomicLoad(&total[2]));
  }
}
