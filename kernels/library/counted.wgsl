// How many items an operation has, where the device knows it: the items of the dispatches that follow, and their workgroups. One lane.
//
// Layout of `range`: the uniform that they read (first, end, two words of padding), then the words of an indirect dispatch (x, y, 1).
const MOST_GROUPS = 65535u;

// `word`: where the number of items stands. There are at most `most`, and `lanes` of them in a workgroup.
struct Counted { word: u32, first: u32, most: u32, lanes: u32 }
@group(0) @binding(0) var<storage, read> count: array<u32>;
@group(0) @binding(1) var<storage, read_write> range: array<u32>;
@group(0) @binding(2) var<uniform> counted: Counted;

@compute @workgroup_size(1)
fn main() {
  let n = min(count[counted.word], counted.most);
  let groups = n / counted.lanes + select(0u, 1u, n % counted.lanes > 0u);
  let y = groups / MOST_GROUPS + select(0u, 1u, groups % MOST_GROUPS > 0u);
  range[0] = counted.first;
  range[1] = counted.first + n;
  range[4] = (groups + max(y, 1u) - 1u) / max(y, 1u);
  range[5] = y;
  range[6] = 1u;
}
