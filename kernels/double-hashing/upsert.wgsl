// Double hashing with one pair a slot, rows whose keys may be there: common/upsert.wgsl says what becomes of them. One lane a row.
// Layout and bounds as in insert.wgsl. All of these functions, insert of insert.wgsl and find of locate.wgsl may meet in one dispatch.
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::keys::{EMPTY, is_pair};
import package::kernels::common::upsert::{combined, no_slot, numbered, settle, shared_out, tell, Settled, ADD, FIRST, MAX, MIN, REFUSED, RULE};
import package::kernels::double_hashing::insert::{keys, values, range, status, value_slot};
@if(IDS) import package::kernels::common::upsert::SOON;
@if(IDS && RESULTS) import package::kernels::common::upsert::results;
@if(IDS && RESULTS) import package::kernels::double_hashing::locate::find;
@if(COUNT) import package::kernels::common::count::{count_once, PROLOGUE, count_flush};

fn upsert(key: u32, value: u32, rule: u32) -> Settled {
  @if(COUNT) count_once(PROLOGUE);
  if (!is_pair(key, value)) { return no_slot(); }
  return settle(value_slot(key), value, rule);
}
fn find_or_insert(key: u32, value: u32) -> Settled { return upsert(key, value, FIRST); }
fn upsert_add(key: u32, value: u32) -> u32 { return upsert(key, value, ADD).state; }
fn upsert_min(key: u32, value: u32) -> u32 { return upsert(key, value, MIN).state; }
fn upsert_max(key: u32, value: u32) -> u32 { return upsert(key, value, MAX).state; }

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let at = grid(wid, nwg, lid);
  let item = range.first + at.index;
  let has_item = item < range.end;
  var key = EMPTY;
  var value = EMPTY;
  if (has_item) {
    key = keys[item];
    @if(!IDS) value = values[item];
    @if(IDS) value = SOON;
  }
  let row = combined(key, value);
  var settled = no_slot();
  if (has_item && row.asks) { settled = upsert(row.key, row.value, RULE); }
  settled = shared_out(row, numbered(settled, lid));
  if (has_item) {
    tell(item, settled);
    if (settled.state == REFUSED) { atomicAdd(&status.refused, 1u); }
  }
  @if(COUNT) count_flush(at.group, lid, has_item);
}

// In the next dispatch: the rows whose key had no number yet.
@if(IDS && RESULTS) @compute @workgroup_size(WORKGROUP)
fn again(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let at = grid(wid, nwg, lid);
  let item = range.first + at.index;
  if (item < range.end && results[item] == SOON) { results[item] = find(keys[item]); }
  @if(COUNT) count_flush(at.group, lid, false);
}
