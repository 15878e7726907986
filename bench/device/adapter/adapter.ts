/**
 * Chooses the adapter for the worker processes without loading Dawn here: drivers crash, hang and read their environment
 * variables once. A real GPU; else a system Vulkan driver on the CPU (Mesa lavapipe); else the bundled SwiftShader.
 */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { UsageError } from "../../../kernels/device/errors.js";
import { messageOf, NoAdapterError } from "../../base/errors.js";
import { packageRoot } from "../../base/paths.js";
import { isSoftware } from "../../results/device-name.js";
import { findLayer, type Layer, type Machine, wantsLayer } from "./layer.js";
import { type Env, type ProbedAdapter, type ProbeResult, probeAdapters } from "./probe-process.js";
import { type SoftwareDriver, unpackSwiftShader } from "./software.js";

/** A usable adapter, and what a worker process needs in order to open it. */
export interface FoundAdapter extends ProbedAdapter {
  readonly kind: "gpu" | "software";
  /** To be set before the worker starts, on top of this process's environment; often empty. */
  readonly env: Env;
  /** `bundled`: SwiftShader out of an optional npm package. */
  readonly source: "system" | "bundled";
  /** Set where worker processes are to load the layer for buffer memory. */
  readonly layer?: Layer;
}

/** The machine, and its drivers; tests give another. */
export interface AdapterHost extends Machine {
  readonly probe: (env: Env) => Promise<ProbeResult>;
  readonly unpack: () => Promise<SoftwareDriver | null>;
}

/** Where containers on NVIDIA servers keep the driver's manifest, which Vulkan loaders do not look into. */
const CONTAINER_ICD = "/usr/local/nvidia/share/vulkan/icd.d/nvidia_icd.json";
/** NVIDIA's kernel driver is loaded. */
const NVIDIA_DEVICE = "/dev/nvidiactl";
/** The driver without X11: NVIDIA's own manifest names its GLX library, which fails where libglvnd is not installed. */
const HEADLESS_ICD = join(packageRoot, "bench", "device", "adapter", "nvidia-headless-icd.json");

const realHost: AdapterHost = {
  probe: probeAdapters,
  unpack: unpackSwiftShader,
  exists: existsSync,
  platform: process.platform,
  env: process.env,
};

/**
 * The adapter that `device` asks for: `auto`, `software`, `lavapipe`, `swiftshader` or text in the adapter's name.
 * Throws UsageError where the text fits no adapter or several, NoAdapterError where nothing is there to run on.
 */
export async function chooseAdapter(
  options: { readonly device: string; readonly largePages?: boolean },
  host: AdapterHost = realHost,
): Promise<FoundAdapter> {
  const { device, largePages = true } = options;
  const found = await choose(device.trim(), new Search(host));
  if (!largePages || !wantsLayer(found, host)) return found;
  const layer = findLayer(host);
  return { ...found, env: { ...found.env, ...layer.env }, layer };
}

async function choose(device: string, search: Search): Promise<FoundAdapter> {
  switch (device.toLowerCase()) {
    case "":
    case "auto":
      return (
        (await search.system((a) => a.kind === "gpu")) ??
        (await search.system(() => true)) ??
        (await search.bundled()) ??
        search.fail("No adapter was found that Dawn can run on.")
      );
    case "software":
      return (
        (await search.system((a) => a.kind === "software" && isLavapipe(a))) ??
        (await search.system((a) => a.kind === "software")) ??
        (await search.bundled()) ??
        search.fail("No software adapter was found.")
      );
    case "lavapipe":
      return (await search.system(isLavapipe)) ?? search.fail("Mesa's lavapipe (24 or newer) was not found.");
    case "swiftshader":
      return (
        (await search.system((a) => /swiftshader/i.test(a.name))) ??
        (await search.bundled()) ??
        search.fail("SwiftShader was not found.")
      );
    default:
      return byName(device, search);
  }
}

/** Every usable adapter: the system's in Dawn's order, then the bundled one. Empty where there is none. */
export async function listAdapters(host: AdapterHost = realHost): Promise<FoundAdapter[]> {
  return (await new Search(host).all()).toSorted((a, b) => rank(a) - rank(b));
}

/** The adapter whose name is `text`, or else the only one whose name contains it. */
async function byName(text: string, search: Search): Promise<FoundAdapter> {
  const wanted = text.toLowerCase();
  const fits = (a: FoundAdapter): boolean => a.name.toLowerCase().includes(wanted);
  // The bundled driver is unpacked and asked only where the system has no such adapter.
  const all = (await search.system(fits)) ? await search.allOfSystem() : await search.all();
  if (all.length === 0) return search.fail("No adapter was found that Dawn can run on.");
  const exact = all.find((a) => a.name.toLowerCase() === wanted);
  if (exact) return exact;
  const matches = all.filter(fits);
  const [first] = matches;
  if (!first) throw new UsageError(`--device ${text}: no such adapter; there is ${names(all)}`);
  if (matches.some((a) => a.name !== first.name)) {
    throw new UsageError(`--device ${text}: fits several adapters; choose one of ${names(matches)}`);
  }
  return first;
}

