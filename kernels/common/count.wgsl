// Counters of the counting variants (@if(COUNT)). A lane adds up its own work in private variables; at the kernel's end
// the workgroup writes one record, so that nothing overflows and no lane waits on a global atomic. The host adds the
// records up (bench/measure/counting/sums.ts knows their layout).
//
// Regions: parts of a kernel whose operations the host counts in the source (bench/measure/counting/weights.ts). A call of
// count_once, count_region or count_step begins one, and it lasts to the end of its block.

// The papers' warp, whatever the adapter's own width is.
const WARP_LANES = 32u;
// The adapter's own width.
override OWN_WARP: u32 = 32u;
// Lanes a workgroup of the kernel has.
override GROUP_LANES: u32 = 256u;
override WARPS: u32 = (GROUP_LANES + WARP_LANES - 1u) / WARP_LANES;
override WARP_REGIONS: u32 = WARPS * REGIONS;
override RECORD_WORDS: u32 = RECORD + WARP_REGIONS;
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
// warp steps at the adapter's own width, requests for one sector of the table, for several, and of an index beside it, buckets,
// a plug-in's own counters; then, for every region, how often lanes and how often warps executed it.
const SUMS = 17u;
const RECORD = SUMS + 2u * REGIONS;

@group(1) @binding(0) var<storage, read_write> counters: array<u32>;

var<private> turns: u32;
// The lane's own record; in those of regions, executions that it counts for its warp: of lanes that run alone, those in turns
// without a bit. An array, like the bits below: drivers compile a variable a word ten times as long.
var<private> own: array<u32, RECORD>;
const ITEMS = 0u;
const STEPS = 1u;
const WARP_STEPS = 2u;
const READS = 3u;
const WRITES = 4u;
const RMWS = 5u;
const FAILED_CAS = 6u;
const LONGEST = 7u;
const OWN_WARP_STEPS = 8u;
const SINGLE_REQUESTS = 9u;
const BLOCK_REQUESTS = 10u;
const INDEX_REQUESTS = 11u;
const BUCKETS = 12u;
const OWN_COUNTERS = 13u;
// Which turns a region was executed in, one bit each.
const TURN_WORDS = 8u;
const TURN_BITS = 32u * TURN_WORDS;
@if(!COOPERATIVE) var<private> executed: array<u32, REGIONS * TURN_WORDS>;
@if(COOPERATIVE) var<private> own_warp: u32;
// The turn after the last one in which a region was executed, by warp.
@if(COOPERATIVE) var<workgroup> latest: array<atomic<u32>, WARP_REGIONS>;

// Turns of the longest lane of each warp, and of as many lanes as the adapter's own have.
var<workgroup> longest: array<atomic<u32>, WARPS>;
var<workgroup> own_longest: array<atomic<u32>, GROUP_LANES>;
// The record; then, of lanes that run alone, executions of each warp in turns without a bit.
var<workgroup> record: array<atomic<u32>, RECORD_WORDS>;
@if(!COOPERATIVE) var<workgroup> merged: array<atomic<u32>, WARP_TURNS>;

// One turn of the lane's probe loop; its region is PROBE.
fn count_step() {
  count_turn(true);
  execute(PROBE, turns);
}
// One turn of a loop that a warp goes through together; the lane is busy if it works on an item of its own.
fn count_turn(busy: bool) {
  turns += 1u;
  if (busy) { own[STEPS] += 1u; }
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
  own[SUMS + 2u * region] += 1u;
  if (turn < TURN_BITS) {
    executed[region * TURN_WORDS + turn / 32u] |= 1u << (turn % 32u);
  } else {
    own[SUMS + 2u * region + 1u] += 1u;
  }
}
@if(COOPERATIVE) fn execute(region: u32, turn: u32) {
  own[SUMS + 2u * region] += 1u;
  if (atomicMax(&latest[own_warp * REGIONS + region], turn + 1u) <= turn) { own[SUMS + 2u * region + 1u] += 1u; }
}
// Kernels whose lanes cooperate call it before anything else.
@if(COOPERATIVE) fn count_begin(local_index: u32) { own_warp = local_index / WARP_LANES; }

