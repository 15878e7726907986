// GPH: the pairs that an insertion takes.
import package::kernels::gph::pair::Value;

@group(0) @binding(1) var<storage, read> keys: array<u32>;
@if(!KEYS_ONLY) @group(0) @binding(2) var<storage, read> values: array<u32>;

@if(KEYS_ONLY) fn value_of(item: u32) -> Value { return 0u; }
@if(!WIDE && !KEYS_ONLY) fn value_of(item: u32) -> Value { return values[item]; }
@if(WIDE) fn value_of(item: u32) -> Value { return Value(values[3u * item], values[3u * item + 1u], values[3u * item + 2u]); }
