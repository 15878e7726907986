// Arithmetic without memory accesses, to keep the clocks of a GPU up between short samples (bench/device/heater.ts).
// Each lane steps a linear congruential generator sizes.iterations times, the bound of its loop.

struct Sizes { iterations: u32 }
@group(0) @binding(31) var<uniform> sizes: Sizes;

@group(0) @binding(0) var<storage, read_write> sink: array<u32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u) {
  var state = id.x;
  for (var i = 0u; i < sizes.iterations; i++) {
    state = state * 1664525u + 1013904223u;
  }
  // Hardly ever true, and of no consequence then; without it the compiler would drop the loop.
  if (state == 0u) {
    sink[0] = 1u;
  }
}
