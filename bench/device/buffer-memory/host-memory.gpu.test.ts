/** Buffers, tables and `verify` in host memory, by the layer. A software adapter has one type of memory, which is taken for the host's. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { inShell, temporary } from "../../cli/e2e/testing.js";
import { findLayer } from "../adapter/layer.js";
import {
  adapterFlags,
  built,
  folder,
  forced,
  host,
  inProcess,
  MIB,
  place,
  USE,
  withLayer,
  withLayerOnce,
} from "./testing.js";

// A software adapter has one type of memory, which is taken for the host's: how a GPU treats another, a GPU says.
withLayer(
  "a buffer that is to be in host memory lies there, and no other, and Dawn clears, copies and reads it",
  () => {
    const text = `${USE}
    const gpu = await open();
    const [host, other] = [await use(gpu, 64 * MIB, "host"), await use(gpu, 32 * MIB)];
    await use(gpu, 5 * MIB, "host");
    await gpu.submit([{ from: host, to: other, bytes: 32 * MIB }]);
    console.log(...(await gpu.read(other, 3)));
    await gpu.zero(host);
    console.log(...(await gpu.read(host, 2)), process.env.HASHBENCH_HOST_MEMORY);`;
    const { stdout, lines } = inProcess(text, { HASHBENCH_HOST_MEMORY_TYPES: "1" });
    expect(lines).toEqual([64, 32, 5].map((mib) => (mib === 32 ? `dedicated ${mib * MIB}` : `host ${mib * MIB} type`)));
    const used = [64, 32, 5].map((mib) => `${mib * MIB} 2 3 4`);
    expect(stdout.trim().split("\n")).toEqual([...used, `${64 * MIB} 2 0`, "0 0 undefined"]);
  },
);

withLayer("where no memory is the host's, a buffer that is to be there does not fit, and the device goes on", () => {
  const { stdout, lines } = inProcess(
    `${USE}
    const gpu = await open();
    await use(gpu, 64 * MIB, "host").catch((error) => console.log(error.constructor.name));
    await gpu.alloc("most", 2 ** 31 - 16, "host").catch((error) => console.log(error.message));
    await use(gpu, 8 * MIB);`,
    { HASHBENCH_HOST_MEMORY_TYPES: "0" },
  );
  expect(lines[0]).toBe(`failed ${64 * MIB} no memory type of the host`);
  expect(stdout).toMatch(/^DoesNotFit\n.*\n8388608 2 3 4\n$/);
});

withLayerOnce("a table whose pieces are in both memories answers as one in one memory", () => {
  const text = `
    const { createTable } = await import(${JSON.stringify(built("kernels/create.js"))});
    const { tableType } = await import(${JSON.stringify(built("kernels/index.js"))});
    const { Owner } = await import(${JSON.stringify(built("kernels/device/owned.js"))});
    const { placementOf } = await import(${JSON.stringify(built("bench/scenarios/allocation.js"))});
    const gpu = await open();
    const own = new Owner(gpu);
    const n = 2 ** 21;
    const words = async (label, word) => {
      const buffer = await own.alloc(label, n * 4);
      gpu.write(buffer, 0, Uint32Array.from({ length: n }, (_, i) => word(i)));
      return buffer;
    };
    const [keys, values, results] = [await words("keys", (i) => i * 7), await words("values", (i) => i ^ 5), await words("results", () => 0)];
    for (const id of ["quotient", "bucketed"]) {
      const type = tableType(id);
      const placed = new Owner(own, "", placementOf(type.bytes(n, 0.8), 0.5, gpu.maxBinding));
      const table = await createTable(type, placed, { n, loadFactor: 0.8, seed: 1, counting: false });
      await table.clear();
      await table.insert((...steps) => gpu.time(...steps), { keys, values, n });
      await table.find((...steps) => gpu.time(...steps), { keys, results, n });
      console.log(id, (await gpu.read(results, n)).findIndex((value, i) => value !== (i ^ 5)));
      placed.destroy();
    }`;
  const { stdout, lines } = inProcess(text, {
    HASHBENCH_HOST_MEMORY_TYPES: "1",
    HASHBENCH_LARGE_PAGES_FROM: String(4 * MIB),
  });
  expect(stdout).toBe("quotient -1\nbucketed -1\n");
  const pieces = lines.filter((line) => /^(host|dedicated) (5|6)\d{6}\b/.test(line)).map((line) => line.split(" ")[0]);
  expect(pieces).toEqual(["quotient", "bucketed"].flatMap(() => ["dedicated", "host", "dedicated", "host"]));
});

withLayer(
  "beyond what may be pinned a buffer is refused before it is tried, with sizes, and the device goes on",
  () => {
    const { stdout, lines } = inProcess(
      `${USE}
    const gpu = await open();
    process.availableMemory = () => 64 * MIB;
    await gpu.alloc("large", 64 * MIB, "host").catch((error) => console.log(error.constructor.name, error.message));
    await use(gpu, 48 * MIB, "host");`,
      { HASHBENCH_HOST_MEMORY_TYPES: "1" },
    );
    const most = Math.floor(0.8 * 64 * MIB);
    const refused = `${64 * MIB} bytes of host memory, of which ${most} of those that are free may be pinned`;
    expect(stdout).toBe(`DoesNotFit large: ${refused}\n${48 * MIB} 2 3 4\n`);
    expect(lines).toEqual([`host ${48 * MIB} type`]);
  },
);

withLayer("host memory that the driver does not give leaves nothing behind, however often it is tried", () => {
  const { stdout, lines } = inProcess(
    `${USE}
    import { readFileSync } from "node:fs";
    const mapped = () => readFileSync("/proc/self/maps", "utf8").split("\\n").length;
    const gpu = await open();
    const failing = async () => gpu.alloc("large", 64 * MIB, "host").then(() => "made", (error) => error.message);
    console.log(await failing(), process.env.HASHBENCH_HOST_MEMORY);
    const before = mapped();
    for (let i = 0; i < 100; i++) await failing();
    // Node maps some tens by itself.
    console.log(mapped() - before < 100);
    await use(gpu, 64 * MIB, "plain");`,
    { HASHBENCH_HOST_MEMORY_TYPES: "1", HASHBENCH_LARGE_PAGES_FAIL: "2" },
  );
  const failed = `large: out of host memory, or the driver gives buffers none, for ${64 * MIB} bytes`;
  expect(stdout).toBe(`${failed} undefined\ntrue\n${64 * MIB} 2 3 4\n`);
  // Each once more after what had been freed is back.
  expect(lines).toEqual(new Array(202).fill(`failed ${64 * MIB} type`));
});

test("without the layer there is no host memory, in one line", () => {
  const { stdout } = inProcess(
    `const gpu = await open();
     await gpu.alloc("large", 64 * MIB, "host").catch((error) => console.log(error.message));`,
    { VK_INSTANCE_LAYERS: "" },
  );
  expect(stdout).toBe(
    "large: memory of the host takes Dawn in Node on Linux, and the Vulkan layer of bench/device/buffer-memory\n",
  );
});

withLayerOnce("the program for host memory runs by itself, and says where the layer is missing", () => {
  const program = join(folder, "reproduce-host.mjs");
  const env = { ...process.env, ...findLayer(host).env, HASHBENCH_HOST_MEMORY_TYPES: "1" };
  const run = (more: NodeJS.ProcessEnv) =>
    spawnSync(process.execPath, [program, "16", "65536", ...adapterFlags], {
      encoding: "utf8",
      env: { ...env, ...more },
      timeout: 100_000,
    });
  const log = join(temporary(), "log");
  const said = (memory: string) =>
    `${memory} memory, 16 MiB: [\\d.e+]+ M reads/s, [\\d.e+]+ M adds/s, all additions counted\\n`;
  expect(run({ HASHBENCH_LARGE_PAGES_LOG: log }).stdout).toMatch(new RegExp(`^${said("device")}${said("host")}$`));
  expect(readFileSync(log, "utf8")).toBe(`dedicated ${16 * MIB}\nhost ${16 * MIB} type\n`);
  expect(run({ VK_INSTANCE_LAYERS: "" }).stderr).toContain("Error: the layer is not loaded");
});

withLayerOnce(
  "verify --host-memory has tables there, mixed batches too, of whatever size, and wants the layer",
  async () => {
    const log = join(temporary(), "log");
    const shell = `HASHBENCH_LARGE_PAGES_LOG=${log} HASHBENCH_HOST_MEMORY_TYPES=1 ${forced}`;
    const words = ["verify", "quotient", "stash", "--quick", "--case", "race", "--host-memory", ...place];
    const { lines, stdout, code } = await inShell(shell, ...words);
    expect(lines).toEqual([]);
    expect(stdout).toMatch(/\n2 variants, [1-9]\d* cases, 0 failed; [1-9]/);
    expect(code).toBe(0);
    const kinds = readFileSync(log, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => line.split(" ")[0]);
    // The ticket-board of Stash is too small for the log.
    expect(new Set(kinds)).toEqual(new Set(["host"]));
    const without = await inShell('exec "$@"', ...words);
    expect(without.lines).toEqual([
      expect.stringMatching(/^hashbench: --host-memory: .* is not opened with the Vulkan layer/),
    ]);
    expect(without.code).toBe(2);
  },
);
