// Sorted array, find (Alcantara et al., GPU Computing Gems 2011, 4.5.1): binary search for the last key that is no larger
// than the query's, so that of equal keys the one inserted last answers. One lane a query, one key a probe.
//
// Layout: keys[i] ascending, values[i] beside it in an array of its own.
// Bounds: 32 probes, for fewer than 2^32 pairs; then the pairs of the key that `lsd` sorted in though their value is EMPTY.
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::keys::{EMPTY, DELETED};
@if(COUNT) import package::kernels::common::count::{count_step, count_read, count_once, count_region, PROLOGUE, CLAIM, NEXT, count_flush};

struct Search {
  queries: u32,
  pairs: u32,
}
@group(0) @binding(0) var<storage, read> keys: array<u32>;
@group(0) @binding(1) var<storage, read> values: array<u32>;
@group(0) @binding(2) var<storage, read> queries: array<u32>;
@group(0) @binding(3) var<storage, read_write> results: array<u32>;
@group(0) @binding(4) var<uniform> search: Search;

fn find(key: u32) -> u32 {
  @if(COUNT) count_once(PROLOGUE);
  if (key >= DELETED) { return EMPTY; }
  // Keys before `low` are no larger than `key`, the last of them is `nearest`; those from `high` on are larger.
  var low = 0u;
  var high = search.pairs;
  var nearest = EMPTY;
  for (var probe = 0u; probe < 32u && low < high; probe++) {
    @if(COUNT) count_step();
    @if(COUNT) count_read();
    let middle = low + (high - low) / 2u;
    let seen = keys[middle];
    if (seen <= key) {
      @if(COUNT) count_region(NEXT);
      nearest = seen;
      low = middle + 1u;
    } else {
      high = middle;
    }
  }
  if (nearest != key) { return EMPTY; }
  @if(COUNT) count_region(CLAIM);
  @if(COUNT) count_read();
  var value = values[low - 1u];
  while (value == EMPTY && low > 1u && keys[max(low, 2u) - 2u] == key) {
    low -= 1u;
    value = values[low - 1u];
  }
  return value;
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let at = grid(wid, nwg, lid);
  let has_item = at.index < search.queries;
  if (has_item) { results[at.index] = find(queries[at.index]); }
  @if(COUNT) count_flush(at.group, lid, has_item);
}
