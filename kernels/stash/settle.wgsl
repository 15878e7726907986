// What follows a booked ticket: info bits, then the pair. HOST: the table is in the host's memory, and what is written is
// the slot, for the host to put the pair there.
import package::kernels::stash::board::{put_info, publish, TICKET};
import package::kernels::stash::hash::info_of;
import package::kernels::stash::records::{Key, Value, Pair};
@if(!HOST) import package::kernels::stash::table::{put_pair, PAIR_SECTORS};
@if(COUNT) import package::kernels::common::count::{count_writes, count_rmw};

@if(!HOST) @group(0) @binding(6) var<storage, read> values: array<Value>;
@if(HOST) @group(0) @binding(6) var<storage, read_write> booked: array<u32>;

fn settle(slot: u32, key: Key, item: u32) {
  @if(!ACCESS) put_info(slot, info_of(key));
  @if(ACCESS) publish(slot, info_of(key), 0u);
  @if(COUNT) { if (TICKET > 1u) { count_rmw(); } }
  @if(!HOST) put_pair(slot, Pair(key, values[item]));
  @if(!HOST && COUNT) count_writes(PAIR_SECTORS);
  @if(HOST) booked[item] = slot;
}
