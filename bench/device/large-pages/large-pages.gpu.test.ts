/** The layer between Dawn and a real driver, in processes of their own, as workers load it. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { DeviceInfo } from "../../../kernels/device/gpu.js";
import { packageRoot } from "../../base/paths.js";
import { device, inShell, rowsOf, temporary } from "../../cli/e2e/testing.js";
import { findLayer } from "../adapter/large-pages.js";
import { spared } from "../testing.js";
import { compiles } from "./testing.js";

const MIB = 2 ** 20;
const host = { platform: process.platform, env: process.env, exists: existsSync };
const built = (path: string) => join(packageRoot, "dist", path);
const dawn = built("bench/device/dawn.js");
const reproduction = join(packageRoot, "bench", "device", "large-pages", "reproduce.mjs");
const withLayer = test.skipIf(!compiles);
/** What commands and rows make of it, whatever the driver. */
const withLayerOnce = test.skipIf(!compiles || spared);

/**
 * Runs the text, with `open()` for a device, in a process that loads the layer; gives what it printed, and the layer's log of what is
 * larger than Dawn's own buffers.
 */
function inProcess(text: string, env: NodeJS.ProcessEnv = {}) {
  const log = join(temporary(), "log");
  const head = `
    import { openDawn } from ${JSON.stringify(dawn)};
    const open = () => openDawn({ adapter: ${JSON.stringify(process.env.HASHBENCH_ADAPTER ?? "")}, robust: true, toggles: [] });
    const MIB = ${MIB};`;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--input-type=module", "-e", `${head}\n${text}\nprocess.exit(0);`],
    {
      encoding: "utf8",
      env: { ...process.env, ...findLayer(host).env, HASHBENCH_LARGE_PAGES_LOG: log, ...env },
      timeout: 100_000,
    },
  );
  if (status !== 0) throw new Error(stderr);
  const lines = existsSync(log) ? readFileSync(log, "utf8").trimEnd().split("\n") : [];
  return { stdout, lines };
}

/** Writes numbers at both ends of a buffer, and reads them back. */
const USE = `
  async function use(gpu, bytes, memory) {
    const buffer = await gpu.alloc("large", bytes, memory);
    gpu.write(buffer, 0, new Uint32Array([bytes, 2]));
    gpu.write(buffer, bytes - 8, new Uint32Array([3, 4]));
    const [first, last] = [await gpu.read(buffer, 2), await gpu.read(buffer, 2, bytes / 4 - 2)];
    console.log(...first, ...last);
    return buffer;
  }`;

withLayer("Dawn's large buffers become dedicated, small ones stay as they are", () => {
  const { stdout, lines } = inProcess(`${USE}
    const gpu = await open();
    for (const mib of [64, 1, 15, 16]) await use(gpu, mib * MIB);
    console.log(gpu.info.toggles.split(" ")[0]);`);
  expect(lines).toEqual([`dedicated ${64 * MIB}`, `dedicated ${16 * MIB}`]);
  expect(stdout.trim().split("\n")).toEqual([...[64, 1, 15, 16].map((mib) => `${mib * MIB} 2 3 4`), "+large_pages"]);
});

withLayer("a buffer that is to be plain is left alone, and the next one is dedicated again", () => {
  const text = `${USE}
    const gpu = await open();
    await use(gpu, 64 * MIB, "plain");
    for (const mib of [16, 32]) await use(gpu, mib * MIB);
    await use(gpu, 48 * MIB, "plain");
    console.log(process.env.HASHBENCH_LARGE_PAGES_FROM);`;
  const used = [64, 16, 32, 48].map((mib) => `${mib * MIB} 2 3 4`);
  const { stdout, lines } = inProcess(text);
  expect(lines).toEqual([16, 32].map((mib) => `dedicated ${mib * MIB}`));
  expect(stdout.trim().split("\n")).toEqual([...used, "undefined"]);
  // With a threshold of the user's own, which stays.
  const own = inProcess(text, { HASHBENCH_LARGE_PAGES_FROM: String(32 * MIB) });
  expect(own.lines).toEqual([`dedicated ${32 * MIB}`]);
  expect(own.stdout.trim().split("\n")).toEqual([...used, String(32 * MIB)]);
});

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

