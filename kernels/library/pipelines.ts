/** Kernels of a device that somebody else opened: linked, compiled once, kept as long as the device. */
import { checkNames, wordsOf } from "../device/bind.js";
import { withConstants } from "../device/constants.js";
import { GpuError, Unsupported } from "../device/errors.js";
import type { Capabilities, Kernel, KernelSource } from "../device/gpu.js";
import { type KernelFile, linkEntry, SIZES } from "./link.js";

const devices = new WeakMap<GPUDevice, Map<string, Promise<GPUComputePipeline>>>();

/** The parts of a library kernel. */
interface Making {
  readonly device: GPUDevice;
  readonly kernels: readonly KernelFile[];
  /** A software adapter's kernels have no sizes compiled in. */
  readonly info: Pick<Capabilities, "software">;
  constant(words: readonly number[]): GPUBuffer;
}

/** Rejects with Unsupported if the device does not take the kernel, or with GpuError for a name that is missing or unknown. */
export async function makeKernel(source: KernelSource, gpu: Making): Promise<Kernel> {
  const { device, kernels, info } = gpu;
  const uniform = (words: readonly number[]) => gpu.constant(words);
  const { file, entry = "main", conditions = {}, constants = {}, sizes, fixed, bound = {}, takes } = source;
  const found = kernels.find((one) => one.file === file);
  if (!found) throw new GpuError(`${file}: not among the kernels of this table`);
  const { code, resources, overrides } = linkEntry(
    found,
    entry,
    conditions,
    fixed && !info.software ? sizes : undefined,
  );
  const given = Object.fromEntries(Object.entries(constants).filter(([name]) => overrides.has(name)));
  const storageBuffers = [...resources.values()].filter(({ fields }) => !fields).length;
  // The device's compiler reports whatever else the device lacks.
  const { maxStorageBuffersPerShaderStage: most } = device.limits;
  if (storageBuffers > most) throw new Unsupported(nameOf(file), storageLacks(storageBuffers, most));
  const pipeline = await compiled(device, file, { code, entryPoint: entry, constants: given });
  const ofSizes = resources.get(SIZES);
  resources.delete(SIZES);
  checkNames(source, resources);
  return {
    file,
    pipeline,
    resources,
    bound,
    uniform,
    ...(takes && { takes }),
    ...(ofSizes && {
      sizes: {
        binding: ofSizes.binding,
        buffer: uniform(wordsOf(`${file}: ${SIZES}`, ofSizes.fields ?? [], sizes ?? {})),
      },
    }),
  };
}

interface Compiling {
  readonly code: string;
  readonly entryPoint: string;
  readonly constants: Readonly<Record<string, number>>;
}

function compiled(device: GPUDevice, file: string, { code, entryPoint, constants }: Compiling) {
  const pipelines = devices.get(device) ?? new Map<string, Promise<GPUComputePipeline>>();
  devices.set(device, pipelines);
  // Not as constants of the pipeline, on which Firefox's compiler may abort: bench/page/client/inline.ts.
  const text = withConstants(code, constants);
  const key = JSON.stringify([entryPoint, text]);
  const known = pipelines.get(key);
  if (known) return known;
  device.pushErrorScope("validation");
  const module = device.createShaderModule({ label: file, code: text });
  const scope = device.popErrorScope();
  const compute = { module, entryPoint };
  const made = device.createComputePipelineAsync({ label: file, layout: "auto", compute });
  const pipeline = Promise.all([made, scope]).then(
    ([ready]) => ready,
    (error: unknown) => {
      pipelines.delete(key);
      const message = error instanceof Error ? error.message : String(error);
      throw new Unsupported(nameOf(file), `what this device does not have: ${message.split("\n")[0]}`);
    },
  );
  pipelines.set(key, pipeline);
  return pipeline;
}

/** What Unsupported says of a device with too few storage buffers. */
export const storageLacks = (needed: number, most: number) =>
  `${needed} storage buffers; this device has ${most}: limit maxStorageBuffersPerShaderStage`;

/** The kernel as a reason names it. */
const nameOf = (file: string) => file.replace(/^.*\//, "").replace(/\.\w+$/, "");
