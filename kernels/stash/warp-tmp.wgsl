@if(SUBGROUPS) enable subgroups;
override WARP: u32 = 32u;
@if(SUBGROUPS) const WARP_GROUP = 256u;
@if(!SUBGROUPS) const WARP_GROUP = 32u;
@if(SUBGROUPS) fn warp_ballot(p: bool, lane: u32) -> u32 { return subgroupBallot(p).x; }
@if(!SUBGROUPS) var<workgroup> warp_votes: atomic<u32>;
@if(!SUBGROUPS) fn warp_ballot(p: bool, lane: u32) -> u32 {
  if (lane == 0u) { atomicStore(&warp_votes, 0u); }
  workgroupBarrier();
  if (p) { atomicOr(&warp_votes, 1u << lane); }
  let v = workgroupUniformLoad(&warp_votes);
  return v;
}
fn prefix_count(mask: u32, lane: u32) -> u32 { return countOneBits(mask & ((1u << lane) - 1u)); }
@if(SUBGROUPS) fn warp_sync() {}
@if(!SUBGROUPS) fn warp_sync() { workgroupBarrier(); }
@if(SUBGROUPS) fn warp_base(local_index: u32) -> u32 { return local_index - local_index % WARP; }
@if(!SUBGROUPS) fn warp_base(local_index: u32) -> u32 { return 0u; }
