// GPH: the words of a pair. A key has one word; a value one or, WIDE, three; KEYS_ONLY: none. Pairs of 8, 16 or 4 bytes.
import package::kernels::common::keys::is_pair;

@if(!WIDE) alias Value = u32;
@if(WIDE) alias Value = vec3u;
// Of a slot.
@if(KEYS_ONLY) const STRIDE = 1u;
@if(!WIDE && !KEYS_ONLY) const STRIDE = 2u;
@if(WIDE) const STRIDE = 4u;

// Whether an insertion takes the pair.
fn takes(key: u32, value: Value) -> bool {
  @if(!WIDE) return is_pair(key, value);
  @if(WIDE) return is_pair(key, value.x & value.y & value.z);
}
