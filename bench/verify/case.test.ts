import { expect, test } from "vitest";
import { FakeGpu } from "../../kernels/device/fake.js";
import { tableType } from "../../kernels/index.js";
import { checkCase, isSlow, roundSeed } from "./case.js";

const type = tableType("bucketed");

test("a random case is run in every round, any other one once", async () => {
  const rounds: number[] = [];
  const check = async (_gpu: unknown, _type: unknown, round: number) => {
    rounds.push(round);
  };
  await checkCase({ check, random: true }, new FakeGpu(), type, { first: 0, count: 3 });
  await checkCase({ check }, new FakeGpu(), type, { first: 7, count: 3 });
  await checkCase({ check, random: true }, new FakeGpu(), type, { first: 7, count: 2 });
  await checkCase({ check, random: true }, new FakeGpu(), type);
  expect(rounds).toEqual([0, 1, 2, 0, 7, 8, 0]);
});

test("a part has ended where the case says so, and at the end of every round", async () => {
  const said: string[] = [];
  const check = async (_gpu: unknown, _type: unknown, round: number, ended: () => void) => {
    said.push(`round ${round}`);
    ended();
  };
  await checkCase({ check, random: true }, new FakeGpu(), type, { first: 0, count: 2 }, () => said.push("ended"));
  expect(said).toEqual(["round 0", "ended", "ended", "round 1", "ended", "ended"]);
});

test("every round has a seed of its own, the first one the case's", () => {
  expect(roundSeed(40, 0)).toBe(40);
  const seeds = Array.from({ length: 1000 }, (_, round) => roundSeed(40, round));
  expect(new Set(seeds).size).toBe(1000);
  expect(seeds.every((seed) => Number.isInteger(seed) && seed >= 0 && seed < 2 ** 32)).toBe(true);
});

test.each([
  ["a GPU", false, {}, false],
  ["a software adapter", true, {}, true],
  ["a GPU whose buffers are in host memory", false, { memory: "host" }, true],
] as const)("%s: whether cases have few operations", (_, software, more, slow) => {
  const gpu = new FakeGpu();
  Object.assign(gpu, { info: { ...gpu.info, software, ...more } });
  expect(isSlow(gpu, type)).toBe(slow);
  expect(isSlow(gpu, { hostMemory: true })).toBe(true);
});
