// Group-by: the rows, as a pass reads them, four at a time; and the tiles of rows that workgroups take until none is left. So there are as
// many tables in workgroup memory as workgroups run at a time, and all of them end together.
//
// Condition LEFT: the rows are the pairs of hash and value that partitions had no room for, `said.status.left` of them; else they are a
// key and a value in each column.
import package::kernels::group_by::table::{LANES, plan, said, hash_of};

// Turns of a tile, in each of which a lane reads four rows.
override TURNS: u32 = 4u;

@if(!LEFT) @group(0) @binding(0) var<storage, read> keys: array<vec4u>;
@if(!LEFT) @group(0) @binding(1) var<storage, read> column_a: array<vec4u>;
@if(!LEFT && TWO) @group(0) @binding(2) var<storage, read> column_b: array<vec4u>;
@if(!LEFT && THREE) @group(0) @binding(3) var<storage, read> column_c: array<vec4u>;
@if(!LEFT && FOUR) @group(0) @binding(4) var<storage, read> column_d: array<vec4u>;
@if(LEFT) @group(0) @binding(0) var<storage, read> list: array<vec4u>;

// Four rows: keys, or hashes, and a column each.
struct Rows {
  keys: vec4u,
  a: vec4u,
  b: vec4u,
  c: vec4u,
  d: vec4u,
}

@if(!LEFT) fn rows_at(at: u32) -> Rows {
  var four = Rows();
  four.keys = keys[at];
  four.a = column_a[at];
  @if(TWO) four.b = column_b[at];
  @if(THREE) four.c = column_c[at];
  @if(FOUR) four.d = column_d[at];
  return four;
}
@if(LEFT) fn rows_at(at: u32) -> Rows {
  let near = list[2u * at];
  let far = list[2u * at + 1u];
  return Rows(vec4u(near.xz, far.xz), vec4u(near.yw, far.yw), vec4u(), vec4u(), vec4u());
}
fn values_of(four: Rows, row: u32) -> vec4u { return vec4u(four.a[row], four.b[row], four.c[row], four.d[row]); }

@if(!LEFT) fn hash_at(four: Rows, row: u32) -> u32 { return hash_of(four.keys[row]); }
@if(LEFT) fn hash_at(four: Rows, row: u32) -> u32 { return four.keys[row]; }

@if(!LEFT) fn row_count() -> u32 { return plan.rows; }
@if(LEFT) fn row_count() -> u32 { return min(plan.rows, atomicLoad(&said.status.left)); }

const NONE = 0xffffffffu;
var<workgroup> taken: u32;

// The first vec4 of the workgroup's next tile; NONE where no tile is left, or where the pass has failed already. In uniform control flow.
fn next_tile(lid: u32) -> u32 {
  if (lid == 0u) {
    taken = NONE;
    if (atomicLoad(&said.status.bound) == 0u) {
      let first = atomicAdd(&said.tiles, 1u) * (LANES * TURNS);
      if (4u * first < row_count()) { taken = first; }
    }
  }
  return workgroupUniformLoad(&taken);
}
