// Exclusive prefix sum over u32 words, in place, modulo 2^32: word i becomes the sum of words 0 … i - 1.
//
// The array is cut into at most 1,024 spans of whole tiles, one workgroup a span; a tile is one vec4 a lane. `sums` writes
// the sum of every span; `scan`, in the next dispatch, adds up the spans before its own and goes through its own. An array
// of one span needs `scan` only.
// Bounds: `tiles` turns a span, 4 turns over the spans before it.
import package::kernels::common::grid::WORKGROUP;

struct Spans {
  // Words of the array that are replaced; those after them stay as they are.
  words: u32,
  // Tiles a span.
  tiles: u32,
}
@group(0) @binding(0) var<storage, read_write> data: array<vec4u>;
@group(0) @binding(1) var<storage, read_write> span_sums: array<u32>;
@group(0) @binding(2) var<uniform> spans: Spans;

struct GroupSum {
  // The sum of the lanes before this one.
  before: u32,
  // The sum of all lanes.
  total: u32,
}

var<workgroup> sums_up_to: array<u32, 2u * WORKGROUP>;

// Prefix sum over the lanes of a workgroup of WORKGROUP lanes, in uniform control flow. Hillis and Steele's, in steps of
// four: after a step a lane has the sum of the 4, 16, 64, 256 lanes that end with it.
fn group_scan(value: u32, lid: u32) -> GroupSum {
  var sum = value;
  var half = 0u;
  sums_up_to[lid] = sum;
  workgroupBarrier();
  for (var reach = 1u; reach < WORKGROUP; reach *= 4u) {
    for (var back = 1u; back < 4u; back++) {
      if (lid >= back * reach) { sum += sums_up_to[half + lid - back * reach]; }
    }
    half = WORKGROUP - half;
    sums_up_to[half + lid] = sum;
    workgroupBarrier();
  }
  let total = sums_up_to[half + WORKGROUP - 1u];
  // The next call writes where this one reads.
  workgroupBarrier();
  return GroupSum(sum - value, total);
}

// The four words at `at`, those after the last as zero.
fn four_at(at: u32) -> vec4u {
  if (4u * at >= spans.words) { return vec4u(); }
  return select(vec4u(), data[at], within(at));
}
fn within(at: u32) -> vec4<bool> { return vec4u(4u * at) + vec4u(0u, 1u, 2u, 3u) < vec4u(spans.words); }

@compute @workgroup_size(WORKGROUP)
fn sums(@builtin(workgroup_id) wid: vec3u, @builtin(local_invocation_index) lid: u32) {
  var sum = 0u;
  for (var tile = 0u; tile < spans.tiles; tile++) {
    let four = four_at((wid.x * spans.tiles + tile) * WORKGROUP + lid);
    sum += four.x + four.y + four.z + four.w;
  }
  let all = group_scan(sum, lid);
  if (lid == 0u) { span_sums[wid.x] = all.total; }
}

@compute @workgroup_size(WORKGROUP)
fn scan(@builtin(workgroup_id) wid: vec3u, @builtin(local_invocation_index) lid: u32) {
  var some = 0u;
  for (var span = lid; span < wid.x; span += WORKGROUP) { some += span_sums[span]; }
  var before = group_scan(some, lid).total;
  for (var tile = 0u; tile < spans.tiles; tile++) {
    let at = (wid.x * spans.tiles + tile) * WORKGROUP + lid;
    let four = four_at(at);
    let two = four.x + four.y;
    let all = group_scan(two + four.z + four.w, lid);
    if (4u * at < spans.words) {
      let prefixes = vec4u(before + all.before) + vec4u(0u, four.x, two, two + four.z);
      data[at] = select(data[at], prefixes, within(at));
    }
    before += all.total;
  }
}
