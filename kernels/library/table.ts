/** How a table of the library is made of one of the harness. */
import { createTable } from "../create.js";
import { configure } from "../define.js";
import { DoesNotFit, UsageError } from "../device/errors.js";
import type { Params, TableType } from "../table.js";
import { UserDevice } from "./device.js";
import type { KernelFile } from "./link.js";
import { promises } from "./promises.js";
import { recording, recordingKernels } from "./recording.js";
import type { Table, TableModule, TableOptions } from "./types.js";

const USUAL_LOAD = 0.8;

/** Kernels beside those that a table always has, by its parameters. */
type MoreKernels = (params: Params) => Promise<readonly KernelFile[]>;

/** The module of a table that has these kernels. `T` says what the type offers with its default parameters. */
export function tableModule<T extends Table>(
  type: TableType,
  kernels: readonly KernelFile[],
  more: MoreKernels = async () => [],
): TableModule<T> {
  const { id, title } = type;
  return {
    id,
    title,
    async create(device, options) {
      const valid = checked(type, device, options);
      const all = [...kernels, ...(await more(valid.params ?? {}))];
      return (await open(type, all, device, valid)) as Table as T;
    },
  };
}

async function open(type: TableType, kernels: readonly KernelFile[], device: GPUDevice, options: TableOptions) {
  const { capacity, loadFactor, seed = 1, params = {} } = options;
  const gpu = new UserDevice(device, [...kernels, ...recordingKernels], type.id);
  const own = configure(type, params);
  try {
    const making = {
      n: capacity,
      loadFactor: loadFactor ?? Math.min(USUAL_LOAD, own.safeLoadFactor),
      seed,
      counting: false,
      params,
    };
    const table = await createTable(type, gpu, making);
    try {
      const recordable = await table.recordable?.();
      await table.clear();
      const { operations, state } = promises(gpu, own, table, capacity);
      return recordable ? Object.assign(operations, await recording(gpu, recordable, state)) : operations;
    } catch (error) {
      table.destroy();
      throw error;
    }
  } catch (error) {
    gpu.destroy();
    if (error instanceof DoesNotFit) throw new DoesNotFit(`${type.id} of ${capacity} pairs: ${error.message}`);
    throw error;
  }
}

/** The options. Throws a UsageError. */
function checked({ id }: TableType, device: GPUDevice, options: TableOptions): TableOptions {
  // A program without types may have given the adapter, say.
  if (typeof device?.createBuffer !== "function") throw new UsageError(`${id}: the first argument is no GPUDevice`);
  if (typeof options !== "object" || options === null) throw new UsageError(`${id}: the options lack a capacity`);
  const { capacity, loadFactor = USUAL_LOAD, keys = "u32", seed = 1 } = options;
  if (!Number.isSafeInteger(capacity) || capacity < 1)
    throw new UsageError(`${id}: capacity is ${capacity}; it takes a whole number, 1 or more`);
  if (typeof loadFactor !== "number" || !(loadFactor > 0))
    throw new UsageError(`${id}: loadFactor is ${JSON.stringify(loadFactor)}; it takes a number above 0`);
  if (keys !== "u32") throw new UsageError(`${id}: keys is ${JSON.stringify(keys)}; it takes "u32"`);
  if (seed >>> 0 !== seed) throw new UsageError(`${id}: seed is ${seed}; it takes a u32`);
  return options;
}
