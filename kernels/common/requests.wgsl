// Requests to the host, for tables whose pairs are in the host's memory: a lane that needs a slot of the table writes a job,
// the host reads or exchanges the slots of all jobs, and the next dispatch, one lane a job, goes on with what it sent.
//
// Layout: a header of 12 words, the status and the number of jobs; then the jobs, 4 words each, the slot first. HEADER_WORDS and
// JOB_WORDS of kernels/out-of-core/rounds.ts.
import package::kernels::common::status::Status;

struct Waiting { status: array<u32, 8>, count: u32, jobs: array<vec4u> }
struct Asked { status: Status, count: atomic<u32>, jobs: array<vec4u> }

// The jobs that the host has answered; what it sent for each is in `found_keys` and `found_values`.
@group(0) @binding(10) var<storage, read> waiting: Waiting;
// Zeroed before the dispatch. Jobs are in no order.
@group(0) @binding(11) var<storage, read_write> asked: Asked;

var<workgroup> wanted: atomic<u32>;
var<workgroup> first: u32;

// Called once by every lane of the workgroup, in uniform control flow: one atomic on the header a workgroup.
fn request(wants: bool, job: vec4u, local_index: u32) {
  var rank = 0u;
  if (wants) { rank = atomicAdd(&wanted, 1u); }
  workgroupBarrier();
  if (local_index == 0u) { first = atomicAdd(&asked.count, atomicLoad(&wanted)); }
  let base = workgroupUniformLoad(&first);
  if (wants) { asked.jobs[base + rank] = job; }
}
