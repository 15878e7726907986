// Radix sort, first dispatch: counts each digit of each pass, in one reading of the keys. Clears the rows of all passes too.
//
// Layout: counts[pass * DIGITS + digit], zero at first; rows as in digits.wgsl, those of a pass side by side.
// Bounds: `turns` for a lane, four keys each; `passes`, of 8 at most.
import package::kernels::common::grid::WORKGROUP;
import package::kernels::radix_sort::digits::DIGITS;
@if(COUNT) import package::kernels::common::count::{count_step, count_read, count_flush};

struct Plan {
  n: u32,
  turns: u32,
  passes: u32,
  // Words of a pass's rows.
  words: u32,
  // For each pass: the digit's lowest bit, its mask, and two words that are not used.
  digits: array<vec4u, 8>,
}
@group(0) @binding(0) var<storage, read> keys: array<vec4u>;
@group(0) @binding(1) var<storage, read_write> counts: array<atomic<u32>>;
@group(0) @binding(2) var<storage, read_write> rows: array<u32>;
@group(0) @binding(3) var<uniform> plan: Plan;

// Four lanes side by side have counters of their own: on one counter equal digits, as in sorted input, would wait for one another.
const COPIES = 4u;
// Digits of all passes.
override ALL_DIGITS: u32;
override COUNTERS: u32 = ALL_DIGITS * COPIES;
var<workgroup> histogram: array<atomic<u32>, COUNTERS>;

fn note(pass_digits: u32, key: u32, item: u32, digit: vec4u, lid: u32) {
  if (item < plan.n) { atomicAdd(&histogram[(pass_digits + ((key >> digit.x) & digit.y)) * COPIES + lid % COPIES], 1u); }
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let first = wid.x * plan.turns * WORKGROUP + lid;
  for (var turn = 0u; turn < plan.turns; turn++) {
    let at = first + turn * WORKGROUP;
    if (4u * at < plan.n) {
      // 16 bytes: half a sector.
      @if(COUNT) { if (lid % 2u == 0u) { count_read(); } }
      @if(COUNT) { for (var item = 4u * at; item < min(4u * at + 4u, plan.n); item++) { count_step(); } }
      let four = keys[at];
      for (var i = 0u; i < plan.passes; i++) {
        let digit = plan.digits[i];
        note(i * DIGITS, four.x, 4u * at, digit, lid);
        note(i * DIGITS, four.y, 4u * at + 1u, digit, lid);
        note(i * DIGITS, four.z, 4u * at + 2u, digit, lid);
        note(i * DIGITS, four.w, 4u * at + 3u, digit, lid);
      }
    }
  }
  workgroupBarrier();
  for (var i = lid; i < plan.passes * DIGITS; i += WORKGROUP) {
    var sum = 0u;
    for (var copy = 0u; copy < COPIES; copy++) { sum += atomicLoad(&histogram[i * COPIES + copy]); }
    if (sum > 0u) { atomicAdd(&counts[i], sum); }
  }
  for (var i = wid.x * WORKGROUP + lid; i < plan.passes * plan.words; i += nwg.x * WORKGROUP) { rows[i] = 0u; }
  @if(COUNT) count_flush(wid.x, lid, 4u * first < plan.n);
}
