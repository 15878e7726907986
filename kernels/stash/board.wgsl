// The ticket-board: one ticket of TICKET bits a slot, side by side in words. A lane changes tickets by atomics only.
//
// ticket:  bit 0                availability: 1 free, 0 taken
//          bit 1, if ACCESS     access: 1 the pair may be read; 0 free, or somebody is writing or erasing it
//          next bit, if PASSED  1 no insertion has gone past the slot: no search has to; 0 one has, and it stays so
//          the other bits       info: low bits of another hash of the slot's key; all ones in a free ticket
// A free ticket is 1…11 without, 1…101 with the access bit: taking the availability bit then needs one AND, as in the
// paper's Fig. 7, and an AND on a taken ticket changes nothing.

@if(PASSED && COUNT && !LOOKUP) import package::kernels::common::count::count_rmw;

// 1, 2, 4 or 8.
override TICKET: u32;
const FREE = 1u;
@if(ACCESS) const READABLE = 2u;
@if(ACCESS) const LAST_AT = 2u;
@else const LAST_AT = 1u;
@if(PASSED) const LAST = 1u << LAST_AT;
@if(PASSED) const INFO_AT = LAST_AT + 1u;
@else const INFO_AT = LAST_AT;

// LOOKUP: the kernel only reads, and no other kernel writes meanwhile.
@if(LOOKUP) @group(0) @binding(1) var<storage, read> board: array<u32>;
@else @group(0) @binding(1) var<storage, read_write> board: array<atomic<u32>>;

fn word_of(slot: u32) -> u32 { return slot / (32u / TICKET); }
fn bit_of(slot: u32) -> u32 { return slot % (32u / TICKET) * TICKET; }
// Ones at the places of the info bits of the ticket at bit 0; none where a ticket has no info bits.
fn info_mask() -> u32 { return ((1u << TICKET) - 1u) & ~((1u << INFO_AT) - 1u); }

@if(LOOKUP) fn ticket_at(slot: u32) -> u32 { return board[word_of(slot)] >> bit_of(slot); }
@else fn ticket_at(slot: u32) -> u32 { return atomicLoad(&board[word_of(slot)]) >> bit_of(slot); }
@if(ACCESS) fn is_readable(ticket: u32) -> bool { return (ticket & READABLE) != 0u; }
fn is_free(ticket: u32) -> bool { return (ticket & FREE) != 0u; }
// The second level of certitude: a key whose info differs is not in this slot.
fn may_hold(ticket: u32, info: u32) -> bool { return ((ticket ^ (info << INFO_AT)) & info_mask()) == 0u; }

// Whether a search that did not find its key in the ticket's slot need not go on. ERASED: keys were erased since the table
// was cleared, so a free ticket does not end it.
@if(PASSED) fn ends(ticket: u32) -> bool { return (ticket & LAST) != 0u; }
@if(!PASSED && ERASED) fn ends(ticket: u32) -> bool { return false; }
@if(!PASSED && !ERASED) fn ends(ticket: u32) -> bool { return is_free(ticket); }

// TryBookASeat: true for exactly one of the lanes that want a free slot. The others go past it.
@if(!LOOKUP) fn book(slot: u32) -> bool {
  let before = atomicAnd(&board[word_of(slot)], ~(FREE << bit_of(slot))) >> bit_of(slot);
  @if(PASSED) {
    if (!is_free(before) && (before & LAST) != 0u) {
      @if(COUNT) count_rmw();
      atomicAnd(&board[word_of(slot)], ~(LAST << bit_of(slot)));
    }
  }
  return is_free(before);
}

// InsertTicketInfo: clears the info bits that are zero in `info`. Only the lane that booked the slot calls it.
@if(!ACCESS && !LOOKUP) fn put_info(slot: u32, info: u32) {
  if (TICKET > 1u) { atomicAnd(&board[word_of(slot)], ~((~(info << INFO_AT) & info_mask()) << bit_of(slot))); }
}
// With the access bit: info and permission to read, in one RMW. `after` is 0, and depends on the writes of the pair.
@if(ACCESS && !LOOKUP) fn publish(slot: u32, info: u32, after: u32) {
  let flip = (~(info << INFO_AT) & info_mask()) | READABLE;
  atomicXor(&board[word_of(slot)], (flip << bit_of(slot)) | after);
}

// Takes the access bit away. The one lane that sees it in the returned ticket owns the slot until `unlock` or `release`.
@if(ACCESS && !LOOKUP) fn lock(slot: u32) -> u32 {
  return atomicAnd(&board[word_of(slot)], ~(READABLE << bit_of(slot))) >> bit_of(slot);
}
@if(ACCESS && !LOOKUP) fn unlock(slot: u32) { atomicOr(&board[word_of(slot)], READABLE << bit_of(slot)); }

// Frees the slot's ticket: true for exactly one of the lanes that do. With the access bit only its owner may.
@if(!LOOKUP) fn release(slot: u32) -> bool {
  let ones = (FREE | info_mask()) << bit_of(slot);
  return (atomicOr(&board[word_of(slot)], ones) & (FREE << bit_of(slot))) == 0u;
}
