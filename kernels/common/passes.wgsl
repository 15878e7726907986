// PASSES: an operation has several dispatches, each of which serves the keys whose hashes are these. Where a key's first bucket ascends with
// its hash, they lie in one part of the table.
@if(PASSES) struct Hashes { first: u32, last: u32 }

@if(PASSES) @group(0) @binding(32) var<uniform> pass_hashes: Hashes;

@if(PASSES) fn is_served(hash: u32) -> bool { return hash >= pass_hashes.first && hash <= pass_hashes.last; }
@if(!PASSES) fn is_served(hash: u32) -> bool { return true; }
