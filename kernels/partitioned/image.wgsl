// A part of a table as it is built in workgroup memory: the buckets, of 32 bytes, that keys with the same upper bits of their
// hash have. The pairs come sorted by these bits. One workgroup a part.
//
// Of hash h and M buckets, floor(h · M / 2^32) is the bucket: it ascends with the hash. A bucket that two parts have keys for
// belongs to the second of them. Pairs that the image does not take are left over, for insertions one by one (rest.wgsl):
//   list[0 … status[1] - 1]     numbers of pairs
//   from CAP on, of each part   if status[2] is not 0: no workgroup has to go through many pairs of one key alone
//
// Layout: image as the table's buckets, one after another, at first EMPTY, as in a table that is cleared.
import package::kernels::common::grid::WORKGROUP;
import package::kernels::common::hash::{mix32, mulhi};
import package::kernels::common::keys::{EMPTY, DELETED};

struct Plan {
  pairs: u32,
  parts: u32,
  // The part is hash >> shift.
  shift: u32,
  // Of the table, and of its hashes.
  buckets: u32,
  seed: u32,
}
// Sorted: hashes of keys, and values.
@group(0) @binding(0) var<storage, read> hashes: array<u32>;
@group(0) @binding(1) var<storage, read> values: array<u32>;
// Where the pairs of each part begin; then, where the last one's end.
@group(0) @binding(2) var<storage, read> starts: array<u32>;
@group(0) @binding(3) var<storage, read_write> table: array<vec4u>;
@group(0) @binding(4) var<storage, read_write> list: array<u32>;
@group(0) @binding(5) var<storage, read_write> status: array<atomic<u32>, 4>;
@group(0) @binding(6) var<uniform> plan: Plan;

// Buckets of a part, at most: MAX_BUCKETS of partitioned.ts.
const BUCKETS = 512u;
// Pairs of a part that are looked at: several times as many as there are slots.
const CAP = 8192u;

var<workgroup> image: array<atomic<u32>, 8u * BUCKETS>;
// Pairs of the part that are left over, so that the workgroup takes its places in the list by one atomic operation. More go
// there one by one.
const LEFT = 1024u;
var<workgroup> left: array<u32, LEFT>;
var<workgroup> left_count: atomic<u32>;
var<workgroup> left_place: u32;

struct Part {
  // The pairs, and the one after the last.
  first: u32,
  end: u32,
  // The first bucket, and how many.
  bucket: u32,
  buckets: u32,
}

fn first_bucket_of(part: u32) -> u32 {
  if (part >= plan.parts) { return plan.buckets; }
  return mulhi(part << plan.shift, plan.buckets);
}

fn part_of(number: u32) -> Part {
  let first = starts[number];
  let bucket = first_bucket_of(number);
  return Part(first, min(starts[number + 1u], first + CAP), bucket, first_bucket_of(number + 1u) - bucket);
}

fn clear_image(part: Part, lid: u32) {
  if (lid == 0u) { atomicStore(&left_count, 0u); }
  for (var word = lid; word < 8u * part.buckets; word += WORKGROUP) { atomicStore(&image[word], EMPTY); }
}

fn four_words(at: u32) -> vec4u {
  return vec4u(atomicLoad(&image[at]), atomicLoad(&image[at + 1u]), atomicLoad(&image[at + 2u]), atomicLoad(&image[at + 3u]));
}

fn write_image(part: Part, lid: u32) {
  for (var half = lid; half < 2u * part.buckets; half += WORKGROUP) { table[2u * part.bucket + half] = four_words(4u * half); }
}

// The pair is left over.
fn leave(pair: u32) {
  let place = atomicAdd(&left_count, 1u);
  if (place < LEFT) { left[place] = pair; } else { list[atomicAdd(&status[1], 1u)] = pair; }
}

// After a barrier, in uniform control flow.
fn write_left(lid: u32) {
  let count = min(atomicLoad(&left_count), LEFT);
  if (lid == 0u) { left_place = atomicAdd(&status[1], count); }
  workgroupBarrier();
  for (var i = lid; i < count; i += WORKGROUP) { list[left_place + i] = left[i]; }
}

// Says so if the part has pairs that nobody looks at.
fn leave_long(number: u32, part: Part, lid: u32) {
  if (lid == 0u && starts[number + 1u] > part.end) { atomicStore(&status[2], 1u); }
}

// Insertion refuses reserved keys, and counts them.
fn is_reserved(hash: u32) -> bool { return hash == mix32(EMPTY ^ plan.seed) || hash == mix32(DELETED ^ plan.seed); }
