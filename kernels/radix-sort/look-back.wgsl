// Where the pairs of a tile go: a chained scan with decoupled look-back (Merrill and Garland, Single-pass Parallel Prefix Scan
// with Decoupled Look-back, 2016), a lane a digit. A tile tells how many pairs it has of each digit, adds up what the tiles
// before it told, back to one that knows the sum of all before, and tells its own sum.
//
// No workgroup may rely on another's progress in WGSL: what is not told after PATIENCE turns, the workgroup counts itself from
// that tile's keys and tells in its place (decoupled fallback: Smith, Levien and Owens, SPAA 2025). A word holds state and value
// together, and all who tell of a tile itself tell the same.
// Layout: rows as in digits.wgsl, those of the pass from sort.rows on.
// Bounds: a tile's number of fallbacks; of rows between two, with PATIENCE turns each.
import package::kernels::common::grid::WORKGROUP;
import package::kernels::radix_sort::digits::{DIGITS, LANE_PAIRS, TILE, OWN, ALL, VALUE};
import package::kernels::radix_sort::pairs::{keys_in, digit_of, sort};
import package::kernels::radix_sort::rank::counters;
@if(COUNT) import package::kernels::common::count::count_read;

// Turns in which a lane sees nothing new, before its workgroup counts the tile itself.
override PATIENCE: u32 = 16u;
// For tests: one tile in so many tells nothing, so that others have to count it; 0: none.
override SILENT: u32 = 0u;

@group(0) @binding(4) var<storage, read_write> rows: array<atomic<u32>>;

// The last row that a lane waits for; 0: none does, as row 0 is always told.
var<workgroup> missing: atomic<u32>;

const WALKS = 0u;
const WAITS = 1u;
const ENDED = 2u;
struct Walk {
  // The row to look at next.
  row: u32,
  // Pairs in the rows after it.
  sum: u32,
  state: u32,
}

fn at(row: u32, digit: u32) -> u32 { return sort.rows + row * DIGITS + digit; }

fn tell(tile: u32, digit: u32, word: u32) {
  if (SILENT > 0u && tile % max(SILENT, 1u) == 0u) { return; }
  atomicStore(&rows[at(tile + 1u, digit)], word);
}

// The row and the three before it, asked for at once; before row 0 is row 0.
fn four_rows(row: u32, digit: u32) -> vec4u {
  return vec4u(
    atomicLoad(&rows[at(row, digit)]),
    atomicLoad(&rows[at(row - min(row, 1u), digit)]),
    atomicLoad(&rows[at(row - min(row, 2u), digit)]),
    atomicLoad(&rows[at(row - min(row, 3u), digit)]),
  );
}

fn passed(walk: Walk, word: u32) -> Walk {
  if (walk.state != WALKS) { return walk; }
  if (word < OWN) { return Walk(walk.row, walk.sum, WAITS); }
  let sum = walk.sum + (word & VALUE);
  if (word >= ALL) { return Walk(walk.row, sum, ENDED); }
  return Walk(walk.row - 1u, sum, WALKS);
}
fn passed_four(walk: Walk, words: vec4u) -> Walk {
  return passed(passed(passed(passed(walk, words.x), words.y), words.z), words.w);
}

// Walks as far as the rows are told, eight rows a turn: a turn takes as long as one read, and many tiles are at work at once.
fn walked(start: Walk, digit: u32) -> Walk {
  var walk = start;
  for (var waits = 0u; waits <= PATIENCE && walk.state != ENDED;) {
    let row = walk.row;
    let near = four_rows(row, digit);
    let far = four_rows(row - min(row, 4u), digit);
    walk = passed_four(passed_four(Walk(row, walk.sum, WALKS), near), far);
    waits = select(0u, waits + 1u, walk.row == row);
  }
  return walk;
}

// Tells what the tile of the row has not told. It is whole: it is not the last one.
fn stand_in(row: u32, lid: u32) {
  if (lid == 0u) { atomicStore(&missing, 0u); }
  if (lid < DIGITS) { atomicStore(&counters[lid], 0u); }
  workgroupBarrier();
  for (var i = 0u; i < LANE_PAIRS; i++) {
    @if(COUNT) { if (lid % 8u == 0u) { count_read(); } }
    atomicAdd(&counters[digit_of(keys_in[(row - 1u) * TILE + i * WORKGROUP + lid])], 1u);
  }
  workgroupBarrier();
  // The tile may have told more by now: that is larger, and stays.
  if (lid < DIGITS) { atomicMax(&rows[at(row, lid)], OWN | atomicLoad(&counters[lid])); }
}

// Where the tile's pairs with digit `lid` begin in the output; it has `count` of them. In uniform control flow, when
// the counters are not needed any more.
fn look_back(tile: u32, count: u32, lid: u32) -> u32 {
  var walk = Walk(tile, 0u, select(ENDED, WALKS, lid < DIGITS));
  for (var round = 0u; round <= tile; round++) {
    if (walk.state != ENDED) {
      walk = walked(walk, lid);
      if (walk.state == ENDED) { tell(tile, lid, ALL | (walk.sum + count)); } else { atomicMax(&missing, walk.row); }
    }
    let row = workgroupUniformLoad(&missing);
    if (row == 0u) { break; }
    stand_in(row, lid);
  }
  return walk.sum;
}
