// Cuckoo hashing, the end of a build in place (insert.wgsl): writes each slot's pair over the pair's number. One lane a slot, which no
// other lane reads.
//
// Layout: slot s = (number of its pair, EMPTY) before and (key, value) after; an empty slot is (EMPTY, EMPTY) as it was. No loop.
import package::kernels::common::banks::block_at;
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::keys::EMPTY;
import package::kernels::common::parts::{part_at, put_part};
import package::kernels::cuckoo::functions::sizes;
@if(COUNT) import package::kernels::common::count::{count_read, count_write, count_flush};

@group(0) @binding(1) var<storage, read> keys: array<u32>;
@group(0) @binding(2) var<storage, read> values: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn settle(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let at = grid(wid, nwg, lid);
  let slot = at.index;
  var has_item = false;
  if (slot < sizes.slots) {
    let part = block_at(slot, 1u);
    let item = part_at(part).x;
    has_item = item != EMPTY;
    if (has_item) {
      @if(COUNT) count_read();
      @if(COUNT) count_read();
      put_part(part, vec2u(keys[item], values[item]));
    }
    // Neighbouring slots share a sector.
    @if(COUNT) {
      if (slot % 4u == 0u) {
        count_read();
        count_write();
      }
    }
  }
  @if(COUNT) count_flush(at.group, lid, has_item);
}
