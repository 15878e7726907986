// Join, results: a workgroup a tile of TILE results one after another. `main` of rows of the probe side says in which row each tile begins;
// `expand` takes the tile's rows by ROOM, and finds the row of every STEP-th result by a binary search among them, and of the others by one
// between two of these. It writes a pair of rows, or of a semi or anti join a row of the probe side (condition ONE). Condition UNIQUE: `firsts`
// are the rows themselves.
// Bounds: tiles that begin in a row; rows of a tile; lg ROOM, twice.
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::keys::EMPTY;

const TILE = 8192u;
const ROOM = 1024u;

// `results`: as many as there is room for.
struct ExpandPlan { rows: u32, results: u32 }
@group(0) @binding(0) var<uniform> expand_plan: ExpandPlan;
// Where the results of a row begin; one more than rows.
@group(0) @binding(1) var<storage, read> offsets: array<u32>;
@group(0) @binding(2) var<storage, read_write> tile_rows: array<u32>;
@group(0) @binding(3) var<storage, read> firsts: array<u32>;
@if(!UNIQUE) @group(0) @binding(4) var<storage, read> row_list: array<u32>;
@group(0) @binding(5) var<storage, read_write> build_rows: array<u32>;
@group(0) @binding(6) var<storage, read_write> probe_rows: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let row = grid(wid, nwg, lid).index;
  if (row >= expand_plan.rows) { return; }
  let end = min(offsets[row + 1u], expand_plan.results);
  for (var tile = (offsets[row] + TILE - 1u) / TILE; tile * TILE < end; tile++) { tile_rows[tile] = row; }
}

// Of so many results one is sought among all rows.
const STEP = TILE / WORKGROUP;
var<workgroup> begins: array<u32, ROOM>;
var<workgroup> known: array<u32, WORKGROUP + 1u>;
var<workgroup> first_row: u32;

// The row of a result, of those from `low` to `high`.
fn row_of(result: u32, low: u32, high: u32) -> u32 {
  var rows = vec2u(low, high);
  while (rows.x < rows.y) {
    let middle = (rows.x + rows.y + 1u) / 2u;
    rows = select(vec2u(rows.x, middle - 1u), vec2u(middle, rows.y), begins[middle] <= result);
  }
  return rows.x;
}

@compute @workgroup_size(WORKGROUP)
fn expand(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let begin = grid(wid, nwg, 0u).group * TILE;
  let results = min(expand_plan.results, offsets[expand_plan.rows]);
  if (begin >= results) { return; }
  let end = min(begin + TILE, results);
  if (lid == 0u) {
    first_row = tile_rows[begin / TILE];
    known[WORKGROUP] = ROOM - 2u;
  }
  var row = workgroupUniformLoad(&first_row);
  var at = begin;
  while (at < end) {
    for (var i = lid; i < ROOM; i += WORKGROUP) { begins[i] = offsets[min(row + i, expand_plan.rows)]; }
    workgroupBarrier();
    known[lid] = row_of(at + lid * STEP, 0u, ROOM - 2u);
    workgroupBarrier();
    // Of the rows that are here, up to the end of the last but one.
    let up_to = min(end, begins[ROOM - 1u]);
    for (var result = at + lid; result < up_to; result += WORKGROUP) {
      let step = (result - at) / STEP;
      let low = row_of(result, known[step], known[step + 1u]);
      write_row(result, row + low, result - begins[low]);
    }
    if (lid == 0u) { first_row = up_to; }
    at = workgroupUniformLoad(&first_row);
    row += ROOM - 1u;
  }
}

@if(!ONE) fn write_row(result: u32, row: u32, partner: u32) {
  let first = firsts[row];
  var build_row = EMPTY;
  @if(UNIQUE) build_row = first;
  @if(!UNIQUE) { if (first != EMPTY) { build_row = row_list[first + partner]; } }
  build_rows[result] = build_row;
  probe_rows[result] = row;
}
@if(ONE) fn write_row(result: u32, row: u32, partner: u32) { probe_rows[result] = row; }
