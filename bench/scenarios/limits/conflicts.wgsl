// dycuckoo/fig5: RMWs of which sizes.conflicts neighbouring lanes go to one word, and the next ones to the next of sizes.words, in
// turn, against as many coalesced accesses. Words lie in different 32-byte sectors. On zeros each lane leaves, or tries to leave, its number. `check` looks at
// every word.
import package::kernels::common::grid::{grid, WORKGROUP};

struct Sizes { operations: u32, conflicts: u32, words: u32 }
@group(0) @binding(31) var<uniform> sizes: Sizes;

@if(RMW) @group(0) @binding(0) var<storage, read_write> data: array<atomic<u32>>;
@if(!RMW) @group(0) @binding(0) var<storage, read_write> data: array<u32>;
// Lanes whose word holds what no lane of it left.
@group(0) @binding(1) var<storage, read_write> failed: atomic<u32>;

@if(RMW) fn word_of(lane: u32) -> u32 { return 8u * ((lane / sizes.conflicts) % sizes.words); }
@if(!RMW) fn word_of(lane: u32) -> u32 { return lane; }

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let lane = grid(wid, nwg, lid).index;
  if (lane >= sizes.operations) { return; }
  @if(EXCHANGE) atomicExchange(&data[word_of(lane)], lane + 1u);
  // As a lock is taken: one of the lanes finds it free.
  @if(CAS) atomicCompareExchangeWeak(&data[word_of(lane)], 0u, lane + 1u);
  @if(!RMW) data[word_of(lane)] += lane + 1u;
}

@compute @workgroup_size(WORKGROUP)
fn check(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let lane = grid(wid, nwg, lid).index;
  if (lane >= sizes.operations) { return; }
  @if(RMW) let left = atomicLoad(&data[word_of(lane)]);
  @if(!RMW) let left = data[word_of(lane)];
  // A lane of the same word. Plain words have one lane.
  @if(RMW) let wrong = left == 0u || word_of(left - 1u) != word_of(lane);
  @if(!RMW) let wrong = left != lane + 1u;
  if (wrong) { atomicAdd(&failed, 1u); }
}
