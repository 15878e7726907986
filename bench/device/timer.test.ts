import { beforeAll, expect, test, vi } from "vitest";
import { passOf, passTimer, tickOf, whyUntimed, wrongStamps } from "./timer.js";

test("the clock's tick is what all durations are multiples of", () => {
  expect(tickOf([1024, 1056, 6880])).toBe(32);
  expect(tickOf([1000, 1001])).toBe(1);
  expect(tickOf([0, 1024, 0])).toBe(1024);
  expect(tickOf([0, 0])).toBe(0);
});

const NOTHING = { status: Uint32Array.of(), more: Uint32Array.of() };
const T = 1_767_000_000_000_000_000n;

test.each([
  [T, T + 5n, 1e6, ""],
  [T, T, 1e6, ""],
  [T, T + 2_000_000n, 1e6, ""],
  [T, T + 100_000_000n, 99e6, ""],
  [0n, T, 1e6, "a timestamp is 0"],
  [T, 0n, 1e6, "a timestamp is 0"],
  [T + 5n, T, 1e6, "a pass ended 5 ns before it began"],
  [T, T + 100_000_000n, 50e6, "a pass of 100000000 ns was under way for 50000000 ns"],
  [T, T + 100_000_000n, undefined, ""],
])("stamps %d and %d of a pass that was under way for %d ns: %j", (begin, end, wallNs, why) => {
  const stamped = { begin, end, ...(wallNs !== undefined && { wallNs }), ...NOTHING };
  expect(wrongStamps(stamped)).toBe(why);
  expect(passOf(stamped).ns).toBe(why === "" ? Number(end - begin) : Number.NaN);
  if (why !== "") expect(whyUntimed()).toBe(why);
});

beforeAll(() => {
  const usage = { QUERY_RESOLVE: 1, COPY_SRC: 2, COPY_DST: 4, MAP_READ: 8, STORAGE: 16 };
  vi.stubGlobal("GPUBufferUsage", usage);
  vi.stubGlobal("GPUMapMode", { READ: 1 });
});

/** A device that notes what passes are written with, whose queries then hold these stamps. */
function deviceWith(stamps: () => readonly [begin: bigint, end: bigint]) {
  const passes: string[] = [];
  const buffer = () => ({
    mapAsync: async () => undefined,
    getMappedRange: () => {
      const bytes = new ArrayBuffer(4096);
      new BigUint64Array(bytes).set(stamps());
      return bytes;
    },
    unmap: () => undefined,
  });
  const encoder = {
    beginComputePass({ timestampWrites = {} }: { timestampWrites?: Record<string, unknown> } = {}) {
      const { beginningOfPassWriteIndex: begin, endOfPassWriteIndex: end } = timestampWrites;
      passes.push([begin === undefined ? "" : `begin ${begin}`, `end ${end}`].filter(Boolean).join(", "));
      return { end: () => undefined };
    },
    resolveQuerySet: () => undefined,
    copyBufferToBuffer: () => undefined,
  };
  const features = new Set(["timestamp-query"]);
  const device = { features, createQuerySet: () => ({}), createBuffer: buffer } as unknown as GPUDevice;
  const timer = passTimer(device);
  const time = async (behind: boolean) => {
    passes.length = 0;
    const pass = timer.pass(() => undefined, { behind });
    pass.encode(encoder as unknown as GPUCommandEncoder);
    return { stamped: await pass.read(), passes: [...passes] };
  };
  return time;
}

test("the begin of a pass behind others is the end of an empty pass before it, that of one alone its own", async () => {
  const time = deviceWith(() => [T, T + 5n]);
  expect((await time(true)).passes).toEqual(["end 0", "end 1"]);
  expect((await time(false)).passes).toEqual(["begin 0, end 1"]);
});

test("where three empty passes in a row have no stamps, the begin of a pass behind others is its own from then on", async () => {
  let begin = 0n;
  const time = deviceWith(() => [begin, T + 5n]);
  for (let i = 0; i < 3; i++) {
    const { passes, stamped } = await time(true);
    expect(passes).toEqual(["end 0", "end 1"]);
    expect(passOf(stamped).ns).toBeNaN();
  }
  begin = T;
  const { passes, stamped } = await time(true);
  expect(passes).toEqual(["begin 0, end 1"]);
  expect(passOf(stamped).ns).toBe(5);
});

test("a stray stamp of 0 changes nothing for the passes after it", async () => {
  const begins = [0n, 0n, T, 0n, 0n, T];
  const time = deviceWith(() => [begins.shift() ?? 0n, T + 5n]);
  for (const last of [...begins]) {
    const { passes, stamped } = await time(true);
    expect(passes).toEqual(["end 0", "end 1"]);
    expect(passOf(stamped).ns).toEqual(last === 0n ? Number.NaN : 5);
  }
});
