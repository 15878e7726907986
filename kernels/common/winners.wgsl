// The first or the last row of each key of a batch: the numbers of the rows go through a table as values, whose upserts keep the least or the greatest.
// One lane a row.
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::keys::EMPTY;
import package::kernels::common::range::Range;

@group(0) @binding(0) var<storage, read> values: array<u32>;
@group(0) @binding(1) var<storage, read_write> numbers: array<u32>;
@group(0) @binding(2) var<storage, read> keys: array<u32>;
// What a search finds: the number of the row that wins.
@group(0) @binding(3) var<storage, read_write> found: array<u32>;
@group(0) @binding(4) var<uniform> range: Range;

// A row with a reserved value has a reserved number: it is refused as such.
@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let item = range.first + grid(wid, nwg, lid).index;
  if (item < range.end) { numbers[item] = select(item, EMPTY, values[item] == EMPTY); }
}

// The keys of the rows that win, and EMPTY of the others, in the place of what was found.
@compute @workgroup_size(WORKGROUP)
fn keep(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let item = range.first + grid(wid, nwg, lid).index;
  if (item < range.end) { found[item] = select(EMPTY, keys[item], found[item] == item); }
}
