/** How a table of the library is made of one of the harness. */
import { createTable } from "../create.js";
import { configure } from "../define.js";
import { DoesNotFit, UsageError } from "../device/errors.js";
import type { Params, Scalar, TableType } from "../table.js";
import { checkMembers } from "./check.js";
import { UserDevice } from "./device.js";
import type { KernelFile } from "./link.js";
import type { Offer } from "./offers.js";
import { type Operation, promises } from "./promises.js";
import { recorder as recorderOf, recording, recordingKernels } from "./recording.js";
import { secretOf, seedOf } from "./seed.js";
import type { Kernels, Table, TableModule, TableOptions } from "./types.js";
import { type Asked, Compiling, OPERATIONS, warm } from "./warm.js";

const USUAL_LOAD = 0.8;

/** Names the module that has the kernels of these parameters, where the table's has not: one of `tables/`, and its export. */
export type Apart = (params: Params) => "partitioned" | "routed" | "multimap" | undefined;

/** Facts of a table that the library needs beside its type. */
interface About {
  readonly kernels: readonly KernelFile[];
  readonly apart?: Apart;
  /** The library's defaults, where they are not the table's. */
  presets?(given: Params): Params;
  /** Parameters of which the library cannot run all values: the values that it can run, and why. */
  readonly only?: Readonly<Record<string, { readonly values: readonly Scalar[]; readonly why: string }>>;
  /** What it has that not all tables have. Default: nothing. */
  readonly offers?: readonly Offer[];
  /** Operations whose promises need the host, though the operations can be recorded. */
  hosted?(params: Params): readonly Operation[];
}

/**
 * The module of a table. `T` says what the type offers with its default parameters.
 * @param made The type, or what makes it with the code of the option `kernels`.
 */
export function tableModule<T extends Table>(
  made: TableType | ((kernels: Kernels) => TableType),
  about: About,
): TableModule<T> {
  const typeWith = (kernels: Kernels = []) => (typeof made === "function" ? made(kernels) : made);
  const whole = typeWith();
  const { id, title } = whole;
  return {
    id,
    title,
    async create(device, options) {
      const given = checked(whole, about, device, options);
      return (await open(typeWith(given.kernels), about, device, given)) as Table as T;
    },
    async warm(device, options, operations = OPERATIONS) {
      const given = checked(whole, about, device, options);
      const { own, gpu, making } = prepared(typeWith(given.kernels), about, device, given, Compiling);
      try {
        await warm({ type: own, gpu, making, hosted: about.hosted?.(own.params) ?? [], operations });
      } finally {
        gpu.destroy();
      }
    },
  };
}

/** The type with its parameters, a device for the table, and what makes it. Throws a UsageError. */
function prepared<Own extends UserDevice>(
  type: TableType,
  about: About,
  device: GPUDevice,
  options: TableOptions,
  Device: new (...given: ConstructorParameters<typeof UserDevice>) => Own,
) {
  const { capacity, loadFactor, params: given = {}, kernels: more = [], label = type.id } = options;
  const own = configure(type, { ...about.presets?.(given), ...given });
  const { params } = own;
  const apart = about.apart?.(params);
  if (apart && more.length === 0)
    throw new UsageError(`${type.id}: these params take the option kernels: ${apart} of webgpu-hash-table/${apart}`);
  const kernels = [...about.kernels, ...recordingKernels, ...more];
  const gpu = new Device(device, kernels, label);
  const making: Asked = {
    n: capacity,
    loadFactor: loadFactor ?? Math.min(USUAL_LOAD, own.safeLoadFactor),
    seed: seedOf(type.id, options.seed),
    secret: secretOf(options.seed),
    counting: false,
    params,
  };
  return { own, gpu, making };
}

async function open(type: TableType, about: About, device: GPUDevice, options: TableOptions) {
  const { own, gpu, making } = prepared(type, about, device, options, UserDevice);
  const { capacity } = options;
  try {
    const table = await createTable(type, gpu, making);
    try {
      const recordable = await table.recordable?.();
      await table.clear();
      const hosted = about.hosted?.(own.params) ?? [];
      const { operations, state } = promises(gpu, { type: own, table, capacity, recordable, hosted });
      const recorder = recordable && (await recorderOf(gpu, recordable, state));
      const having = { gpu, type: own, table, recordable, recorder, ...state };
      return Object.assign(
        operations,
        recorder && recording(gpu, recordable, state, recorder),
        ...(about.offers ?? []).map((offer) => offer(having)),
      );
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

const OPTIONS = ["capacity", "loadFactor", "keys", "seed", "params", "kernels", "label"];

/** The options. Throws a UsageError. */
function checked({ id }: TableType, { only = {} }: About, device: GPUDevice, options: TableOptions): TableOptions {
  // A program without types may have given the adapter, say.
  if (typeof device?.createBuffer !== "function") throw new UsageError(`${id}: the first argument is no GPUDevice`);
  if (typeof options !== "object" || options === null) throw new UsageError(`${id}: the options lack a capacity`);
  const { capacity, loadFactor = USUAL_LOAD, keys = "u32", params = {} } = checkMembers(id, options, OPTIONS);
  if (!Number.isSafeInteger(capacity) || capacity < 1)
    throw new UsageError(`${id}: capacity is ${capacity}; it takes a whole number, 1 or more`);
  if (typeof loadFactor !== "number" || !(loadFactor > 0))
    throw new UsageError(`${id}: loadFactor is ${JSON.stringify(loadFactor)}; it takes a number above 0`);
  if (keys !== "u32") throw new UsageError(`${id}: keys is ${JSON.stringify(keys)}; it takes "u32"`);
  for (const [name, { values, why }] of Object.entries(only)) {
    const value = params[name];
    if (value !== undefined && !values.includes(value))
      throw new UsageError(`${id}: ${name} is ${value}; the library takes ${values.join(", ")}: ${why}`);
  }
  return options;
}
