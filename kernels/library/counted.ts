/** Operations whose number of items is on the device: the same steps, for as many items as a buffer says. */
import { dispatch } from "../device/bind.js";
import { USAGE } from "../device/commands.js";
import { UsageError } from "../device/errors.js";
import type { Step } from "../device/gpu.js";
import { kernel } from "./counted.wgsl.js";
import type { UserDevice } from "./device.js";
import type { DeviceCount } from "./types.js";

export const countedKernel = kernel;

/** Bytes of the uniform, which the words of the indirect dispatch follow: counted.wgsl. */
const RANGE_BYTES = 16;
/** A variable of common/range.wgsl, as kernels name the items of a dispatch. */
const NAMES = ["range", "n"];

/** Of an operation that is more than a dispatch with an item a lane. */
export const countless = (whose: string) => new UsageError(`${whose}: n has to be a number with this table`);

/** @param gpu whose kernels have `countedKernel` */
export async function counting(gpu: UserDevice) {
  const usage = USAGE.STORAGE | USAGE.UNIFORM | USAGE.INDIRECT;
  /** The items of a dispatch and its workgroups, which kernels write: each of them just before it is read. */
  let made: GPUBuffer | undefined;
  const count = await gpu.kernel({ file: "kernels/library/counted.wgsl", takes: ["count", "range", "counted"] });
  /** The steps of an operation on `most` items, for the number of them that the buffer has when they run. Throws a UsageError. */
  return (whose: string, steps: readonly Step[], { buffer, offset = 0, most }: DeviceCount, first: number): Step[] => {
    made ??= gpu.hold(gpu.device.createBuffer({ label: `${gpu.label}: range`, size: 32, usage }));
    const range = made;
    return steps.flatMap((step) => {
      const { kernel, groups, bindings } = step;
      const uniforms = [...(kernel.resources ?? [])].filter(([, { fields }]) => fields);
      // A fill, say.
      if (uniforms.length === 0) return [step];
      const [name] = uniforms.find(([own, { fields }]) => NAMES.includes(own) && fields?.length === 2) ?? [];
      if (!name) throw countless(whose);
      // Lanes of a workgroup are a power of two.
      const lanes = 2 ** Math.ceil(Math.log2(most / groups));
      return [
        dispatch(count, 1, { count: buffer, range, counted: { word: offset / 4, first, most, lanes } }),
        {
          ...step,
          bindings: { ...bindings, [name]: { buffer: range, offset: 0, size: RANGE_BYTES } },
          indirect: { buffer: range, offset: RANGE_BYTES },
        },
      ];
    });
  };
}
