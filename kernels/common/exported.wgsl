// Where pairs of a table go that are written side by side, in any order: a workgroup asks once for the room of all of its pairs.
import package::kernels::common::status::Status;

@if(PAIRS) @group(0) @binding(1) var<storage, read_write> keys: array<u32>;
@if(PAIRS) @group(0) @binding(2) var<storage, read_write> values: array<u32>;
// changed: pairs so far.
@group(0) @binding(3) var<storage, read_write> status: Status;
// Pairs that there is room for.
@if(PAIRS) @group(0) @binding(4) var<uniform> room: u32;
// The first slot or block, where a dispatch looks through a piece of the table.
@if(PIECE) @group(0) @binding(6) var<uniform> piece_first: u32;

var<workgroup> pairs_here: atomic<u32>;
var<workgroup> first_here: u32;

// All lanes: the place of the first of the lane's so many pairs.
fn place_of(pairs: u32, lid: u32) -> u32 {
  var before = 0u;
  if (pairs > 0u) { before = atomicAdd(&pairs_here, pairs); }
  workgroupBarrier();
  if (lid == 0u) { first_here = atomicAdd(&status.changed, atomicLoad(&pairs_here)); }
  return workgroupUniformLoad(&first_here) + before;
}

@if(PAIRS) fn put(place: u32, key: u32, value: u32) {
  if (place >= room) { return; }
  keys[place] = key;
  values[place] = value;
}
@if(!PAIRS) fn put(place: u32, key: u32, value: u32) {}
