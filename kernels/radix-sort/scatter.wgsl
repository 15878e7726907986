// Radix sort, last kernel of a pass: every pair to its place, in the order it came within its digit. One workgroup a span,
// tile by tile; LANE_PAIRS neighbouring pairs a lane.
//
// A tile is ordered in workgroup memory first, by the low half of the digit and then by the high half (Merrill and Grimshaw,
// High Performance and Scalable Radix Sorting, 2011, order by 4 bits in the same way), so that pairs with equal digits leave
// for global memory side by side. Ranks need no cooperation of warps: every lane counts the 16 values of the half digit among
// its own pairs, in bytes, and a prefix sum over (value, lane) says where the lane's pairs of a value begin.
//
// Layout of `words`, used in turn for   counters: word (value % 8) of lane, at (value % 8) * WORKGROUP + lane; values 0 … 7
//                                       in the low half of the word, 8 … 15 in the high half
//                                       keys, values: of the tile, by place
// Condition KEYS_ONLY: there are no values.
// Bound of the loop: a span's tiles.
import package::kernels::common::grid::WORKGROUP;
import package::kernels::common::scan::group_scan;
import package::kernels::radix_sort::digits::{Pass, DIGITS, LANE_PAIRS, TILE, HALF};
@if(COUNT) import package::kernels::common::count::{count_step, count_region, count_reads, count_writes, PROLOGUE, count_flush};

@group(0) @binding(0) var<storage, read> keys_in: array<vec4u>;
@if(!KEYS_ONLY) @group(0) @binding(1) var<storage, read> values_in: array<vec4u>;
@group(0) @binding(2) var<storage, read_write> keys_out: array<u32>;
@if(!KEYS_ONLY) @group(0) @binding(3) var<storage, read_write> values_out: array<u32>;
// Where each digit of each span begins: the prefix sums of histogram.wgsl's counts.
@group(0) @binding(4) var<storage, read> places: array<u32>;
@group(0) @binding(5) var<uniform> sort: Pass;

// Arrays that are ordered.
@if(COUNT && KEYS_ONLY) const SIDES = 1u;
@if(COUNT && !KEYS_ONLY) const SIDES = 2u;

// The lane's pairs, and their places in the tile.
var<private> keys: array<u32, LANE_PAIRS>;
@if(!KEYS_ONLY) var<private> values: array<u32, LANE_PAIRS>;
var<private> ranks: array<u32, LANE_PAIRS>;
// Bit i: the lane's pair i is the first of its digit in the ordered tile.
@if(COUNT) var<private> begins: u32;

// A word in 32 stays free: lanes that walk through 8 or 16 words of their own never meet in a bank.
const PADDED = TILE + TILE / 32u;
var<workgroup> words: array<u32, PADDED>;
fn padded(at: u32) -> u32 { return at + at / 32u; }

// Of each digit in the ordered tile: first place, and the place after the last.
var<workgroup> starts: array<u32, DIGITS>;
var<workgroup> ends: array<u32, DIGITS>;
// Where a digit's pairs begin in the output, minus where they begin in the tile.
var<workgroup> offsets: array<u32, DIGITS>;

fn digit_of(key: u32) -> u32 { return (key >> sort.shift) & sort.mask; }

fn load(first: u32, lid: u32) {
  for (var i = 0u; i < LANE_PAIRS / 4u; i++) {
    let at = first / 4u + lid * (LANE_PAIRS / 4u) + i;
    // What is behind the last pair is ordered behind it, and never written.
    var four = vec4u(0xffffffffu);
    @if(!KEYS_ONLY) var beside = vec4u();
    if (4u * at < sort.n) {
      four = select(four, keys_in[at], vec4u(4u * at) + vec4u(0u, 1u, 2u, 3u) < vec4u(sort.n));
      @if(!KEYS_ONLY) beside = values_in[at];
    }
    keys[4u * i] = four.x;
    keys[4u * i + 1u] = four.y;
    keys[4u * i + 2u] = four.z;
    keys[4u * i + 3u] = four.w;
    @if(!KEYS_ONLY) {
      values[4u * i] = beside.x;
      values[4u * i + 1u] = beside.y;
      values[4u * i + 2u] = beside.z;
      values[4u * i + 3u] = beside.w;
    }
  }
}

// The value of half a digit: HALF bits from `half`.
fn nibble_of(key: u32, half: u32) -> u32 { return (digit_of(key) >> half) & ((1u << HALF) - 1u); }

