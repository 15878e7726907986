// Prefix sum over the LANES lanes of a workgroup, once a dispatch: each lane's sum of those before it.
// Condition SUBGROUPS: in subgroups first, each of which has to be SUBGROUP neighbouring lanes; who calls has checked it.
// Bounds: the subgroups of a workgroup; without subgroups lg LANES.
@if(SUBGROUPS) import package::kernels::common::warp::SUBGROUP;
import package::kernels::partitioned::parts::LANES;

var<workgroup> sum_of_all: u32;

@if(SUBGROUPS) override SUBGROUPS_OF_LANES: u32 = LANES / SUBGROUP;
@if(SUBGROUPS) var<workgroup> sums: array<u32, SUBGROUPS_OF_LANES>;
@if(!SUBGROUPS) override TWICE_LANES: u32 = 2u * LANES;
@if(!SUBGROUPS) var<workgroup> sums: array<u32, TWICE_LANES>;

// Sum of the lanes before this one, in uniform control flow; the last lane leaves the sum of all in `sum_of_all`.
@if(SUBGROUPS) fn sum_before(value: u32, lid: u32) -> u32 {
  let up_to = subgroupInclusiveAdd(value);
  if (lid % SUBGROUP == SUBGROUP - 1u) { sums[lid / SUBGROUP] = up_to; }
  workgroupBarrier();
  var before = up_to - value;
  for (var other = 0u; other < lid / SUBGROUP; other++) { before += sums[other]; }
  if (lid == LANES - 1u) { sum_of_all = before + value; }
  return before;
}
// Hillis and Steele's: after a step a lane has the sum of twice as many lanes.
@if(!SUBGROUPS) fn sum_before(value: u32, lid: u32) -> u32 {
  var sum = value;
  var half = 0u;
  sums[lid] = sum;
  workgroupBarrier();
  for (var reach = 1u; reach < LANES; reach *= 2u) {
    if (lid >= reach) { sum += sums[half + lid - reach]; }
    half = LANES - half;
    sums[half + lid] = sum;
    workgroupBarrier();
  }
  if (lid == LANES - 1u) { sum_of_all = sum; }
  return sum - value;
}
