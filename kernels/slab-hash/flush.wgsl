// Slab hash, FLUSH (Ashkiani et al., IPDPS 2018, section IV.C.4), a dispatch of its own. A lane takes a list: it moves the keys
// that are left to the list's first slots, in their order, and gives the slabs behind them, made EMPTY, back to the allocator.
//
// Layout: as in slab.wgsl.  Bounds: a list has no more slabs than the table.
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::keys::{EMPTY, DELETED};
import package::kernels::common::status::Status;
import package::kernels::common::words::{load_word, store_word};
import package::kernels::slab_hash::alloc::deallocate;
import package::kernels::slab_hash::slab::{word_in, base_slab, number_of, sizes, SLAB_WORDS, SLOTS, PITCH, NEXT};

// Slabs of the table.
@group(0) @binding(3) var<uniform> slabs: u32;
// changed: slabs given back.
@group(0) @binding(4) var<storage, read_write> status: Status;

// A slot of the list, where the next key that is left goes.
struct Cursor { slab: u32, slot: u32 }

fn move_keys(slab: u32, begin: Cursor) -> Cursor {
  var to = begin;
  for (var slot = 0u; slot < SLOTS; slot++) {
    let key = load_word(word_in(slab, PITCH * slot));
    if (key >= DELETED) { continue; }
    if (to.slot == SLOTS) { to = Cursor(load_word(word_in(to.slab, NEXT)), 0u); }
    if (to.slab != slab || to.slot != slot) {
      store_word(word_in(to.slab, PITCH * to.slot), key);
      @if(!KEYS) store_word(word_in(to.slab, PITCH * to.slot + 1u), load_word(word_in(slab, PITCH * slot + 1u)));
    }
    to.slot += 1u;
  }
  return to;
}

fn empty_words(slab: u32, first: u32) {
  for (var word = first; word < SLAB_WORDS; word++) { store_word(word_in(slab, word), EMPTY); }
}

// How many slabs the list gives back.
fn flush(bucket: u32) -> u32 {
  var slab = base_slab(bucket);
  var to = Cursor(slab, 0u);
  for (var i = 0u; i < slabs && slab != EMPTY; i++) {
    to = move_keys(slab, to);
    slab = load_word(word_in(slab, NEXT));
  }
  if (slab != EMPTY) {
    atomicAdd(&status.bound, 1u);
    return 0u;
  }
  slab = load_word(word_in(to.slab, NEXT));
  empty_words(to.slab, PITCH * to.slot);
  var given = 0u;
  for (; given < slabs && slab != EMPTY; given++) {
    let next = load_word(word_in(slab, NEXT));
    empty_words(slab, 0u);
    deallocate(number_of(slab));
    slab = next;
  }
  return given;
}

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let bucket = grid(wid, nwg, lid).index;
  if (bucket >= sizes.buckets) { return; }
  let given = flush(bucket);
  if (given > 0u) { atomicAdd(&status.changed, given); }
}
