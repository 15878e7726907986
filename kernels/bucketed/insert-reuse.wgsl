// Bucketed table, insert with `reuse`: the slots of erased keys are taken again. One lane a pair. It first looks for its key, as far as any
// key ever got (reach.wgsl), and notes the first bucket with a free slot, EMPTY or DELETED; then it tries slots from that bucket on, as
// insert.wgsl does.
//
// No key comes in twice. One that was there before lies within the reach, and no bucket before its own has an EMPTY slot. Of lanes with one new
// key each claims the first free slot of the same sequence; in an insertion no slot becomes free, so that they meet at one slot.
//
// Layout: as in insert.wgsl.
// Bounds: the reach, then most_probes() probes; at a slot one CAS and, if it failed for no reason, another.
import package::kernels::common::banks::{At, block_at, offset, nowhere};
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::keys::{EMPTY, DELETED};
import package::kernels::common::reach::get_reach;
import package::kernels::common::words::load_word;
import package::kernels::bucketed::insert::{insert, keys, values, range, status};
import package::kernels::bucketed::layout::{first_bucket, bucket_after};
@if(COUNT) import package::kernels::common::count::{count_step, count_read, count_region, NEXT, count_flush};

// Where a lane is in the key's sequence, and the key's word if it is there, else nowhere.
struct Place { probe: u32, bucket: u32, word: At }

// The key's place if it is there; else the first bucket with a free slot, or the one after the reach.
fn look(key: u32) -> Place {
  let reach = get_reach();
  var free = Place(reach, 0u, nowhere());
  var bucket = first_bucket(key);
  for (var probe = 0u; probe < reach; probe++) {
    @if(COUNT) count_step();
    @if(COUNT) count_read();
    let at = block_at(bucket, 8u);
    let seen = vec4u(
      load_word(at), load_word(offset(at, 1u)), load_word(offset(at, 2u)), load_word(offset(at, 3u)),
    );
    let hit = seen == vec4u(key);
    if (any(hit)) {
      return Place(probe, bucket, offset(at, select(select(select(3u, 2u, hit.z), 1u, hit.y), 0u, hit.x)));
    }
    if (any(seen >= vec4u(DELETED)) && free.probe == reach) { free = Place(probe, bucket, nowhere()); }
    if (any(seen == vec4u(EMPTY))) { return free; }
    @if(COUNT) count_region(NEXT);
    bucket = bucket_after(probe, bucket, key);
  }
  if (free.probe == reach) { free.bucket = bucket; }
  return free;
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let at = grid(wid, nwg, lid);
  let item = range.first + at.index;
  let has_item = item < range.end;
  if (has_item && !insert(keys[item], values[item])) { atomicAdd(&status.refused, 1u); }
  @if(COUNT) count_flush(at.group, lid, has_item);
}
