/** Functions of a table in shaders of a program's own. */

import { didYouMean } from "../../datasets/nearest.js";
import { wordsOf } from "../device/bind.js";
import { withConstants } from "../device/constants.js";
import { UsageError } from "../device/errors.js";
import type { Bindings, UniformValue } from "../device/gpu.js";
import type { ShaderSource } from "../table.js";
import { checkMembers } from "./check.js";
import { rehashed } from "./commands.js";
import { type Declaration, linkAll, SIZES } from "./link.js";
import type { Having, Offer } from "./offers.js";
import type { DeviceFunctions, DeviceOptions, FunctionName } from "./types.js";

/** GPUShaderStage.COMPUTE, which is no global in Node. */
const COMPUTE = 4;
const TYPES = { read: "read-only-storage", read_write: "storage", uniform: "uniform" } as const;

/** As modules of kernels name it. */
const keyOf = (name: FunctionName) => `$${name}` as const;
type Named = Partial<Record<ReturnType<typeof keyOf>, Declaration>>;

/** Declarations of functions, by their names there. */
export interface Functions {
  /** Of dispatches that do not change the table. */
  readonly reading: Named;
  /** Of others, all of them on the same variables. */
  readonly changing?: Named;
}

/** Functions of its kernels that programs may call in shaders of their own. */
export function shaderFunctions(of: Functions): Offer {
  return (having) =>
    having.table.storage?.shader ? { device: (given: DeviceOptions) => linked(having, of, given) } : {};
}

/** Throws a UsageError for wrong options, GpuError for what the device does not take. */
function linked({ gpu, table, recordable, alive }: Having, of: Functions, given: DeviceOptions) {
  alive();
  const source = table.storage?.shader as ShaderSource;
  const status = recordable?.status;
  const whose = `${gpu.label}.device`;
  const { group = 0, prefix = "table_", functions } = checkMembers(whose, given, ["group", "prefix", "functions"]);
  if (!Number.isSafeInteger(group) || group < 0)
    throw new UsageError(`${whose}: group is ${group}; it takes 0 or more`);
  if (!/^[A-Za-z]\w*$/.test(prefix))
    throw new UsageError(`${whose}: prefix is ${prefix}; it takes the begin of a name`);
  const { conditions: on = {}, constants = {}, sizes, fixed } = source;
  const known: Named = { ...of.reading, ...of.changing };
  const unknown = functions.find((name) => !(keyOf(name) in known));
  if (functions.length === 0 || unknown !== undefined) {
    const names = Object.keys(known).map((name) => name.slice(1));
    throw new UsageError(
      `${whose}: no function ${unknown ?? ""}${didYouMean(unknown ?? "", names) || "."} It has ${names.join(", ")}`,
    );
  }
  const chosen = functions.every((name) => keyOf(name) in of.reading) ? of.reading : known;
  const roots = functions.map((name) => chosen[keyOf(name)]).filter((one) => one !== undefined);
  const compiledIn = fixed && !gpu.info.software ? sizes : undefined;
  const { code, overrides } = linkAll(roots, { file: whose, on, fixed: compiledIn, group, prefix });
  // What WESL links binds the sizes, too, where they are compiled in here.
  const { resources } = linkAll(roots, { file: whose, on, prefix });
  const used = [...resources];
  const named = Object.entries(constants).filter(([name]) => overrides.has(`${prefix}${name}`));
  const layout = gpu.device.createBindGroupLayout({
    label: whose,
    entries: used.map(([, { binding, access }]) => ({
      binding,
      visibility: COMPUTE,
      buffer: { type: TYPES[access] },
    })),
  });
  return {
    code: withConstants(code, Object.fromEntries(named.map(([name, value]) => [`${prefix}${name}`, value]))),
    layout,
    wesl: {
      conditions: { ...on, ONLY_FIND: chosen === of.reading, [`GROUP_${group}`]: true },
      constants: Object.fromEntries(named),
    },
    bindGroup() {
      if (status !== recordable?.status) throw rehashed(whose);
      const bound: Bindings = { ...source.bound(), [SIZES]: sizes ?? {} };
      const entries = used.map(([name, { binding, fields }]) => {
        const value = bound[name];
        if (value === undefined) throw new UsageError(`${whose}: nothing is bound to ${name}`);
        const buffer = fields
          ? gpu.constant(wordsOf(`${whose}: ${name}`, fields, value as UniformValue))
          : (value as GPUBuffer);
        return { binding, resource: { buffer } };
      });
      return gpu.device.createBindGroup({ label: whose, layout, entries });
    },
  } satisfies DeviceFunctions;
}
