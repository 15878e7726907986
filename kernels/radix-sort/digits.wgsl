// Shared by the kernels of the sort: tiles, digits, and the rows in which tiles tell others their counts.
import package::kernels::common::grid::WORKGROUP;

// Digits of a pass, at most WORKGROUP: a lane handles one.
override DIGITS: u32 = 256u;
// A lane has QUADS times four pairs of a tile. A tile and its counters fit in 32 KiB; SMALL: in 16 KiB.
@if(SMALL) const QUADS = 2u;
@else const QUADS = 5u;
const LANE_PAIRS = 4u * QUADS;
const TILE = LANE_PAIRS * WORKGROUP;

// A row has a word for each digit, of less than 2^30 pairs; 0 where nothing is told yet. Row 0 of a pass says where the
// digits begin in the output, row t + 1 tells of tile t:
//   OWN | pairs of the tile
//   ALL | where the digit's pairs begin in the output, plus the pairs of the tile and of all before it
const OWN = 1u << 30u;
const ALL = 1u << 31u;
const VALUE = OWN - 1u;
