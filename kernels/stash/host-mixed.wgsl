// Stadium hashing with the table in the host's memory: the insertions and retrievals of a mixed slice, in one dispatch. One
// lane an operation: an insertion books a ticket and writes its slot, for the host to put the pair there; a retrieval requests
// the first slot that may hold its key, which `resume` of host-find.wgsl goes on with. The host stores pairs before it answers
// requests. Erasures are counted: they have their own dispatches, after these.
//
// Bounds: as in insert.wgsl and host-find.wgsl.
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::kinds::{INSERT, FIND};
import package::kernels::common::range::Range;
@if(ERASED) import package::kernels::common::reach::get_reach;
import package::kernels::common::records::Key;
import package::kernels::common::requests::{asked, request};
import package::kernels::stash::host_find::{seek_first, absent, results};
import package::kernels::stash::hash::sizes;
import package::kernels::stash::insert::{find_seat, NO_SLOT};
import package::kernels::stash::mixed::answer;
import package::kernels::stash::settle::{has_pair, settle, rest_at, booked};

@group(0) @binding(5) var<storage, read> keys: array<Key>;
@group(0) @binding(7) var<uniform> range: Range;
@group(0) @binding(15) var<storage, read> kinds: array<u32>;

fn insert(key: Key, item: u32) {
  var slot = NO_SLOT;
  if (has_pair(key, item)) { slot = find_seat(key); }
  if (slot != NO_SLOT) {
    settle(slot, key, rest_at(item));
    results[item] = answer(1u);
  } else {
    atomicAdd(&asked.status.refused, 1u);
    results[item] = answer(0u);
  }
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let item = range.first + grid(wid, nwg, lid).index;
  var job = vec4u(0u, item, 0u, 0u);
  var asks = false;
  if (item < range.end) {
    booked[item] = NO_SLOT;
    let key = keys[item];
    let kind = kinds[item];
    if (kind == INSERT) {
      insert(key, item);
    } else if (kind == FIND) {
      // Keys that were there before this dispatch are not beyond the longest insertion before it.
      @if(ERASED) asks = seek_first(key, &job, get_reach());
      @if(!ERASED) asks = seek_first(key, &job, sizes.slots);
      if (!asks) { absent(item); }
    } else {
      atomicAdd(&asked.status.left, 1u);
    }
  }
  request(asks, job, lid);
}
