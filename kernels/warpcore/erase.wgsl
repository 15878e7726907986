// Cooperative probing, erase (WarpCore, HiPC 2020). A lane holds a key, and the TILE = GROUP lanes of a tile erase one of their
// keys after another, a window a turn and a slot a lane: its slot becomes DELETED, which no search stops at. Insertions use
// such slots again.
// Layout: as in layout.wgsl.  Bound: sizes.windows probes a key, one tile's after another.
import package::kernels::common::keys::{EMPTY, DELETED};
import package::kernels::common::status::Status;
import package::kernels::common::warp::{leader, WARP_GROUP};
import package::kernels::warpcore::layout::{home_of, next_of, base_of, sizes, GROUP, SECTORS};
import package::kernels::warpcore::tile::{lane_of, votes, word_of, any_works, TILE};
@if(COUNT) import package::kernels::common::count::{count_turn, count_reads, count_rmw, count_once, count_region, PROLOGUE, PROBE, CLAIM, NEXT, count_flush};
@if(COUNT && COOPERATIVE) import package::kernels::common::count::count_begin;
@if(SUBGROUPS) enable subgroups;
@if(SUBGROUPS) diagnostic(off, subgroup_uniformity);

@group(0) @binding(0) var<storage, read_write> table: array<atomic<u32>>;
@group(0) @binding(1) var<storage, read> keys: array<u32>;
@group(0) @binding(3) var<uniform> n: u32;
@group(0) @binding(4) var<storage, read_write> status: Status;

@compute @workgroup_size(WARP_GROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let group = wid.y * nwg.x + wid.x;
  let lane = lane_of(lid);
  let part = lane % TILE;
  let item = group * WARP_GROUP + lid;
  let has_item = item < n;
  @if(COUNT && COOPERATIVE) count_begin(lid);
  @if(COUNT) count_once(PROLOGUE);
  var key = EMPTY;
  if (has_item) { key = keys[item]; }
  let home = home_of(key);
  var erased = false;
  // Of the tile: lanes whose keys are to be erased; the window that it looks at, and its number in the probe sequence.
  var queue = votes(key < DELETED, lane);
  var window = 0u;
  var probe = 0u;
  for (var turn = 0u; turn <= TILE * sizes.windows; turn++) {
    if (!any_works(queue != 0u, lane)) { break; }
    let works = queue != 0u;
    @if(COUNT) count_turn(works);
    @if(COUNT) count_region(PROBE);
    let wanted = word_of(key, queue, lane);
    let start = word_of(home, queue, lane);
    if (probe == 0u) { window = start; }
    let base = base_of(window);
    var seen = 0u;
    if (works) {
      @if(COUNT) { if (part == 0u) { count_reads(SECTORS); } }
      seen = atomicLoad(&table[base + part]);
    }
    let ends = votes(works && (seen == wanted || seen == EMPTY), lane);
    let told = word_of(seen, ends, lane);
    if (ends != 0u && told == wanted && part == leader(queue)) {
      @if(COUNT) count_region(CLAIM);
      @if(COUNT) count_rmw();
      // Of several lanes with one key, one erases it.
      erased = atomicExchange(&table[base + leader(ends)], DELETED) == wanted;
    }
    probe += 1u;
    if (ends != 0u || probe == sizes.windows) {
      queue &= queue - 1u;
      probe = 0u;
    } else if (works) {
      @if(COUNT) count_region(NEXT);
      window = next_of(window, wanted, probe);
    }
  }
  let won = countOneBits(votes(erased, lane));
  if (part == 0u && won > 0u) { atomicAdd(&status.changed, won); }
  @if(COUNT) count_flush(group, lid, has_item);
}
