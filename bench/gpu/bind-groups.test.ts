import { expect, test } from "vitest";
import { fakeBuffer } from "../../kernels/device/fake.js";
import { BindGroups } from "./bind-groups.js";

const pipeline = (name: string) =>
  ({ getBindGroupLayout: (index: number) => `layout ${index} of ${name}` }) as unknown as GPUComputePipeline;
const buffers = Array.from({ length: 8 }, (_, i) => fakeBuffer(`${i}`, 16));
const buffer = (i: number) => buffers[i] as GPUBuffer;

function groups(keeps: number) {
  const made: GPUBindGroupDescriptor[] = [];
  const device = { createBindGroup: (descriptor: GPUBindGroupDescriptor) => made.push(descriptor) };
  return { made, groups: new BindGroups(device as unknown as GPUDevice, keeps) };
}

test("the same pipeline and buffers have one group", () => {
  const { made, groups: some } = groups(10);
  const insert = pipeline("insert");
  const first = some.get(insert, { 0: buffer(0), 31: buffer(1) });
  expect(some.get(insert, { 0: buffer(0), 31: buffer(1) })).toBe(first);
  expect(made).toEqual([
    {
      layout: "layout 0 of insert",
      entries: [
        { binding: 0, resource: { buffer: buffer(0) } },
        { binding: 31, resource: { buffer: buffer(1) } },
      ],
    },
  ]);
});

test("another pipeline, binding or buffer has another group", () => {
  const { made, groups: some } = groups(10);
  const insert = pipeline("insert");
  some.get(insert, { 0: buffer(0), 1: buffer(1) });
  some.get(pipeline("insert"), { 0: buffer(0), 1: buffer(1) });
  some.get(insert, { 0: buffer(1), 1: buffer(0) });
  some.get(insert, { 0: buffer(0), 2: buffer(1) });
  some.get(insert, { 0: buffer(0) });
  // A buffer of that label and size, but another one.
  some.get(insert, { 0: buffer(0), 1: fakeBuffer("1", 16) });
  expect(made).toHaveLength(6);
});

test("groups that were not used for long are made anew, and no more are kept than twice as many as asked for", () => {
  const { made, groups: some } = groups(2);
  const insert = pipeline("insert");
  const use = (...which: readonly number[]) => {
    const before = made.length;
    for (const i of which) some.get(insert, { 0: buffer(i) });
    return made.length - before;
  };
  expect(use(0, 1, 2, 3)).toBe(4);
  // Used again, and so kept.
  expect(use(0)).toBe(0);
  expect(use(4, 5)).toBe(2);
  expect(use(0, 4, 5)).toBe(0);
  expect(use(1)).toBe(1);
});
