// Bucketed table: where a key is, word by word, in a dispatch that changes the table. Layout and bounds as in find.wgsl.
import package::kernels::common::banks::{At, block_at, offset, is_nowhere, nowhere};
import package::kernels::common::keys::{EMPTY, DELETED};
import package::kernels::common::words::load_word;
@if(REUSE) import package::kernels::common::reach::get_reach;
import package::kernels::bucketed::layout::{first_bucket, bucket_after, most_probes};
@if(COUNT) import package::kernels::common::count::{count_step, count_read, count_region, NEXT};

// The word of the key, its value is four words later; nowhere: the key is not there.
fn locate(key: u32) -> At {
  var bucket = first_bucket(key);
  @if(REUSE) let reach = get_reach();
  for (var probe = 0u; probe < most_probes(); probe++) {
    @if(REUSE) { if (probe == reach) { break; } }
    @if(COUNT) count_step();
    @if(COUNT) count_read();
    var full = true;
    let at = block_at(bucket, 8u);
    for (var slot = 0u; slot < 4u; slot++) {
      let seen = load_word(offset(at, slot));
      full = full && seen != EMPTY;
      if (seen == key) { return offset(at, slot); }
    }
    if (!full) { break; }
    @if(COUNT) count_region(NEXT);
    bucket = bucket_after(probe, bucket, key);
  }
  return nowhere();
}

// The key's value; EMPTY if it is not there, or its value is not yet.
fn find(key: u32) -> u32 {
  if (key >= DELETED) { return EMPTY; }
  let word = locate(key);
  if (is_nowhere(word)) { return EMPTY; }
  return load_word(offset(word, 4u));
}
