// Reduced from gph's insertion: naga 29.0.3 panics on it when overrides have values (implementations.mjs naga). It does nothing useful.
const TRIES = 64u;
override PENDING_WORDS: u32;
override MAPPINGS: u32 = (1u << CELL_BITS) / R;
var<workgroup> bits_of: array<u32, PENDING_WORDS>;
var<workgroup> some_left: atomic<u32>;
fn insert_directly(place: u32, key: u32, value: Value, lane: u32) -> bool {
for (var slot = lane; slot < M; slot += TILE) {
let there = slots[place * M + slot];
}
return true;
}
fn extended_move(cell: u32, content: u32, key: u32, value: Value, stamp: u32, lane: u32) -> u32 {
for (var step = 0u; step < MAPPINGS; step++) {
let base = select(NEW, OLD, step == 0u);
}
return REFUSED;
}
fn settle(cell: u32, key: u32, value: Value, stamp: u32, lane: u32) -> u32 {
let content = cell_in(atomicLoad(&cells[cell_word(cell)]), cell);
let mapping = mapping_of(content);
var outcome = DIED;
if (lock_buckets(OLD, stamp, lane)) {
let place = holder((virtual_bucket(key, mapping) + offset_of(content)) & (R - 1u));
if (!insert_directly(place, key, value, lane)) {
outcome = extended_move(cell, content, key, value, stamp, lane);
}
}
return outcome;
}
fn insert(item: u32, lane: u32) -> u32 {
let key = keys[item];
let value = value_of(item);
let cell = cell_of(key);
let stamp = item + 1u;
for (var start = 0u; start < TRIES; start++) {
let outcome = settle(cell, key, value, stamp, lane);
}
return DIED;
}
@compute @workgroup_size(TILE) fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lane: u32) {
let group = wid.y * nwg.x + wid.x;
let words = workgroupUniformLoad(&some_left) * PENDING_WORDS;
for (var i = 0u; i < words; i++) {
let word = group * PENDING_WORDS + i;
var left = workgroupUniformLoad(&bits_of[i]);
while (left != 0u) {
let bit = left & (0u - left);
let outcome = insert(range.first + 32u * word + lowest_bit(bit), lane);
}
}
}
override CELL_BITS: u32 = 8u;
override R: u32 = 8u;
alias Value = u32;
override M: u32 = 16u;
override TILE: u32;
var<workgroup> slots: array<u32, R * M>;
fn mapping_of(content: u32) -> u32 { return u32(); }
const REFUSED = 1u;
override NEW: u32 = R;
const OLD = 0u;
fn lock_buckets(base: u32, stamp: u32, lane: u32) -> bool { return bool(); }
fn holder(place: u32) -> u32 { return u32(); }
fn virtual_bucket(key: u32, mapping: u32) -> u32 { return u32(); }
fn lowest_bit(mask: u32) -> u32 { return u32(); }
@group(0) @binding(5) var<storage, read_write> cells: array<atomic<u32>>;
fn cell_word(cell: u32) -> u32 { return u32(); }
@group(0) @binding(3) var<uniform> range: LockedRange;
struct LockedRange {
first: u32,
}
const DIED = 0u;
fn cell_in(word: u32, cell: u32) -> u32 { return u32(); }
fn offset_of(content: u32) -> u32 { return u32(); }
fn cell_of(key: u32) -> u32 { return u32(); }
@group(0) @binding(1) var<storage, read> keys: array<u32>;
fn value_of(item: u32) -> Value { return Value(); }
