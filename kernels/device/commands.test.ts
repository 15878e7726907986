import { beforeEach, expect, test } from "vitest";
import { keptGroups, readAfter, recordCommands, recordSteps } from "./commands.js";
import type { Kernel, Step } from "./gpu.js";

const log: string[] = [];
let made = 0;
const bound: unknown[] = [];

const device = {
  limits: { maxStorageBufferBindingSize: 64 },
  createBindGroup: ({ entries }: { readonly entries: readonly { readonly resource: unknown }[] }) => {
    bound.push(...entries.map(({ resource }) => resource));
    return { number: ++made };
  },
} as unknown as GPUDevice;
const pass = {
  setPipeline: () => undefined,
  setBindGroup: (_: number, group: { readonly number: number }) => log.push(`group ${group.number}`),
  dispatchWorkgroups: () => undefined,
  end: () => log.push("end"),
} as unknown as GPUComputePassEncoder;
const encoder = {
  beginComputePass: () => {
    log.push("begin");
    return pass;
  },
  clearBuffer: (_: GPUBuffer, offset: number, bytes: number) => log.push(`clear ${offset} ${bytes}`),
} as unknown as GPUCommandEncoder;

const buffer = () => ({}) as GPUBuffer;
const kernel = () => ({ pipeline: { getBindGroupLayout: () => ({}) }, file: "", bound: {} }) as unknown as Kernel;
const stepOf = (of: Kernel, ...buffers: GPUBuffer[]): Step => ({
  kernel: of,
  bindings: Object.fromEntries(buffers.map((one, i) => [String(i), one])),
  groups: 1,
});

beforeEach(() => {
  log.length = 0;
  made = 0;
  bound.length = 0;
});

test("a step is bound once a recording, however often it runs there; another step of the same buffers apart", () => {
  const one = kernel();
  const a = buffer();
  const [step, other] = [stepOf(one, a), stepOf(one, a)];
  recordSteps(device, pass, [step, step, other]);
  recordSteps(device, pass, [step]);
  expect(log).toEqual(["group 1", "group 1", "group 2", "group 3"]);
});

test("what is bound is a part, or the whole words of a buffer up to the largest binding", () => {
  const [short, long] = [{ size: 10 }, { size: 1000 }] as unknown as [GPUBuffer, GPUBuffer];
  const part = { buffer: long, offset: 512, size: 16 };
  recordSteps(device, pass, [{ ...stepOf(kernel(), short, long), bindings: { 0: short, 1: long, 2: part } }]);
  expect(bound).toEqual([{ buffer: short, size: 8 }, { buffer: long, size: 64 }, part]);
});

test("steps share a pass up to the next copy or fill", () => {
  const steps = [stepOf(kernel(), buffer()), stepOf(kernel(), buffer())];
  recordCommands(device, encoder, [...steps, { buffer: buffer(), offset: 32, zero: 16 }, ...steps]);
  expect(log.filter((line) => !line.startsWith("group"))).toEqual(["begin", "end", "clear 32 16", "begin", "end"]);
});

test("a group is kept for steps of a pipeline that bind the same, their sizes too", () => {
  const groupOf = keptGroups(device);
  const [one, a, b] = [kernel(), buffer(), buffer()];
  const sized = { ...one, sizes: { binding: 31, buffer: buffer() } };
  const steps = [stepOf(one, a), stepOf(one, b), stepOf(sized, a), stepOf(one, a, b), stepOf(kernel(), a)];
  const groups = steps.map(groupOf);
  expect(new Set(groups).size).toBe(steps.length);
  expect(steps.map((step) => groupOf({ ...step }))).toEqual(groups);
});

test("what is read after a pass is the status, and what more was asked for behind it", () => {
  const words = Uint32Array.from({ length: 32 }, (_, i) => i);
  const { status, more } = readAfter({ status: { size: 32 }, more: { size: 8 } } as never, words.buffer, 16);
  expect([[...status], [...more]]).toEqual([
    [4, 5, 6, 7, 8, 9, 10, 11],
    [12, 13],
  ]);
});