withLayer("a table whose pieces are in both memories answers as one in one memory", () => {
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
    for (let i = 0; i < 50; i++) await failing();
    console.log(mapped() - before < 10);
    await use(gpu, 64 * MIB, "plain");`,
    { HASHBENCH_HOST_MEMORY_TYPES: "1", HASHBENCH_LARGE_PAGES_FAIL: "2" },
  );
  const failed = `large: out of host memory, or the driver gives buffers none, for ${64 * MIB} bytes`;
  expect(stdout).toBe(`${failed} undefined\ntrue\n${64 * MIB} 2 3 4\n`);
  // Each once more after what had been freed is back.
  expect(lines).toEqual(new Array(102).fill(`failed ${64 * MIB} type`));
});

test("without the layer there is no host memory, in one line", () => {
  const { stdout } = inProcess(
    `const gpu = await open();
     await gpu.alloc("large", 64 * MIB, "host").catch((error) => console.log(error.message));`,
    { VK_INSTANCE_LAYERS: "" },
  );
  expect(stdout).toBe(
    "large: memory of the host takes Dawn in Node on Linux, and the Vulkan layer of bench/device/large-pages\n",
  );
});

// Mesa brings a layer of its own, which would stand between.
withLayer("it is the loader's first layer where there is no other", () => {
  const { stdout, lines } = inProcess(`${USE}\n await use(await open(), 64 * MIB);`, {
    VK_LOADER_LAYERS_DISABLE: "~implicit~",
    NODEVICE_SELECT: "1",
  });
  expect(lines).toEqual([`dedicated ${64 * MIB}`]);
  expect(stdout.trim()).toBe(`${64 * MIB} 2 3 4`);
});

withLayer("heaps that Dawn shares out are not dedicated to the first of their buffers", () => {
  const { lines } = inProcess(
    `const gpu = await open();
     for (let i = 0; i < 4; i++) await gpu.alloc("small", 3 * MIB);`,
    { HASHBENCH_LARGE_PAGES_FROM: String(MIB) },
  );
  const why = "no buffer of this size and memory type was asked for";
  expect(new Set(lines)).toEqual(new Set([`plain ${8 * MIB} ${why}`]));
});

withLayer("where dedicated allocations fail, plain ones take their place", () => {
  const { stdout, lines } = inProcess(
    `${USE}
    await use(await open(), 64 * MIB);`,
    { HASHBENCH_LARGE_PAGES_FAIL: "1" },
  );
  expect(lines).toEqual([`plain ${64 * MIB} dedicated failed: -2`]);
  expect(stdout.trim()).toBe(`${64 * MIB} 2 3 4`);
});

withLayer("memory that is not there is what does not fit, and the device goes on", () => {
  const { stdout, lines } = inProcess(
    `${USE}
    const gpu = await open();
    await use(gpu, 64 * MIB).catch((error) => console.log(error.constructor.name, error.message));
    await use(gpu, 8 * MIB);`,
    { HASHBENCH_LARGE_PAGES_FAIL: "2" },
  );
  expect(new Set(lines)).toEqual(new Set([`failed ${64 * MIB} dedicated failed: -2`]));
  expect(stdout.trim().split("\n")).toEqual([
    `DoesNotFit large: out of device memory for ${64 * MIB} bytes`,
    `${8 * MIB} 2 3 4`,
  ]);
});

withLayer("two devices of a process have their own buffers", () => {
  const { stdout, lines } = inProcess(`${USE}
    const gpus = await Promise.all([open(), open()]);
    await Promise.all(gpus.map((gpu, i) => use(gpu, (32 + i) * MIB)));
    const [first, second] = gpus;
    first.device.destroy();
    await use(second, 64 * MIB);`);
  expect(lines.sort()).toEqual([32, 33, 64].map((mib) => `dedicated ${mib * MIB}`));
  expect(stdout.trim().split("\n").sort()).toEqual([32, 33, 64].map((mib) => `${mib * MIB} 2 3 4`));
});

withLayerOnce("the program of REPRODUCE.md runs by itself, with and without the layer", () => {
  const adapter = process.env.HASHBENCH_ADAPTER ? [`adapter=${process.env.HASHBENCH_ADAPTER}`] : [];
  const rate = (layer: NodeJS.ProcessEnv) => {
    const log = join(temporary(), "log");
    const { stdout, stderr, status } = spawnSync(process.execPath, [reproduction, "2", "16", "65536", ...adapter], {
      encoding: "utf8",
      env: { ...process.env, ...layer, HASHBENCH_LARGE_PAGES_LOG: log },
      timeout: 100_000,
    });
    if (status !== 0) throw new Error(stderr);
    expect(stdout).toMatch(/^2 x 16 MiB, .+: [\d.e-]+ G lookups\/s\n$/);
    return existsSync(log) ? readFileSync(log, "utf8").trimEnd().split("\n") : [];
  };
  expect(rate(findLayer(host).env)).toEqual(Array(2).fill(`dedicated ${16 * MIB}`));
  expect(rate({})).toEqual([]);
});

// As a user has it, by commands

const place = ["--device", device];
const forced = 'HASHBENCH_LARGE_PAGES=1 exec "$@"';

async function togglesOf(shell: string, ...args: string[]): Promise<string> {
  const { stdout, code } = await inShell(shell, "device", ...place, ...args, "--json");
  expect(code).toBe(0);
  return (JSON.parse(stdout) as DeviceInfo).toggles;
}

withLayerOnce("hashbench device says whether it is in force", async () => {
  expect(await togglesOf(forced)).toMatch(/^\+large_pages /);
  // With a threshold of the user's it is another environment.
  expect(await togglesOf(`HASHBENCH_LARGE_PAGES_FROM=4194304 ${forced}`)).toMatch(/^\+large_pages=4194304 /);
  expect(await togglesOf(forced, "--no-large-pages")).not.toContain("large_pages");
  expect(await togglesOf('exec "$@"')).not.toContain("large_pages");
});

withLayer("a loader that does not load it is told in a line, and no toggle says that it did", async () => {
  const { stdout, lines, code } = await inShell(`VK_LOADER_LAYERS_DISABLE='*' ${forced}`, "device", ...place, "--json");
  const { toggles } = JSON.parse(stdout) as DeviceInfo;
  expect(toggles).not.toContain("large_pages");
  expect(lines).toEqual([
    expect.stringMatching(/^no large pages: Vulkan's loader did not load the layer; tables beyond/),
  ]);
  expect(code).toBe(0);
});

withLayer("tables answer as before, and their large buffers are dedicated", async () => {
  const log = join(temporary(), "log");
  const shell = `HASHBENCH_LARGE_PAGES_LOG=${log} HASHBENCH_LARGE_PAGES_FROM=4096 ${forced}`;
  const { lines, code } = await inShell(shell, "verify", "bucketed", "cuckoo", "--quick", ...place);
  expect(lines).toEqual([]);
  expect(code).toBe(0);
  expect(readFileSync(log, "utf8")).toMatch(/^dedicated \d+$/m);
});

withLayer(
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

withLayerOnce("rows say it, and are not compared with rows of another way of allocating", async () => {
  const small = [
    "run",
    "tables/load-factor",
    "--tables",
    "bucketed",
    "--load-factor",
    "0.8",
    "--n",
    "1000",
    "--max-noise",
    "0.9",
    "--no-plots",
    "--no-count",
    "--json",
    ...place,
  ];
  const [large, plain] = [temporary(), temporary()];
  const rows = rowsOf(await inShell(forced, ...small, "--out", large));
  expect(rows.filter(({ toggles }) => !toggles.startsWith("+large_pages "))).toEqual([]);
  expect(rowsOf(await inShell(forced, ...small, "--out", plain, "--no-large-pages")).length).toBe(rows.length);
  const refused = [
    [["compare", plain, large], /differ in toggles \(\+allow.*, \+large_pages .*\); --allow toggles compares them/],
    [["merge", plain, large, "--out", temporary()], /were not measured alike \(toggles: .*"\+large_pages /],
    [[...small, "--out", plain, "--resume"], /another configuration \(toggles: .* there, "\+large_pages .* now\)/],
  ] as const;
  for (const [args, says] of refused) {
    const { lines, code } = await inShell(forced, ...args);
    expect(lines).toEqual([expect.stringMatching(says)]);
    expect(code).toBe(2);
  }
});

withLayerOnce(
  "device/large has plain allocations beside dedicated ones where the layer is loaded, and one kind else",
  async () => {
    const log = join(temporary(), "log");
    const run = async (shell: string) => {
      const { lines, ...ended } = await inShell(
        shell,
        "run",
        "device/large",
        "--max-noise",
        "0.9",
        "--no-plots",
        "--json",
        ...place,
        "--out",
        temporary(),
      );
      const rows = rowsOf({ ...ended, lines }).filter(({ metric }) => metric === "mops");
      // What a cell's last run left was verified.
      expect(rows.filter(({ status }) => status !== "ok")).toEqual([]);
      const series = rows.map(
        ({ table, variant, params }) => `${table} ${params.tableMiB} ${params.allocation ?? variant}`,
      );
      return { series: series.sort(), toggles: new Set(rows.map(({ toggles }) => toggles.split(" ")[0])) };
    };
    const usual = ["cas", "lookup32", "lookup4"].flatMap((table) => [`${table} 16 `, `${table} 64 `]);
    const plain = ["cas", "lookup32"].flatMap((table) => [`${table} 16 plain`, `${table} 64 plain`]);
    const both = await run(`HASHBENCH_LARGE_PAGES_LOG=${log} ${forced}`);
    expect(both).toEqual({ series: [...usual, ...plain].sort(), toggles: new Set(["+large_pages"]) });
    // Of each size a table that is modified, and one that is looked up in; those of plain cells have no line.
    const lines = readFileSync(log, "utf8").trimEnd().split("\n");
    expect(lines.sort()).toEqual([16, 16, 64, 64].map((mib) => `dedicated ${mib * MIB}`));
    const { stdout } = await inShell('exec "$@"', "run", "device/large", "--dry-run", "--json", ...place);
    const { cells } = JSON.parse(stdout) as { cells: { table: string; params: Record<string, unknown> }[] };
    expect(cells.map(({ table, params }) => `${table} ${params.tableMiB} ${params.allocation ?? ""}`).sort()).toEqual(
      usual,
    );
  },
);
