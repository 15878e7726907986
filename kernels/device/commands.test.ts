import { beforeEach, expect, test } from "vitest";
import { recordCommands, recordSteps } from "./commands.js";
import type { Kernel, Step } from "./gpu.js";

const log: string[] = [];
let made = 0;

const device = {
  createBindGroup: () => ({ number: ++made }),
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
  clearBuffer: () => log.push("clear"),
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
});

test("steps of a kernel that bind the same buffers to the same names share a bind group", () => {
  const [one, other] = [kernel(), kernel()];
  const [a, b] = [buffer(), buffer()];
  recordSteps(device, pass, [stepOf(one, a, b), stepOf(one, a, b), stepOf(one, b, a), stepOf(other, a, b)]);
  recordSteps(device, pass, [stepOf(one, a, b)]);
  expect(log).toEqual(["group 1", "group 1", "group 2", "group 3", "group 1"]);
});

test("of a kernel whose buffers change all the time no more than some bind groups are kept", () => {
  const one = kernel();
  const first = buffer();
  recordSteps(device, pass, [stepOf(one, first), ...Array.from({ length: 100 }, () => stepOf(one, buffer()))]);
  recordSteps(device, pass, [stepOf(one, first)]);
  expect(log.at(-1)).toBe("group 102");
});

test("steps share a pass up to the next copy or fill", () => {
  const steps = [stepOf(kernel(), buffer()), stepOf(kernel(), buffer())];
  recordCommands(device, encoder, [...steps, { buffer: buffer(), zero: 16 }, ...steps]);
  expect(log.filter((line) => !line.startsWith("group"))).toEqual(["begin", "end", "clear", "begin", "end"]);
});
