// Whether the sub-tables hold no pair, for insertions that are recorded: the host does not know then. One workgroup.
import package::kernels::common::grid::WORKGROUP;
import package::kernels::dycuckoo::locks::{locks, COUNTS, VACANT};

var<workgroup> total: atomic<u32>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(local_invocation_index) lid: u32) {
  // Single counts may be below zero.
  var pairs = 0u;
  for (var i = lid; i < COUNTS; i += WORKGROUP) { pairs += atomicLoad(&locks[i]); }
  atomicAdd(&total, pairs);
  workgroupBarrier();
  if (lid == 0u) { atomicStore(&locks[VACANT], select(0u, 1u, atomicLoad(&total) == 0u)); }
}
