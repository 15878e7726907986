// Partitioned build, after the sort: each part of the table in workgroup memory (image.wgsl), one workgroup a part, one lane a
// pair. Where in its bucket a pair goes, the table says.
// Bounds: CAP pairs a part.
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::partitioned::image::{hashes, plan, part_of, clear_image, write_image, write_left, leave, leave_long, is_reserved};
@if(BUCKETED) import package::kernels::bucketed::place::place;
@if(QUOTIENT) import package::kernels::quotient::place::place;
@if(COUNT) import package::kernels::common::count::{count_step, count_reads, count_writes, count_once, PROLOGUE, count_flush};

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  // Without the lane, it is uniform for WGSL's analysis.
  let number = grid(wid, nwg, 0u).group;
  if (number >= plan.parts) { return; }
  @if(COUNT) count_once(PROLOGUE);
  let part = part_of(number);
  clear_image(part, lid);
  workgroupBarrier();
  for (var pair = part.first + lid; pair < part.end; pair += WORKGROUP) {
    @if(COUNT) count_step();
    // A sector of hashes and one of values.
    @if(COUNT) { if (pair % 8u == 0u) { count_reads(2u); } }
    if (is_reserved(hashes[pair]) || !place(part, pair)) { leave(pair); }
  }
  leave_long(number, part, lid);
  workgroupBarrier();
  write_image(part, lid);
  write_left(lid);
  @if(COUNT) { if (lid == 0u) { count_writes(part.buckets); } }
  @if(COUNT) count_flush(number, lid, part.first + lid < part.end);
}
