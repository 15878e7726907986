// One lane an item, whatever the number of items: the workgroups are spread over x and y, because one dimension holds
// 65,535 only. Lanes past the last item do nothing, but reach every barrier.

// Lanes a workgroup. 256 is the most that every adapter takes.
const WORKGROUP = 256u;

struct Grid {
  // The item of this lane.
  index: u32,
  // The workgroup's number.
  group: u32,
}

fn grid(workgroup_id: vec3u, num_workgroups: vec3u, local_index: u32) -> Grid {
  let group = workgroup_id.y * num_workgroups.x + workgroup_id.x;
  return Grid(group * WORKGROUP + local_index, group);
}
