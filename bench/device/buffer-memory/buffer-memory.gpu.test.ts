/** The layer between Dawn and a real driver, in processes of their own, as workers load it. Host memory: host-memory.gpu.test.ts. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { DeviceInfo } from "../../../kernels/device/gpu.js";
import { inShell, rowsOf, temporary } from "../../cli/e2e/testing.js";
import { findLayer } from "../adapter/layer.js";
import { adapterFlags, folder, forced, host, inProcess, MIB, place, USE, withLayer, withLayerOnce } from "./testing.js";

const reproduction = join(folder, "reproduce.mjs");

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
  const rate = (layer: NodeJS.ProcessEnv) => {
    const log = join(temporary(), "log");
    const { stdout, stderr, status } = spawnSync(
      process.execPath,
      [reproduction, "2", "16", "65536", ...adapterFlags],
      {
        encoding: "utf8",
        env: { ...process.env, ...layer, HASHBENCH_LARGE_PAGES_LOG: log },
        timeout: 100_000,
      },
    );
    if (status !== 0) throw new Error(stderr);
    expect(stdout).toMatch(/^2 x 16 MiB, .+: [\d.e-]+ G lookups\/s\n$/);
    return existsSync(log) ? readFileSync(log, "utf8").trimEnd().split("\n") : [];
  };
  expect(rate(findLayer(host).env)).toEqual(Array(2).fill(`dedicated ${16 * MIB}`));
  expect(rate({})).toEqual([]);
});

// As a user has it, by commands

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