// Table accesses, in 32-byte sectors. Those of one call are adjacent and read at once.
fn count_read() { count_reads(1u); }
fn count_write() { own[WRITES] += 1u; }
fn count_reads(sectors: u32) {
  own[READS] += sectors;
  if (sectors == 1u) { own[SINGLE_REQUESTS] += 1u; } else { own[BLOCK_REQUESTS] += 1u; }
}
// Sectors beside those that the lane has just read, such as a value's beside its key's: no request to a place of its own.
fn count_beside(sectors: u32) { own[READS] += sectors; }
// A sector of an index beside the table, such as a ticket-board; the second, of one whose sectors are none of the table's.
fn count_index_read() {
  own[READS] += 1u;
  count_index();
}
fn count_index() { own[INDEX_REQUESTS] += 1u; }
fn count_writes(sectors: u32) { own[WRITES] += sectors; }
fn count_rmw() { own[RMWS] += 1u; }
fn count_failed_cas() { own[FAILED_CAS] += 1u; }
// A whole bucket that lanes look at or write together; its sectors count beside.
fn count_buckets(number: u32) { own[BUCKETS] += number; }

// A counter of the plug-in that the kernel is from, by its place in the list that the module exports.
fn count_own(counter: u32, number: u32) { own[OWN_COUNTERS + counter] += number; }

// `count`, in a form that the compiler cannot know: a driver that unrolls the loops below compiles ten times as long.
fn turns_of(count: u32) -> u32 { return select(0u, count, arrayLength(&counters) > 0u); }

// Called once by every lane of the workgroup, in uniform control flow, after its item.
fn count_flush(group: u32, local_index: u32, has_item: bool) {
  own[ITEMS] = select(0u, 1u, has_item);
  let warp = local_index / WARP_LANES;
  atomicMax(&longest[warp], turns);
  atomicMax(&own_longest[local_index / OWN_WARP], turns);
  let words = turns_of(RECORD);
  for (var word = 0u; word < words; word++) {
    if (own[word] == 0u) { continue; }
    var at = word;
    @if(!COOPERATIVE) { if (word > SUMS && (word - SUMS) % 2u == 1u) { at = RECORD + warp * REGIONS + (word - SUMS) / 2u; } }
    atomicAdd(&record[at], own[word]);
  }
  @if(!COOPERATIVE) let bit_words = turns_of(REGIONS * TURN_WORDS);
  @if(!COOPERATIVE) for (var word = 0u; word < bit_words; word++) {
    if (executed[word] != 0u) { atomicOr(&merged[warp * REGIONS * TURN_WORDS + word], executed[word]); }
  }
  workgroupBarrier();
  if (local_index % OWN_WARP == 0u) { atomicAdd(&record[OWN_WARP_STEPS], atomicLoad(&own_longest[local_index / OWN_WARP])); }
  if (local_index % WARP_LANES == 0u) {
    let most = atomicLoad(&longest[warp]);
    atomicAdd(&record[WARP_STEPS], most);
    atomicMax(&record[LONGEST], most);
    @if(!COOPERATIVE) let late_turns = max(most + 1u, TURN_BITS) - TURN_BITS;
    @if(!COOPERATIVE) let regions = turns_of(REGIONS);
    @if(!COOPERATIVE) for (var region = 0u; region < regions; region++) {
      let of_warp = warp * REGIONS + region;
      var times = min(atomicLoad(&record[RECORD + of_warp]), late_turns);
      let turn_words = turns_of(TURN_WORDS);
      for (var word = 0u; word < turn_words; word++) {
        times += countOneBits(atomicLoad(&merged[of_warp * TURN_WORDS + word]));
      }
      atomicAdd(&record[SUMS + 2u * region + 1u], times);
    }
  }
  workgroupBarrier();
  for (var i = local_index; i < RECORD; i += GROUP_LANES) { counters[group * RECORD + i] = atomicLoad(&record[i]); }
}
