// One pass of the sort: which digit it orders by, and how the array is cut.
import package::kernels::common::grid::WORKGROUP;

// As many digits as a workgroup has lanes: one lane looks after one digit where something is done for each.
const DIGITS = WORKGROUP;
// Pairs of a lane in a tile, and of a tile.
const LANE_PAIRS = 16u;
const TILE = LANE_PAIRS * WORKGROUP;

struct Pass {
  n: u32,
  // The digit is (key >> shift) & mask, of at most 8 bits.
  shift: u32,
  mask: u32,
  // Tiles a span; one workgroup a span.
  tiles: u32,
  spans: u32,
}

// Bits a half digit has; the tile is ordered by one half after the other.
const HALF = 4u;
