/** The device that a command asks for, and its workers. For Node. */
import { UsageError } from "../../kernels/device/errors.js";
import type { DeviceInfo } from "../../kernels/device/gpu.js";
import { chooseAdapter, type FoundAdapter } from "../device/adapter/adapter.js";
import { denoCommand, type Implementation, isBrowser } from "../device/adapter/deno.js";
import { lostLayer } from "../device/adapter/layer.js";
import { type GpuSlot, slotsFor } from "../device/adapter/slots.js";
import type { OpenOptions } from "../device/dawn.js";
import { defaultStopping, type StoppingOptions } from "../measure/stopping.js";
import { browserChild } from "./browser.js";
import { browserStart } from "./browser-start.js";
import { forked } from "./fork.js";
import { Pool, type WatchedOptions } from "./pool.js";

export interface DeviceAsked {
  /** `auto`, `software`, or a part of the adapter's name. */
  readonly device: string;
  /** Load the layer for buffer memory where the adapter needs it. */
  readonly largePages: boolean;
  /** Default: Dawn. */
  readonly webgpu?: Implementation;
  /** A browser has a window. */
  readonly headed?: boolean;
  /** GPUs of this host, each with a worker of its own; `all`: those that can be separated. Default: the workers share one. */
  readonly gpus?: number | "all";
  /** Default: one. */
  readonly workers?: number;
}

/** Options of the workers that differ from the defaults. */
export interface WorkersAsked extends Partial<Omit<WatchedOptions, "open" | "stopping">> {
  readonly open?: Partial<Omit<OpenOptions, "adapter" | "driver">>;
  readonly stopping?: Partial<StoppingOptions>;
}

interface OpenWorker {
  readonly pool: Pool;
  /** The device node of its GPU, where there are several; else "". */
  readonly node: string;
}

export interface OpenDevice {
  readonly choice: FoundAdapter;
  readonly software: boolean;
  readonly device: DeviceInfo;
  /** Device bytes that cells may hold together. */
  readonly memory: number;
  readonly workers: readonly [OpenWorker, ...OpenWorker[]];
  readonly notes: readonly string[];
  /** One more worker, which ends with the others. */
  another(): Pool;
}

const LACKS: Readonly<Record<Implementation, string>> = {
  dawn: "",
  wgpu: "wgpu in Deno has no subgroups, keeps bounds checks, and puts no buffers into large pages or host memory: tables do without",
  chromium: "Chromium keeps bounds checks, and puts no buffers into large pages or host memory: tables do without",
  firefox:
    "Firefox has no subgroups, keeps bounds checks, and puts no buffers into large pages or host memory: tables do without. It names no adapter: rows name the one that Dawn found",
};
const ONLY: GpuSlot = { node: "", launcher: [] };

/** The vendor that GPU slots are of; a software adapter has none. */
export function vendorOf({ kind, vendor }: FoundAdapter): string {
  return kind === "software" ? "" : vendor;
}

/**
 * Works on the device, whose workers end with the work. Throws NoAdapterError without an adapter, and a UsageError where several GPUs are
 * not alike.
 * @param workersFor what is asked of workers, on a software adapter or not
 */
export async function onDevice<T>(
  asked: DeviceAsked,
  workersFor: (software: boolean) => WorkersAsked,
  work: (opened: OpenDevice) => Promise<T>,
): Promise<T> {
  const { webgpu = "dawn" } = asked;
  const runtime = webgpu === "wgpu" ? denoCommand() : [process.execPath];
  const choice = await chooseAdapter({ device: asked.device, largePages: asked.largePages && webgpu === "dawn" });
  const software = choice.kind === "software";
  const { open, stopping, ...others } = workersFor(software);
  const options = {
    timeoutMs: 120_000,
    memory: (software ? 1 : 4) * 2 ** 30,
    counting: true,
    plugins: [],
    native: [],
    ...others,
    stopping: { ...defaultStopping, ...stopping },
    open: { adapter: choice.name, driver: choice.driver, robust: true, toggles: [], ...open },
  };
  const { gpus, workers: count = 1, headed = false } = asked;
  const browser = isBrowser(webgpu) ? browserStart(webgpu, choice, headed) : null;
  const poolOn = ({ launcher }: Pick<GpuSlot, "launcher">): Pool =>
    new Pool(options, () =>
      browser ? browserChild(browser, launcher) : forked(choice.env, [...launcher, ...runtime]),
    );
  const slots = gpus === undefined ? new Array<GpuSlot>(count).fill(ONLY) : slotsFor(vendorOf(choice), gpus);
  const [first, ...more] = slots.map((slot) => ({ node: slot.node, pool: poolOn(slot) }));
  if (!first) throw new Error("no worker");
  const workers = [first, ...more] as const;
  const pools = workers.map(({ pool }) => pool);
  try {
    const device = await deviceOf(gpus === undefined ? [first.pool] : pools);
    const lost = lostLayer(choice.layer, device);
    const another = (): Pool => {
      const pool = poolOn(ONLY);
      pools.push(pool);
      return pool;
    };
    const notes = [...(lost ? [lost] : []), ...(LACKS[webgpu] ? [LACKS[webgpu]] : [])];
    return await work({ choice, software, device, memory: options.memory, workers, notes, another });
  } finally {
    for (const pool of pools) pool.stop();
  }
}

async function deviceOf(pools: readonly Pool[]): Promise<DeviceInfo> {
  const [first, ...others] = await Promise.all(pools.map((pool) => pool.device()));
  if (!first) throw new Error("no worker");
  const told = ({ name, driver, toggles }: DeviceInfo) => [name, driver, toggles].join(", ");
  const odd = others.find((other) => told(other) !== told(first));
  if (odd) throw new UsageError(`the GPUs differ (${told(first)}; ${told(odd)}); --gpus 1 measures on one of them`);
  return first;
}
