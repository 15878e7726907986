// PASSES: an operation has several dispatches, each of which serves the keys whose first buckets these are.
@if(PASSES) import package::kernels::common::range::Range;

@if(PASSES) @group(0) @binding(32) var<uniform> pass_buckets: Range;

@if(PASSES) fn is_served(bucket: u32) -> bool { return bucket >= pass_buckets.first && bucket < pass_buckets.end; }
@if(!PASSES) fn is_served(bucket: u32) -> bool { return true; }
