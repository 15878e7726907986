/** For the tests of the report's page: what is packed in it, and a real Chromium. */
import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress, gunzipSync } from "node:zlib";
import { type Browser, chromium } from "playwright-core";

interface TestBrowser {
  readonly browser: Browser;
  /** Ends the browser and removes what was unpacked for it. */
  close(): Promise<void>;
}

const PACKAGE = "@sparticuz/chromium";
const SYSTEM = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const ARGUMENTS = [
  "--no-sandbox",
  // Its zygote process does not start in some containers.
  "--no-zygote",
  "--disable-gpu",
  "--disable-quic",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
];

/** The Chromium of the optional package, else one of the system; a text that says why where neither starts. */
export async function openBrowser(): Promise<TestBrowser | string> {
  const folder = await mkdtemp(join(tmpdir(), "hashbench-chromium-"));
  const failures: string[] = [];
  for (const find of [() => unpack(folder), systemBrowser]) {
    try {
      const executablePath = await find();
      const libraries = [join(folder, "libraries", "lib"), process.env.LD_LIBRARY_PATH].filter(Boolean).join(":");
      const env = { ...process.env, LD_LIBRARY_PATH: libraries } as Record<string, string>;
      const browser = await chromium.launch({ executablePath, args: ARGUMENTS, env, timeout: 60_000 });
      return {
        browser,
        async close() {
          await browser.close();
          await rm(folder, { recursive: true, force: true });
        },
      };
    } catch (error) {
      failures.push((error instanceof Error ? error.message : String(error)).split("\n", 1)[0] ?? "");
    }
  }
  await rm(folder, { recursive: true, force: true });
  return `no Chromium: ${failures.join("; ")}`;
}

/** Path of the package's Chromium, unpacked with the libraries that a bare system lacks. */
async function unpack(folder: string): Promise<string> {
  if (process.platform !== "linux" || process.arch !== "x64") throw new Error(`${PACKAGE} is for Linux x64`);
  const packages = createRequire(import.meta.url).resolve.paths(PACKAGE) ?? [];
  const bin = packages.map((path) => join(path, PACKAGE, "bin")).find((path) => existsSync(path));
  if (!bin) throw new Error(`the optional package ${PACKAGE} is not installed`);
  const tar = await import("tar-fs");
  const executable = join(folder, "chromium");
  const read = (name: string): NodeJS.ReadableStream => createReadStream(join(bin, name));
  await pipeline(read("chromium.br"), createBrotliDecompress(), createWriteStream(executable, { mode: 0o755 }));
  // Not the archive's owner when we are root; the package's types do not know the option.
  const options = { chown: false, dmode: 0o700 };
  await pipeline(read("al2023.tar.br"), createBrotliDecompress(), tar.extract(join(folder, "libraries"), options));
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
