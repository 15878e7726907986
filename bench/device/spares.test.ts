import { expect, test } from "vitest";
import { idleBuffer } from "../../kernels/device/idle.js";
import { Spares } from "./spares.js";

const MIB = 2 ** 20;
const destroy = (buffer: GPUBuffer) => buffer.destroy();

/** Buffers, and the labels of those that were destroyed. */
function buffers() {
  const destroyed: string[] = [];
  const make = (label: string, mib: number) => idleBuffer(label, mib * MIB, (freed) => destroyed.push(freed.label));
  return { destroyed, make };
}

test("a buffer that was freed is taken again for its very size, and once only", () => {
  const spares = new Spares(5 * MIB, destroy);
  const { make, destroyed } = buffers();
  expect(spares.take(2 * MIB)).toBeNull();
  const one = make("one", 2);
  spares.put(one);
  expect(spares.take(MIB)).toBeNull();
  expect(spares.take(2 * MIB)).toBe(one);
  expect(spares.take(2 * MIB)).toBeNull();
  // It is not among those that are kept any more: there is room for one of them.
  spares.put(make("other", 2));
  expect(destroyed).toEqual([]);
});

test("what is kept gives way, the oldest first, to what is in use", () => {
  const spares = new Spares(10 * MIB, destroy);
  const { make, destroyed } = buffers();
  for (const [label, mib] of [
    ["a", 3],
    ["b", 2],
    ["c", 4],
  ] as const) {
    spares.take(mib * MIB);
    spares.put(make(label, mib));
  }
  expect(destroyed).toEqual([]);
  spares.take(4 * MIB + 16);
  expect(destroyed).toEqual(["a", "b"]);
  expect(spares.take(2 * MIB)).toBeNull();
  expect(destroyed).toEqual(["a", "b", "c"]);
});

test("a buffer that does not fit beside what is in use is not kept", () => {
  const spares = new Spares(4 * MIB, destroy);
  const { make, destroyed } = buffers();
  spares.take(3 * MIB);
  spares.take(3 * MIB);
  spares.put(make("one", 3));
  expect(destroyed).toEqual(["one"]);
  spares.put(make("other", 3));
  expect(destroyed).toEqual(["one"]);
});

test("small buffers are destroyed at once, and memory that was refused does not count as in use", () => {
  const spares = new Spares(2 * MIB, destroy);
  const { make, destroyed } = buffers();
  spares.put(idleBuffer("small", 4096, () => destroyed.push("small")));
  expect(destroyed).toEqual(["small"]);
  spares.take(2 * MIB);
  spares.refused(2 * MIB);
  spares.take(MIB);
  spares.put(make("one", 1));
  expect(destroyed).toEqual(["small"]);
  expect(spares.flush()).toBe(true);
  expect(spares.flush()).toBe(false);
  expect(destroyed).toEqual(["small", "one"]);
});

test("what another API takes is not kept, until it is given back", () => {
  const spares = new Spares(10 * MIB, destroy);
  const { make, destroyed } = buffers();
  spares.take(4 * MIB);
  spares.take(4 * MIB);
  for (const label of ["a", "b"]) spares.put(make(label, 4));
  expect(spares.reserve(MIB)).toBe(false);
  expect(spares.reserve(5 * MIB)).toBe(true);
  expect(destroyed).toEqual(["a"]);
  spares.unreserve(6 * MIB);
  spares.take(5 * MIB);
  spares.put(make("c", 5));
  expect(destroyed).toEqual(["a"]);
});
