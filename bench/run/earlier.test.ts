import { expect, test } from "vitest";
import type { DeviceInfo } from "../../kernels/device/gpu.js";
import { experiments } from "../experiments/index.js";
import { earlierOn, keptSeconds } from "./earlier.js";
import { estimate } from "./estimate.js";
import { plan } from "./plan.js";

const ids = new Set(["slab/fig5a", "device/limits", "gph/fig10", "limit/table"]);
const on = (name: string, software = false) => earlierOn({ name, software } as DeviceInfo, "no folder", ids);

test("runs of several GPUs came with hashbench, each of which tells of an experiment once", () => {
  const told = on("some GPU");
  expect(new Set(told.map(({ device }) => device)).size).toBeGreaterThan(1);
  expect(new Set(told.map(({ device, experiment }) => `${device} ${experiment}`)).size).toBe(told.length);
});

test("cells of device/limits that other runs began with are not taken for all of it", () => {
  for (const { experiment, took } of on("some GPU"))
    if (experiment === "device/limits") expect(took.own).toBeGreaterThan(5);
  expect(keptSeconds(ids).get("device/limits")?.own).toBeGreaterThan(5);
});

test("what one device took is within what is expected of it by the other one's run", () => {
  const told = on("some GPU");
  for (const name of new Set(told.map(({ device }) => device))) {
    const [own, others] = [told.filter(({ device }) => device === name), told.filter(({ device }) => device !== name)];
    const measured = new Set(own.map(({ experiment }) => experiment));
    const parts = plan(
      experiments.filter(({ id }) => measured.has(id)),
      { quick: false, seed: 1 },
      { name: "some GPU", software: false },
    );
    const took = own.reduce((sum, one) => sum + one.took.own, 0);
    const beside = own.reduce((sum, one) => sum + one.took.beside, 0);
    const { seconds } = estimate(parts, { device: { name, software: false }, earlier: others, beside: true });
    expect(Math.max(took, beside), name).toBeGreaterThan(seconds.from);
    expect(Math.max(took, beside), name).toBeLessThan(seconds.to);
  }
});

test("runs of GPUs say nothing of a software adapter", () => {
  expect(on("llvmpipe", true)).toEqual([]);
});