/** Asks drivers only as far as the choice needs, and each of them once. */
class Search {
  private readonly problems: string[] = [];
  private systemAdapters: Promise<FoundAdapter[]> | undefined;
  private driver: Promise<SoftwareDriver | null> | undefined;

  constructor(private readonly host: AdapterHost) {}

  async system(fits: (adapter: FoundAdapter) => boolean): Promise<FoundAdapter | undefined> {
    return (await this.allOfSystem()).find(fits);
  }

  allOfSystem(): Promise<FoundAdapter[]> {
    this.systemAdapters ??= this.askSystem();
    return this.systemAdapters;
  }

  async bundled(): Promise<FoundAdapter | undefined> {
    const driver = await this.unpacked();
    if (!driver) return undefined;
    const icd = { VK_DRIVER_FILES: driver.icd, VK_ICD_FILENAMES: driver.icd };
    return (await this.ask({ ...icd, ...this.loaderFrom(driver) }, "bundled"))[0];
  }

  async all(): Promise<FoundAdapter[]> {
    const system = await this.allOfSystem();
    const bundled = await this.bundled();
    return bundled ? [...system, bundled] : system;
  }

  /** Throws: what was missing, what drivers answered, what to install. */
  fail(what: string): never {
    const answers = this.problems.length > 0 ? ` Drivers said: ${[...new Set(this.problems)].join("; ")}.` : "";
    throw new NoAdapterError(`${what}${answers} ${HELP}`);
  }

  /** The system's drivers; also through the bundled Vulkan loader where the system's own finds nothing at all. */
  private async askSystem(): Promise<FoundAdapter[]> {
    const found = await this.askSystemThrough({});
    if (found.length > 0 || this.host.platform !== "linux") return found;
    const driver = await this.unpacked();
    return driver ? this.askSystemThrough(this.loaderFrom(driver)) : found;
  }

  private async askSystemThrough(loader: Env): Promise<FoundAdapter[]> {
    const { env, exists, platform } = this.host;
    const found = await this.ask(loader, "system");
    const chosenByUser = env.VK_DRIVER_FILES || env.VK_ICD_FILENAMES;
    if (platform !== "linux" || chosenByUser || found.some((a) => a.kind === "gpu")) return found;
    const manifests = [
      ...(exists(CONTAINER_ICD) ? [CONTAINER_ICD] : []),
      ...(exists(NVIDIA_DEVICE) ? [HEADLESS_ICD] : []),
    ];
    for (const icd of manifests) {
      const nvidia = await this.ask({ ...loader, VK_DRIVER_FILES: icd, VK_ICD_FILENAMES: icd }, "system");
      if (nvidia.length > 0) return [...nvidia, ...found];
    }
    return found;
  }

  private async ask(env: Env, source: FoundAdapter["source"]): Promise<FoundAdapter[]> {
    const { adapters, problems } = await this.host.probe(env);
    this.problems.push(...problems);
    return adapters.map((found) => ({
      ...found,
      kind: found.fallback || isSoftware(found.name) ? "software" : "gpu",
      env,
      source,
    }));
  }

  private unpacked(): Promise<SoftwareDriver | null> {
    this.driver ??= this.host.unpack().catch((error: unknown) => {
      this.problems.push(messageOf(error));
      return null;
    });
    return this.driver;
  }

  private loaderFrom(driver: SoftwareDriver): Env {
    const before = this.host.env.LD_LIBRARY_PATH;
    return { LD_LIBRARY_PATH: before ? `${driver.folder}:${before}` : driver.folder };
  }
}

function isLavapipe(adapter: FoundAdapter): boolean {
  return /llvmpipe|lavapipe/i.test(adapter.name);
}

/** Order of preference under `auto`. */
function rank(adapter: FoundAdapter): number {
  if (adapter.kind === "gpu") return 0;
  return adapter.source === "system" ? 1 : 2;
}

function names(adapters: readonly FoundAdapter[]): string {
  return [...new Set(adapters.map((a) => `"${a.name}"`))].join(", ");
}

const HELP =
  "On Debian or Ubuntu a GPU needs its vendor's Vulkan driver and libvulkan1; without a GPU, " +
  "`apt-get install libvulkan1 mesa-vulkan-drivers` brings lavapipe (Debian 12: from bookworm-backports), and on " +
  "Linux x64 `npm install --include=optional` brings SwiftShader. macOS and Windows need no installation, but a GPU " +
  "that supports Metal or Direct3D 12.";
