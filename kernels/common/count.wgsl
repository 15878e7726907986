// Counters of the counting variants (@if(COUNT)). A lane adds up its own work in private variables; at the kernel's end
// the workgroup writes one record, so that nothing overflows and no lane waits on a global atomic. The host adds the
// records up (bench/counting/counters.ts knows their layout).
//
// Regions: parts of a kernel whose operations the host counts in the source (bench/counting/weights.ts). A call of
// count_once, count_region or count_step begins one, and it lasts to the end of its block.

// The papers' warp, whatever the adapter's own width is.
const WARP_LANES = 32u;
// The adapter's own width.
override OWN_WARP: u32 = 32u;
// Lanes a workgroup of the kernel has.
override GROUP_LANES: u32 = 256u;
override WARP_REGIONS: u32 = (GROUP_LANES + WARP_LANES - 1u) / WARP_LANES * REGIONS;
override WARP_TURNS: u32 = WARP_REGIONS * TURN_WORDS;

// Before the loop; the loop's every turn; when the lane's own search is over; the hash that is computed once and only if
// needed; going on; after the loop; waiting for another lane; taking up an item that another lane left.
const PROLOGUE = 0u;
const PROBE = 1u;
const CLAIM = 2u;
const STEP = 3u;
const NEXT = 4u;
const EPILOGUE = 5u;
const WAIT = 6u;
const FETCH = 7u;
const REGIONS = 8u;

// Words a record: lanes with an item, steps, warp steps, table reads, table writes, table RMWs, failed CASes, longest warp,
// warp steps at the adapter's own width, requests for one sector of the table, for several, and of an index beside it, buckets;
// then, for every region, how often lanes and how often warps executed it.
const SUMS = 13u;
const RECORD = SUMS + 2u * REGIONS;

@group(1) @binding(0) var<storage, read_write> counters: array<u32>;

var<private> turns: u32;
var<private> steps: u32;
var<private> reads: u32;
var<private> writes: u32;
var<private> rmws: u32;
var<private> failed_cas: u32;
var<private> single_requests: u32;
var<private> block_requests: u32;
var<private> index_requests: u32;
var<private> buckets: u32;
var<private> lanes: array<u32, REGIONS>;
// Executions that the lane counts for its warp; of lanes that run alone, those in turns without a bit.
var<private> for_warp: array<u32, REGIONS>;
// Which turns a region was executed in, one bit each.
const TURN_WORDS = 8u;
const TURN_BITS = 32u * TURN_WORDS;
@if(!COOPERATIVE) var<private> executed: array<array<u32, TURN_WORDS>, REGIONS>;
@if(COOPERATIVE) var<private> own_warp: u32;
// The turn after the last one in which a region was executed, by warp.
@if(COOPERATIVE) var<workgroup> latest: array<atomic<u32>, WARP_REGIONS>;

var<workgroup> lane_turns: array<u32, GROUP_LANES>;
var<workgroup> record: array<atomic<u32>, RECORD>;
@if(!COOPERATIVE) var<workgroup> merged: array<atomic<u32>, WARP_TURNS>;
@if(!COOPERATIVE) var<workgroup> late: array<atomic<u32>, WARP_REGIONS>;

// One turn of the lane's probe loop; its region is PROBE.
fn count_step() {
  count_turn(true);
  execute(PROBE, turns);
}
// One turn of a loop that a warp goes through together; the lane is busy if it works on an item of its own.
fn count_turn(busy: bool) {
  turns += 1u;
  if (busy) { steps += 1u; }
}
// The lane executes a part of the present turn that other lanes may not.
fn count_region(region: u32) { execute(region, turns); }
// The lane executes a part outside its loop, where the lanes of a warp come together.
fn count_once(region: u32) { execute(region, 0u); }