// Ranks of the lane's pairs by half a digit, among the pairs of the tile.
fn rank(half: u32, lid: u32) {
  // Values counted so far: value v in byte v / 4 of component v % 4.
  var counts = vec4u();
  for (var i = 0u; i < LANE_PAIRS; i++) {
    let nibble = nibble_of(keys[i], half);
    let shift = 8u * (nibble / 4u);
    let which = vec4u(nibble % 4u) == vec4u(0u, 1u, 2u, 3u);
    let held = select(vec4u(), counts, which);
    ranks[i] = ((held.x | held.y | held.z | held.w) >> shift) & 0xffu;
    counts += select(vec4u(), vec4u(1u << shift), which);
  }
  // What was in `words` before has been read.
  workgroupBarrier();
  put_counters(counts, lid);
  workgroupBarrier();
  // Sums of low and high halves at once: neither exceeds TILE.
  var counters: array<u32, 8>;
  var sum = 0u;
  for (var i = 0u; i < 8u; i++) {
    counters[i] = words[padded(8u * lid + i)];
    sum += counters[i];
  }
  let all = group_scan(sum, lid);
  // All pairs with values 0 … 7 come before those with 8 … 15.
  var before = all.before + (all.total << 16u);
  for (var i = 0u; i < 8u; i++) {
    words[padded(8u * lid + i)] = before;
    before += counters[i];
  }
  workgroupBarrier();
  for (var i = 0u; i < LANE_PAIRS; i++) {
    let nibble = nibble_of(keys[i], half);
    ranks[i] += (words[padded((nibble % 8u) * WORKGROUP + lid)] >> (16u * (nibble / 8u))) & 0xffffu;
  }
  workgroupBarrier();
}

fn put_counters(counts: vec4u, lid: u32) {
  let low = counts & vec4u(0x00ff00ffu);
  let high = (counts >> vec4u(8u)) & vec4u(0x00ff00ffu);
  words[padded(lid)] = low.x;
  words[padded(WORKGROUP + lid)] = low.y;
  words[padded(2u * WORKGROUP + lid)] = low.z;
  words[padded(3u * WORKGROUP + lid)] = low.w;
  words[padded(4u * WORKGROUP + lid)] = high.x;
  words[padded(5u * WORKGROUP + lid)] = high.y;
  words[padded(6u * WORKGROUP + lid)] = high.z;
  words[padded(7u * WORKGROUP + lid)] = high.w;
}

// The tile in the order of the ranks. The lane's pairs then are those at start, start + stride, …; the keys stay in `words`.
fn reorder(start: u32, stride: u32) {
  @if(!KEYS_ONLY) {
    for (var i = 0u; i < LANE_PAIRS; i++) { words[padded(ranks[i])] = values[i]; }
    workgroupBarrier();
    for (var i = 0u; i < LANE_PAIRS; i++) { values[i] = words[padded(start + stride * i)]; }
    workgroupBarrier();
  }
  for (var i = 0u; i < LANE_PAIRS; i++) { words[padded(ranks[i])] = keys[i]; }
  workgroupBarrier();
  for (var i = 0u; i < LANE_PAIRS; i++) { keys[i] = words[padded(start + stride * i)]; }
}

// Notes where the digits of the ordered tile begin and end. The lane's pairs are WORKGROUP places apart.
fn find_digits(lid: u32) {
  @if(COUNT) begins = select(0u, 1u, lid == 0u);
  for (var i = 0u; i < LANE_PAIRS; i++) {
    let at = i * WORKGROUP + lid;
    let digit = digit_of(keys[i]);
    if (at > 0u) {
      let previous = digit_of(words[padded(at - 1u)]);
      if (previous != digit) {
        ends[previous] = at;
        starts[digit] = at;
        @if(COUNT) begins |= 1u << i;
      }
    }
    if (at == TILE - 1u) { ends[digit] = TILE; }
  }
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(local_invocation_index) lid: u32) {
  // Where the next pair of digit `lid` goes.
  var place = places[lid * sort.spans + wid.x];
  for (var tile = 0u; tile < sort.tiles; tile++) {
    let first = (wid.x * sort.tiles + tile) * TILE;
    if (first >= sort.n) { break; }
    @if(COUNT) count_region(PROLOGUE);
    // Two sectors of keys, two of values.
    @if(COUNT) { if (first + lid * LANE_PAIRS < sort.n) { count_reads(SIDES * 2u); } }
    load(first, lid);
    for (var half = 0u; half < 2u; half++) {
      rank(HALF * half, lid);
      // Neighbouring pairs a lane again, then neighbouring pairs in neighbouring lanes.
      reorder(select(lid, LANE_PAIRS * lid, half == 0u), select(WORKGROUP, 1u, half == 0u));
    }
    find_digits(lid);
    workgroupBarrier();
    offsets[lid] = place - starts[lid];
    place += ends[lid] - starts[lid];
    // Digits that the next tile does not have.
    starts[lid] = 0u;
    ends[lid] = 0u;
    workgroupBarrier();
    for (var i = 0u; i < LANE_PAIRS; i++) {
      let at = i * WORKGROUP + lid;
      if (first + at < sort.n) {
        @if(COUNT) count_step();
        let to = offsets[digit_of(keys[i])] + at;
        // A sector of keys and one of values for every eight places, and for every digit that begins within one.
        @if(COUNT) {
          if (to % 8u == 0u || ((begins >> i) & 1u) == 1u) { count_writes(SIDES); }
        }
        keys_out[to] = keys[i];
        @if(!KEYS_ONLY) values_out[to] = values[i];
      }
    }
  }
  @if(COUNT) count_flush(wid.x, lid, wid.x * sort.tiles * TILE + lid * LANE_PAIRS < sort.n);
}
