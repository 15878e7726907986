/** How a table of the library is made of one of the harness. */
import type { Further } from "../common/planned.js";
import { createTable } from "../create.js";
import { configure } from "../define.js";
import { DoesNotFit, UsageError } from "../device/errors.js";
import { namesOf, shown } from "../parameters.js";
import type { Params, Scalar, TableType } from "../table.js";
import { checkMembers, checkWhole } from "./check.js";
import { failing, UserDevice } from "./device.js";
import type { Added } from "./offers.js";
import { type Operation, promises } from "./promises.js";
import { secretOf, seedOf } from "./seed.js";
import type { Kernels, Operations, Table, TableModule, TableOptions } from "./types.js";

const USUAL_LOAD = 0.8;
/** Why the library has not all values of a parameter. */
export const COMPARED = "the others are for experiments";

/** Names the module that has the kernels of these parameters, where the table's has not: one of `tables/`, and its export. */
export type Apart = (
  params: Params,
) => "partitioned" | "routed" | "multimap" | "resizing" | "ordered" | "wide" | "windows" | undefined;

/** Facts of a table that the library needs beside its type. */
interface About extends Added {
  readonly apart?: Apart;
  /** The library's defaults, where they are not the table's. */
  presets?(given: Params): Params;
  /** Parameters of which the library cannot run all values: the values that it can run, and why. */
  readonly only?: Readonly<Record<string, { readonly values: readonly Scalar[]; readonly why: string }>>;
  /** Throws Unsupported for a device that lacks what kernels need which are made later. */
  check?(params: Params, limits: GPUSupportedLimits): void;
  /** Operations whose promises need the host, though the operations can be recorded. */
  hosted?(params: Params): readonly Operation[];
}

/**
 * The module of a table. `T` says what the type offers with its default parameters.
 * @param made The type, or what makes it with its further operations, and the code of the option `kernels`.
 */
export function tableModule<T extends Table>(
  made: TableType | ((further: Further | undefined, kernels: Kernels) => TableType),
  about: About,
): TableModule<T> {
  const typeWith = (kernels: Kernels = []) => (typeof made === "function" ? made(about.further, kernels) : made);
  const whole = typeWith();
  const { id, title } = whole;
  const prepare: Prepare = (device, options, Device) => {
    const given = checked(whole, about, device, options);
    return prepared(typeWith(given.kernels), about, device, given, Device);
  };
  return {
    id,
    title,
    async create(device, options) {
      return (await open(prepare(device, options, UserDevice))) as Table as T;
    },
    prepare,
    with<More extends Table>(operations: Operations<More>) {
      const { of = [id], kernels, offers = [], ...more } = operations as Added;
      if (!of.includes(id)) throw new UsageError(`${id}: these operations are of ${of.join(", ")}`);
      const all = { kernels: [...about.kernels, ...kernels], offers: [...(about.offers ?? []), ...offers] };
      return tableModule<T & More>(made, { ...about, ...more, ...all });
    },
  };
}

/** The type with its parameters, a device for the table, and what makes it. Throws a UsageError. */
export type Prepare = (
  ...given: [device: GPUDevice, options: TableOptions, Device: typeof UserDevice]
) => ReturnType<typeof prepared>;

function prepared(type: TableType, about: About, ...[device, options, Device]: Parameters<Prepare>) {
  const { capacity, loadFactor, params: given = {}, kernels: more = [], label = type.id, onFull } = options;
  const own = configure(type, { ...about.presets?.(given), ...given });
  const { params } = own;
  const apart = about.apart?.(params);
  if (apart && more.length === 0)
    throw new UsageError(`${type.id}: these params take the option kernels: ${apart} of webgpu-hash-table/${apart}`);
  about.check?.(params, device.limits);
  const kernels = [...about.kernels, ...more];
  const gpu = new Device(device, kernels, label);
  const making = {
    n: capacity,
    loadFactor: loadFactor ?? Math.min(USUAL_LOAD, own.safeLoadFactor),
    seed: seedOf(type.id, options.seed),
    secret: secretOf(options.seed),
    counting: false,
    params,
    onFull,
  };
  return { own, gpu, making, about, hosted: about.hosted?.(params) ?? [] };
}

async function open({ own, gpu, making, about, hosted }: ReturnType<Prepare>) {
  const capacity = making.n;
  try {
    const table = await createTable(own, gpu, making);
    try {
      const recordable = await table.recordable?.();
      await table.clear();
      const { operations, state } = promises(gpu, { type: own, table, capacity, recordable, hosted });
      const recorder = recordable && (await about.recorder?.(gpu, recordable, state));
      const having = { gpu, type: own, table, recordable, recorder, making, ...state };
      for (const offer of about.offers ?? []) Object.assign(operations, offer(having, operations));
      return operations;
    } catch (error) {
      table.destroy();
      throw error;
    }
  } catch (error) {
    gpu.destroy();
    if (error instanceof DoesNotFit) throw new DoesNotFit(`${own.id} of ${capacity} pairs: ${error.message}`);
    throw failing(gpu.label, error);
  }
}

const OPTIONS = ["capacity", "loadFactor", "keys", "seed", "params", "kernels", "label"];

/** The options. Throws a UsageError. */
function checked(
  { id, parameters }: TableType,
  { only = {}, options: more = [] }: About,
  device: GPUDevice,
  options: TableOptions,
): TableOptions {
  // A program without types may have given the adapter, say.
  if (typeof device?.createBuffer !== "function") throw new UsageError(`${id}: the first argument is no GPUDevice`);
  const {
    capacity,
    loadFactor = USUAL_LOAD,
    keys = "u32",
    params = {},
  } = checkMembers(id, options, [...OPTIONS, ...more], namesOf(parameters));
  checkWhole(id, "capacity", capacity, 1);
  if (typeof loadFactor !== "number" || !(loadFactor > 0))
    throw new UsageError(`${id}: loadFactor is ${shown(loadFactor)}; it takes a number above 0`);
  if (keys !== "u32") throw new UsageError(`${id}: keys is ${shown(keys)}; it takes "u32"`);
  for (const [name, { values, why }] of Object.entries(only)) {
    const value = params[name];
    if (value !== undefined && !values.includes(value))
      throw new UsageError(`${id}: ${name} is ${value}; the library takes ${values.join(", ")}: ${why}`);
  }
  return options;
}