// A warp executes a region once a turn if any of its lanes does. Lanes that run alone may be at different turns, so each
// notes its turns in bits. Those too late for the bits count as if no two lanes shared one, but as no more than the late
// turns of the warp's longest lane: exact for a region of every turn, and never too few. Lanes that cooperate are at the
// same turn: the first of them counts for all.
@if(!COOPERATIVE) fn execute(region: u32, turn: u32) {
  lanes[region] += 1u;
  if (turn < TURN_BITS) {
    executed[region][turn / 32u] |= 1u << (turn % 32u);
  } else {
    for_warp[region] += 1u;
  }
}
@if(COOPERATIVE) fn execute(region: u32, turn: u32) {
  lanes[region] += 1u;
  if (atomicMax(&latest[own_warp * REGIONS + region], turn + 1u) <= turn) { for_warp[region] += 1u; }
}
// Kernels whose lanes cooperate call it before anything else.
@if(COOPERATIVE) fn count_begin(local_index: u32) { own_warp = local_index / WARP_LANES; }

// Table accesses, in 32-byte sectors. Those of one call are adjacent and read at once.
fn count_read() { count_reads(1u); }
fn count_write() { writes += 1u; }
fn count_reads(sectors: u32) {
  reads += sectors;
  if (sectors == 1u) { single_requests += 1u; } else { block_requests += 1u; }
}
// A sector of an index beside the table, such as a ticket-board; the second, of one whose sectors are none of the table's.
fn count_index_read() {
  reads += 1u;
  count_index();
}
fn count_index() { index_requests += 1u; }
fn count_writes(sectors: u32) { writes += sectors; }
fn count_rmw() { rmws += 1u; }
fn count_failed_cas() { failed_cas += 1u; }
// A whole bucket that lanes look at or write together; its sectors count beside.
fn count_bucket() { buckets += 1u; }

// The longest of `width` neighbouring lanes.
fn longest_of(first: u32, width: u32) -> u32 {
  var most = 0u;
  for (var lane = first; lane < min(first + width, GROUP_LANES); lane++) { most = max(most, lane_turns[lane]); }
  return most;
}

// Called once by every lane of the workgroup, in uniform control flow, after its item.
fn count_flush(group: u32, local_index: u32, has_item: bool) {
  lane_turns[local_index] = turns;
  workgroupBarrier();
  atomicAdd(&record[0], select(0u, 1u, has_item));
  atomicAdd(&record[1], steps);
  atomicAdd(&record[3], reads);
  atomicAdd(&record[4], writes);
  atomicAdd(&record[5], rmws);
  atomicAdd(&record[6], failed_cas);
  atomicAdd(&record[9], single_requests);
  atomicAdd(&record[10], block_requests);
  atomicAdd(&record[11], index_requests);
  atomicAdd(&record[12], buckets);
  let warp = local_index / WARP_LANES;
  for (var region = 0u; region < REGIONS; region++) {
    if (lanes[region] == 0u) { continue; }
    atomicAdd(&record[SUMS + 2u * region], lanes[region]);
    @if(COOPERATIVE) atomicAdd(&record[SUMS + 2u * region + 1u], for_warp[region]);
    @if(!COOPERATIVE) atomicAdd(&late[warp * REGIONS + region], for_warp[region]);
    @if(!COOPERATIVE) for (var word = 0u; word < TURN_WORDS; word++) {
      let bits = executed[region][word];
      if (bits != 0u) { atomicOr(&merged[(warp * REGIONS + region) * TURN_WORDS + word], bits); }
    }
  }
  workgroupBarrier();
  if (local_index % WARP_LANES == 0u) {
    let most = longest_of(local_index, WARP_LANES);
    atomicAdd(&record[2], most);
    atomicMax(&record[7], most);
    @if(!COOPERATIVE) for (var region = 0u; region < REGIONS; region++) {
      let late_turns = max(most + 1u, TURN_BITS) - TURN_BITS;
      var times = min(atomicLoad(&late[warp * REGIONS + region]), late_turns);
      for (var word = 0u; word < TURN_WORDS; word++) {
        times += countOneBits(atomicLoad(&merged[(warp * REGIONS + region) * TURN_WORDS + word]));
      }
      atomicAdd(&record[SUMS + 2u * region + 1u], times);
    }
  }
  if (local_index % OWN_WARP == 0u) { atomicAdd(&record[8], longest_of(local_index, OWN_WARP)); }
  workgroupBarrier();
  for (var i = local_index; i < RECORD; i += GROUP_LANES) { counters[group * RECORD + i] = atomicLoad(&record[i]); }
}
