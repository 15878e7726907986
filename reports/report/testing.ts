/** For the tests of the report's page: synthetic devices, what is packed in the page, and a real Chromium. */
import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress, gunzipSync } from "node:zlib";
import { type Browser, chromium } from "playwright-core";
import { requireBuilt } from "../../bench/base/testing.js";
import type { ResultRow } from "../../bench/results/record.js";

interface TestBrowser {
  readonly browser: Browser;
  /** Ends the browser and removes what was unpacked for it alone. */
  close(): Promise<void>;
}

const PACKAGE = "@sparticuz/chromium";
/** In the folder that it is unpacked into. */
const PROGRAM = "chromium";
const SYSTEM = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const ARGUMENTS = [
  "--no-sandbox",
  // Its zygote process does not start in some containers.
  "--no-zygote",
  "--disable-quic",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
];

/** Without a GPU, or with WebGPU on SwiftShader. */
const GPU_ARGUMENTS = {
  none: ["--disable-gpu"],
  swiftshader: ["--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader"],
} as const;

/** The folder in which `setup` unpacked it for all files of a run: unpacking takes a core for seconds. */
const UNPACKED = "HASHBENCH_TEST_CHROMIUM";

/** Vitest calls it once before the files of the project `browser`, in the process that starts theirs. */
export async function setup(): Promise<void> {
  requireBuilt();
  const folder = await mkdtemp(join(tmpdir(), "hashbench-chromium-"));
  try {
    await unpack(folder);
    process.env[UNPACKED] = folder;
  } catch {
    // Each file tries it again, and says why it cannot be.
    await rm(folder, { recursive: true, force: true });
  }
}

/** Its counterpart, after them. */
export async function teardown(): Promise<void> {
  const folder = process.env[UNPACKED];
  if (folder) await rm(folder, { recursive: true, force: true });
}

/** The Chromium of the optional package, else one of the system; a text that says why where neither starts. */
export async function openBrowser(gpu: keyof typeof GPU_ARGUMENTS = "none"): Promise<TestBrowser | string> {
  const shared = process.env[UNPACKED];
  const folder = shared ?? (await mkdtemp(join(tmpdir(), "hashbench-chromium-")));
  const remove = async () => {
    if (!shared) await rm(folder, { recursive: true, force: true });
  };
  const failures: string[] = [];
  const args = [...ARGUMENTS, ...GPU_ARGUMENTS[gpu]];
  for (const find of [() => (shared ? join(shared, PROGRAM) : unpack(folder)), systemBrowser]) {
    try {
      const executablePath = await find();
      const libraries = [join(folder, "libraries", "lib"), process.env.LD_LIBRARY_PATH].filter(Boolean).join(":");
      const env = { ...process.env, LD_LIBRARY_PATH: libraries } as Record<string, string>;
      const browser = await chromium.launch({ executablePath, args, env, timeout: 60_000 });
      return {
        browser,
        async close() {
          await browser.close();
          await remove();
        },
      };
    } catch (error) {
      failures.push((error instanceof Error ? error.message : String(error)).split("\n", 1)[0] ?? "");
    }
  }
  await remove();
  return `no Chromium: ${failures.join("; ")}`;
}

/** Path of the package's Chromium, unpacked with the libraries that a bare system lacks, and its software driver for WebGPU. */
async function unpack(folder: string): Promise<string> {
  if (process.platform !== "linux" || process.arch !== "x64") throw new Error(`${PACKAGE} is for Linux x64`);
  const packages = createRequire(import.meta.url).resolve.paths(PACKAGE) ?? [];
  const bin = packages.map((path) => join(path, PACKAGE, "bin")).find((path) => existsSync(path));
  if (!bin) throw new Error(`the optional package ${PACKAGE} is not installed`);
  const tar = await import("tar-fs");
  const executable = join(folder, PROGRAM);
  const read = (name: string): NodeJS.ReadableStream => createReadStream(join(bin, name));
  await pipeline(read("chromium.br"), createBrotliDecompress(), createWriteStream(executable, { mode: 0o755 }));
  // Not the archive's owner when we are root; the package's types do not know the option.
  const options = { chown: false, dmode: 0o700 };
  await pipeline(read("al2023.tar.br"), createBrotliDecompress(), tar.extract(join(folder, "libraries"), options));
  // Beside the program, where it looks for it.
  await pipeline(read("swiftshader.tar.br"), createBrotliDecompress(), tar.extract(folder, options));
  return executable;
}

async function systemBrowser(): Promise<string> {
  const found = SYSTEM.find((path) => existsSync(path));
  if (!found) throw new Error(`none of ${SYSTEM.join(", ")}`);
  return found;
}

/** The page with what it carries packed as plain text. */
export function unpacked(page: string): string {
  return page.replace(/<script type="application\/json\+gzip"[^>]*>(.*?)<\/script>/gs, (_, packed: string) => {
    const texts: string[] = [];
    JSON.parse(gunzipSync(Buffer.from(packed, "base64")).toString(), (__, value) => {
      if (typeof value === "string") texts.push(value);
      return value;
    });
    return texts.join("\n");
  });
}

/** The rows of `count` devices, each a copy of the given ones with its times 1, 1.1, 1.2 … times as long: none of their numbers was measured. */
export function syntheticFleet(rows: readonly ResultRow[], count: number): ResultRow[] {
  return Array.from({ length: count }, (_, i) => syntheticDevice(rows, i)).flat();
}

/** Limits of every other device stay as they were, so that it is farther from them. */
function syntheticDevice(rows: readonly ResultRow[], index: number): ResultRow[] {
  const slower = 1 + index / 10;
  const keepsLimit = index % 2 === 1;
  const factor = ({ metric, unit }: ResultRow): number => {
    if (metric === "limit_share") return keepsLimit ? 1 / slower : 1;
    if (metric === "limit_mops" && keepsLimit) return 1;
    return unit === "ns" ? slower : unit.endsWith("/s") ? 1 / slower : 1;
  };
  const name = `synthetic-${String(index).padStart(2, "0")}`;
  return rows.map((row) => {
    const by = factor(row);
    const { value, lo, hi, device } = row;
    return {
      ...row,
      device: `${name} (copy of ${device}, times x ${slower.toFixed(1)})`,
      value: value === null ? null : value * by,
      lo: lo === null ? null : lo * by,
      hi: hi === null ? null : hi * by,
    };
  });
}
