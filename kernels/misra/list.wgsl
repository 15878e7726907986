// The lists of Misra and Chaudhuri's set (Performance Evaluation of Concurrent Lock-free Data Structures on GPUs, ICPADS 2012),
// after Harris and Michael: each bucket is a linked list in the order of its keys; a link is the index of a node in an array.
// One lane an operation.
//
// Layout, in words:  0 … buckets - 1            the heads, a link each
//                    base + 2i, base + 2i + 1   node i: its key, and the link to the node after it
// A link:            bit 31   set as long as the node that has the link is not deleted (heads never are)
//                    0 … 30   index of the next node; END if there is none
// All words are EMPTY at first: a head that is so ends its list, a key or link of a node that is so is not written yet.
// Nodes are not used again before the table is cleared, so no link ever comes back to a value that it had.
// Bound: TURNS steps along lists an operation, and PATIENCE reads of a word.
import package::kernels::common::hash::{mix32, mulhi};
import package::kernels::common::keys::EMPTY;
@if(COUNT) import package::kernels::common::count::{count_step, count_read, count_rmw, count_failed_cas, count_region, CLAIM, NEXT, WAIT};

struct Sizes { buckets: u32, base: u32 }
@group(0) @binding(31) var<uniform> sizes: Sizes;
@group(0) @binding(0) var<storage, read_write> words: array<atomic<u32>>;

const LIVE = 0x80000000u;
const END = 0xfffffffeu;
const TURNS = 67108864u;
const PATIENCE = 1048576u;

// Of the lane's operation.
var<private> turns: u32;
// A bound was reached.
var<private> stuck: bool;

fn head_of(key: u32) -> u32 { return mulhi(mix32(key), sizes.buckets); }
fn key_at(node: u32) -> u32 { return sizes.base + 2u * node; }
fn next_at(node: u32) -> u32 { return sizes.base + 2u * node + 1u; }
fn node_of(link: u32) -> u32 { return link & ~LIVE; }
fn is_live(link: u32) -> bool { return (link & LIVE) != 0u; }
// Also of a head that is EMPTY.
fn is_end(link: u32) -> bool { return (link | LIVE) >= END; }

// Whether the lane may go on to the next node.
fn may_go_on() -> bool {
  turns += 1u;
  stuck = stuck || turns > TURNS;
  return !stuck;
}

// A word of a node whose index was read from a link: it was written before that link, though it may not have arrived yet.
fn written(at: u32) -> u32 {
  for (var reads = 0u; reads < PATIENCE; reads++) {
    let word = atomicLoad(&words[at]);
    if (word != EMPTY) { return word; }
    // Rare: a region of its own.
    @if(COUNT) count_region(WAIT);
  }
  stuck = true;
  return EMPTY;
}

fn replace(at: u32, from_link: u32, to_link: u32) -> bool {
  @if(COUNT) count_rmw();
  if (atomicCompareExchangeWeak(&words[at], from_link, to_link).exchanged) { return true; }
  @if(COUNT) count_failed_cas();
  return false;
}

// Where a key is, or would be.
struct Place {
  // The word that has `link`, and is live.
  at: u32,
  // To the first node whose key is not smaller.
  link: u32,
  // That node has the key, and was not deleted.
  found: bool,
}

// Unlinks the deleted nodes on its way. Where another lane changed the link before it, it begins again.
fn search(key: u32) -> Place {
  let head = head_of(key);
  var at = head;
  @if(COUNT) count_read();
  var link = atomicLoad(&words[at]);
  while (!is_end(link) && may_go_on()) {
    @if(COUNT) count_step();
    @if(COUNT) count_read();
    let node = node_of(link);
    let next = written(next_at(node));
    if (is_live(next)) {
      let own = written(key_at(node));
      if (own >= key) { return Place(at, link, own == key); }
      @if(COUNT) count_region(NEXT);
      at = next_at(node);
      link = next;
    } else if (replace(at, link, next | LIVE)) {
      link = next | LIVE;
    } else {
      @if(COUNT) count_read();
      at = head;
      link = atomicLoad(&words[at]);
    }
  }
  return Place(at, link, false);
}

// Whether the key is in the set now. `node` is for it, or END where there is none left; `zero` is 0, which the compiler does not
// know: the link to the node is made of what the exchanges of its words returned, so that it cannot be written before them.
fn insert(key: u32, node: u32, zero: u32) -> bool {
  while (!stuck) {
    let place = search(key);
    if (stuck) { break; }
    if (place.found) { return true; }
    if (node == END) { return false; }
    @if(COUNT) count_region(CLAIM);
    @if(COUNT) count_rmw();
    @if(COUNT) count_rmw();
    let before = atomicExchange(&words[key_at(node)], key);
    let after = atomicExchange(&words[next_at(node)], select(place.link, END, is_end(place.link)));
    if (replace(place.at, place.link, node | LIVE | ((before | after) & zero))) {
      linked = true;
      return true;
    }
    // The bound of this loop.
    if (!may_go_on()) { break; }
  }
  return false;
}
// The lane's insertion used its node.
var<private> linked: bool;

// Whether this lane erased the key.
fn erase(key: u32) -> bool {
  let place = search(key);
  if (!place.found) { return false; }
  @if(COUNT) count_region(CLAIM);
  @if(COUNT) count_rmw();
  let next = atomicAnd(&words[next_at(node_of(place.link))], ~LIVE);
  // Of several lanes one deletes it. It also unlinks it, unless others have changed the link before it: then they, or later ones.
  if (!is_live(next)) { return false; }
  replace(place.at, place.link, next);
  return true;
}

fn contains(key: u32) -> bool {
  @if(COUNT) count_read();
  var link = atomicLoad(&words[head_of(key)]);
  while (!is_end(link) && may_go_on()) {
    @if(COUNT) count_step();
    @if(COUNT) count_read();
    let node = node_of(link);
    let next = written(next_at(node));
    let own = written(key_at(node));
    if (own > key) { return false; }
    if (own == key && is_live(next)) { return true; }
    @if(COUNT) count_region(NEXT);
    link = next;
  }
  return false;
}

// Keys in the bucket's list.
fn length(bucket: u32) -> u32 {
  var keys = 0u;
  var link = atomicLoad(&words[bucket]);
  while (!is_end(link) && may_go_on()) {
    link = atomicLoad(&words[next_at(node_of(link))]);
    if (is_live(link)) { keys += 1u; }
  }
  return keys;
}
