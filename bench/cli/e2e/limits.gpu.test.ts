/** A device with WebGPU's default limits, or without subgroups, as a user asks for one. */
import { expect, test } from "vitest";
import type { DeviceInfo } from "../../../kernels/device/gpu.js";
import { device, hashbench, rowsOf, temporary } from "./testing.js";

const place = ["--default-limits", "--device", device];

test("hashbench device shows the limits, and the toggle that rows have", async () => {
  const { stdout, code } = await hashbench("device", ...place, "--json");
  const { limits, toggles } = JSON.parse(stdout) as DeviceInfo;
  expect(code).toBe(0);
  expect(limits).toMatchObject({ maxStorageBuffersPerShaderStage: 8, maxComputeWorkgroupStorageSize: 16384 });
  expect(toggles).toMatch(/^limits=default /);
});

test("cells that the device cannot have are skipped with what they need, and are of a configuration of their own", async () => {
  const small = ["run", "dycuckoo/fig8", "--datasets", "normal", "--n", "1000", "--no-plots", "--json"];
  const out = temporary();
  const ended = await hashbench(...small, ...place, "--out", out);
  const rows = rowsOf(ended);
  const said = new Set(rows.map(({ status, reason, toggles }) => [status, reason, toggles.split(" ")[0]].join("; ")));
  const reason =
    "dycuckoo with alike, resize, alpha=0, beta=1, locks, swap, tile=32: insert needs 9 storage buffers; this device has 8";
  expect([...said]).toEqual([`skipped; ${reason}; limits=default`]);
  expect(ended.code).toBe(4);
  const { code, lines } = await hashbench(...small, "--device", device, "--out", out, "--resume");
  expect(lines).toEqual([
    expect.stringMatching(/another configuration \(toggles: "limits=default .* there, "\+.* now\)/),
  ]);
  expect(code).toBe(2);
});

test("without subgroups a table's warps are workgroups, and pass verify", async () => {
  const without = ["--no-subgroups", "--device", device];
  const { stdout } = await hashbench("device", ...without, "--json");
  const { subgroupMax, toggles, features } = JSON.parse(stdout) as DeviceInfo;
  expect([subgroupMax, toggles.split(" ")[0]]).toEqual([0, "subgroups=off"]);
  expect(features.filter((name) => name.startsWith("subgroup"))).toEqual([]);
  const verified = await hashbench("verify", "warpcore", ...without, "--quick", "--case", "round");
  expect(verified.stdout).toMatch(/^ok {3}warpcore: \d+ cases?, /m);
  expect(verified.code).toBe(0);
});
