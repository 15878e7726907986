// Records: keys and values of 4, 8, 16, 32 or 64 bytes, and the pair that a slot of a table holds. The host gives one condition
// KEY_<bytes>, one VALUE_<bytes>, and VECTOR where a pair is one vector. A key's first word is below DELETED; the other words are any.
import package::kernels::common::keys::{EMPTY, DELETED, is_pair};

@if(KEY_4) alias Key = u32;
@if(KEY_8) alias Key = vec2u;
@if(KEY_16) alias Key = vec4u;
@if(KEY_32) alias Key = array<vec4u, 2>;
@if(KEY_64) alias Key = array<vec4u, 4>;
@if(VALUE_4) alias Value = u32;
@if(VALUE_8) alias Value = vec2u;
@if(VALUE_16) alias Value = vec4u;
@if(VALUE_32) alias Value = array<vec4u, 2>;
@if(VALUE_64) alias Value = array<vec4u, 4>;
@if(KEY_4) const KEY_WORDS = 1u;
@if(KEY_8) const KEY_WORDS = 2u;
@if(KEY_16) const KEY_WORDS = 4u;
@if(KEY_32) const KEY_WORDS = 8u;
@if(KEY_64) const KEY_WORDS = 16u;
@if(VALUE_4) const VALUE_WORDS = 1u;
@if(VALUE_8) const VALUE_WORDS = 2u;
@if(VALUE_16) const VALUE_WORDS = 4u;
@if(VALUE_32) const VALUE_WORDS = 8u;
@if(VALUE_64) const VALUE_WORDS = 16u;

// Pairs of 8 and of 16 bytes are vectors, so that one load fetches them.
@if(KEY_4 && VALUE_4) alias Pair = vec2u;
@if(KEY_8 && VALUE_8) alias Pair = vec4u;
@if(!VECTOR) struct Pair { key: Key, value: Value }

@if(KEY_4 && VALUE_4) fn key_of(pair: Pair) -> Key { return pair.x; }
@if(KEY_4 && VALUE_4) fn value_of(pair: Pair) -> Value { return pair.y; }
@if(KEY_8 && VALUE_8) fn key_of(pair: Pair) -> Key { return pair.xy; }
@if(KEY_8 && VALUE_8) fn value_of(pair: Pair) -> Value { return pair.zw; }

@if(KEY_4) fn first_word(key: Key) -> u32 { return key; }
@if(KEY_8 || KEY_16) fn first_word(key: Key) -> u32 { return key.x; }
@if(KEY_32 || KEY_64) fn first_word(key: Key) -> u32 { return key[0].x; }
fn is_key(key: Key) -> bool { return first_word(key) < DELETED; }

// Whether an insertion takes the pair: a value is reserved if all of its words are EMPTY.
fn takes(key: Key, value: Value) -> bool {
  @if(VALUE_4) let joined = value;
  @if(VALUE_8) let joined = value.x & value.y;
  @if(VALUE_16) let four = value;
  @if(VALUE_32) let four = value[0] & value[1];
  @if(VALUE_64) let four = value[0] & value[1] & value[2] & value[3];
  @if(!VALUE_4 && !VALUE_8) let joined = four.x & four.y & four.z & four.w;
  return is_pair(first_word(key), joined);
}

@if(KEY_4) fn same_key(a: Key, b: Key) -> bool { return a == b; }
@if(KEY_8 || KEY_16) fn same_key(a: Key, b: Key) -> bool { return all(a == b); }
@if(KEY_32) fn same_key(a: Key, b: Key) -> bool { return all(a[0] == b[0]) && all(a[1] == b[1]); }
@if(KEY_64) fn same_key(a: Key, b: Key) -> bool {
  return all(a[0] == b[0]) && all(a[1] == b[1]) && all(a[2] == b[2]) && all(a[3] == b[3]);
}

@if(VALUE_4) fn no_value() -> Value { return EMPTY; }
@if(VALUE_8) fn no_value() -> Value { return vec2u(EMPTY); }
@if(VALUE_16) fn no_value() -> Value { return vec4u(EMPTY); }
@if(VALUE_32) fn no_value() -> Value { return array(vec4u(EMPTY), vec4u(EMPTY)); }
@if(VALUE_64) fn no_value() -> Value { return array(vec4u(EMPTY), vec4u(EMPTY), vec4u(EMPTY), vec4u(EMPTY)); }

// Words one by one, for kernels that read and write pairs by atomics.
@if(KEY_4) fn key_word(key: Key, j: u32) -> u32 { return key; }
@if(KEY_8 || KEY_16) fn key_word(key: Key, j: u32) -> u32 { return key[j]; }
@if(KEY_32 || KEY_64) fn key_word(key: Key, j: u32) -> u32 { return key[j / 4u][j % 4u]; }
@if(KEY_4) fn set_key_word(key: ptr<function, Key>, j: u32, word: u32) { *key = word; }
@if(KEY_8 || KEY_16) fn set_key_word(key: ptr<function, Key>, j: u32, word: u32) { (*key)[j] = word; }
@if(KEY_32 || KEY_64) fn set_key_word(key: ptr<function, Key>, j: u32, word: u32) { (*key)[j / 4u][j % 4u] = word; }
@if(VALUE_4) fn value_word(value: Value, j: u32) -> u32 { return value; }
@if(VALUE_8 || VALUE_16) fn value_word(value: Value, j: u32) -> u32 { return value[j]; }
@if(VALUE_32 || VALUE_64) fn value_word(value: Value, j: u32) -> u32 { return value[j / 4u][j % 4u]; }
@if(VALUE_4) fn set_value_word(value: ptr<function, Value>, j: u32, word: u32) { *value = word; }
@if(VALUE_8 || VALUE_16) fn set_value_word(value: ptr<function, Value>, j: u32, word: u32) { (*value)[j] = word; }
@if(VALUE_32 || VALUE_64) fn set_value_word(value: ptr<function, Value>, j: u32, word: u32) {
  (*value)[j / 4u][j % 4u] = word;
}
