// device/limits: random 32-bit read-modify-writes and plain writes. One lane an access; what it does is `ACCESS`.
// VALUE: the table is two arrays, one behind the other, and what is done to a word of the first writes that of the second too.
import package::kernels::common::grid::{grid, WORKGROUP};
import package::kernels::common::hash::mix32;

const EXCHANGE = 0u;
const CAS = 1u;
const AND = 2u;

// Blocks of one word (RMW, write4) or two (write8, VALUE).
struct Sizes { blocks: u32 }
@group(0) @binding(31) var<uniform> sizes: Sizes;

override ACCESS: u32 = 0u;

@if(RMW) @group(0) @binding(0) var<storage, read_write> table: array<atomic<u32>>;
@if(WORD) @group(0) @binding(0) var<storage, read_write> table: array<u32>;
@if(PAIR) @group(0) @binding(0) var<storage, read_write> table: array<vec2u>;
@group(0) @binding(3) var<uniform> n: u32;

@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) nwg: vec3u, @builtin(local_invocation_index) lid: u32) {
  let item = grid(wid, nwg, lid).index;
  if (item >= n) { return; }
  let at = mix32(item) % sizes.blocks;
  @if(WORD) table[at] = item;
  @if(PAIR) table[at] = vec2u(item, ~item);
  @if(RMW) {
    // The old value is not used; on NVIDIA an RMW without a use of it costs as much (measured).
    if (ACCESS == EXCHANGE) { atomicExchange(&table[at], item); }
    if (ACCESS == CAS) { atomicCompareExchangeWeak(&table[at], 0u, item); }
    if (ACCESS == AND) { atomicAnd(&table[at], item); }
    @if(VALUE) atomicStore(&table[at + sizes.blocks], item);
  }
}
