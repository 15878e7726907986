import { expect, test } from "vitest";
import { FakeGpu } from "./fake.js";
import { Owner, owned, scoped } from "./owned.js";

/** Labels of what was allocated, and where it is not in the device's memory. */
const said = ({ allocations }: FakeGpu) =>
  allocations.map(({ label, memory }) => (memory === "device" ? label : `${label}: ${memory}`));

test("a plain owner's buffers are plain allocations, and those of its parts, of what is made of it, and kept", async () => {
  const gpu = new FakeGpu();
  const own = new Owner(gpu, "", "plain");
  await own.alloc("own", 16);
  const part = new Owner(own);
  await part.alloc("part", 16);
  await new Owner(part, "part of a part").alloc("part of a part", 16);
  await owned(own, async (made) => ({ buffer: await made.alloc("owned", 16) }));
  await scoped(own, (made) => made.alloc("scoped", 16));
  await own.kept((made, size: number) => made.alloc("kept", size)).get(16);
  const labels = ["own", "part", "part of a part", "owned", "scoped", "kept"];
  expect(said(gpu)).toEqual(labels.map((label) => `${label}: plain`));
});

test("an owner is plain only if it says so, or the one that it is a part of", async () => {
  const gpu = new FakeGpu();
  const plain = new Owner(gpu, "", "plain");
  await new Owner(gpu).alloc("usual", 16);
  await owned(gpu, async (made) => ({ buffer: await made.alloc("owned", 16) }));
  await scoped(gpu, (made) => made.alloc("scoped", 16));
  await new Owner(plain, "", "device").alloc("usual part", 16);
  await new Owner(new Owner(gpu), "", "plain").alloc("part", 16);
  expect(said(gpu)).toEqual(["usual", "owned", "scoped", "usual part", "part: plain"]);
});

test("an owner frees plain buffers as others", async () => {
  const gpu = new FakeGpu();
  const own = new Owner(gpu, "", "plain");
  await own.alloc("own", 16);
  await new Owner(own).alloc("part", 16);
  own.free(await own.alloc("early", 16));
  expect(gpu.live).toEqual(["own", "part"]);
  own.destroy();
  expect(gpu.live).toEqual([]);
});

test("uniforms of ever other words share pages, those of the same words are one, and all are freed at the end", () => {
  const gpu = new FakeGpu();
  const own = new Owner(gpu);
  const first = own.constant(7, 8);
  expect(own.constant(7, 8)).toBe(first);
  const parts = Array.from({ length: 3000 }, (_, word) => own.constant(word));
  const pages = [...new Set(parts.map(({ buffer }) => buffer))];
  expect(new Set(parts.map(({ buffer, offset }) => `${pages.indexOf(buffer)} ${offset}`)).size).toBe(3000);
  expect(parts.filter(({ offset, size, buffer }) => offset % 256 !== 0 || offset + size > buffer.size)).toEqual([]);
  expect(gpu.live.length).toBeLessThan(50);
  const large = own.constant(...new Array<number>(65).fill(1));
  expect([large.offset, large.size, large.buffer.size]).toEqual([0, 272, 272]);
  // So many that the first page is not kept.
  for (let word = 0; word < 300 * 64; word++) own.constant(1, word);
  expect(own.constant(7, 8)).not.toBe(first);
  own.destroy();
  expect(gpu.live).toEqual([]);
});

test("memory that is kept is made anew for a larger size only, after what there was is freed", async () => {
  const gpu = new FakeGpu();
  const there: string[][] = [];
  const kept = new Owner(gpu).kept((own, size: number) => {
    there.push(gpu.live);
    return own.alloc(`${size}`, size);
  });
  for (const size of [32, 16, 64]) await kept.get(size);
  expect([there, gpu.live]).toEqual([[[], []], ["64"]]);
});
