/**
 * Several GPUs of one host. WebGPU names GPUs by their product, so two of a kind cannot be told apart through it; but a process
 * that does not see a GPU's device node does not see the GPU either. A worker is therefore started in a mount namespace of
 * its own, in which the nodes of all other GPUs are hidden (Linux, NVIDIA's driver).
 */
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { UsageError } from "../../../kernels/device/errors.js";

/** One GPU that a worker can have for itself. */
export interface GpuSlot {
  /** Device node, such as `/dev/nvidia1`; "" for the only GPU. */
  readonly node: string;
  /** Put before the worker's command line. */
  readonly launcher: readonly string[];
}

const ONLY: readonly GpuSlot[] = [{ node: "", launcher: [] }];
const NODE = /^nvidia\d+$/;

/** What is asked of the system; replaced in tests. */
export interface SlotHost {
  readonly platform: NodeJS.Platform;
  readonly isRoot: boolean;
  nodes(): readonly string[];
  /** Whether a command line ends with status 0. */
  works(command: readonly string[]): boolean;
}

const thisHost: SlotHost = {
  platform: process.platform,
  isRoot: process.getuid?.() === 0,
  nodes: () => {
    try {
      return readdirSync("/dev").filter((name) => NODE.test(name));
    } catch {
      return [];
    }
  },
  works: ([program = "", ...args]) => spawnSync(program, args, { stdio: "ignore", timeout: 10_000 }).status === 0,
};

/**
 * The GPUs that workers can have each for itself, at most `most` of them. One slot without a node where there is one GPU, or
 * where they cannot be separated (not Linux, no NVIDIA driver, namespaces not allowed).
 * @param vendor as the chosen adapter names it
 */
export function gpuSlots(vendor: string, most: number, host: SlotHost = thisHost): readonly GpuSlot[] {
  if (host.platform !== "linux" || !/nvidia/i.test(vendor) || most < 2) return ONLY;
  const number = (node: string) => Number(node.replace(/\D/g, ""));
  const nodes = [...host.nodes()].sort((a, b) => number(a) - number(b)).map((name) => `/dev/${name}`);
  if (nodes.length < 2) return ONLY;
  const slots = nodes.slice(0, most).map((node) => {
    const others = nodes.filter((other) => other !== node);
    return { node, launcher: hiding(others, host.isRoot) };
  });
  return slots.every(({ launcher }) => host.works([...launcher, "true"])) ? slots : ONLY;
}

/** More than any host has. */
const MANY = 64;

/** So many slots, or all there are. Throws a UsageError if there are fewer than were asked for. */
export function slotsFor(vendor: string, wanted: number | "all", host: SlotHost = thisHost): readonly GpuSlot[] {
  const slots = gpuSlots(vendor, wanted === "all" ? MANY : wanted, host);
  if (wanted === "all" || slots.length >= wanted) return slots;
  const found = slots.length === 1 ? "is one" : `are ${slots.length}`;
  throw new UsageError(
    `--gpus ${wanted}: there ${found} that can be used (several at a time: NVIDIA on Linux, with mount namespaces)`,
  );
}

/** A command that runs the one behind it with these device nodes replaced by /dev/null. */
function hiding(nodes: readonly string[], isRoot: boolean): string[] {
  const hide = nodes.map((node) => `mount --bind /dev/null ${node}`).join(" && ");
  const user = isRoot ? [] : ["--user", "--map-root-user"];
  return ["unshare", ...user, "--mount", "sh", "-c", `${hide} && exec "$@"`, "sh"];
}
